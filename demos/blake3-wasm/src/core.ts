// BLAKE3 over one WebAssembly instance: what every platform shares. Nothing here is of Node.js or of browsers.
import type {
  Blake3,
  ByteStream,
  Bytes,
  Hasher,
  HasherOptions,
  HashOptions,
  OutputReader,
  StreamOptions,
} from "./api.ts";
import type { Mode } from "./arguments.ts";
import {
  checkOptions,
  describe,
  HASH_OPTIONS,
  HASHER_OPTIONS,
  KEY_LENGTH,
  MAX_LENGTH,
  outputOf,
  STREAM_OPTIONS,
  sized,
  tag,
  toBytes,
  toMode,
  toPosition,
} from "./arguments.ts";
import { Blake3Error } from "./error.ts";
import { drain } from "./stream.ts";

/** What is called of `packages/rust-blake3/include/blake3_polyglot.h`, which documents it. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  b3_abi_version(): number;
  b3_staging(): number;
  b3_staging_size(): number;
  alloc(size: number): number;
  dealloc(pointer: number, size: number): number;
  hash(input: number, inputLength: number, out: number): number;
  b3_hash(
    mode: number,
    key: number,
    keyLength: number,
    input: number,
    inputLength: number,
    out: number,
    outLength: number,
  ): number;
  b3_context_key(context: number, contextLength: number, out: number): number;
  b3_state_check(state: number): number;
  b3_state_update(state: number, input: number, inputLength: number): number;
  b3_state_output(state: number, position: bigint, out: number, outLength: number): number;
}

const FUNCTIONS = [
  "b3_abi_version",
  "b3_staging",
  "b3_staging_size",
  "alloc",
  "dealloc",
  "hash",
  "b3_hash",
  "b3_context_key",
  "b3_state_check",
  "b3_state_update",
  "b3_state_output",
];

const encoder = new TextEncoder();

const ABI_VERSION = 1;
const ERROR_STATE = 6;
const ERROR_LENGTH = 7;

/** The mode numbers of the ABI. */
const HASH = 0;
const KEYED = 1;
const DERIVE_KEY = 2;

/** Offsets and sizes in a state, as the ABI fixes them. */
const STATE_SIZE = 2800;
const MAGIC_AND_VERSION = encoder.encode("b3p\x01");
const MODE_AT = 4;
const DEPTH_AT = 5;
const TAIL_LENGTH_AT = 6;
const LENGTH_AT = 8;
const KEY_AT = 16;
const TAIL_AT = 48;
const TAIL_SIZE = 1024;
const STACK_AT = TAIL_AT + TAIL_SIZE;
const VALUE_SIZE = 32;

const DIGEST_SIZE = 32;

/** The staging memory: data, which is input and then output, then a state and a key. */
const DATA_SIZE = 64 * 1024;
const STAGED_STATE = DATA_SIZE;
const STAGED_KEY = STAGED_STATE + STATE_SIZE;
const STAGED_SIZE = STAGED_KEY + KEY_LENGTH;

/** A key with its mode number in the ABI. */
interface Secret {
  readonly mode: number;
  readonly key: Uint8Array | undefined;
}

/** An instance that is fit for use. */
interface Live {
  readonly exports: Exports;
  /** All of linear memory. Only `alloc` lets it grow, which detaches this and `digest`. */
  memory: Uint8Array;
  /** Where the staging memory begins. */
  readonly staging: number;
  /** The first DIGEST_SIZE bytes there. */
  digest: Uint8Array;
}

/** Checks that an instance is of this library's artifact. */
function checked(instance: WebAssembly.Instance): Live {
  const exports = instance.exports as unknown as Exports;
  const missing = FUNCTIONS.filter((name) => typeof instance.exports[name] !== "function");
  if (!(instance.exports.memory instanceof WebAssembly.Memory)) missing.unshift("memory");
  if (missing.length > 0)
    throw new Blake3Error(`expected the artifact of rust-blake3, got a module without ${missing.join(", ")}`);
  const version = exports.b3_abi_version();
  if (version !== ABI_VERSION)
    throw new Blake3Error(`expected an artifact of ABI version ${ABI_VERSION}, got version ${version}`);
  const size = exports.b3_staging_size();
  if (size < STAGED_SIZE) throw new Blake3Error(`expected ${STAGED_SIZE} bytes of staging memory or more, got ${size}`);
  return attached(exports, exports.b3_staging() >>> 0);
}

