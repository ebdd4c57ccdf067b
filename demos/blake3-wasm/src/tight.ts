/**
 * BLAKE3 in plain JavaScript, as fast as that gets: for where WebAssembly can't run or be loaded, and as what it is
 * measured against. It is there at once, and hashes in one call.
 *
 * ```ts
 * import { hash } from "@blake3-polyglot/blake3/tight";
 *
 * hash(message, { key });
 * ```
 *
 * @module
 */
import type { Bytes, HashOptions } from "./api.ts";
import { checkOptions, HASH_OPTIONS, outputOf, toBytes, toMode } from "./arguments.ts";

export type { Bytes, HashOptions } from "./api.ts";

// Domain flags and the initial value: the BLAKE3 paper, section 2.
const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;
const KEYED_HASH = 16;
const DERIVE_KEY_CONTEXT = 32;
const DERIVE_KEY_MATERIAL = 64;
const IV0 = 0x6a09e667;
const IV1 = 0xbb67ae85 | 0;
const IV2 = 0x3c6ef372;
const IV3 = 0xa54ff53a | 0;
const IV = Int32Array.of(IV0, IV1, IV2, IV3, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);

const BLOCK = 64;
const CHUNK = 1024;
const VALUE = 32;
/** Levels of a tree over the longest input, with one more for the last chunk. */
const DEPTH = 54;

// Scratch memory, filled and used up within one call. Words are read and written by DataView: at any alignment, in the
// byte order of BLAKE3 on every machine, and as fast as a typed array.
/** What `compress` gave: a chaining value and, in a root, the rest of the output. */
const words = new Int32Array(16);
/** The key of the call at work. */
const key = new Int32Array(8);
/** The last block, padded with zeros. */
const block = new Uint8Array(BLOCK);
const blockView = new DataView(block.buffer);
/** Chaining values of subtrees, each pair in its place for their parent. */
const stack = new DataView(new ArrayBuffer(DEPTH * VALUE));

/**
 * Compresses `count` successive blocks of one node, from the chaining value `from` to `words`. All are whole but the
 * last, which holds `lastLength` bytes and is padded. `first` and `last` are flags of the first and the last block.
 */
