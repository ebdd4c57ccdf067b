import assert from "node:assert/strict";
import { test } from "node:test";
import { equal, toHex } from "@blake3-polyglot/blake3";

// biome-ignore lint/suspicious/noExplicitAny: arguments that the types forbid
const wrong = (value: unknown): any => value;

test("toHex gives two digits a byte", () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.equal(toHex(all), Buffer.from(all).toString("hex"));
  assert.equal(toHex(new Uint8Array()), "");
  assert.equal(toHex(all.buffer), toHex(all));
  assert.equal(toHex(new DataView(all.buffer, 254)), "feff");
});

test("equal compares every byte, and lengths", () => {
  const a = Uint8Array.from({ length: 32 }, (_, i) => i);
  assert.equal(equal(a, Uint8Array.from(a)), true);
  assert.equal(equal(a, a.buffer), true);
  assert.equal(equal(new Uint8Array(), new ArrayBuffer(0)), true);
  assert.equal(equal(a, a.subarray(1)), false);
  assert.equal(equal(a.subarray(0, 31), a), false);
  for (let i = 0; i < 256; i++) {
    const b = Uint8Array.from(a);
    b[i >> 3] = (b[i >> 3] as number) ^ (1 << (i & 7));
    assert.equal(equal(a, b), false, `bit ${i}`);
  }
});

test("both refuse what is not bytes", () => {
  for (const value of ["00ff", 5, null, undefined, [1, 2], {}]) {
    assert.throws(() => toHex(wrong(value)), { name: "TypeError", message: /^bytes: expected a Uint8Array/ });
    assert.throws(() => equal(wrong(value), new Uint8Array()), {
      name: "TypeError",
      message: /^a: expected a Uint8Array/,
    });
    assert.throws(() => equal(new Uint8Array(), wrong(value)), {
      name: "TypeError",
      message: /^b: expected a Uint8Array/,
    });
  }
});
