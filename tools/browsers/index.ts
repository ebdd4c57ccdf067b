// How Playwright starts each browser that setup.ts found. Importing this replaces Playwright's webkit.launch where the
// system's WebKitGTK stands in for Playwright's own build.
import { readFileSync } from "node:fs";
import { type LaunchOptions, webkit } from "playwright";
import { type Engine, engines, wanted } from "./engines.ts";
import { launchWebKitGtk } from "./webkitgtk.ts";

/** What setup.ts writes. `system`: not Playwright's own build. */
export type Browsers = Partial<Record<Engine, { system: boolean; path: string; built: string }>>;

const found: Browsers = JSON.parse(readFileSync(new URL("./dist/browsers.json", import.meta.url), "utf8"));

const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"].map((what) => `--disable-${what}`);

const options: Record<Engine, (path: string) => LaunchOptions> = {
  chromium: (executablePath) => ({ executablePath, args: ["--no-sandbox", "--no-first-run", ...quiet] }),
  // A stock Firefox speaks WebDriver BiDi, not Playwright's own protocol.
  firefox: (executablePath) => ({ executablePath, channel: "moz-firefox" }),
  webkit: () => ({}),
};

/** The browsers to test in, with what their launch takes. Says loudly which are left out. */
export const browsers: { engine: Engine; launchOptions: LaunchOptions }[] = wanted().map((engine) => {
  const browser = found[engine];
  if (!browser)
    throw new Error(`${engine} was not looked for: run nx install-browsers browsers, with the same BROWSERS`);
  return { engine, launchOptions: browser.system ? options[engine](browser.path) : {} };
});
for (const engine of engines) {
  if (!wanted().includes(engine)) console.warn(`NOT TESTED: ${engine}, which BROWSERS leaves out`);
}

const gtk = found.webkit;
if (gtk?.system) webkit.launch = () => launchWebKitGtk(gtk.path);
