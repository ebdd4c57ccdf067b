// Says in one line each what this machine lacks, before Nx starts: it asks Go and cargo for the project graph, and would answer
// with a stack trace. The pinned Rust toolchain isn't asked for but brought.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureToolchain } from "../nx-cargo/toolchain.ts";

const root = join(import.meta.dirname, "../..");

/** The command's output, or undefined where it is missing or fails. */
function output(command: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

function go(): string | undefined {
  const [, wanted, major, minor] = /^go ((\d+)\.(\d+)\S*)$/m.exec(readFileSync(join(root, "go.work"), "utf8")) ?? [];
  const install = `install Go ${wanted} or later (https://go.dev/dl)`;
  // Run in the workspace: where GOTOOLCHAIN allows it, an older Go fetches and runs the one that go.work names.
  const version = output("go", "env", "GOVERSION");
  if (version === undefined) return `Go is missing, or "go env GOVERSION" fails here: ${install}`;
  const [, x, y] = /go(\d+)\.(\d+)/.exec(version) ?? [];
  // A Go built from its development branch has no number at the front, and is newer than any that is wanted.
  if (x === undefined && version.startsWith("devel")) return undefined;
  if (Number(x) > Number(major) || (x === major && Number(y) >= Number(minor))) return undefined;
  return `Go is too old, ${version}: ${install}`;
}

function rust(): string | undefined {
  try {
    ensureToolchain(root);
  } catch (error) {
    return (error as Error).message.trim().replace(/\s*\n\s*/g, " ");
  }
  if (output("cargo", "--version") !== undefined) return undefined;
  return 'cargo is missing, or "cargo --version" fails: install rustup (https://rustup.rs)';
}

function c(): string | undefined {
  const [command = "cc", ...args] = process.env.CC?.split(" ").filter(Boolean) ?? [];
  if (output(command, ...args, "--version") !== undefined) return undefined;
  const given = process.env.CC ? " (named by CC)" : "";
  const install = "install gcc or clang (Debian: apt install gcc libc6-dev; macOS: xcode-select --install)";
  return `The C compiler ${command}${given} is missing or fails: ${install}`;
}

const missing = [go(), rust(), c()].filter((line) => line !== undefined);
for (const line of missing) console.error(line);
process.exitCode = missing.length > 0 ? 1 : 0;
