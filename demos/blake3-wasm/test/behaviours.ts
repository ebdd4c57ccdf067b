// What every backend must do, whatever runs the tests: a list of named functions that throw. Each call is awaited, so a
// backend may answer with promises.
import type {
  ByteStream,
  Bytes,
  Hasher,
  HasherOptions,
  HashOptions,
  OutputReader,
  StreamOptions,
} from "@blake3-polyglot/blake3";
import vectors from "@blake3-polyglot/rust-blake3/vectors.json" with { type: "json" };
import { expected, expectedAt, pattern } from "./reference.ts";

/** The same methods, each perhaps a promise. */
type Eventually<T> = T | PromiseLike<T>;

export interface HashBackend {
  hash(input: Bytes, options?: HashOptions): Eventually<Uint8Array>;
}

export interface HasherBackend extends HashBackend {
  createHasher(options?: HasherOptions): Eventually<Hasher>;
}

export interface StreamBackend {
  hashStream(stream: ByteStream, options?: StreamOptions): Promise<Uint8Array>;
}

export type Behaviours<Backend> = Record<string, (backend: Backend) => Promise<void>>;

/** Arguments that the types forbid. */
// biome-ignore lint/suspicious/noExplicitAny: only any fits every parameter
const wrong = (value: unknown): any => value;

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function same(actual: unknown, want: unknown, what: string): void {
  const [a, b] = [actual, want].map((value) => (value instanceof Uint8Array ? hex(value) : value));
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Checks that `run` throws an error of this name whose message matches. */
async function fails(run: () => unknown, name: string, message: RegExp, what: string): Promise<void> {
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    const { name: actual, message: text } = error as Error;
    if (actual !== name || !message.test(text)) {
      throw new Error(`${what}: expected ${name} ${message}, got ${actual}: ${text}`, { cause: error });
    }
    return;
  }
  throw new Error(`${what}: expected ${name} ${message}, got no error but ${result}`);
}

const key = new TextEncoder().encode(vectors.key);
const context = vectors.context_string;
const modes: HashOptions[] = [{}, { key }, { context }];
const nameOf = (options: HashOptions): string => Object.keys(options).join() || "plain";

/** Lengths around every edge: of blocks, chunks, subtrees, and of the 64 KiB that are copied at once. */
const edges = [
  ...new Set(
    [0, 1, 64, 128, 1024, 2048, 3072, 4096, 8192, 16384, 31744, 65536, 131072, 196608].flatMap((n) => [
      n - 1,
      n,
      n + 1,
    ]),
  ),
].filter((n) => n >= 0);

/** A generator of the same numbers in every run. Returns 0 to limit - 1. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Moves the memory of a buffer away, so that it and its views are detached. */
function detach<T extends Bytes>(buffer: ArrayBuffer, value: T): T {
  structuredClone(buffer, { transfer: [buffer] });
  return value;
}

/** Makes a view of a buffer that then shrinks below the view's end. */
function outOfBounds(make: (buffer: ArrayBuffer) => ArrayBufferView): ArrayBufferView {
  const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
  const view = make(buffer);
  buffer.resize(4);
  return view;
}

/** What is no input, with the error's text. Made anew for each use. */
const badInputs = (): [string, unknown, RegExp][] => [
  ["undefined", undefined, /got undefined/],
  ["null", null, /got null/],
  ["string", "abc", /got a string of 3 characters; encode it/],
  ["number", 3, /got a number/],
  ["bigint", 3n, /got a bigint/],
  ["boolean", true, /got a boolean/],
  ["array", [1, 2, 3], /got an object \(Array\)/],
  ["object", { length: 3, byteLength: 3 }, /got an object \(Object\)/],
  ["function", () => new Uint8Array(1), /got a function/],
  ["object that claims to be a buffer", { [Symbol.toStringTag]: "ArrayBuffer", length: 2 }, /got an object/],
  ["detached ArrayBuffer", ((b) => detach(b, b))(new ArrayBuffer(8)), /detached/],
  ["detached Uint8Array", ((b) => detach(b, new Uint8Array(b)))(new ArrayBuffer(8)), /detached/],
  ["detached Float64Array", ((b) => detach(b, new Float64Array(b)))(new ArrayBuffer(8)), /detached/],
  ["detached DataView", ((b) => detach(b, new DataView(b)))(new ArrayBuffer(8)), /detached/],
  ["Uint8Array out of bounds", outOfBounds((buffer) => new Uint8Array(buffer, 2, 6)), /shrunk/],
  ["Uint16Array out of bounds", outOfBounds((buffer) => new Uint16Array(buffer, 2, 3)), /shrunk/],
  ["DataView out of bounds", outOfBounds((buffer) => new DataView(buffer, 2, 6)), /shrunk/],
];

