import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const complete = {
  go: "echo go1.26.8",
  rustup: "exit 0",
  rustc: "echo /",
  cargo: "exit 0",
  cc: "exit 0",
};

/** Runs the check where PATH holds these commands and no others; a command is the body of a shell script. */
function check(commands: Record<string, string>, env: Record<string, string> = {}) {
  const path = mkdtempSync(join(tmpdir(), "prerequisites-"));
  try {
    for (const [name, body] of Object.entries(commands)) {
      writeFileSync(join(path, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "check.ts")], {
      env: { PATH: path, ...env },
      encoding: "utf8",
    });
    assert.equal(stdout, "");
    return { status, lines: stderr.split("\n").slice(0, -1) };
  } finally {
    rmSync(path, { recursive: true });
  }
}

const without = (name: keyof typeof complete) => {
  const { [name]: _, ...rest } = complete;
  return rest;
};

/** One line, exit code 1. */
function finds(found: ReturnType<typeof check>, line: RegExp) {
  assert.deepEqual(
    { status: found.status, lines: found.lines.length },
    { status: 1, lines: 1 },
    found.lines.join("\n"),
  );
  assert.match(found.lines[0] ?? "", line);
}

// The stubs are shell scripts.
const skip = process.platform === "win32" && "NOT TESTED on Windows: what the prerequisites check says";

test("a complete machine: says nothing", { skip }, () => {
  assert.deepEqual(check(complete), { status: 0, lines: [] });
});

test("an empty machine: a line for each", { skip }, () => {
  const { status, lines } = check({});
  assert.equal(status, 1);
  assert.equal(lines.length, 3, lines.join("\n"));
  assert.match(lines[0] ?? "", /^Go is missing.*install Go 1\.[\d.]+ or later/);
  assert.match(lines[1] ?? "", /^Rust .* is missing.*Install rustup \(https:\/\/rustup\.rs\)/);
  assert.match(lines[2] ?? "", /^The C compiler cc is missing.*install gcc or clang/);
});

for (const version of [
  "go1.26",
  "go1.26.0",
  "go1.27rc1",
  "go1.100.2",
  "go2.0",
  "devel go1.28-abcdef",
  "devel +abcdef",
]) {
  test(`Go ${version}: new enough`, { skip }, () => {
    assert.deepEqual(check({ ...complete, go: `echo "${version}"` }), { status: 0, lines: [] });
  });
}

for (const version of ["go1.25.4", "go1.9", "go1.3", "nonsense"]) {
  test(`Go ${version}: too old`, { skip }, () => {
    const go = `echo ${version}`;
    finds(check({ ...complete, go }), RegExp(`^Go is too old, ${version}: install Go 1\\.26`));
  });
}

test("Go that fails, as where GOTOOLCHAIN=local or the network forbids the newer one", { skip }, () => {
  finds(check({ ...complete, go: "exit 1" }), /^Go is missing, or "go env GOVERSION" fails here: install Go 1\.26/);
});

test("Rust without cargo", { skip }, () => {
  finds(check(without("cargo")), /^cargo is missing.*install rustup/);
});

test("rustup that can't bring the toolchain: one line, with its reason", { skip }, () => {
  const rustup = "echo 'error: could not download' >&2; exit 1";
  finds(
    check({ ...complete, rustup, rustc: "exit 1" }),
    /^Rust .* is missing.*Install rustup.*error: could not download/,
  );
});

test("a Rust with the target needs no rustup", { skip }, () => {
  assert.deepEqual(check(without("rustup")), { status: 0, lines: [] });
});

test("a Rust without the target, and no rustup", { skip }, () => {
  finds(
    check({ ...without("rustup"), rustc: "echo /nonexistent" }),
    /^Rust with the target wasm32-unknown-unknown is missing/,
  );
});

test("no C compiler", { skip }, () => {
  finds(check(without("cc")), /^The C compiler cc is missing/);
});

test("a C compiler that fails, as macOS's without its command line tools", { skip }, () => {
  finds(check({ ...complete, cc: "echo long; echo story >&2; exit 1" }), /^The C compiler cc is missing or fails/);
});

test("CC names the C compiler, with arguments", { skip }, () => {
  const commands = { ...without("cc"), wrap: '[ "$1" = my-cc ]' };
  assert.deepEqual(check(commands, { CC: "wrap my-cc" }), { status: 0, lines: [] });
  finds(check(complete, { CC: "absent-cc" }), /^The C compiler absent-cc \(named by CC\) is missing/);
});
