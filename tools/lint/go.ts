// Lints the Go module in the working directory, and rewrites nothing. nx-go runs this as its linter, with ./... as its argument.
import { execFileSync, spawnSync } from "node:child_process";
import { basename, join } from "node:path";

const packages = process.argv.slice(2);
if (packages.length === 0) throw new Error("usage: go.ts ./...");

const go = (args: string[], env = process.env) => execFileSync("go", args, { env, encoding: "utf8" }).trim();
// The gofmt of the Go that GOTOOLCHAIN chose, which needn't be the one on PATH.
const gofmt = join(go(["env", "GOROOT"]), "bin", "gofmt");
// Outside the workspace, or the linter's dependencies would raise those of what it lints.
const tools = ["-C", import.meta.dirname, "tool", "-n"];
const staticcheck = go([...tools, "staticcheck"], { ...process.env, GOWORK: "off" });
// Go 1.26 caches the vet of a package that it met as a dependency, which has no findings, and takes it for the package's own
// later. The flags are part of the cache's key; this one names no function, for it is no identifier.
const own = `-printf.funcs=lint-of-${basename(process.cwd())}`;

// All of them, so that one run lists every finding. gofmt exits with 1 where it has a difference to show.
const linters: [name: string, command: string, args: string[]][] = [
  ["gofmt", gofmt, ["-d", "."]],
  ["go vet", "go", ["vet", own, ...packages]],
  ["staticcheck", staticcheck, packages],
];
for (const [name, command, args] of linters) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) throw error;
  if (status === 0) continue;
  console.error(`${name} found something in ${process.cwd()}`);
  process.exitCode = 1;
}
