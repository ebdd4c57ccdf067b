// What backends.test.ts and load.test.ts check on Node.js, in a page.
import { Blake3Error, load, loadSync, toHex } from "@blake3-polyglot/blake3";
import wasmURL from "@blake3-polyglot/blake3/blake3.wasm?url";
import * as tight from "@blake3-polyglot/blake3/tight";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type HasherBackend,
  hashBehaviours,
  hasherBehaviours,
  type StreamBackend,
  streamBehaviours,
} from "./behaviours.ts";

const abc = new TextEncoder().encode("abc");
const abcHex = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
const artifact = new URL(wasmURL, location.href);

test("loadSync says what to do before load", () => {
  expect(() => loadSync()).toThrow(/await load\(\) first/);
});

describe("wasm", () => {
  let backend: HasherBackend & StreamBackend;
  beforeAll(async () => {
    const blake3 = await load();
    backend = {
      hash: blake3.hash.bind(blake3),
      createHasher: blake3.createHasher.bind(blake3),
      hashStream: blake3.hashStream.bind(blake3),
    };
  });
  for (const [name, run] of Object.entries(hashBehaviours)) test(`hash ${name}`, () => run(backend));
  for (const [name, run] of Object.entries(hasherBehaviours)) test(`a hasher ${name}`, () => run(backend));
  for (const [name, run] of Object.entries(streamBehaviours)) test(`hashStream ${name}`, () => run(backend));
});

describe("tight", () => {
  for (const [name, run] of Object.entries(hashBehaviours)) test(`hash ${name}`, () => run(tight));
});

test("load loads once, and loadSync returns it", async () => {
  const [a, b] = await Promise.all([load(), load()]);
  expect(a).toBe(b);
  expect(loadSync()).toBe(a);
  expect(a.engine).toBe("wasm");
});

test("loads from every source", async () => {
  const bytes = await (await fetch(artifact)).arrayBuffer();
  const module = await WebAssembly.compile(bytes);
  for (const source of [
    artifact,
    await fetch(artifact),
    new Response(bytes, { headers: { "content-type": "text/plain" } }),
    new Response(bytes, { headers: { "content-type": "application/wasm" } }),
    bytes,
    new Uint8Array(bytes),
    module,
  ]) {
    expect(toHex((await load({ source })).hash(abc))).toBe(abcHex);
  }
  for (const source of [bytes, module]) expect(toHex(loadSync({ source }).hash(abc))).toBe(abcHex);
});

test("errors name the URL and the status", async () => {
  const missing = new URL("/no-such-file.wasm", location.href);
  const failure = load({ source: new Response("gone", { status: 404 }) });
  await expect(failure).rejects.toThrow(Blake3Error);
  await expect(failure).rejects.toThrow(/404/);
  await expect(load({ source: missing })).rejects.toThrow(/no-such-file\.wasm/);
  await expect(load({ source: new URL("http://127.0.0.1:1/blake3.wasm") })).rejects.toThrow(/127\.0\.0\.1:1/);
  expect(() => loadSync({ source: artifact })).toThrow(TypeError);
  await expect(load({ source: new TextEncoder().encode("no module") })).rejects.toThrow(Blake3Error);
});
