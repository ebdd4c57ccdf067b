// The suite of behaviours in browsers, against dist/ as it is published. BROWSERS=chromium,webkit narrows it.
import { browsers } from "@blake3-polyglot/browsers";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

export default defineConfig({
  server: {
    fs: { allow: ["../.."] },
    // Isolated, a page has SharedArrayBuffer, so that it can be tested as an input. Nothing else here needs it.
    headers: { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" },
  },
  optimizeDeps: { include: ["@noble/hashes/blake3.js"] }, // found late, it would reload the page in mid-test
  test: {
    include: ["test/**/*.browser.ts"],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright(),
      instances: browsers.map(({ engine, launchOptions }) => ({
        browser: engine,
        provider: playwright({ launchOptions }),
      })),
    },
  },
});
