// The artifact called as the header says, by a host with no library: what only linear memory can show.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { expected, pattern } from "./reference.ts";

const OK = 0;
const NULL = 1;
const RANGE = 2;
const PAGE = 65536;

type Call = (...args: (number | bigint)[]) => number;

function instantiate() {
  const path = fileURLToPath(import.meta.resolve("@blake3-polyglot/blake3/blake3.wasm"));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)));
  const functions = exports as Record<string, Call>;
  const call = (name: string, ...args: (number | bigint)[]) => (functions[name] as Call)(...args);
  const memory = exports.memory as WebAssembly.Memory;
  return { call, bytes: () => new Uint8Array(memory.buffer) };
}

test("what lies outside linear memory is refused, and nothing is written", () => {
  const { call, bytes } = instantiate();
  const end = bytes().length;
  const staging = call("b3_staging");
  const out = staging + PAGE;
  for (const [code, input, length, to] of [
    [RANGE, end - 10, 11, out],
    [RANGE, end, 1, out],
    [RANGE, -256, 512, out],
    [RANGE, staging, -1, out],
    [RANGE, staging, 10, end - 31],
    [NULL, 0, 1, out],
    [NULL, staging, 1, 0],
  ] as const) {
    assert.equal(call("hash", input, length, to), code, `${length} bytes at ${input}, out ${to}`);
  }
  assert.equal(call("b3_state_init", end - 2799, 0, 0, 0), RANGE);
  assert.equal(call("b3_subtree", 1, end - 31, 32, 0n, staging, 1, out), RANGE);
  assert.ok(
    bytes()
      .subarray(staging)
      .every((byte) => byte === 0),
  );

  assert.equal(call("hash", end - 10, 10, out), OK);
  assert.deepEqual(bytes().slice(out, out + 32), expected(new Uint8Array(10)));
  assert.equal(call("hash", 0, 0, end - 32), OK);
  assert.deepEqual(bytes().slice(end - 32), expected(new Uint8Array()));
});

test("alloc grows memory up to its maximum, and what is freed serves again", () => {
  const { call, bytes } = instantiate();
  const length = 60 << 20;
  const at = call("alloc", length);
  assert.notEqual(at, 0);
  assert.equal(call("alloc", 10 << 20), 0);
  assert.equal(call("alloc", -1), 0);
  const input = pattern(1_000_000);
  bytes().set(input, at);
  const out = call("b3_staging");
  assert.equal(call("hash", at, input.length, out), OK);
  assert.deepEqual(bytes().slice(out, out + 32), expected(input));
  assert.equal(call("dealloc", at + 1, length), RANGE);
  assert.equal(call("dealloc", at, length), OK);
  assert.equal(call("alloc", length), at);
});
