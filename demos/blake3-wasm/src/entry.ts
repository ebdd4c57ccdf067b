// What the entries of all platforms share. Each says where its artifact is and how it reads a URL.
import type { Blake3 } from "./api.ts";
import { checkOptions, tag } from "./arguments.ts";
import { Blake3Error } from "./error.ts";
import { type FetchURL, loadFrom, loadFromSync, type Source, sourceBytes } from "./load.ts";

export interface Entry {
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
   * @throws Blake3Error where the module can't be read, with its URL and, for HTTP, the status; or can't be compiled; or is
   * not the one of this library.
   */
  load(options?: { readonly source?: Source | undefined }): Promise<Blake3>;

  /**
   * Loads BLAKE3 as `load` does, and blocks while it reads and compiles. The source is bytes, a compiled module or, on
   * Node.js, a `file:` URL. In browsers, which can't read a URL without waiting, it takes a source, or returns what `load`
   * has loaded before.
   *
   * ```ts
   * const blake3 = loadSync();
   * ```
   *
   * @throws TypeError for a source of the wrong type, or a URL that can't be read without waiting.
   * @throws Blake3Error as `load`.
   */
  loadSync(options?: { readonly source?: URL | BufferSource | WebAssembly.Module | undefined }): Blake3;
}

/** Makes an entry. `readFile` reads a `file:` URL at once, where the platform can. */
export function createEntry(artifact: URL, fetchURL: FetchURL, readFile?: (url: URL) => BufferSource): Entry {
  let loaded: Blake3 | undefined;
  let loading: Promise<Blake3> | undefined;

  const loadFile = (url: URL): Blake3 => {
    if (!readFile || url.protocol !== "file:") {
      const expected = readFile ? "a file: URL" : "bytes or WebAssembly.Module";
      throw new TypeError(`source: expected ${expected}, got ${url.href.slice(0, 200)}; load reads other URLs`);
    }
    let bytes: BufferSource;
    try {
      bytes = readFile(url);
    } catch (cause) {
      throw new Blake3Error(`can't read ${url.href}: ${(cause as Error).message}`, { cause });
    }
    return loadFromSync(bytes, url.href);
  };

  return {
    async load(options = {}) {
      const { source } = checkOptions(options, ["source"]);
      if (source !== undefined) return loadFrom(source, fetchURL);
      if (loaded) return loaded;
      loading ??= loadFrom(artifact, fetchURL).finally(() => {
        loading = undefined;
      });
      const blake3 = await loading;
      loaded ??= blake3;
      return loaded;
    },

    loadSync(options = {}) {
      const { source } = checkOptions(options, ["source"]);
      if (source === undefined) {
        if (!loaded && !readFile) {
          throw new Blake3Error(
            "nothing is loaded yet: await load() first, or give loadSync a source, bytes or a Module",
          );
        }
        loaded ??= loadFile(artifact);
        return loaded;
      }
      if (tag(source) === "URL") return loadFile(source as URL);
      if (tag(source) === "WebAssembly.Module") return loadFromSync(source as WebAssembly.Module, "the source");
      const expected = readFile ? "a file: URL, bytes or WebAssembly.Module" : "bytes or WebAssembly.Module";
      return loadFromSync(sourceBytes(source as BufferSource, expected), "the source");
    },
  };
}
