import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { load, loadSync } from "@blake3-polyglot/blake3";
import * as tight from "@blake3-polyglot/blake3/tight";
import { hashBehaviours, hasherBehaviours, streamBehaviours } from "./behaviours.ts";
import { expected, pattern } from "./reference.ts";

const wasm = await load();
const backend = {
  hash: wasm.hash.bind(wasm),
  createHasher: wasm.createHasher.bind(wasm),
  hashStream: wasm.hashStream.bind(wasm),
};

describe("wasm", () => {
  for (const [name, run] of Object.entries(hashBehaviours)) test(`hash ${name}`, () => run(backend));
  for (const [name, run] of Object.entries(hasherBehaviours)) test(`a hasher ${name}`, () => run(backend));
  for (const [name, run] of Object.entries(streamBehaviours)) test(`hashStream ${name}`, () => run(backend));
});

describe("tight", () => {
  for (const [name, run] of Object.entries(hashBehaviours)) test(`hash ${name}`, () => run(tight));
});

test("engine says what computes", () => {
  assert.equal(wasm.engine, "wasm");
  assert.equal(loadSync().engine, "wasm");
});

test("methods chain, and results have a buffer of their own", () => {
  const hasher = wasm.createHasher();
  assert.equal(hasher.update(pattern(3)), hasher);
  assert.equal(hasher.reset(), hasher);
  const reader = hasher.xof();
  assert.equal(reader.seek(3n), reader);
  for (const result of [
    wasm.hash(pattern(3)),
    wasm.hash(pattern(3), { length: 100 }),
    hasher.digest(),
    reader.read(5),
  ]) {
    assert.ok(result.buffer instanceof ArrayBuffer);
    assert.equal(result.buffer.byteLength, result.length);
  }
});

test("inputs may come from another realm", () => {
  const types = ["Uint8Array", "Uint32Array", "DataView", "ArrayBuffer", "SharedArrayBuffer"];
  for (const type of types) {
    const script = `const buffer = new ${type === "SharedArrayBuffer" ? type : "ArrayBuffer"}(8);
      new Uint8Array(buffer).set([1, 2, 3, 4, 5, 6, 7, 8]);
      ${type.endsWith("Buffer") ? "buffer" : `new ${type}(buffer)`}`;
    const input = runInNewContext(script);
    const want = expected(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    assert.deepEqual(wasm.hash(input), want, type);
    assert.deepEqual(tight.hash(input), want, type);
  }
  const options = runInNewContext("({ length: 5, key: new Uint8Array(32) })");
  const want = expected(new Uint8Array(), { length: 5, key: new Uint8Array(32) });
  assert.deepEqual(wasm.hash(new Uint8Array(), options), want);
});

test("every byte of a single-block input matters, at every length", () => {
  for (let length = 1; length <= 64; length++) {
    const input = pattern(length);
    input[length - 1] = 255;
    assert.deepEqual(wasm.hash(input), expected(input));
    assert.deepEqual(tight.hash(input), expected(input));
  }
});
