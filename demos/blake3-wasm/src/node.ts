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
import type { Blake3 } from "./api.ts";
import { checkOptions, tag } from "./arguments.ts";
import { Blake3Error } from "./error.ts";
import { loadFrom, loadFromSync, type Source, sourceBytes } from "./load.ts";

export type { Blake3, Bytes, Hasher, HasherOptions, HashOptions, ModeOptions, OutputReader } from "./api.ts";
export { equal, toHex } from "./bytes.ts";
export { Blake3Error } from "./error.ts";
export type { Source } from "./load.ts";

const artifact = new URL("./blake3.wasm", import.meta.url);

let loaded: Blake3 | undefined;
let loading: Promise<Blake3> | undefined;

const fetchURL = (url: URL): Promise<Response | BufferSource> =>
  url.protocol === "file:" ? readFile(url) : fetch(url);

/**
 * Loads BLAKE3. Without a source it loads the WebAssembly module of this package, once: later calls, `loadSync` among
 * them, return the same object. With a source, each call loads a module of its own. After a failure, call again to try
 * again.
 *
 * ```ts
 * const blake3 = await load({ source: new URL("https://example.com/blake3.wasm") });
 * ```
 *
 * @throws TypeError for a source of the wrong type.
 * @throws Blake3Error where the module can't be read, with its URL and, for HTTP, the status; or can't be compiled; or is not the one
 * of this library.
 */
export async function load(options: { readonly source?: Source | undefined } = {}): Promise<Blake3> {
  const { source } = checkOptions(options, ["source"]);
  if (source !== undefined) return loadFrom(source, fetchURL);
  if (loaded) return loaded;
  loading ??= loadFrom(artifact, fetchURL).finally(() => {
    loading = undefined;
  });
  const blake3 = await loading;
  loaded ??= blake3;
  return loaded;
}

/**
 * Loads BLAKE3 as `load` does, and blocks while it reads and compiles. The source is bytes, a compiled module or a
 * `file:` URL.
 *
 * ```ts
 * const blake3 = loadSync();
 * ```
 *
 * @throws TypeError for a source of the wrong type, or a URL that is not of a file.
 * @throws Blake3Error as `load`.
 */
export function loadSync(
  options: { readonly source?: URL | BufferSource | WebAssembly.Module | undefined } = {},
): Blake3 {
  const { source } = checkOptions(options, ["source"]);
  if (source === undefined) {
    loaded ??= loadFile(artifact);
    return loaded;
  }
  if (source instanceof URL) return loadFile(source);
  if (tag(source) === "WebAssembly.Module") return loadFromSync(source as WebAssembly.Module, "the source");
  return loadFromSync(sourceBytes(source as BufferSource, "a file: URL, bytes or WebAssembly.Module"), "the source");
}

function loadFile(url: URL): Blake3 {
  if (url.protocol !== "file:") throw new TypeError(`source: expected a file: URL, got ${url.href}; load reads others`);
  let bytes: BufferSource;
  try {
    bytes = readFileSync(url);
  } catch (cause) {
    throw new Blake3Error(`can't read ${url.href}: ${(cause as Error).message}`, { cause });
  }
  return loadFromSync(bytes, url.href);
}
