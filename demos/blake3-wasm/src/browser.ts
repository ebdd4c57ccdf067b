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

export * from "./exports.ts";

export const { load, loadSync } = createEntry(new URL("./blake3.wasm", import.meta.url), (url) => fetch(url));
