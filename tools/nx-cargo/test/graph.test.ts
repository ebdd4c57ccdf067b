// Which tasks a change runs, and which it takes from the cache: by Nx itself, on a copy of this workspace. There the artifact is
// built for real, and each suite is replaced by a stub of one line. What decides, which is inputs, edges and inference, is not.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { files, scratch } from "./scratch.ts";

const paths = files();
const copy = scratch("graph", paths);
after(() => copy[Symbol.dispose]());
const at = (path: string) => join(copy.root, path);
const read = (path: string) => readFileSync(at(path), "utf8");

// What the Nx that runs this test has told it, and what .ci/run has told that one, is not for the Nx within it.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^NX_|^NODE_TEST_CONTEXT$/.test(name)));
Object.assign(env, { NX_DAEMON: "false", NO_COLOR: "1" });
delete env.RUSTFLAGS;
delete env.FORCE_COLOR;

function nx(...args: string[]): string {
  const bin = createRequire(at("package.json")).resolve("nx");
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: copy.root,
    env,
    encoding: "utf8",
  });
  assert.equal(status, 0, `nx ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

const git = (...args: string[]) => execFileSync("git", args, { cwd: copy.root, stdio: ["ignore", "pipe", "inherit"] });
git("init", "--quiet");
appendFileSync(at(".git/info/exclude"), "node_modules\n"); // .gitignore names folders, and here they are links

/** The tasks of all suites, in order of name: those that ran, and those that the cache had. */
function suites(): { ran: string[]; cached: string[] } {
  const lines = nx("run-many", "-t", "test", "--output-style=static").matchAll(/^> nx run (\S+)( {2}\[.*\])?$/gm);
  const tasks = [...lines].map(([, name, fromCache]) => ({ name: name as string, fromCache }));
  const names = (cached: boolean) => tasks.filter((task) => !!task.fromCache === cached).map((task) => task.name);
  return { ran: names(false).sort(), cached: names(true).sort() };
}

/** The projects whose suites `nx affected -t test` would run where these files changed, in order of name. */
function affected(...changed: string[]): string[] {
  const { tasks } = JSON.parse(nx("affected", "-t", "test", `--files=${changed.join(",")}`, "--graph=stdout"));
  const targets = Object.values<{ target: { project: string; target: string } }>(tasks.tasks).map(
    (task) => task.target,
  );
  // Among the tasks are those that a suite depends on, affected or not.
  return [...new Set(targets.filter(({ target }) => target === "test").map(({ project }) => project))].sort();
}

test("edges", () => {
  nx("graph", "--file=graph.json");
  const { graph } = JSON.parse(read("graph.json"));
  rmSync(at("graph.json"));
  const targets = (project: string) =>
    graph.dependencies[project].map((edge: { target: string }) => edge.target).sort();
  assert.deepEqual(targets("rust-blake3"), []);
  assert.deepEqual(targets("blake3-go"), ["rust-blake3"]);
  assert.deepEqual(targets("blake3-wasm"), ["browsers", "rust-blake3"]);
});

test("tasks", async (t) => {
  for (const path of paths) if (/^(demos|tools)\/.*\.go$/.test(path)) rmSync(at(path));
  for (const path of paths) {
    // A module of Go keeps what it imports from this workspace.
    if (/^(demos|tools)\/[^/]+\/go\.mod$/.test(path) && !path.startsWith("tools/lint/")) {
      const [artifact] = /^module (.*)$/m.exec(read("packages/rust-blake3/go.mod"))?.slice(1) ?? [];
      writeFileSync(at(join(dirname(path), "stub_test.go")), `package stub\n\nimport _ "${artifact}"\n`);
    }
    if (/^(demos|packages|tools)\/[^/]+\/package\.json$/.test(path)) {
      const manifest = JSON.parse(read(path));
      manifest.nx.targets ??= {};
      const targets = manifest.nx.targets;
      for (const name of ["build", "test", "rust-wasm-crate-kernel"])
        if (targets[name]) targets[name].command = "node --version";
      if (manifest.nx.name === "rust-blake3") targets.test = { options: { command: "cargo --version" } };
      writeFileSync(at(path), JSON.stringify(manifest));
    }
  }
  git("add", "--all");
  git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message=before any change");

  const all = suites();
  const artifact = ["rust-blake3:rust-wasm", "rust-blake3:rust-wasm-crate-kernel", "rust-blake3:test"];
  const go = ["bench:test", "blake3-go:test"];
  const typescript = ["blake3-wasm:build", "blake3-wasm:test"];
  const consumers = [...go, ...typescript, "nx-cargo:test"];
  const projects = (tasks: string[]) => [...new Set(tasks.map((task) => task.split(":")[0]))].sort();

  await t.test("at first: everything runs", () => {
    assert.deepEqual(all.cached, []);
    assert.deepEqual(all.ran, [...artifact, ...consumers, "prerequisites:test"].sort());
  });

  await t.test("nothing changed: nothing runs", () => {
    assert.deepEqual(suites(), { ran: [], cached: all.ran });
  });

  const wasm = "packages/rust-blake3/dist/blake3.wasm";
  const built = read(wasm);

  await t.test("dist deleted: restored from the cache", () => {
    rmSync(at(dirname(wasm)), { recursive: true });
    assert.deepEqual(suites(), { ran: [], cached: all.ran });
    assert.equal(read(wasm), built);
    assert.ok(existsSync(at("packages/rust-blake3/dist/build.json")));
  });

  const replace = (path: string, from: string | RegExp, to: string) => {
    const text = read(path).replace(from, to);
    assert.notEqual(text, read(path), `${path} holds no ${from}`);
    writeFileSync(at(path), text);
  };
  const comment = (mark: string) => (path: string) => appendFileSync(at(path), `\n${mark} edited\n`);

  const changes = [
    {
      change: "Rust source",
      paths: ["packages/rust-blake3/src/lib.rs"],
      edit: comment("//"),
      runs: [...artifact, ...consumers],
    },
    {
      change: "test vectors",
      paths: ["packages/rust-blake3/vectors.json"],
      edit: (path: string) => appendFileSync(at(path), "\n"),
      runs: [...artifact, ...consumers],
    },
    {
      change: "a compiler flag of the crate",
      paths: ["packages/rust-blake3/.cargo/config.toml"],
      edit: (path: string) => replace(path, "inline-threshold=50", "inline-threshold=225"),
      another: true,
      runs: [...artifact, ...consumers],
    },
    {
      // Outside the crate's folder: what the consumers see of it is the artifact.
      change: "a profile that gives another artifact",
      paths: ["Cargo.toml"],
      edit: (path: string) => replace(path, "opt-level = 2", "opt-level = 3"),
      another: true,
      runs: [...artifact, ...consumers],
    },
    {
      // The suites of the consumers read nothing of it but the artifact, which is the same: they come from the cache. Before
      // that is built, `nx affected` can't know, and chooses them. So with rust-toolchain.toml.
      change: "Cargo.lock, to the same artifact",
      paths: ["Cargo.lock"],
      edit: comment("#"),
      another: false,
      runs: [...artifact, "nx-cargo:test"],
      affects: [...artifact, ...consumers],
    },
    {
      change: "rust-toolchain.toml, to the same artifact",
      paths: ["rust-toolchain.toml"],
      edit: comment("#"),
      another: false,
      runs: [...artifact, "nx-cargo:test"],
      affects: [...artifact, ...consumers],
    },
    { change: "TypeScript source", paths: ["demos/blake3-wasm/src/api.ts"], edit: comment("//"), runs: typescript },
    {
      change: "Go source",
      paths: ["demos/blake3-go/stub_test.go"],
      edit: comment("//"),
      runs: ["blake3-go:test"],
    },
    {
      change: "go.work",
      paths: ["go.work"],
      edit: comment("//"),
      runs: [...go, "nx-cargo:test", "prerequisites:test"],
    },
    {
      change: "every text for readers",
      paths: paths.filter((path) => path.endsWith(".md")),
      edit: comment(""),
      runs: [],
    },
  ];

  for (const { change, paths, edit, runs, affects = runs, another } of changes) {
    await t.test(`${change}: ${runs.length > 0 ? runs.join(", ") : "nothing"}`, (t) => {
      t.after(() => git("checkout", "--quiet", "."));
      for (const path of paths) edit(path);
      const { ran } = suites();
      if (another !== undefined) assert.equal(read(wasm) !== built, another, "the artifact is another");
      assert.deepEqual(ran, [...runs].sort());
      assert.deepEqual(affected(...paths), projects(affects));
    });
  }

  await t.test("all changes undone: nothing runs", () => {
    assert.deepEqual(suites(), { ran: [], cached: all.ran });
    assert.equal(read(wasm), built);
  });
});
