// Writes dist/, which is the published package: JavaScript, declarations and the artifact, and nothing older.
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name: string) => fileURLToPath(import.meta.resolve(name));

rmSync(path("./dist"), { recursive: true, force: true });
const compiler = path("typescript/package.json").replace("package.json", "bin/tsc");
execFileSync(process.execPath, [compiler, "-p", path("./tsconfig.build.json")], { stdio: "inherit" });
copyFileSync(path("../../LICENSE"), path("./dist/LICENSE"));
copyFileSync(path("@blake3-polyglot/rust-blake3/blake3.wasm"), path("./dist/blake3.wasm"));