function attached(exports: Exports, staging: number): Live {
  const { buffer } = exports.memory;
  return { exports, memory: new Uint8Array(buffer), staging, digest: new Uint8Array(buffer, staging, DIGEST_SIZE) };
}

/** What a code other than 0 means to a caller. Arguments were checked, so most codes can't come. */
function refused(code: number): Error {
  if (code === ERROR_LENGTH)
    return new RangeError("input: expected 2^64 - 1 bytes at most, in all updates together, got more");
  if (code === ERROR_STATE)
    return new Blake3Error("state: expected what export returned, got altered bytes or another version's");
  return new Blake3Error(
    `the WebAssembly module refused its arguments with code ${code}, which is a defect of this library`,
  );
}

/**
 * An instance that any number of hashers borrow, each for the length of a call. A hasher is its state, on the
 * JavaScript side; it is copied in only when another was used since, and copied out after each change.
 */
class Machine {
  readonly #module: WebAssembly.Module;
  #live: Live | undefined;
  /** The state that the staging memory holds. Never one of a keyed mode, which is cleared after each call. */
  #owner: Uint8Array | undefined;

  constructor(module: WebAssembly.Module, instance: WebAssembly.Instance) {
    this.#module = module;
    this.#live = checked(instance);
  }

  #start(): Live {
    this.#live = checked(new WebAssembly.Instance(this.#module));
    return this.#live;
  }

  /** Gives up an instance that threw: its stack and memory are in no known state. */
  #failed(cause: unknown): Blake3Error {
    this.#live = undefined;
    this.#owner = undefined;
    return new Blake3Error("the WebAssembly module failed; nothing was hashed, and the next call starts it anew", {
      cause,
    });
  }

  /**
   * Runs `body`, which uses the instance and up to `data` bytes of staged data, and returns a code of the ABI, or an
   * error of its own. Clears what a secret call left behind.
   */
  #run(secret: boolean, data: number, body: (live: Live) => number | Error): void {
    const live = this.#live ?? this.#start();
    let failure: Error | undefined;
    try {
      const code = body(live);
      if (code !== 0) failure = typeof code === "number" ? refused(code) : code;
    } catch (cause) {
      failure = this.#failed(cause);
    }
    if (secret || failure) {
      const { memory, staging } = live;
      memory.fill(0, staging, staging + data);
      memory.fill(0, staging + STAGED_STATE, staging + STAGED_SIZE);
      this.#owner = undefined;
    }
    if (failure) throw failure;
  }

  /** Hashes up to DATA_SIZE bytes, in the plain mode, to 32 bytes: one copy in, one call, one copy out. */
  hash(input: Uint8Array): Uint8Array<ArrayBuffer> {
    const live = this.#live ?? this.#start();
    const { memory, staging } = live;
    memory.set(input, staging);
    let code: number;
    try {
      code = live.exports.hash(staging, input.length, staging);
    } catch (cause) {
      throw this.#failed(cause);
    }
    if (code !== 0) throw refused(code);
    return new Uint8Array(live.digest);
  }

  /** Fills `out` with the output of `input`. Both have DATA_SIZE bytes at most. */
  hashMode({ mode, key }: Secret, input: Uint8Array, out: Uint8Array): void {
    this.#run(mode !== HASH, Math.max(input.length, out.length), ({ exports, memory, staging }) => {
      if (key) memory.set(key, staging + STAGED_KEY);
      memory.set(input, staging);
      const keyLength = key ? KEY_LENGTH : 0;
      const code = exports.b3_hash(mode, staging + STAGED_KEY, keyLength, staging, input.length, staging, out.length);
      out.set(memory.subarray(staging, staging + out.length));
      return code;
    });
  }

  /** The key that a context stands for. */
  contextKey(context: string): Uint8Array {
    const bytes = encoder.encode(context);
    const key = new Uint8Array(KEY_LENGTH);
    this.#run(true, KEY_LENGTH, (live) => {
      const { exports, staging } = live;
      const staged = bytes.length <= DATA_SIZE;
      const at = staged ? staging : exports.alloc(bytes.length) >>> 0;
      if (at === 0) return new RangeError(`context: expected what fits in linear memory, got ${bytes.length} bytes`);
      if (!staged) Object.assign(live, attached(exports, staging));
      live.memory.set(bytes, at);
      const code = exports.b3_context_key(at, bytes.length, staging);
      key.set(live.memory.subarray(staging, staging + KEY_LENGTH));
      return staged ? code : code || exports.dealloc(at, bytes.length);
    });
    return key;
  }

  /** Checks all of a state that came from outside. */
  check(state: Uint8Array): void {
    this.#run(true, 0, ({ exports, memory, staging }) => {
      memory.set(state, staging + STAGED_STATE);
      return exports.b3_state_check(staging + STAGED_STATE);
    });
  }

  /** Appends input to a state: all of it or, after an error, none. */
  update(state: Uint8Array, input: Uint8Array): void {
    if (append(state, input)) {
      if (this.#owner === state) this.#owner = undefined;
      return;
    }
    this.#run(state[MODE_AT] !== HASH, Math.min(input.length, DATA_SIZE), (live) => {
      const { exports, memory, staging } = live;
      const at = this.#stage(live, state);
      // Parts that begin at multiples of DATA_SIZE of the whole input are whole subtrees, which take the fewest steps.
      const first = DATA_SIZE - uint16(state, LENGTH_AT);
      for (let start = 0, end = first; start < input.length; start = end, end += DATA_SIZE) {
        const part = end === first && end >= input.length ? input : input.subarray(start, end);
        memory.set(part, staging);
        const code = exports.b3_state_update(at, staging, part.length);
        if (code !== 0) return code;
      }
      // What the stack had and has no more is zero now, and is copied too.
      const depth = Math.max(state[DEPTH_AT] as number, memory[at + DEPTH_AT] as number);
      state.set(memory.subarray(at, at + usedSize(depth)));
      return 0;
    });
  }

  /** Takes the input out of a state. */
  reset(state: Uint8Array): void {
    state.fill(0, DEPTH_AT, KEY_AT);
    state.fill(0, TAIL_AT);
    if (this.#owner === state) this.#owner = undefined;
  }

  /** Fills `out` with the output of a state from `position`. */
  output(state: Uint8Array, position: bigint, out: Uint8Array): void {
    this.#run(state[MODE_AT] !== HASH, Math.min(out.length, DATA_SIZE), (live) => {
      const { exports, memory, staging } = live;
      const at = this.#stage(live, state);
      for (let start = 0; start < out.length; start += DATA_SIZE) {
        const length = Math.min(out.length - start, DATA_SIZE);
        const code = exports.b3_state_output(at, position + BigInt(start), staging, length);
        if (code !== 0) return code;
        out.set(memory.subarray(staging, staging + length), start);
      }
      return 0;
    });
  }

  /** Brings a state into the staging memory, and returns where it is. */
  #stage({ memory, staging }: Live, state: Uint8Array): number {
    const at = staging + STAGED_STATE;
    if (this.#owner !== state) {
      memory.set(state.subarray(0, usedSize(state[DEPTH_AT] as number)), at);
      this.#owner = state;
    }
    return at;
  }
}

