/** Bytes to hash, and bytes of a key or state: a view of any kind and realm, or a whole buffer. Lengths are in bytes. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** A stream of bytes: of the web, or any that `for await` reads. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Bytes>;

/** The mode of a hash: with neither `key` nor `context` it is the plain hash. An option that is `undefined` counts as not given. */
export interface ModeOptions {
  /** 32 secret bytes: the keyed hash, a MAC. Not together with `context`. */
  readonly key?: Bytes | undefined;
  /**
   * What the derived key is for: the key derivation of the input, which is the key material. The string should be fixed
   * in the program, unique in the world, and hold nothing secret. It is encoded as UTF-8. Not together with `key`.
   */
  readonly context?: string | undefined;
}

/** Options of a hash in one call. */
export interface HashOptions extends ModeOptions {
  /** Bytes of output, 32 where not given. Shorter output is a prefix of longer. */
  readonly length?: number | undefined;
}

/** Options of the hash of a stream. */
export interface StreamOptions extends HashOptions {
  /** Ends the reading when it is aborted, at once. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a hasher: a mode, or the state that another hasher exported, which holds its mode. */
export type HasherOptions =
  | (ModeOptions & { readonly state?: undefined })
  | { readonly state: Bytes; readonly key?: undefined; readonly context?: undefined };

/**
 * BLAKE3, loaded. Every method is synchronous and throws a `TypeError` or `RangeError` for an argument that is wrong,
 * before anything is hashed; a `Blake3Error` where the WebAssembly module failed. Results are the caller's: no later
 * call changes them.
 */
export interface Blake3 {
  /** What computes. */
  readonly engine: "wasm";

  /**
   * Hashes an input in one call.
   *
   * ```ts
   * toHex(blake3.hash(new TextEncoder().encode("abc")));
   * blake3.hash(message, { key });
   * blake3.hash(keyMaterial, { context: "example.com 2026-11-30 session tokens", length: 64 });
   * ```
   *
   * @throws TypeError for an input, key, context or option of the wrong type, a detached buffer, or `key` with `context`.
   * @throws RangeError for a key that is not 32 bytes, or a length that is negative, fractional or more than can be allocated.
   */
  hash(input: Bytes, options?: HashOptions): Uint8Array<ArrayBuffer>;

  /**
   * Hashes a stream to its end: a `ReadableStream`, such as `response.body` or `blob.stream()`, or an `AsyncIterable`, such
   * as a stream of Node.js. Memory stays the same, whatever its length.
   *
   * ```ts
   * await blake3.hashStream(response.body, { signal: AbortSignal.timeout(10_000) });
   * ```
   *
   * @throws TypeError or RangeError as `hash` does, and for a stream, or a part of one, of the wrong type.
   * @throws what the stream fails with, or the signal's reason. The stream is then cancelled, and nothing returned.
   */
  hashStream(stream: ByteStream, options?: StreamOptions): Promise<Uint8Array<ArrayBuffer>>;

  /**
   * Makes a hasher for input that comes in parts. It needs no disposal, and any number may be in use at once.
   *
   * ```ts
   * const hasher = blake3.createHasher({ key });
   * for await (const part of stream) hasher.update(part);
   * const mac = hasher.digest();
   * ```
   *
   * @throws TypeError or RangeError as `hash` does, and where `state` is not 2800 bytes or not alone.
   * @throws Blake3Error where `state` is not one that `export` can have returned.
   */
  createHasher(options?: HasherOptions): Hasher;
}

/** A hash of input that comes in parts: 2800 bytes of JavaScript memory. */
export interface Hasher {
  /**
   * Appends input, and returns the hasher. After an error the hasher is as it was.
   *
   * @throws TypeError for what is not bytes, or a detached buffer.
   * @throws RangeError where the input of all calls would exceed 2^64 - 1 bytes.
   */
  update(input: Bytes): this;

  /**
   * Returns the hash of the input so far, 32 bytes or `length`. The hasher goes on: more input may follow.
   *
   * @throws TypeError or RangeError for a bad length.
   */
  digest(length?: number): Uint8Array<ArrayBuffer>;

  /** Returns the output of the input so far, to be read in parts. Later updates of the hasher do not change it. */
  xof(): OutputReader;

  /** Returns an independent hasher that has seen the same input. */
  clone(): Hasher;

  /** Forgets the input, keeps key or context, and returns the hasher. */
  reset(): this;

  /**
   * Returns the state, 2800 bytes, for `createHasher({ state })` here or in another program or language. It is not
   * encrypted: it holds the last input of up to 1024 bytes and, in the keyed modes, the key. Nor is it authenticated:
   * what can be seen to be invalid is refused, but other input in it goes unnoticed.
   */
  export(): Uint8Array<ArrayBuffer>;
}

/** Reads the extendable output of a hasher, 2^64 - 1 bytes long. */
export interface OutputReader {
  /** Where the next read begins, in bytes from the start of the output. */
  readonly position: bigint;

  /**
   * Returns the next `length` bytes and moves the position behind them. After an error the position is as it was.
   *
   * @throws TypeError or RangeError for a bad length, or one that leads beyond the end of the output.
   */
  read(length: number): Uint8Array<ArrayBuffer>;

  /**
   * Sets the position, and returns the reader. A position beyond 2^53 - 1 must be a bigint.
   *
   * ```ts
   * const block = hasher.xof().seek(1n << 60n).read(64);
   * ```
   *
   * @throws TypeError for what is neither a number nor a bigint.
   * @throws RangeError for a position outside 0 to 2^64 - 1, or a number that is not whole or not exact.
   */
  seek(position: number | bigint): this;
}
