// Lints the Go module in the working directory, and rewrites nothing. nx-go runs this as its linter, with ./... as its argument.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

const packages = process.argv.slice(2);
if (packages.length === 0) throw new Error("usage: go.ts ./...");

const go = (args: string[], env = process.env) => execFileSync("go", args, { env, encoding: "utf8" }).trim();
// The gofmt of the Go that GOTOOLCHAIN chose, which needn't be the one on PATH.
const gofmt = join(go(["env", "GOROOT"]), "bin", "gofmt");
// Outside the workspace, or the linter's dependencies would raise those of what it lints.
const tools = ["-C", import.meta.dirname, "tool", "-n"];
const staticcheck = go([...tools, "staticcheck"], { ...process.env, GOWORK: "off" });

// All of them, so that one run lists every finding. gofmt exits with 1 where it has a difference to show.
const failed = [
  [gofmt, "-d", "."],
  ["go", "vet", ...packages],
  [staticcheck, ...packages],
].filter(([command, ...args]) => {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) throw error;
  return status !== 0;
});
for (const command of failed) console.error(`found something: ${command.join(" ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