const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

function setUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
}

/** Bytes of a state up to the top of its stack. What lies above is zero. */
const usedSize = (depth: number): number => STACK_AT + depth * VALUE_SIZE;

/**
 * Appends input that needs no hashing yet, and says whether it did: it must fit in the tail, which must be in use
 * unless there was no input before; and must not carry beyond the low 16 bits of the length, so that those are all
 * there is to change.
 */
function append(state: Uint8Array, input: Uint8Array): boolean {
  const tail = uint16(state, TAIL_LENGTH_AT) + input.length;
  const low = uint16(state, LENGTH_AT) + input.length;
  const unmerged = uint16(state, TAIL_LENGTH_AT) === 0 && state[DEPTH_AT] !== 0;
  if (tail > TAIL_SIZE || low > 0xffff || unmerged) return input.length === 0;
  state.set(input, TAIL_AT + tail - input.length);
  setUint16(state, TAIL_LENGTH_AT, tail);
  setUint16(state, LENGTH_AT, low);
  return true;
}

/** The state of a hasher that has seen no input. */
function newState({ mode, key }: Secret): Uint8Array<ArrayBuffer> {
  const state = new Uint8Array(STATE_SIZE);
  state.set(MAGIC_AND_VERSION);
  state[MODE_AT] = mode;
  if (key) state.set(key, KEY_AT);
  return state;
}