// biome-ignore format: a line for each half of a mix
function compress(
  from: Int32Array,
  view: DataView,
  at: number,
  count: number,
  lastLength: number,
  counterLow: number,
  counterHigh: number,
  flags: number,
  first: number,
  last: number,
): void {
  let h0 = from[0] as number;
  let h1 = from[1] as number;
  let h2 = from[2] as number;
  let h3 = from[3] as number;
  let h4 = from[4] as number;
  let h5 = from[5] as number;
  let h6 = from[6] as number;
  let h7 = from[7] as number;
  for (let left = count; ; ) {
    left--;
    const length = left === 0 ? lastLength : BLOCK;
    const domain = left === 0 ? flags | first | last : flags | first;
    const m0 = view.getInt32(at, true);
    const m1 = view.getInt32(at + 4, true);
    const m2 = view.getInt32(at + 8, true);
    const m3 = view.getInt32(at + 12, true);
    const m4 = view.getInt32(at + 16, true);
    const m5 = view.getInt32(at + 20, true);
    const m6 = view.getInt32(at + 24, true);
    const m7 = view.getInt32(at + 28, true);
    const m8 = view.getInt32(at + 32, true);
    const m9 = view.getInt32(at + 36, true);
    const m10 = view.getInt32(at + 40, true);
    const m11 = view.getInt32(at + 44, true);
    const m12 = view.getInt32(at + 48, true);
    const m13 = view.getInt32(at + 52, true);
    const m14 = view.getInt32(at + 56, true);
    const m15 = view.getInt32(at + 60, true);
    let v0 = h0;
    let v1 = h1;
    let v2 = h2;
    let v3 = h3;
    let v4 = h4;
    let v5 = h5;
    let v6 = h6;
    let v7 = h7;
    let v8 = IV0;
    let v9 = IV1;
    let v10 = IV2;
    let v11 = IV3;
    let v12 = counterLow;
    let v13 = counterHigh;
    let v14 = length;
    let v15 = domain;
    // Seven rounds, each of eight mixes in two lines; the message words change places from round to round.
    // Round 1.
    v0 = v0 + v4 + m0 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m1 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m2 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m3 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m4 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m5 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m6 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m7 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m8 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m9 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m10 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m11 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m12 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m13 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m14 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m15 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    // Round 2.
    v0 = v0 + v4 + m2 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m6 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m3 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m10 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m7 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m0 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m4 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m13 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m1 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m11 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m12 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m5 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m9 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m14 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m15 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m8 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    // Round 3.
    v0 = v0 + v4 + m3 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m4 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m10 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m12 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m13 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m2 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m7 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m14 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m6 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m5 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m9 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m0 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m11 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m15 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m8 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m1 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    // Round 4.
    v0 = v0 + v4 + m10 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m7 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m12 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m9 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m14 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m3 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m13 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m15 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m4 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m0 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m11 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m2 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m5 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m8 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m1 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m6 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    // Round 5.
    v0 = v0 + v4 + m12 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m13 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m9 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m11 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m15 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m10 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m14 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m8 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m7 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m2 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m5 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m3 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m0 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m1 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m6 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m4 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    // Round 6.
    v0 = v0 + v4 + m9 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m14 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m11 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m5 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m8 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m12 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m15 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m1 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m13 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m3 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m0 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m10 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m2 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m6 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m4 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m7 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    // Round 7.
    v0 = v0 + v4 + m11 | 0; v12 ^= v0; v12 = v12 >>> 16 | v12 << 16; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 12 | v4 << 20;
    v0 = v0 + v4 + m15 | 0; v12 ^= v0; v12 = v12 >>> 8 | v12 << 24; v8 = v8 + v12 | 0; v4 ^= v8; v4 = v4 >>> 7 | v4 << 25;
    v1 = v1 + v5 + m5 | 0; v13 ^= v1; v13 = v13 >>> 16 | v13 << 16; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 12 | v5 << 20;
    v1 = v1 + v5 + m0 | 0; v13 ^= v1; v13 = v13 >>> 8 | v13 << 24; v9 = v9 + v13 | 0; v5 ^= v9; v5 = v5 >>> 7 | v5 << 25;
    v2 = v2 + v6 + m1 | 0; v14 ^= v2; v14 = v14 >>> 16 | v14 << 16; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 12 | v6 << 20;
    v2 = v2 + v6 + m9 | 0; v14 ^= v2; v14 = v14 >>> 8 | v14 << 24; v10 = v10 + v14 | 0; v6 ^= v10; v6 = v6 >>> 7 | v6 << 25;
    v3 = v3 + v7 + m8 | 0; v15 ^= v3; v15 = v15 >>> 16 | v15 << 16; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 12 | v7 << 20;
    v3 = v3 + v7 + m6 | 0; v15 ^= v3; v15 = v15 >>> 8 | v15 << 24; v11 = v11 + v15 | 0; v7 ^= v11; v7 = v7 >>> 7 | v7 << 25;
    v0 = v0 + v5 + m14 | 0; v15 ^= v0; v15 = v15 >>> 16 | v15 << 16; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 12 | v5 << 20;
    v0 = v0 + v5 + m10 | 0; v15 ^= v0; v15 = v15 >>> 8 | v15 << 24; v10 = v10 + v15 | 0; v5 ^= v10; v5 = v5 >>> 7 | v5 << 25;
    v1 = v1 + v6 + m2 | 0; v12 ^= v1; v12 = v12 >>> 16 | v12 << 16; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 12 | v6 << 20;
    v1 = v1 + v6 + m12 | 0; v12 ^= v1; v12 = v12 >>> 8 | v12 << 24; v11 = v11 + v12 | 0; v6 ^= v11; v6 = v6 >>> 7 | v6 << 25;
    v2 = v2 + v7 + m3 | 0; v13 ^= v2; v13 = v13 >>> 16 | v13 << 16; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 12 | v7 << 20;
    v2 = v2 + v7 + m4 | 0; v13 ^= v2; v13 = v13 >>> 8 | v13 << 24; v8 = v8 + v13 | 0; v7 ^= v8; v7 = v7 >>> 7 | v7 << 25;
    v3 = v3 + v4 + m7 | 0; v14 ^= v3; v14 = v14 >>> 16 | v14 << 16; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 12 | v4 << 20;
    v3 = v3 + v4 + m13 | 0; v14 ^= v3; v14 = v14 >>> 8 | v14 << 24; v9 = v9 + v14 | 0; v4 ^= v9; v4 = v4 >>> 7 | v4 << 25;
    if (left === 0) {
      words[0] = v0 ^ v8;
      words[1] = v1 ^ v9;
      words[2] = v2 ^ v10;
      words[3] = v3 ^ v11;
      words[4] = v4 ^ v12;
      words[5] = v5 ^ v13;
      words[6] = v6 ^ v14;
      words[7] = v7 ^ v15;
      words[8] = v8 ^ h0;
      words[9] = v9 ^ h1;
      words[10] = v10 ^ h2;
      words[11] = v11 ^ h3;
      words[12] = v12 ^ h4;
      words[13] = v13 ^ h5;
      words[14] = v14 ^ h6;
      words[15] = v15 ^ h7;
      return;
    }
    h0 = v0 ^ v8;
    h1 = v1 ^ v9;
    h2 = v2 ^ v10;
    h3 = v3 ^ v11;
    h4 = v4 ^ v12;
    h5 = v5 ^ v13;
    h6 = v6 ^ v14;
    h7 = v7 ^ v15;
    at += BLOCK;
    first = 0;
  }
}

