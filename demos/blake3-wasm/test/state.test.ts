import assert from "node:assert/strict";
import { test } from "node:test";
import { load, toHex } from "@blake3-polyglot/blake3";
import states from "@blake3-polyglot/rust-blake3/states.json" with { type: "json" };
import vectors from "@blake3-polyglot/rust-blake3/vectors.json" with { type: "json" };
import { pattern } from "./reference.ts";

const blake3 = await load();
const options: Record<string, object> = {
  hash: {},
  keyed_hash: { key: new TextEncoder().encode(vectors.key) },
  derive_key: { context: vectors.context_string },
};

test("exported states are those of every other build", () => {
  assert.ok(states.length >= 6);
  for (const { mode, writes, state } of states) {
    const hasher = blake3.createHasher(options[mode]);
    const input = pattern(writes.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const length of writes) {
      hasher.update(input.subarray(at, at + length));
      at += length;
    }
    assert.equal(toHex(hasher.export()), state, `${mode} ${writes}`);
    const resumed = blake3.createHasher({ state: Buffer.from(state, "hex") });
    assert.deepEqual(resumed.digest(), blake3.hash(input, options[mode]), `${mode} ${writes}`);
  }
});
