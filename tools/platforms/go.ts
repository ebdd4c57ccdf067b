// Runs the tests of the Go module in the working directory on platforms other than this one, lets each go on from the hasher
// states of all, and compiles for some more. Linux only: QEMU's user-mode emulators run Linux programs.
import { execFileSync, spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";

interface Platform {
  name: string;
  arch: string; // GOARCH
  engine: string; // what Engine must answer
  emulator: string; // QEMU's name of the processor
  cpu?: string; // the model to emulate, on every host
  env?: NodeJS.ProcessEnv;
}

// The slowest first.
const platforms: Platform[] = [
  { name: "linux/s390x, big-endian", arch: "s390x", engine: "portable", emulator: "s390x" },
  { name: "linux/riscv64", arch: "riscv64", engine: "portable", emulator: "riscv64" },
  { name: "linux/arm64", arch: "arm64", engine: "compiler", emulator: "aarch64" },
  {
    name: "linux/amd64 without SSE4.1",
    arch: "amd64",
    engine: "portable",
    emulator: "x86_64",
    cpu: "Conroe",
    env: { NO_COMPILER: "1" },
  },
  { name: "linux/386, 32-bit", arch: "386", engine: "portable", emulator: "i386" },
  {
    name: "linux/amd64, GOMAXPROCS=1",
    arch: "amd64",
    engine: "compiler",
    emulator: "x86_64",
    env: { GOMAXPROCS: "1" },
  },
];
const compiled =
  "windows/amd64 windows/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 linux/arm js/wasm wasip1/wasm".split(" ");
const native = { x64: ["amd64", "386"], arm64: ["arm64"] }[process.arch as string] ?? [];

const emulated = (p: Platform) => p.cpu !== undefined || !native.includes(p.arch);

function onPath(command: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const qemu = (p: Platform) => [`qemu-${p.emulator}-static`, `qemu-${p.emulator}`].find(onPath);
const lacking = () => platforms.filter((p) => emulated(p) && qemu(p) === undefined);

function fail(why: string, untested: string[]): never {
  console.error(`NOT TESTED: ${untested.join("; ")}. ${why}`);
  process.exit(1);
}

/** Runs a command to its end; its output, or undefined after a failure, which is printed. */
function run(what: string, command: string, args: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => (output += error.message));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const lines = output
        .trimEnd()
        .split("\n")
        .filter((line) => !/^=== (RUN|PAUSE|CONT)|^ *--- PASS/.test(line));
      console.error([`${what} failed, ${signal ?? `exit code ${code}`}:`, ...lines.slice(-100)].join("\n  "));
      resolve(undefined);
    });
  });
}

/** As many at once as there are processors, started in order. */
async function all(jobs: (() => Promise<void>)[]): Promise<void> {
  const queue = [...jobs];
  const worker = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

if (process.platform !== "linux") {
  fail(`Other platforms are tested on Linux, this is ${process.platform}.`, [
    ...platforms.map((p) => p.name),
    ...compiled,
  ]);
}
if (lacking().length > 0 && process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
  try {
    for (const args of ["update -qq", "install -y -qq --no-install-recommends qemu-user-static"]) {
      execFileSync("apt-get", args.split(" "), { stdio: ["ignore", "ignore", "inherit"] });
    }
  } catch {} // what is lacking still is said below
}
if (lacking().length > 0) {
  fail(
    `Put ${lacking()
      .map((p) => `qemu-${p.emulator}-static or qemu-${p.emulator}`)
      .join(", ")} on PATH: install QEMU's user-mode ` +
      "emulators (https://www.qemu.org/download; Debian: apt-get install qemu-user-static)",
    lacking().map((p) => p.name),
  );
}

const folder = mkdtempSync(join(tmpdir(), "platforms-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const states = mkdtempSync(join(folder, "states-"));

interface Row {
  platform: string;
  engine: string;
  result: string;
  seconds: number;
}
const untested = new Map<string, string[]>(); // platforms by what they leave out

const failed = (row: Row) => row.result.startsWith("FAILED");

/** Does one part of a row, which fails where the part returns what failed. After that no other part is done. */
async function part(row: Row, work: () => Promise<string | undefined>): Promise<void> {
  if (failed(row)) return;
  const start = performance.now();
  const failure = await work();
  row.seconds += (performance.now() - start) / 1000;
  if (failure) row.result = `FAILED: ${failure}`;
}

function test(p: Platform, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string | undefined> {
  const command = [join(folder, p.arch), "-test.v", "-test.timeout=15m", ...args];
  if (emulated(p)) command.unshift(qemu(p) as string, ...(p.cpu ? ["-cpu", p.cpu] : []));
  return run(p.name, command[0] as string, command.slice(1), { ...p.env, ...env });
}

const tests = platforms.map((p) => ({ p, row: { platform: p.name, engine: p.engine, result: "passed", seconds: 0 } }));
const builds = ["linux/amd64, CGO_ENABLED=0", ...compiled].map((name) => {
  return { platform: name, engine: "", result: "compiles", seconds: 0 };
});
const rows = [...tests.map(({ row }) => row), ...builds];

/** Compiles the module and its tests. */
async function build(name: string, GOOS: string, GOARCH: string): Promise<string | undefined> {
  const env = { GOOS, GOARCH, CGO_ENABLED: "0" };
  if ((await run(`${name}: go build`, "go", ["build", "./..."], env)) === undefined) return "go build";
  const output = join(folder, GOOS === "linux" ? GOARCH : `${GOOS}-${GOARCH}`);
  if ((await run(`${name}: go test -c`, "go", ["test", "-c", "-o", output, "."], env)) === undefined)
    return "go test -c";
}

// One after the other: Go uses all processors for each, and several platforms run the same program.
for (const row of builds) {
  const [os = "", arch = ""] = row.platform.split(/[/,]/);
  await part(row, () => build(row.platform, os, arch));
}
const programs = new Set(["amd64"]);
for (const { p, row } of tests) {
  if (!programs.has(p.arch)) await part(row, () => build(p.name, "linux", p.arch));
  programs.add(p.arch);
}
await all(
  tests.map(
    ({ p, row }) =>
      () =>
        part(row, async () => {
          const short = emulated(p) ? ["-test.short"] : [];
          const output = await test(p, { WRITE_STATES: states }, "-test.skip=^TestReadStates$", ...short);
          if (output === undefined) return "tests";
          if (!existsSync(join(states, `${p.arch}-${p.engine}`))) return `the engine is not the ${p.engine}`;
          for (const line of new Set(output.match(/NOT TESTED: .*/g)))
            untested.set(line, [...(untested.get(line) ?? []), p.name]);
        }),
  ),
);
await all(
  tests.map(({ p, row }) => () => {
    return part(row, async () => {
      const output = await test(p, { READ_STATES: states }, "-test.run=^TestReadStates$");
      if (output === undefined) return "states of the others";
    });
  }),
);

for (const [line, names] of untested) console.log(`${line} (${names.join("; ")})`);
const width = Math.max(...rows.map((row) => row.platform.length)) + 2;
console.log(`\n${"platform".padEnd(width)}engine    seconds  result`);
for (const { platform, engine, result, seconds } of rows) {
  console.log(`${platform.padEnd(width)}${engine.padEnd(10)}${seconds.toFixed(0).padStart(7)}  ${result}`);
}
if (rows.some(failed)) process.exitCode = 1;
else console.log(`Each of the first ${tests.length} also went on from the hasher states of all ${tests.length}.`);