/** Puts the chaining value in `words` on the stack. */
function push(depth: number): void {
  const at = depth * VALUE;
  stack.setInt32(at, words[0] as number, true);
  stack.setInt32(at + 4, words[1] as number, true);
  stack.setInt32(at + 8, words[2] as number, true);
  stack.setInt32(at + 12, words[3] as number, true);
  stack.setInt32(at + 16, words[4] as number, true);
  stack.setInt32(at + 20, words[5] as number, true);
  stack.setInt32(at + 24, words[6] as number, true);
  stack.setInt32(at + 28, words[7] as number, true);
}

/** Replaces the top two of `depth` values by their parent. */
function merge(from: Int32Array, depth: number, flags: number): void {
  compress(from, stack, (depth - 2) * VALUE, 1, BLOCK, 0, 0, flags | PARENT, 0, 0);
  push(depth - 2);
}

/** Fills `out` with the output of `input`. Every node starts `from` the key, or the initial value where there is none. */
function run(from: Int32Array, input: Uint8Array, flags: number, out: Uint8Array): void {
  const length = input.length;
  const view = length > BLOCK ? new DataView(input.buffer, input.byteOffset, length) : blockView;
  let at = 0;
  let depth = 0;
  let chunks = 0;
  // The last chunk may be the root, or a child of it, and is finished below.
  for (; length - at > CHUNK; at += CHUNK) {
    compress(from, view, at, CHUNK / BLOCK, BLOCK, chunks | 0, (chunks / 2 ** 32) | 0, flags, CHUNK_START, CHUNK_END);
    push(depth++);
    chunks++;
    for (let pairs = chunks; pairs % 2 === 0; pairs /= 2) merge(from, depth--, flags);
  }
  const low = chunks | 0;
  const high = (chunks / 2 ** 32) | 0;
  const whole = length - at > BLOCK ? Math.ceil((length - at) / BLOCK) - 1 : 0;
  if (whole > 0) compress(from, view, at, whole, BLOCK, low, high, flags, CHUNK_START, 0);
  at += whole * BLOCK;
  const last = length - at;
  for (let i = 0; i < last; i++) block[i] = input[at + i] as number;
  for (let i = last; i < BLOCK; i++) block[i] = 0;
  const value = whole > 0 ? words : from;
  const ends = (whole > 0 ? 0 : CHUNK_START) | CHUNK_END;
  if (depth === 0) {
    output(value, blockView, last, flags | ends, out);
    return;
  }
  compress(value, blockView, 0, 1, last, low, high, flags, 0, ends);
  push(depth++);
  while (depth > 2) merge(from, depth--, flags);
  output(from, stack, BLOCK, flags | PARENT, out);
}

/** Fills `out` with the output of the root, whose value before its last block is `from`: that block again and again, numbered. */
function output(from: Int32Array, view: DataView, length: number, flags: number, out: Uint8Array): void {
  const value = out.length > BLOCK ? from.slice(0, 8) : from;
  for (let start = 0, counter = 0; start < out.length; start += BLOCK, counter++) {
    compress(value, view, 0, 1, length, counter | 0, (counter / 2 ** 32) | 0, flags | ROOT, 0, 0);
    const end = Math.min(BLOCK, out.length - start);
    for (let i = 0; i < end; i++) out[start + i] = (words[i >> 2] as number) >>> (8 * (i & 3));
  }
}

function setKey(bytes: Uint8Array): void {
  for (let i = 0; i < 8; i++) {
    const at = 4 * i;
    key[i] =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
  }
}

/**
 * Hashes an input in one call, as `Blake3.hash` does: the same options, errors and results.
 *
 * ```ts
 * hash(new Uint8Array([1, 2, 3])); // 32 bytes
 * hash(keyMaterial, { context: "example.com 2026-11-30 session tokens", length: 64 });
 * ```
 *
 * @throws TypeError for an input, key, context or option of the wrong type, a detached buffer, or `key` with `context`.
 * @throws RangeError for a key that is not 32 bytes, or a length that is negative, fractional or more than can be allocated.
 */
export function hash(input: Bytes, options?: HashOptions): Uint8Array<ArrayBuffer> {
  const bytes = toBytes(input, "input");
  if (options === undefined) {
    const digest = new Uint8Array(VALUE);
    run(IV, bytes, 0, digest);
    return digest;
  }
  const { key: secret, context, length = VALUE } = checkOptions(options, HASH_OPTIONS);
  const mode = toMode(secret, context);
  const out = outputOf(length);
  if (mode.context !== undefined) {
    const contextKey = new Uint8Array(VALUE);
    run(IV, new TextEncoder().encode(mode.context), DERIVE_KEY_CONTEXT, contextKey);
    setKey(contextKey);
    run(key, bytes, DERIVE_KEY_MATERIAL, out);
  } else if (mode.key) {
    setKey(mode.key);
    run(key, bytes, KEYED_HASH, out);
  } else {
    run(IV, bytes, 0, out);
    return out;
  }
  // No key, and nothing hashed with one, outlives the call.
  key.fill(0);
  words.fill(0);
  block.fill(0);
  for (let at = 0; at < stack.byteLength; at += 4) stack.setInt32(at, 0);
  return out;
}
