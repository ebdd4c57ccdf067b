// Searches the linear memory of an instance for what keyed calls must not leave there.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { type load, loadSync } from "@blake3-polyglot/blake3";
import { expected } from "./reference.ts";

/** Bytes that nothing else in memory looks like. */
const noise = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  loadSync().hash(Uint8Array.of(seed), { length, context: "blake3-polyglot 2026-11-30 test noise" });

const key = noise(32, 1);
const context = "a context that no other test has, 2026-11-30";
const contextKey = (() => {
  const state = loadSync().createHasher({ context }).export();
  return state.slice(16, 48);
})();

async function spied(): Promise<{ blake3: Awaited<ReturnType<typeof load>>; memory: () => Buffer }> {
  const artifact = new URL(import.meta.resolve("@blake3-polyglot/blake3/blake3.wasm"));
  const Instance = WebAssembly.Instance;
  let instance: WebAssembly.Instance | undefined;
  mock.method(WebAssembly, "Instance", function (this: unknown, module: WebAssembly.Module) {
    instance = new Instance(module);
    return instance;
  });
  const blake3 = loadSync({ source: artifact });
  mock.restoreAll();
  const { memory } = (instance as unknown as { exports: { memory: WebAssembly.Memory } }).exports;
  return { blake3, memory: () => Buffer.from(memory.buffer) };
}

/** Which of the secrets, each in 12-byte pieces from its start, middle and end, are in memory. */
function found(memory: Buffer, secrets: Record<string, Uint8Array>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const ends = [0, Math.floor(secret.length / 2) - 6, secret.length - 12];
    return ends
      .filter((at) => memory.includes(Buffer.from(secret.subarray(at, at + 12))))
      .map((at) => `${name} at ${at}`);
  });
}

const sizes = [64, 1000, 1024, 2048, 5000, 65_536, 70_000, 200_000];

test("the search finds what a plain hash leaves", async () => {
  const { blake3, memory } = await spied();
  const input = noise(1000, 2);
  blake3.hash(input);
  assert.deepEqual(found(memory(), { input: input.subarray(100) }), ["input at 0", "input at 444", "input at 888"]);
});

for (const [mode, options, secretKey] of [
  ["keyed", { key }, key],
  ["derive-key", { context }, contextKey],
] as const) {
  test(`nothing of a ${mode} call stays in linear memory`, async () => {
    const { blake3, memory } = await spied();
    const check = (what: string, input: Uint8Array, output: Uint8Array) => {
      assert.deepEqual(found(memory(), { key: secretKey, input, output }), [], what);
    };
    for (const size of sizes) {
      const input = noise(size, size);
      for (const length of [32, 1000, 70_000]) {
        const output = blake3.hash(input, { ...options, length });
        check(`hash of ${size} to ${length}`, input, output);
        assert.deepEqual(output, expected(input, { ...options, length }));
      }
      const hasher = blake3.createHasher(options);
      for (const part of [100, 1000, 30_000, size]) {
        hasher.update(input.subarray(0, part));
        const state = hasher.export();
        const chainingValue = state.subarray(1072, 1104);
        check(`update of ${part}`, input.subarray(0, part), state[5] === 0 ? secretKey : chainingValue);
        const digest = hasher.digest(100);
        check(`digest after ${part}`, input.subarray(0, part), digest);
      }
      const reader = hasher.clone().xof();
      check("xof", input, reader.seek(1n << 60n).read(200));
      const copy = blake3.createHasher({ state: hasher.export() });
      check("import", input, copy.digest());
    }
  });
}

test("nothing of a keyed call stays after an error", async () => {
  const { blake3, memory } = await spied();
  const full = blake3.createHasher({ key }).export();
  // A length of 2^64 - 1 bytes: 54 chaining values and a tail of 1023 bytes.
  full.set([54, 0xff, 0x03, ...Array(8).fill(0xff)], 5);
  const hasher = blake3.createHasher({ state: full });
  const input = noise(2000, 3);
  assert.throws(() => hasher.update(input), RangeError);
  assert.deepEqual(found(memory(), { key, input }), []);
  full[4] = 7;
  assert.throws(() => blake3.createHasher({ state: full }), { name: "Blake3Error" });
  assert.deepEqual(found(memory(), { key }), []);
});
