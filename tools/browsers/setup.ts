// Finds each browser that BROWSERS names, or all, and writes dist/browsers.json. In this order: the variables CHROMIUM, FIREFOX and
// WEBKIT, Playwright's own downloads, Debian's packages; then installs what is missing, by Playwright or apt.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { chromium, firefox, webkit } from "playwright";
import { type Engine, wanted } from "./engines.ts";
import type { Browsers } from "./index.ts";

process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});

const playwright = { chromium, firefox, webkit };
const engines = wanted();
const debian = {
  chromium: { path: "/usr/bin/chromium", packages: ["chromium"] },
  firefox: { path: "/usr/bin/firefox-esr", packages: ["firefox-esr"] },
  webkit: {
    path: "/usr/lib/*/webkit2gtk-4.1/MiniBrowser",
    packages: ["libwebkit2gtk-4.1-0", "xvfb", "fonts-dejavu-core"],
  },
};

function find(engine: Engine): Browsers[Engine] {
  const variable = process.env[engine.toUpperCase()];
  if (variable && !existsSync(variable)) throw new Error(`${engine.toUpperCase()}=${variable}: no such file`);
  const own = playwright[engine].executablePath();
  const system = variable || !existsSync(own);
  const path = variable || (system ? globSync(debian[engine].path)[0] : own);
  // The time stands for the version: MiniBrowser answers no --version without a display.
  return path ? { system: Boolean(system), path, built: statSync(path).mtime.toISOString() } : undefined;
}

const missing = () => engines.filter((engine) => !find(engine));

const isDebian = () => existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));

/** Runs a command with its output on ours; answers whether it succeeded. */
function run(command: string, ...args: string[]): boolean {
  console.log(`> ${command} ${args.join(" ")}`);
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    execFileSync(command, args, { stdio: ["ignore", "inherit", "inherit"], env });
    return true;
  } catch {
    return false;
  }
}

if (missing().length > 0) {
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright/package.json")), "cli.js");
  run(process.execPath, cli, "install", ...missing());
}
if (missing().length > 0 && isDebian() && process.getuid?.() === 0) {
  run("apt-get", "update", "-q");
  run("apt-get", "install", "-qy", "--no-install-recommends", ...missing().flatMap((e) => debian[e].packages));
}
if (missing().length > 0) {
  const names = missing();
  console.error(`No ${names.join(", no ")}. Do one of these, then run again:
  - npx --yes pnpm@12.21.0 --filter @blake3-polyglot/browsers exec playwright install --with-deps ${names.join(" ")}
  - apt-get install ${names.flatMap((e) => debian[e].packages).join(" ")}   (Debian, as root)
  - set ${names.map((e) => e.toUpperCase()).join(", ")} to the path of a browser (WEBKIT: WebKitGTK's MiniBrowser)
BROWSERS=chromium (or some others) narrows the tests to what is there; npx --yes pnpm@12.21.0 exec nx run-many -t test leaves browsers out.`);
  process.exit(1);
}

const found = Object.fromEntries(engines.map((engine) => [engine, find(engine)]));
const file = join(import.meta.dirname, "dist/browsers.json");
const json = `${JSON.stringify(found, null, 2)}\n`;
mkdirSync(dirname(file), { recursive: true });
if (!existsSync(file) || readFileSync(file, "utf8") !== json) writeFileSync(file, json);
for (const engine of engines) console.log(engine, find(engine)?.path);
