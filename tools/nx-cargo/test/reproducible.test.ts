// The artifact is the same bytes wherever it is built: in other folders, from other copies of cargo's registry, without network.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { files, scratch, workspace } from "./scratch.ts";

const crate = "packages/rust-blake3";
const sources = files("Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "packages", "tools/nx-cargo");
const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");

/** Makes a cargo home with the registry as it was downloaded, and not as cargo unpacked it. */
function copyCargoHome(to: string) {
  mkdirSync(to);
  const unpacked = join(cargoHome, "registry", "src");
  cpSync(join(cargoHome, "registry"), join(to, "registry"), { recursive: true, filter: (path) => path !== unpacked });
  // It may name another registry, which cargo's folders are called after.
  for (const config of ["config.toml", "config"].map((name) => join(cargoHome, name))) {
    if (existsSync(config)) cpSync(config, join(to, basename(config)));
  }
}

async function build(name: string) {
  using copy = scratch(name, sources);
  const home = join(copy.root, "home of cargo");
  copyCargoHome(home);
  const env = { ...process.env, CARGO_HOME: home, CARGO_NET_OFFLINE: "true" };
  const script = join(copy.root, "tools/nx-cargo/build-wasm.ts");
  await promisify(execFile)(process.execPath, [script, "blake3"], { cwd: join(copy.root, crate), env });
  const dist = (file: string) => readFileSync(join(copy.root, crate, "dist", file));
  return { wasm: dist("blake3.wasm"), json: JSON.parse(dist("build.json").toString()) };
}

test("two folders, two cargo homes, offline: the bytes of dist/blake3.wasm", async () => {
  const here = readFileSync(join(workspace, crate, "dist/blake3.wasm"));
  const hereJson = JSON.parse(readFileSync(join(workspace, crate, "dist/build.json"), "utf8"));
  const copies = await Promise.all([build("a"), build("a folder with a longer name, and blanks")]);
  for (const { wasm, json } of copies) {
    assert.ok(wasm.equals(here), `${json.sha256} is not ${hereJson.sha256}`);
    assert.deepEqual(json, hereJson);
  }
});

test("it holds no path of the machine", () => {
  const text = readFileSync(join(workspace, crate, "dist/blake3.wasm"), "latin1");
  for (const path of [workspace, cargoHome]) assert.ok(!text.includes(path), `holds ${path}`);
});
