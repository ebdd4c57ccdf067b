// Builds the crate in the working directory to dist/<artifact>.wasm, with dist/build.json beside it: one cargo command, then
// wasm-opt. With a feature named, to <feature>/dist. The bytes depend on the sources, the locked crates and the toolchain only, not on where they lie.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";

const target = "wasm32-unknown-unknown";
const [artifact, feature] = process.argv.slice(2);
if (!artifact) throw new Error("usage: build-wasm.ts <artifact> [feature]");

// RUSTFLAGS would replace the flags in .cargo/config.toml; its relatives and the profile's variables change the artifact too.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/RUSTFLAGS$|^CARGO_PROFILE_/.test(name)),
);
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

const metadata = JSON.parse(run("cargo", "metadata", "--locked", "--format-version=1"));
const workspace: string = metadata.workspace_root;
const crate = metadata.packages.find((p: { manifest_path: string }) => p.manifest_path === resolve("Cargo.toml"));
const blake3 = metadata.packages.find((p: { name: string }) => p.name === "blake3");

// Panic messages hold the paths of source files. The folder of a registry is named after its address. The last match counts.
const remap = Object.entries({
  [run("rustc", "--print=sysroot")]: "rust",
  [resolve(env.CARGO_HOME ?? join(homedir(), ".cargo"))]: "cargo",
  [workspace]: "workspace",
  [dirname(dirname(blake3.manifest_path))]: "crates",
}).map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
run(
  "cargo",
  ...["build", "--locked", "--release", "--lib", `--target=${target}`],
  `--target-dir=${join(workspace, "target")}`,
  ...(feature ? ["--features", feature] : []),
  ...["--config", `target.${target}.rustflags=${JSON.stringify(remap)}`],
);

const wasmOpt = createRequire(import.meta.url).resolve("binaryen/bin/wasm-opt");
const optimize = [
  // -O3 is a kilobyte more and no faster. rustc exports two addresses of its own, __data_end and __heap_base.
  ...["-Os", "--enable-simd", "--enable-bulk-memory", "--remove-exports=__*"],
  ...["--strip-debug", "--strip-producers", "--strip-target-features"],
];
const dist = join(feature ?? ".", "dist");
const wasm = join(dist, `${artifact}.wasm`);
mkdirSync(dist, { recursive: true });
const compiled = join(workspace, `target/${target}/release/${crate.name.replaceAll("-", "_")}.wasm`);
run(process.execPath, wasmOpt, compiled, ...optimize, "-o", wasm);

// cargo has no stable command that tells the flags it takes from there.
const config = parse(readFileSync(join(".cargo", "config.toml"), "utf8")) as {
  target: Record<string, { rustflags: string[] }>;
};
const build = {
  artifact: `${artifact}.wasm`,
  size: statSync(wasm).size,
  sha256: createHash("sha256").update(readFileSync(wasm)).digest("hex"),
  rustc: run("rustc", "--version"),
  flags: config.target[target].rustflags, // and the remap above
  wasmOpt: { version: run(process.execPath, wasmOpt, "--version"), arguments: optimize },
  crate: `${blake3.name} ${blake3.version}`,
  features: [...crate.features.default, ...(feature ? [feature] : [])],
};
writeFileSync(join(dist, "build.json"), `${JSON.stringify(build, null, 2)}\n`);
console.log(`${wasm}: ${build.size} bytes, sha256 ${build.sha256}`);
