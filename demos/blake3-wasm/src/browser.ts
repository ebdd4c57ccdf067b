/**
 * BLAKE3 in browsers, and wherever `fetch` reads what lies beside a module.
 *
 * ```ts
 * import { load, toHex } from "@blake3-polyglot/blake3";
 *
 * const blake3 = await load();
 * toHex(blake3.hash(new TextEncoder().encode("abc")));
 * ```
 *
 * @module
 */
import { createEntry } from "./entry.ts";

export type {
  Blake3,
  ByteStream,
  Bytes,
  Hasher,
  HasherOptions,
  HashOptions,
  ModeOptions,
  OutputReader,
  StreamOptions,
} from "./api.ts";
export { equal, toHex } from "./bytes.ts";
export { Blake3Error } from "./error.ts";
export type { Source } from "./load.ts";

export const { load, loadSync } = createEntry(new URL("./blake3.wasm", import.meta.url), (url) => fetch(url));
