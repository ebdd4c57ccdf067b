import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../bench/hash.ts", import.meta.url));

function bench(...options: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [script, ...options], { encoding: "utf8" });
}

test("the benchmark prints a line for each size and implementation", () => {
  const { status, stdout, stderr } = bench("--time", "1");
  assert.equal(status, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  const configuration = lines.filter((line) => /^[a-z0-9-]+: \S+$/.test(line));
  assert.deepEqual(
    configuration.map((line) => line.split(":")[0]),
    ["node", "v8", "noble", "artifact-sha256"],
  );
  const results = lines.slice(configuration.length).map((line) => {
    const match = /^BenchmarkHash\/platform=node\/impl=(\w+)\/bytes=(\d+) [1-9]\d* [\d.]+ ns\/op( [\d.]+ MB\/s)?$/.exec(
      line,
    );
    assert.ok(match, line);
    assert.equal(match[3] === undefined, match[2] === "0", line);
    return `${match[2]} ${match[1]}`;
  });
  const sizes = [0, 64, 1024, 3072, 4096, 65_536, 1_048_576, 16_777_216];
  assert.deepEqual(
    results,
    sizes.flatMap((size) => [`${size} noble`, `${size} tight`, `${size} wasm`]),
  );
});

test("the benchmark explains its options", () => {
  const { status, stdout } = bench("--help");
  assert.equal(status, 0);
  assert.match(stdout, /--time <milliseconds>/);
});

test("the benchmark refuses wrong options in one line", () => {
  for (const options of [
    ["--tiem", "5"],
    ["--time"],
    ["--time", "0"],
    ["--time", "x"],
    ["--time", ""],
    ["--time=-1"],
    ["more"],
  ]) {
    const { status, stdout, stderr } = bench(...options);
    assert.equal(status, 2, options.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, /^bench\/hash\.ts: .+\n$/);
  }
});
