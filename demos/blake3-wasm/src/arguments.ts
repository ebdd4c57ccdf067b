// Checks of what callers pass, the same for every engine: each returns what was asked for, or says what was expected
// and given.
import type { Bytes } from "./api.ts";

export const KEY_LENGTH = 32;

/** The name of a built-in class in any realm. A class can lie about it, so it only ever selects which check follows. */
export const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Names a value for an error message, without its contents, which may be secret. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return `a string of ${value.length} characters`;
  if (typeof value === "object") return `an object (${tag(value)})`;
  return `a ${typeof value}`;
}

/** Returns the bytes of `value` without copying them. `name` is what the caller knows it by. */
export function toBytes(value: Bytes, name: string): Uint8Array {
  try {
    if (value instanceof Uint8Array) return attached(value);
    if (ArrayBuffer.isView(value)) {
      // A DataView tells by itself that its buffer is gone.
      if (tag(value) !== "DataView") attached(value as Uint8Array);
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
    // Only a buffer, of whatever realm, becomes the buffer of a view: anything else that looks like one is copied.
    if (/^(Shared)?ArrayBuffer$/.test(tag(value))) {
      const bytes = new Uint8Array(value);
      if (bytes.buffer === value) return bytes;
    }
  } catch (cause) {
    throw new TypeError(`${name}: expected bytes, got ${describe(value)} whose buffer is detached or has shrunk`, {
      cause,
    });
  }
  const advice = typeof value === "string" ? "; encode it first, for example with TextEncoder" : "";
  throw new TypeError(
    `${name}: expected a Uint8Array, ArrayBuffer, SharedArrayBuffer or ArrayBufferView, got ${describe(value)}${advice}`,
  );
}

/** Throws where a typed array has lost its buffer, or its part of it. Its length is 0 then, which tells nothing by itself. */
function attached(array: Uint8Array): Uint8Array {
  if (array.length === 0) Uint8Array.prototype.at.call(array, 0);
  return array;
}

/** The names of `HashOptions` and `HasherOptions`. */
export const HASH_OPTIONS = ["key", "context", "length"];
export const STREAM_OPTIONS = [...HASH_OPTIONS, "signal"];
export const HASHER_OPTIONS = ["key", "context", "state"];

/** Returns the options, an object with these names only: a misspelt `key` must not give an unkeyed hash. */
export function checkOptions<T extends object>(options: T, names: readonly string[]): T {
  if (tag(options) !== "Object") throw new TypeError(`options: expected an object, got ${describe(options)}`);
  for (const name in options) {
    if (!names.includes(name)) throw new TypeError(`options: expected only ${names.join(", ")}, got "${name}"`);
  }
  return options;
}

/** A checked mode. At most one of the two is there. */
export interface Mode {
  readonly key: Uint8Array | undefined;
  readonly context: string | undefined;
}

/** Checks key and context. */
export function toMode(key: Bytes | undefined, context: string | undefined): Mode {
  if (key !== undefined && context !== undefined) {
    throw new TypeError("options: expected key or context, got both; they are different modes of BLAKE3");
  }
  if (context !== undefined) {
    if (typeof context !== "string") throw new TypeError(`context: expected a string, got ${describe(context)}`);
    if (!context.isWellFormed())
      throw new TypeError("context: expected well-formed Unicode, got a string with a lone surrogate");
  }
  return { key: key === undefined ? undefined : sized(key, KEY_LENGTH, "key"), context };
}

/** The bytes of `value`, which must be exactly so many. */
export function sized(value: Bytes, length: number, name: string): Uint8Array {
  const bytes = toBytes(value, name);
  if (bytes.length !== length) throw new RangeError(`${name}: expected ${length} bytes, got ${bytes.length}`);
  return bytes;
}

/** Makes the array that output of `length` bytes goes to. */
export function outputOf(length: number): Uint8Array<ArrayBuffer> {
  if (typeof length !== "number") throw new TypeError(`length: expected a number of bytes, got ${describe(length)}`);
  if (!Number.isSafeInteger(length) || length < 0) {
    throw new RangeError(`length: expected a whole number of bytes, 0 or more, got ${length}`);
  }
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new RangeError(
      `length: expected what fits in one Uint8Array here, got ${length}; read longer output in parts`,
      { cause },
    );
  }
}

/** The length of BLAKE3's output in bytes, and of the longest input. */
export const MAX_LENGTH = 2n ** 64n - 1n;

/** Checks a position in the output. */
export function toPosition(position: number | bigint): bigint {
  if (typeof position !== "number" && typeof position !== "bigint") {
    throw new TypeError(`position: expected a number or bigint, got ${describe(position)}`);
  }
  if (typeof position === "number" && !Number.isSafeInteger(position)) {
    throw new RangeError(`position: expected a whole number up to 2^53 - 1, or a bigint, got ${position}`);
  }
  const exact = BigInt(position);
  if (exact < 0n || exact > MAX_LENGTH) throw new RangeError(`position: expected 0 to 2^64 - 1, got ${position}`);
  return exact;
}
