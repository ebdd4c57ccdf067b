// Compiling and loading from any source, on any platform. Each platform's entry says how it fetches a URL, and where
// its default is.
import type { Blake3 } from "./api.ts";
import { describe, tag, toBytes } from "./arguments.ts";
import { createBlake3 } from "./core.ts";
import { Blake3Error } from "./error.ts";

/** Where the WebAssembly module comes from: a URL to fetch, a response to that, its bytes, or the compiled module. */
export type Source = URL | Response | BufferSource | WebAssembly.Module;

const SOURCES = "a URL, Response, bytes or WebAssembly.Module";

const isURL = (source: Source): source is URL => tag(source) === "URL";
const isResponse = (source: Source): source is Response => tag(source) === "Response";
// No type guard, since the type of a Module is that of any object.
const isModule = (source: Source): boolean => tag(source) === "WebAssembly.Module";

/** Runs a step, and has its error name the source. */
async function step<T>(what: string, run: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw failed(what, cause);
  }
}

const failed = (what: string, cause: unknown): Error =>
  cause instanceof Blake3Error
    ? cause
    : new Blake3Error(`${what}: ${cause instanceof Error ? cause.message : cause}`, { cause });

/** Reads what a URL names. */
export type FetchURL = (url: URL) => Promise<Response | BufferSource>;

async function compile(source: Source, fetchURL: FetchURL): Promise<WebAssembly.Module> {
  if (isModule(source)) return source as WebAssembly.Module;
  if (isURL(source)) {
    const fetched = await step(`can't read ${source.href}`, () => fetchURL(source));
    if (isResponse(fetched)) return compile(fetched, fetchURL);
    return step(`can't compile ${source.href}`, () => WebAssembly.compile(fetched));
  }
  if (isResponse(source)) {
    const name = source.url || "the response";
    if (!source.ok)
      throw new Blake3Error(`can't read ${name}: HTTP status ${source.status} ${source.statusText}`.trimEnd());
    // Compiling while it arrives demands the right media type. Else, and in engines without it, the bytes will do.
    if (/^application\/wasm\s*$/i.test(source.headers.get("content-type") ?? "") && WebAssembly.compileStreaming) {
      try {
        return await WebAssembly.compileStreaming(source);
      } catch (cause) {
        throw failed(`can't ${(cause as Error).name === "CompileError" ? "compile" : "read"} ${name}`, cause);
      }
    }
    const bytes = await step(`can't read ${name}`, () => source.arrayBuffer());
    return step(`can't compile ${name}`, () => WebAssembly.compile(bytes));
  }
  const bytes = sourceBytes(source as BufferSource, SOURCES);
  return step("can't compile the source", () => WebAssembly.compile(bytes));
}

/** Checks that the source is bytes. */
export function sourceBytes(source: BufferSource, expected: string): BufferSource {
  if (!ArrayBuffer.isView(source) && tag(source) !== "ArrayBuffer") {
    throw new TypeError(`source: expected ${expected}, got ${describe(source)}`);
  }
  return toBytes(source, "source") as BufferSource;
}

/** Loads from a source. */
export async function loadFrom(source: Source, fetchURL: FetchURL): Promise<Blake3> {
  const module = await compile(source, fetchURL);
  const instance = await step("can't start the WebAssembly module", () => WebAssembly.instantiate(module));
  return createBlake3(module, instance);
}

/** Loads from a source that is at hand. `name` is for errors. */
export function loadFromSync(source: BufferSource | WebAssembly.Module, name: string): Blake3 {
  try {
    const module = isModule(source) ? (source as WebAssembly.Module) : new WebAssembly.Module(source as BufferSource);
    return createBlake3(module, new WebAssembly.Instance(module));
  } catch (cause) {
    throw failed(`can't compile ${name}`, cause);
  }
}
