/**
 * BLAKE3 on Node.js.
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
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
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

export const { load, loadSync } = createEntry(
  new URL("./blake3.wasm", import.meta.url),
  (url) => (url.protocol === "file:" ? readFile(url) : fetch(url)),
  readFileSync,
);