/** Modes that are none. */
const badModes = (): [string, unknown, string, RegExp][] => [
  ["key and context", { key, context }, "TypeError", /key or context, got both/],
  ["short key", { key: key.subarray(1) }, "RangeError", /key: expected 32 bytes, got 31/],
  ["long key", { key: new Uint8Array(33) }, "RangeError", /key: expected 32 bytes, got 33/],
  ["empty key", { key: new Uint8Array(0) }, "RangeError", /key: expected 32 bytes, got 0/],
  ["string key", { key: vectors.key }, "TypeError", /key: expected .*got a string of 32 characters/],
  ["null key", { key: null }, "TypeError", /key: expected .*got null/],
  ["detached key", { key: ((b) => detach(b, b))(new ArrayBuffer(32)) }, "TypeError", /key: .*detached/],
  ["context of bytes", { context: key }, "TypeError", /context: expected a string, got an object \(Uint8Array\)/],
  ["null context", { context: null }, "TypeError", /context: expected a string, got null/],
  ["lone surrogate", { context: "a\ud800b" }, "TypeError", /context: .*lone surrogate/],
  ["misspelt option", { Key: key }, "TypeError", /options: expected only key, context, .*got "Key"/],
  ["options of bytes", key, "TypeError", /options: expected an object, got an object \(Uint8Array\)/],
  ["options of a string", "key", "TypeError", /options: expected an object, got a string/],
  ["null options", null, "TypeError", /options: expected an object, got null/],
];

const badLengths: [unknown, string, RegExp][] = [
  [-1, "RangeError", /length: .*got -1/],
  [0.5, "RangeError", /length: .*got 0.5/],
  [Number.NaN, "RangeError", /length: .*got NaN/],
  [Number.POSITIVE_INFINITY, "RangeError", /length: .*got Infinity/],
  [2 ** 53, "RangeError", /length: .*got 9007199254740992/],
  [Number.MAX_SAFE_INTEGER, "RangeError", /length: .*got 9007199254740991; read longer output in parts/],
  ["32", "TypeError", /length: .*got a string/],
  [32n, "TypeError", /length: .*got a bigint/],
  [null, "TypeError", /length: .*got null/],
];

const badPositions: [unknown, string, RegExp][] = [
  [-1, "RangeError", /position: .*got -1/],
  [-1n, "RangeError", /position: .*got -1/],
  [2n ** 64n, "RangeError", /position: .*got 18446744073709551616/],
  [2 ** 53, "RangeError", /position: .*got 9007199254740992/],
  [1.5, "RangeError", /position: .*got 1.5/],
  [Number.NaN, "RangeError", /position: .*got NaN/],
  ["0", "TypeError", /position: .*got a string/],
  [undefined, "TypeError", /position: .*got undefined/],
];

