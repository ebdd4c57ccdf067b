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

export * from "./exports.ts";

export const { load, loadSync } = createEntry(
  new URL("./blake3.wasm", import.meta.url),
  (url) => (url.protocol === "file:" ? readFile(url) : fetch(url)),
  readFileSync,
);
