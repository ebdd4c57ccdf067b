// Measures BLAKE3 in Node.js, once for each size and implementation, and prints the Go benchmark format. Run it again
// for more samples.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { equal, load, toHex } from "@blake3-polyglot/blake3";
import { hash as tight } from "@blake3-polyglot/blake3/tight";
import { blake3 as noble } from "@noble/hashes/blake3.js";

const USAGE = `usage: node bench/hash.ts [--time <milliseconds>]

Prints one line of Go benchmark text for each size and implementation.

  --time <milliseconds>  about how long one sample lasts, more than 0; default 100
  --help                 print this`;

const SIZES = [0, 64, 1024, 3072, 4096, 65_536, 1_048_576, 16_777_216];

type Hash = (input: Uint8Array) => Uint8Array;

/** Ends with one line on stderr. */
function fail(message: string, code: number): never {
  console.error(`bench/hash.ts: ${message}`);
  process.exit(code);
}

function options(): { time: number } {
  try {
    const { values } = parseArgs({ options: { time: { type: "string", default: "100" }, help: { type: "boolean" } } });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const time = Number(values.time);
    if (values.time.trim() === "" || !(time > 0 && time < Number.POSITIVE_INFINITY)) {
      throw new Error(`--time: expected a number of milliseconds, more than 0, got "${values.time}"`);
    }
    return { time };
  } catch (error) {
    return fail(`${(error as Error).message.replaceAll("\n", " ")} (--help tells the options)`, 2);
  }
}

/** Runs `hash` so many times, and returns the milliseconds that took with the last digest. */
function sample(hash: Hash, input: Uint8Array, iterations: number): { elapsed: number; digest: Uint8Array } {
  let digest: Uint8Array = input;
  const start = performance.now();
  for (let i = 0; i < iterations; i++) digest = hash(input);
  return { elapsed: performance.now() - start, digest };
}

const { time } = options();
const blake3 = await load();
const wasm: Hash = (input) => blake3.hash(input);
// Each implementation is checked against one that shares no code with it.
const implementations: [name: string, hash: Hash, check: Hash][] = [
  ["noble", noble, tight],
  ["tight", tight, noble],
  ["wasm", wasm, noble],
];

const artifact = readFileSync(new URL(import.meta.resolve("@blake3-polyglot/blake3/blake3.wasm")));
const manifest = new URL("./package.json", import.meta.resolve("@noble/hashes/blake3.js"));
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
console.log(`node: ${process.version}`);
console.log(`v8: ${process.versions.v8}`);
console.log(`noble: ${version}`);
console.log(`artifact-sha256: ${createHash("sha256").update(artifact).digest("hex")}`);

for (const size of SIZES) {
  const input = Uint8Array.from({ length: size }, (_, i) => i % 251);
  for (const [name, hash, check] of implementations) {
    const want = check(input);
    // Batches grow until one is long enough to tell the speed; the code is compiled by then.
    let iterations = 1;
    let elapsed = 0;
    for (;;) {
      ({ elapsed } = sample(hash, input, iterations));
      if (elapsed >= time / 2) break;
      iterations *= 2;
    }
    iterations = Math.max(1, Math.round((iterations * time) / elapsed));
    const measured = sample(hash, input, iterations);
    if (!equal(measured.digest, want)) {
      fail(`${name} hashed ${size} bytes to ${toHex(measured.digest)}, expected ${toHex(want)}`, 1);
    }
    const nanoseconds = (measured.elapsed * 1e6) / iterations;
    const speed = size > 0 ? ` ${((size * 1e3) / nanoseconds).toFixed(2)} MB/s` : "";
    console.log(
      `BenchmarkHash/platform=node/impl=${name}/bytes=${size} ${iterations} ${nanoseconds.toFixed(2)} ns/op${speed}`,
    );
  }
}
