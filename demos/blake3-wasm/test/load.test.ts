import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Blake3Error, load, loadSync, toHex } from "@blake3-polyglot/blake3";

const artifact = new URL(import.meta.resolve("@blake3-polyglot/blake3/blake3.wasm"));
const bytes = new Uint8Array(await readFile(artifact));
const module = await WebAssembly.compile(bytes);
const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const abc = new TextEncoder().encode("abc");
const abcHex = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
// biome-ignore lint/suspicious/noExplicitAny: arguments that the types forbid
const wrong = (value: unknown): any => value;

/** A check of a Blake3Error's message, for assert.throws and assert.rejects. */
const failure = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Blake3Error, String(error));
  assert.equal(error.name, "Blake3Error");
  assert.match(error.message, message);
  return true;
};

test("the package carries the artifact of the workspace", async () => {
  const source = fileURLToPath(import.meta.resolve("@blake3-polyglot/rust-blake3/blake3.wasm"));
  assert.ok((await readFile(source)).equals(bytes), "dist/blake3.wasm is not the built artifact: build again");
});

describe("load", () => {
  let server: ReturnType<typeof createServer>;
  let base: string;
  const answers: Record<string, { status: number; type: string; body: Uint8Array | string }> = {
    "/blake3.wasm": { status: 200, type: "application/wasm", body: bytes },
    "/octets": { status: 200, type: "application/octet-stream", body: bytes },
    "/page": { status: 200, type: "text/html", body: "<p>Not found" },
    "/missing": { status: 404, type: "text/html", body: "<p>Not found" },
  };

  before(async () => {
    server = createServer((request, response) => {
      const { status, type, body } = answers[request.url as string] as (typeof answers)[string];
      response.writeHead(status, { "content-type": type }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  test("loads the default once, for loadSync too", async () => {
    const [first, second] = await Promise.all([load(), load({})]);
    assert.equal(first, second);
    assert.equal(await load({ source: undefined }), first);
    assert.equal(loadSync(), first);
  });

  test("takes every kind of source", async () => {
    const url = (path: string) => new URL(path, base);
    const sources = {
      "file: URL": artifact,
      "http: URL": url("/blake3.wasm"),
      "URL of another media type": url("/octets"),
      Response: await fetch(url("/blake3.wasm")),
      "Response of one's own": new Response(bytes),
      Uint8Array: bytes,
      ArrayBuffer: bytes.buffer,
      "a view": new DataView(bytes.buffer),
      Module: module,
    };
    for (const [what, source] of Object.entries(sources)) {
      const blake3 = await load({ source });
      assert.equal(toHex(blake3.hash(abc)), abcHex, what);
      assert.notEqual(blake3, await load(), what);
    }
    for (const source of [artifact, bytes, bytes.buffer, module]) {
      assert.equal(toHex(loadSync({ source }).hash(abc)), abcHex);
    }
  });

  test("names the URL, and the status", async () => {
    const url = (path: string) => new URL(path, base);
    const missing = new URL("./missing.wasm", import.meta.url);
    await assert.rejects(load({ source: missing }), failure(/can't read file:.*missing\.wasm: ENOENT/));
    assert.throws(() => loadSync({ source: missing }), failure(/can't read file:.*missing\.wasm: ENOENT/));
    await assert.rejects(
      load({ source: url("/missing") }),
      failure(/can't read http:.*\/missing: HTTP status 404 Not Found/),
    );
    await assert.rejects(load({ source: await fetch(url("/missing")) }), failure(/http:.*\/missing: HTTP status 404/));
    await assert.rejects(load({ source: url("/page") }), failure(/can't compile http:.*\/page: /));
    const used = await fetch(url("/blake3.wasm"));
    await used.arrayBuffer();
    await assert.rejects(load({ source: used }), failure(/can't read http:.*\/blake3\.wasm: .*body/i));
    await assert.rejects(
      load({ source: new URL("http://127.0.0.1:1/x") }),
      failure(/can't read http:\/\/127\.0\.0\.1:1\/x: /),
    );
  });

  test("refuses other modules", async () => {
    const cut = bytes.subarray(0, 1000);
    await assert.rejects(load({ source: cut }), failure(/can't compile the source: /));
    assert.throws(() => loadSync({ source: cut }), failure(/can't compile the source: /));
    for (const source of [empty, new WebAssembly.Module(empty)]) {
      await assert.rejects(
        load({ source }),
        failure(/expected the artifact of rust-blake3, got a module without memory, /),
      );
      assert.throws(() => loadSync({ source }), failure(/got a module without memory, /));
    }
  });

  test("refuses what is no source", async () => {
    const sources = ["./blake3.wasm", 5, null, {}, [], Promise.resolve(bytes)];
    for (const source of sources) {
      await assert.rejects(load({ source: wrong(source) }), {
        name: "TypeError",
        message: /^source: expected a URL, Response, /,
      });
      assert.throws(() => loadSync({ source: wrong(source) }), {
        name: "TypeError",
        message: /^source: expected a file: URL, /,
      });
    }
    const detached = Uint8Array.from(bytes);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    await assert.rejects(load({ source: detached }), { name: "TypeError", message: /^source: .*detached/ });
    assert.throws(() => loadSync({ source: new URL(base) }), {
      name: "TypeError",
      message: /expected a file: URL, got http:/,
    });
    assert.throws(() => loadSync({ source: wrong(new Response(bytes)) }), { name: "TypeError", message: /Response/ });
    await assert.rejects(load(wrong({ src: artifact })), {
      name: "TypeError",
      message: /expected only source, got "src"/,
    });
    await assert.rejects(load(wrong(artifact)), {
      name: "TypeError",
      message: /expected an object, got an object \(URL\)/,
    });
  });

  test("can be tried again after a failure", async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "blake3-"));
    t.after(() => rm(directory, { recursive: true }));
    // A copy of the package whose artifact comes late.
    const { cp } = await import("node:fs/promises");
    await cp(new URL(".", artifact), directory, { recursive: true });
    await writeFile(join(directory, "package.json"), '{ "type": "module" }');
    const late = join(directory, "blake3.wasm");
    await rm(late);
    const copy: typeof import("@blake3-polyglot/blake3") = await import(pathToFileURL(join(directory, "node.js")).href);
    const noFile = { name: "Blake3Error", message: /can't read file:.*blake3\.wasm: ENOENT/ };
    await assert.rejects(Promise.all([copy.load(), copy.load()]), noFile);
    assert.throws(() => copy.loadSync(), noFile);
    await writeFile(late, bytes);
    const blake3 = await copy.load();
    assert.equal(toHex(blake3.hash(abc)), abcHex);
    assert.equal(copy.loadSync(), blake3);
  });
});

describe("an instance that fails", () => {
  /** Loads with instances whose function `name` throws at its first call. */
  function loadFailing(name: string): { blake3: ReturnType<typeof loadSync>; started: () => number } {
    const Instance = WebAssembly.Instance;
    let fails = true;
    const replacement = mock.method(WebAssembly, "Instance", function (this: unknown, of: WebAssembly.Module) {
      const exports = { ...new Instance(of).exports };
      const call = exports[name] as (...args: unknown[]) => unknown;
      exports[name] = (...args: unknown[]) => {
        if (!fails) return call(...args);
        fails = false;
        throw new WebAssembly.RuntimeError("unreachable");
      };
      return { exports };
    });
    return { blake3: loadSync({ source: module }), started: () => replacement.mock.callCount() };
  }

  const input = new Uint8Array(5000).fill(7);
  const calls: Record<string, (blake3: ReturnType<typeof loadSync>) => unknown> = {
    hash: (blake3) => blake3.hash(input),
    b3_hash: (blake3) => blake3.hash(input, { length: 10 }),
    b3_context_key: (blake3) => blake3.createHasher({ context: "a" }),
    b3_state_update: (blake3) => blake3.createHasher().update(input),
    b3_state_output: (blake3) => blake3.createHasher().digest(),
    b3_state_check: (blake3) => blake3.createHasher({ state: loadSync().createHasher().export() }),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`in ${name} is replaced`, (t) => {
      t.after(() => mock.restoreAll());
      const { blake3, started } = loadFailing(name);
      const hasher = blake3.createHasher().update(abc);
      assert.throws(
        () => call(blake3),
        (error) =>
          failure(/failed; nothing was hashed/)(error) && (error as Error).cause instanceof WebAssembly.RuntimeError,
      );
      assert.equal(started(), 1);
      call(blake3);
      assert.equal(started(), 2);
      assert.equal(toHex(hasher.digest()), abcHex);
      assert.equal(toHex(blake3.hash(abc)), abcHex);
    });
  }

  test("takes no hasher's state with it", (t) => {
    t.after(() => mock.restoreAll());
    const { blake3 } = loadFailing("hash");
    const hasher = blake3.createHasher().update(input);
    assert.throws(() => blake3.hash(abc), failure(/failed; nothing was hashed/));
    assert.deepEqual(hasher.digest(), loadSync().hash(input));
    assert.deepEqual(hasher.update(input).digest(), loadSync().hash(new Uint8Array(10_000).fill(7)));
  });
});

test("a context that does not fit in linear memory is a RangeError, and takes nothing down", () => {
  const blake3 = loadSync();
  const context = "x".repeat(70e6);
  for (const call of [() => blake3.hash(new Uint8Array(1), { context }), () => blake3.createHasher({ context })]) {
    assert.throws(call, { name: "RangeError", message: /context: .*linear memory, got 70000000 bytes/ });
    assert.equal(toHex(blake3.hash(abc)), abcHex);
  }
});