function toSecret(machine: Machine, { key, context }: Mode): Secret {
  if (context !== undefined) return { mode: DERIVE_KEY, key: machine.contextKey(context) };
  return { mode: key ? KEYED : HASH, key };
}

class WasmReader implements OutputReader {
  readonly #machine: Machine;
  readonly #state: Uint8Array;
  #position = 0n;

  constructor(machine: Machine, state: Uint8Array) {
    this.#machine = machine;
    this.#state = state;
  }

  get position(): bigint {
    return this.#position;
  }

  read(length: number): Uint8Array<ArrayBuffer> {
    const out = outputOf(length);
    const end = this.#position + BigInt(length);
    if (end > MAX_LENGTH) {
      throw new RangeError(
        `length: expected ${MAX_LENGTH - this.#position} bytes at most before the end of the output, got ${length}`,
      );
    }
    this.#machine.output(this.#state, this.#position, out);
    this.#position = end;
    return out;
  }

  seek(position: number | bigint): this {
    this.#position = toPosition(position);
    return this;
  }
}

class WasmHasher implements Hasher {
  readonly #machine: Machine;
  readonly #state: Uint8Array<ArrayBuffer>;

  /** Takes the state over. */
  constructor(machine: Machine, state: Uint8Array<ArrayBuffer>) {
    this.#machine = machine;
    this.#state = state;
  }

  update(input: Bytes): this {
    this.#machine.update(this.#state, toBytes(input, "input"));
    return this;
  }

  digest(length = DIGEST_SIZE): Uint8Array<ArrayBuffer> {
    const out = outputOf(length);
    this.#machine.output(this.#state, 0n, out);
    return out;
  }

  xof(): OutputReader {
    return new WasmReader(this.#machine, this.#state.slice());
  }

  clone(): Hasher {
    return new WasmHasher(this.#machine, this.#state.slice());
  }

  reset(): this {
    this.#machine.reset(this.#state);
    return this;
  }

  export(): Uint8Array<ArrayBuffer> {
    return this.#state.slice();
  }
}

class WasmBlake3 implements Blake3 {
  readonly engine = "wasm";
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  hash(input: Bytes, options?: HashOptions): Uint8Array<ArrayBuffer> {
    const bytes = toBytes(input, "input");
    const machine = this.#machine;
    if (options === undefined && bytes.length <= DATA_SIZE) return machine.hash(bytes);
    const { key, context, length = DIGEST_SIZE } = checkOptions(options === undefined ? {} : options, HASH_OPTIONS);
    const mode = toMode(key, context);
    const out = outputOf(length);
    const secret = toSecret(machine, mode);
    if (bytes.length <= DATA_SIZE && length <= DATA_SIZE) {
      machine.hashMode(secret, bytes, out);
    } else {
      const state = newState(secret);
      machine.update(state, bytes);
      machine.output(state, 0n, out);
    }
    return out;
  }

  async hashStream(stream: ByteStream, options: StreamOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { key, context, length = DIGEST_SIZE, signal } = checkOptions(options, STREAM_OPTIONS);
    if (signal !== undefined && tag(signal) !== "AbortSignal") {
      throw new TypeError(`signal: expected an AbortSignal, got ${describe(signal)}`);
    }
    const out = outputOf(length);
    const state = newState(toSecret(this.#machine, toMode(key, context)));
    await drain(stream, signal, (part) => this.#machine.update(state, toBytes(part, "a part of the stream")));
    this.#machine.output(state, 0n, out);
    return out;
  }

  createHasher(options: HasherOptions = {}): Hasher {
    const { key, context, state } = checkOptions(options, HASHER_OPTIONS);
    if (state === undefined) {
      return new WasmHasher(this.#machine, newState(toSecret(this.#machine, toMode(key, context))));
    }
    if (key !== undefined || context !== undefined) {
      throw new TypeError("options: expected state alone, got it with key or context; the state holds its mode");
    }
    const copy = new Uint8Array(sized(state, STATE_SIZE, "state"));
    this.#machine.check(copy);
    return new WasmHasher(this.#machine, copy);
  }
}

/**
 * BLAKE3 over `instance`, and over further ones of `module` should one fail.
 *
 * @throws Blake3Error where the module is not the artifact of this library.
 */
export const createBlake3 = (module: WebAssembly.Module, instance: WebAssembly.Instance): Blake3 =>
  new WasmBlake3(new Machine(module, instance));