/** Behaviours of `hash`. */
export const hashBehaviours: Behaviours<HashBackend> = {
  async "gives the published vectors in every mode"({ hash }) {
    if (vectors.cases.length < 35) throw new Error(`expected 35 cases or more, got ${vectors.cases.length}`);
    for (const { input_len, hash: plain, keyed_hash, derive_key } of vectors.cases) {
      const input = pattern(input_len);
      for (const [options, want] of [
        [{}, plain],
        [{ key }, keyed_hash],
        [{ context }, derive_key],
      ] as const) {
        const what = `${input_len} bytes, ${nameOf(options)}`;
        same(await hash(input, { ...options, length: 131 }), want, what);
        same(await hash(input, options), want.slice(0, 64), what);
        same(hex(expected(input, { ...options, length: 131 })), want, `${what}, by @noble/hashes`);
      }
      same(await hash(input), plain.slice(0, 64), `${input_len} bytes without options`);
    }
  },

  async "agrees with @noble/hashes around every edge"({ hash }) {
    const input = pattern(200_000);
    for (const length of edges) {
      for (const options of modes) {
        const part = input.subarray(3, 3 + length);
        same(await hash(part, options), expected(part, options), `${length} bytes, ${nameOf(options)}`);
      }
    }
  },

  async "gives output of any length, shorter a prefix of longer"({ hash }) {
    for (const size of [0, 5, 64, 65, 1024, 1025, 70_000]) {
      const input = pattern(size);
      for (const options of modes) {
        const long = expected(input, { ...options, length: 131_073 });
        for (const length of [0, 1, 31, 32, 33, 63, 64, 65, 127, 1000, 65_535, 65_536, 65_537, 131_073]) {
          const what = `${length} bytes of output of ${size}, ${nameOf(options)}`;
          same(await hash(input, { ...options, length }), long.subarray(0, length), what);
        }
      }
    }
  },

  async "takes views and buffers of any kind"({ hash }) {
    // Pages without cross-origin isolation, and WebKitGTK, have none.
    const shared = typeof SharedArrayBuffer === "undefined" ? undefined : new SharedArrayBuffer(80);
    if (!shared) console.warn("NOT TESTED: SharedArrayBuffer, which this engine or page does not have");
    const resizable = new ArrayBuffer(80, { maxByteLength: 160 });
    const buffers = [pattern(80).buffer, resizable, ...(shared ? [shared] : [])];
    for (const buffer of buffers) {
      const all = new Uint8Array(buffer);
      all.set(pattern(80));
      const copy = Uint8Array.from(all);
      const what = Object.prototype.toString.call(buffer);
      same(await hash(buffer), expected(copy), what);
      same(await hash(all.subarray(7, 30)), expected(copy.subarray(7, 30)), `${what}, unaligned`);
      same(await hash(new DataView(buffer, 1, 70)), expected(copy.subarray(1, 71)), `${what}, DataView`);
      same(await hash(new Uint8ClampedArray(buffer, 5)), expected(copy.subarray(5)), `${what}, Uint8ClampedArray`);
      same(await hash(new Uint16Array(buffer, 2, 5)), expected(copy.subarray(2, 12)), `${what}, Uint16Array`);
      same(await hash(new Float64Array(buffer, 8)), expected(copy.subarray(8)), `${what}, Float64Array`);
      same(await hash(new BigInt64Array(buffer, 72)), expected(copy.subarray(72)), `${what}, BigInt64Array`);
      same(await hash(new Float64Array(buffer, 8, 0)), expected(new Uint8Array()), `${what}, nothing of it`);
      same(await hash(new DataView(buffer, 80)), expected(new Uint8Array()), `${what}, empty DataView`);
      same(
        await hash(copy, { key: new DataView(buffer, 3, 32) }),
        expected(copy, { key: copy.slice(3, 35) }),
        `${what}, key`,
      );
    }
  },

  async "encodes contexts as UTF-8, of any length"({ hash }) {
    const input = pattern(40);
    for (const text of ["", "a", "ünïcödé", "😀 \u0000", "x".repeat(65_536), "x".repeat(65_537), "é".repeat(300_000)]) {
      same(
        await hash(input, { context: text }),
        expected(input, { context: text }),
        `context of ${text.length} characters`,
      );
      same(await hash(input), expected(input), "plain hash afterwards");
    }
  },

  async "counts undefined as not given"({ hash }) {
    const input = pattern(10);
    same(await hash(input, { key: undefined, context: undefined, length: undefined }), expected(input), "undefined");
    same(await hash(input, undefined), expected(input), "undefined options");
  },

  async "never touches an earlier result or the input"({ hash }) {
    const input = pattern(1000);
    for (const options of modes) {
      const first = await hash(input, options);
      const kept = Uint8Array.from(first);
      const second = await hash(first, options);
      same(first, kept, "input that is a result");
      same(second, expected(kept, options), "hash of a result");
      second.fill(0);
      same(await hash(input, options), kept, "hash after a result was changed");
      same(input, pattern(1000), "input");
    }
    const secret = Uint8Array.from(key);
    same(await hash(secret, { key: secret }), expected(key, { key }), "input that is the key");
    same(secret, key, "key");
  },

  async "refuses what is not bytes"({ hash }) {
    for (const [what, input, message] of badInputs()) {
      await fails(() => hash(wrong(input)), "TypeError", message, what);
      await fails(() => hash(wrong(input), { key }), "TypeError", message, `${what}, keyed`);
    }
    same(await hash(pattern(3)), expected(pattern(3)), "hash afterwards");
  },

  async "refuses wrong modes and options"({ hash }) {
    for (const [what, options, name, message] of badModes()) {
      await fails(() => hash(pattern(3), wrong(options)), name, message, what);
    }
    await fails(() => hash(pattern(3), wrong({ state: new Uint8Array(2800) })), "TypeError", /got "state"/, "state");
  },

  async "refuses wrong lengths"({ hash }) {
    for (const [length, name, message] of badLengths) {
      for (const options of modes) {
        await fails(() => hash(pattern(3), wrong({ ...options, length })), name, message, `length ${length}`);
      }
    }
  },
};

