// The artifact's kernel against the blake3 crate's, built to a second artifact: the same calls must leave the same bytes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

type Call = (...args: (number | bigint)[]) => number;

const PAGE = 65536;
const STATE_SIZE = 2800;
const MODES = [0, 1, 2];

function instantiate(name: string) {
  const path = fileURLToPath(import.meta.resolve(`@blake3-polyglot/rust-blake3/${name}`));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)));
  const functions = exports as Record<string, Call>;
  const call = (name: string, ...args: (number | bigint)[]) => (functions[name] as Call)(...args);
  const at = call("alloc", 4 * PAGE) >>> 0;
  const bytes = new Uint8Array((exports.memory as WebAssembly.Memory).buffer);
  const key = call("b3_staging");
  const [state, halves, out] = [key + 64, key + 64 + STATE_SIZE, key + 4096];
  bytes.set(
    Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1),
    key,
  );
  for (let i = at; i < bytes.length; i++) bytes[i] = (i - at) % 251;
  /** Where an input of some length ends with linear memory, so that a read beyond it traps. */
  const before = (length: number) => bytes.length - length;
  return {
    call,
    bytes,
    at,
    key,
    state,
    halves,
    out,
    before,
    keyed: (mode: number) => [mode, key, mode && 32] as const,
  };
}

type Instance = ReturnType<typeof instantiate>;

const kernel = instantiate("blake3.wasm");
const crate = instantiate("crate-kernel/blake3.wasm");

/** Runs the same on both, and compares the code and the `length` bytes at the place that `run` returns. */
function same(what: string, length: number, run: (instance: Instance) => { code: number; at: number }) {
  const [got, want] = [kernel, crate].map((instance) => {
    instance.bytes.fill(0xee, instance.out, instance.out + 61440);
    const { code, at } = run(instance);
    return { code, bytes: Buffer.from(instance.bytes.buffer, at, length) };
  }) as [{ code: number; bytes: Buffer }, { code: number; bytes: Buffer }];
  if (got.code !== want.code || !got.bytes.equals(want.bytes)) assert.deepEqual(got, want, what);
}

/** A fixed sequence (Knuth's multiplier), so that a failure repeats. */
let seed = 1n;
function random(most: number): number {
  seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n);
  return Number(seed >> 33n) % most;
}

test("every length to 8192, at the end of memory, in every mode", () => {
  for (let length = 0; length <= 8192; length++) {
    same(`hash of ${length}`, 64, ({ call, before, out }) => ({
      code: call("hash", before(length), length, out),
      at: out,
    }));
    same(`context key of ${length}`, 64, ({ call, before, out }) => ({
      code: call("b3_context_key", before(length), length, out),
      at: out,
    }));
    for (const mode of MODES) {
      same(`mode ${mode}, ${length} bytes`, 160, ({ call, before, keyed, out }) => ({
        code: call("b3_hash", ...keyed(mode), before(length), length, out, 131),
        at: out,
      }));
      const offset = [0n, 1n << 13n, (1n << 42n) - (1n << 13n), 1n << 42n, 5n << 45n][length % 5] as bigint;
      same(`mode ${mode}, subtree of ${length} at ${offset}`, 64, ({ call, before, keyed, out }) => ({
        code: call("b3_subtree", ...keyed(mode), offset, before(length), length, out),
        at: out,
      }));
    }
  }
});

test("long inputs", () => {
  for (const length of [16, 17, 31, 33, 63, 64, 65, 96, 127, 128, 129, 200, 255].map((chunks) => chunks * 1024)) {
    for (const more of [-1024, -1, 0, 1, 64, 1000]) {
      for (const mode of MODES) {
        same(`mode ${mode}, ${length + more} bytes`, 64, ({ call, before, keyed, out }) => ({
          code: call("b3_hash", ...keyed(mode), before(length + more), length + more, out, 32),
          at: out,
        }));
      }
    }
  }
});

test("counters carry from the low word to the high one in any lane", () => {
  for (let chunk = (1n << 32n) - 8n; chunk < (1n << 32n) + 4n; chunk++) {
    for (const length of [1024, 2048, 3072, 4096, 8192, 3000, 1500]) {
      same(`subtree of ${length} at chunk ${chunk}`, 64, ({ call, at, keyed, out }) => ({
        code: call("b3_subtree", ...keyed(1), chunk << 10n, at, length, out),
        at: out,
      }));
    }
  }
});

test("output from every position, across 2^32 blocks and to its end", () => {
  const end = (1n << 64n) - 1n;
  const near = (place: bigint) => [-300n, -257n, -256n, -255n, -64n, -63n, -1n, 0n, 1n].map((by) => place + by);
  const positions = [...Array.from({ length: 300 }, (_, i) => BigInt(i)), ...near(1n << 38n), ...near(end - 700n)];
  for (const input of [0, 1, 63, 64, 65, 1024, 1025, 5000]) {
    for (const mode of MODES) {
      for (const { call, keyed, state, at } of [kernel, crate]) {
        assert.equal(call("b3_state_init", state, ...keyed(mode)), 0);
        assert.equal(call("b3_state_update", state, at, input), 0);
      }
      for (const position of [...positions, end - 1n, end]) {
        const length = [0, 1, 32, 63, 64, 65, 128, 255, 256, 257, 321, 512, 700][random(13)] as number;
        const what = `mode ${mode}, ${input} bytes, output of ${length} from ${position}`;
        same(what, 1024, ({ call, state, out }) => ({
          code: call("b3_state_output", state, position, out, length),
          at: out,
        }));
        same(`root: ${what}`, 1024, ({ call, keyed, at, out }) => ({
          code: call("b3_root", ...keyed(mode), at, at + 40, position, out, length),
          at: out,
        }));
      }
    }
  }
});

test("states after split writes and appended subtrees are the same bytes", () => {
  for (let round = 0; round < 400; round++) {
    const mode = round % 3;
    same("init", STATE_SIZE, ({ call, keyed, state }) => ({
      code: call("b3_state_init", state, ...keyed(mode)),
      at: state,
    }));
    const most = [64, 1024, 1025, 5000, 20_000, 70_000][random(6)] as number;
    let total = 0;
    for (let write = 0; write < 12; write++) {
      const length = random(3) === 0 ? 1024 * random(Math.ceil(most / 1024) + 1) : random(most + 1);
      const what = `round ${round}, ${length} bytes after ${total}`;
      same(what, STATE_SIZE, ({ call, state, before }) => ({
        code: call("b3_state_update", state, before(length), length),
        at: state,
      }));
      total += length;
      same(`output: ${what}`, 128, ({ call, state, out }) => ({
        code: call("b3_state_output", state, 0n, out, 100),
        at: out,
      }));
      const subtree = 2048 << random(3);
      if (total % subtree === 0) {
        same(`append: ${what}`, STATE_SIZE, ({ call, state, at, keyed, halves }) => {
          for (const half of [0, 1]) {
            const offset = total + (half * subtree) / 2;
            const code = call("b3_subtree", ...keyed(mode), BigInt(offset), at + 7, subtree / 2, halves + 32 * half);
            assert.equal(code, 0);
          }
          return { code: call("b3_state_append", state, halves, BigInt(subtree)), at: state };
        });
        total += subtree;
      }
    }
  }
});

test("merged chaining values", () => {
  for (const mode of MODES) {
    for (const [left, right] of [
      [0, 32],
      [5, 100],
      [100, 5],
    ] as const) {
      same(`mode ${mode}`, 64, ({ call, keyed, at, out }) => ({
        code: call("b3_merge", ...keyed(mode), at + left, at + right, out),
        at: out,
      }));
    }
  }
});