/** Feeds a hasher in parts of one size. */
async function feed(hasher: Hasher, input: Uint8Array, size: number): Promise<Hasher> {
  for (let at = 0; at < input.length; at += size) await hasher.update(input.subarray(at, at + size));
  return hasher;
}

/** Behaviours of hashers and output readers. */
export const hasherBehaviours: Behaviours<HasherBackend> = {
  async "gives the published vectors in every mode, in parts of any size"({ createHasher }) {
    for (const { input_len, hash, keyed_hash, derive_key } of vectors.cases) {
      const input = pattern(input_len);
      for (const [options, want] of [
        [{}, hash],
        [{ key }, keyed_hash],
        [{ context }, derive_key],
      ] as const) {
        for (const size of [1, 63, 64, 65, 1000, 1024, 1025, 4096, 65_536, 102_400]) {
          if (size === 1 && input_len > 5000) continue;
          const hasher = await feed(await createHasher(options), input, size);
          const what = `${input_len} bytes by ${size}, ${nameOf(options)}`;
          same(await hasher.digest(131), want, what);
          same(await hasher.digest(), want.slice(0, 64), what);
        }
      }
    }
  },

  async "does not mind where input is split"({ createHasher }) {
    const input = pattern(200_000);
    for (const first of edges) {
      for (const second of [1, 63, 64, 960, 1024, 1025, 3000, 65_536]) {
        const hasher = await createHasher();
        await hasher.update(input.subarray(0, first));
        await hasher.update(input.subarray(first, first + second));
        await hasher.update(input.subarray(first + second, first + second + 100));
        const all = input.subarray(0, first + second + 100);
        same(await hasher.digest(), expected(all), `${first}, ${second}, 100`);
      }
    }
  },

  async "does not mind how input is split, at random"({ createHasher }) {
    const number = numbers(1);
    const input = pattern(300_000);
    for (let run = 0; run < 60; run++) {
      const options = modes[run % 3] as HashOptions;
      const total = number(input.length);
      const hasher = await createHasher(options);
      const parts: number[] = [];
      for (let at = 0; at < total; ) {
        const part = Math.min(total - at, number(2 ** (1 + number(17))));
        parts.push(part);
        await hasher.update(input.subarray(at, at + part));
        at += part;
      }
      same(await hasher.digest(), expected(input.subarray(0, total), options), `${nameOf(options)}: ${parts}`);
    }
  },

  async "goes on after a digest"({ createHasher }) {
    const input = pattern(9000);
    for (const options of modes) {
      const hasher = await createHasher(options);
      for (let at = 0; at < input.length; at += 300) {
        const before = input.subarray(0, at);
        same(await hasher.digest(), expected(before, options), `after ${at} bytes`);
        same(await hasher.digest(100), expected(before, { ...options, length: 100 }), `after ${at} bytes`);
        await hasher.update(input.subarray(at, at + 300));
      }
    }
  },

  async "keeps hundreds of hashers apart"({ createHasher, hash }) {
    const number = numbers(2);
    const input = pattern(140_000);
    const hashers = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const options = modes[i % 3] as HashOptions;
        return { options, hasher: await createHasher(options), length: 0 };
      }),
    );
    for (let step = 0; step < 3000; step++) {
      const one = hashers[number(hashers.length)] as (typeof hashers)[number];
      const part = number(step % 50 === 0 ? 70_000 : 1500);
      if (one.length + part > input.length) continue;
      await one.hasher.update(input.subarray(one.length, one.length + part));
      one.length += part;
      if (step % 7 === 0) same(await hash(key), expected(key), "hash in between");
    }
    for (const { options, hasher, length } of hashers) {
      same(await hasher.digest(), expected(input.subarray(0, length), options), `${length} bytes, ${nameOf(options)}`);
    }
  },

  async clones({ createHasher }) {
    for (const options of modes) {
      for (const length of [0, 10, 1024, 2048, 5000, 65_536]) {
        const input = pattern(length + 2000);
        const hasher = await (await createHasher(options)).update(input.subarray(0, length));
        const clone = await hasher.clone();
        await hasher.update(new Uint8Array(1500));
        same(await clone.digest(), expected(input.subarray(0, length), options), `clone at ${length}`);
        await clone.update(input.subarray(length));
        same(await clone.digest(), expected(input, options), `clone at ${length}, continued`);
        const other = new Uint8Array([...input.subarray(0, length), ...new Uint8Array(1500)]);
        same(await hasher.digest(), expected(other, options), `original of the clone at ${length}`);
      }
    }
  },

  async "resets, and keeps its mode"({ createHasher }) {
    for (const options of modes) {
      for (const length of [0, 10, 1024, 2048, 5000, 200_000]) {
        const hasher = await (await createHasher(options)).update(pattern(length));
        await hasher.reset();
        same(await hasher.digest(), expected(new Uint8Array(), options), `reset after ${length}`);
        await hasher.update(pattern(3000));
        same(await hasher.digest(), expected(pattern(3000), options), `reset after ${length}, reused`);
        same(
          await hasher.export(),
          await (await (await createHasher(options)).update(pattern(3000))).export(),
          "state",
        );
      }
    }
  },

  async "reads extendable output in parts"({ createHasher }) {
    for (const options of modes) {
      for (const length of [0, 64, 1025, 4096]) {
        const hasher = await (await createHasher(options)).update(pattern(length));
        const reader = await hasher.xof();
        const want = expected(pattern(length), { ...options, length: 200_000 });
        let at = 0;
        for (const part of [0, 1, 31, 32, 33, 64, 65, 1000, 65_536, 65_537, 3]) {
          same(await reader.position, BigInt(at), "position");
          same(await reader.read(part), want.subarray(at, at + part), `${part} bytes at ${at}`);
          at += part;
        }
        await hasher.update(new Uint8Array(5000));
        same(await reader.read(100), want.subarray(at, at + 100), "after an update of the hasher");
        await hasher.reset();
        await reader.seek(50);
        same(await reader.read(100), want.subarray(50, 150), "after a reset of the hasher");
        const other: OutputReader = await (await (await createHasher()).update(pattern(5))).xof();
        same(await other.read(10), expected(pattern(5), { length: 10 }), "another reader");
        same(await reader.read(10), want.subarray(150, 160), "after another reader");
      }
    }
  },

  async "seeks to the end of 2^64 - 1 bytes"({ createHasher }) {
    const input = pattern(50);
    const reader = await (await (await createHasher()).update(input)).xof();
    const end = 2n ** 64n - 1n;
    const positions = [
      0,
      63,
      64,
      2 ** 32,
      2 ** 38 - 1,
      2 ** 38,
      Number.MAX_SAFE_INTEGER,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 50n,
    ];
    for (const position of [...positions, 2n ** 63n, end - 100n]) {
      await reader.seek(position);
      same(await reader.position, BigInt(position), "position");
      same(await reader.read(100), expectedAt(input, BigInt(position), 100), `output at ${position}`);
      same(await reader.position, BigInt(position) + 100n, "position after reading");
    }
    same(await reader.position, end, "position at the end");
    same(await reader.read(0), new Uint8Array(), "nothing at the end");
    await fails(
      () => reader.read(1),
      "RangeError",
      /expected 0 bytes at most before the end of the output, got 1/,
      "beyond",
    );
    await reader.seek(end - 1n);
    await fails(() => reader.read(2), "RangeError", /expected 1 bytes at most/, "beyond");
    same(await reader.position, end - 1n, "position after an error");
    same(await reader.read(1), expectedAt(input, end - 1n, 1), "the last byte");
  },

  async "refuses wrong lengths and positions of output"({ createHasher }) {
    const hasher = await (await createHasher()).update(pattern(5));
    const reader = await hasher.xof();
    await reader.seek(7);
    for (const [length, name, message] of badLengths) {
      await fails(() => hasher.digest(wrong(length)), name, message, `digest(${length})`);
      await fails(() => reader.read(wrong(length)), name, message, `read(${length})`);
    }
    await fails(() => reader.read(wrong(undefined)), "TypeError", /length: .*got undefined/, "read()");
    for (const [position, name, message] of badPositions) {
      await fails(() => reader.seek(wrong(position)), name, message, `seek(${position})`);
    }
    same(await reader.position, 7n, "position after errors");
    same(await hasher.digest(), expected(pattern(5)), "digest after errors");
  },

  async "exports a state that another hasher goes on from"({ createHasher }) {
    for (const options of modes) {
      for (const length of edges) {
        const input = pattern(length + 1500);
        const hasher = await (await createHasher(options)).update(input.subarray(0, length));
        const state = await hasher.export();
        const kept = Uint8Array.from(state);
        same(state.length, 2800, "length of a state");
        same(hex(state.subarray(0, 5)), `62337001${hex(Uint8Array.of(modes.indexOf(options)))}`, "start of a state");
        for (const given of [state, state.buffer, new DataView(state.buffer)]) {
          const imported = await createHasher({ state: given });
          same(await imported.digest(), expected(input.subarray(0, length), options), `state at ${length}`);
          await imported.update(input.subarray(length));
          same(await imported.digest(), expected(input, options), `state at ${length}, continued`);
        }
        same(state, kept, "state that was imported");
        state.fill(255);
        same(
          await hasher.digest(),
          expected(input.subarray(0, length), options),
          "hasher whose exported state was changed",
        );
      }
    }
  },

  async "refuses a state that is cut or altered"({ createHasher }) {
    const plain = await (await (await createHasher()).update(pattern(3500))).export();
    const keyed = await (await (await createHasher({ key })).update(pattern(3500))).export();
    for (const size of [0, 1, 2799, 2801]) {
      const cut = new Uint8Array(size);
      cut.set(plain.subarray(0, size));
      await fails(
        () => createHasher({ state: cut }),
        "RangeError",
        new RegExp(`2800 bytes, got ${size}`),
        `${size} bytes`,
      );
    }
    const alterations: [string, number][] = [
      ["magic", 0],
      ["version", 3],
      ["mode", 4],
      ["depth", 5],
      ["tail length", 6],
      ["length", 8],
      ["length's top", 15],
      ["key of the plain mode", 16],
      ["unused tail", 48 + 1023],
      ["unused stack", 2799],
    ];
    for (const [what, at] of alterations) {
      const altered = Uint8Array.from(plain);
      altered[at] = (altered[at] as number) ^ 128;
      await fails(() => createHasher({ state: altered }), "Blake3Error", /state: .*altered/, what);
    }
    for (const mode of [0, 3]) {
      const altered = Uint8Array.from(keyed);
      altered[4] = mode;
      await fails(
        () => createHasher({ state: altered }),
        "Blake3Error",
        /state: .*altered/,
        `keyed state as mode ${mode}`,
      );
    }
    await fails(() => createHasher(wrong({ state: plain, key })), "TypeError", /state alone/, "state and key");
    await fails(() => createHasher(wrong({ state: plain, context })), "TypeError", /state alone/, "state and context");
    await fails(() => createHasher(wrong({ state: "b3p" })), "TypeError", /state: .*got a string/, "string");
    await fails(() => createHasher(wrong({ state: null })), "TypeError", /state: .*got null/, "null");
    same(await (await createHasher({ state: plain })).digest(), expected(pattern(3500)), "unaltered state");
  },

  async "counts input up to 2^64 - 1 bytes"({ createHasher }) {
    const full = new Uint8Array(2800);
    full.set([0x62, 0x33, 0x70, 1, 0, 54]);
    full.set([0xff, 0x03, ...Array(8).fill(0xff)], 6);
    const hasher = await createHasher({ state: full });
    const digest = await hasher.digest();
    await hasher.update(new Uint8Array());
    for (const length of [1, 1024, 70_000]) {
      await fails(
        () => hasher.update(new Uint8Array(length)),
        "RangeError",
        /input: expected 2\^64 - 1 bytes/,
        `${length} more`,
      );
      same(await hasher.digest(), digest, "digest after the error");
      same(await hasher.export(), full, "state after the error");
    }
    full[6] = 0xfe;
    full[8] = 0xfe;
    const last = await createHasher({ state: full });
    await last.update(new Uint8Array(1));
    same(await last.digest(), digest, "the last byte");
  },

  async "refuses wrong input and modes, and stays as it was"({ createHasher }) {
    const hasher = await (await createHasher()).update(pattern(2000));
    for (const [what, input, message] of badInputs()) {
      await fails(() => hasher.update(wrong(input)), "TypeError", message, what);
    }
    await hasher.update(pattern(100));
    same(await hasher.digest(), expected(new Uint8Array([...pattern(2000), ...pattern(100)])), "digest after errors");
    for (const [what, options, name, message] of badModes()) {
      await fails(() => createHasher(wrong(options)), name, message, what);
    }
    await fails(() => createHasher(wrong({ length: 5 })), "TypeError", /got "length"/, "length");
  },

  async "takes its own output as input"({ createHasher }) {
    const hasher = await createHasher();
    let all = new Uint8Array();
    for (let i = 0; i < 100; i++) {
      const digest = await hasher.digest(i);
      same(digest, expected(all, { length: i }), `digest ${i}`);
      await hasher.update(digest);
      all = new Uint8Array([...all, ...digest]);
    }
    same(await hasher.digest(), expected(all), "digest of digests");
  },
};

/** Parts of an input, of one size, and then perhaps an error. */
async function* parts(input: Uint8Array, size: number, error?: Error): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < input.length; at += size) yield Uint8Array.from(input.subarray(at, at + size));
  if (error) throw error;
}

/** Resolves after other work that waits. */
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Both kinds of stream from a generator, with a count of how often each was cancelled. */
const kinds: Record<string, (from: AsyncGenerator<Uint8Array<ArrayBuffer>>) => ByteStream> = {
  AsyncIterable: (from) => from,
  ReadableStream: (from) =>
    new ReadableStream({
      async pull(controller) {
        const { done, value } = await from.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await from.return(undefined);
      },
    }),
};

/** Behaviours of hashing a stream. */
export const streamBehaviours: Behaviours<StreamBackend> = {
  async "hashes a stream in every mode, in parts of any size"({ hashStream }) {
    for (const [kind, stream] of Object.entries(kinds)) {
      for (const options of modes) {
        for (const [length, size] of [
          [0, 1],
          [1, 1],
          [2500, 1],
          [100_000, 64],
          [300_000, 65_537],
          [200_000, 200_000],
        ] as const) {
          const got = await hashStream(stream(parts(pattern(length), size)), { ...options, length: 40 });
          same(got, expected(pattern(length), { ...options, length: 40 }), `${kind}, ${length} bytes by ${size}`);
        }
      }
    }
    same(await hashStream(new Response(pattern(5000)).body as ByteStream), expected(pattern(5000)), "a body");
    same(await hashStream(new Blob([pattern(5000)]).stream()), expected(pattern(5000)), "a blob");
  },

  async "fails as the stream does"({ hashStream }) {
    for (const [kind, stream] of Object.entries(kinds)) {
      await fails(
        () => hashStream(stream(parts(pattern(100), 10, new RangeError("torn")))),
        "RangeError",
        /torn/,
        kind,
      );
    }
  },

  async "refuses what is no stream of bytes, and cancels it"({ hashStream }) {
    for (const what of [undefined, null, "abc", 3, {}, pattern(3)]) {
      await fails(() => hashStream(wrong(what)), "TypeError", /stream: expected a ReadableStream/, String(what));
    }
    for (const part of ["abc", 3, null, [1, 2]]) {
      let cancelled = false;
      async function* bad() {
        try {
          yield wrong(part);
          yield wrong(part);
        } finally {
          cancelled = true;
        }
      }
      await fails(() => hashStream(bad()), "TypeError", /a part of the stream: expected/, `part ${part}`);
      await later();
      same(cancelled, true, `part ${part}: cancelled`);
    }
    await fails(
      () => hashStream(parts(pattern(3), 1), wrong({ signal: 3 })),
      "TypeError",
      /signal: expected/,
      "signal",
    );
    await fails(() => hashStream(parts(pattern(3), 1), wrong({ Key: key })), "TypeError", /got "Key"/, "misspelt");
    await fails(() => hashStream(parts(pattern(3), 1), { length: -1 }), "RangeError", /length/, "length");
  },

  async "ends at once when it is aborted, and cancels the stream"({ hashStream }) {
    const reason = new RangeError("enough");
    for (const [kind, stream] of Object.entries(kinds)) {
      for (const when of ["before", "while a read is pending", "between reads"]) {
        const abort = new AbortController();
        let cancelled = false;
        let release = (): void => {};
        async function* endless() {
          try {
            for (let i = 0; ; i++) {
              if (i === 20 && when === "between reads") abort.abort(reason);
              if (i === 20 && when === "while a read is pending") {
                setTimeout(() => abort.abort(reason));
                await new Promise<void>((resolve) => {
                  release = resolve;
                });
              }
              yield pattern(10);
            }
          } finally {
            cancelled = true;
          }
        }
        if (when === "before") abort.abort(reason);
        const from = endless();
        // A generator that has not begun has nothing to clean up.
        if (when === "before") await from.next();
        await fails(
          () => hashStream(stream(from), { signal: abort.signal }),
          "RangeError",
          /enough/,
          `${kind}, ${when}`,
        );
        release();
        await later();
        await later();
        same(cancelled, true, `${kind}, ${when}: cancelled`);
      }
    }
    const signal = new AbortController().signal;
    same(await hashStream(parts(pattern(3), 1), { signal }), expected(pattern(3)), "never aborted");
  },
};
