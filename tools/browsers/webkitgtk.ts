// Drives a stock WebKitGTK MiniBrowser through Playwright: it has no Playwright pipe, but its remote
// inspector speaks the protocol of `webkit.connectOverCDP`.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type BrowserContext, webkit } from "playwright";

/** A MiniBrowser has one page, so each context is a MiniBrowser of its own. */
export async function launchWebKitGtk(path: string): Promise<Browser> {
  const open = new Set<BrowserContext>();
  const browser = {
    version: () => "WebKitGTK",
    isConnected: () => true,
    contexts: () => [...open],
    on() {},
    once() {},
    off() {},
    newContext: async () => {
      const context = await miniBrowser(path, (closed) => open.delete(closed));
      open.add(context);
      return context;
    },
    newPage: async () => (await browser.newContext()).newPage(),
    close: async () => {
      for (const context of open) await context.close();
    },
  };
  return browser as unknown as Browser;
}

interface Child {
  process: ChildProcess;
  gone: Promise<unknown>;
  failed: Promise<never>;
}

async function miniBrowser(path: string, closed: (context: BrowserContext) => void): Promise<BrowserContext> {
  const children: ChildProcess[] = [];
  const end = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  const start = (command: string, args: string[], stdio: StdioOptions, env = {}): Child => {
    const child = spawn(command, args, { stdio, env: { ...process.env, ...env } });
    const gone = new Promise((resolve) => child.once("error", resolve).once("exit", resolve));
    const failed = gone.then((why) => {
      throw new Error(`${command} ended: ${why}`);
    });
    failed.catch(() => {});
    children.unshift(child);
    return { process: child, gone, failed };
  };
  let waiting = true;
  process.once("exit", end);
  try {
    const screen = ["-screen", "0", "1280x800x24", "-nolisten", "tcp"];
    const x = start("Xvfb", ["-displayfd", "3", ...screen], ["ignore", "ignore", "ignore", "pipe"]);
    const [display] = await Promise.race([once(x.process.stdio[3] as Readable, "data"), x.failed]);
    const host = `127.0.0.1:${20000 + Math.floor(Math.random() * 12000)}`; // below Linux's ephemeral ports
    const mini = start(path, ["--private", "about:blank"], "ignore", {
      DISPLAY: `:${`${display}`.trim()}`,
      NO_AT_BRIDGE: "1",
      WEBKIT_INSPECTOR_HTTP_SERVER: host,
    });
    const socket = async () => {
      for (; waiting; await sleep(30)) {
        const page = await fetch(`http://${host}`).then(
          (response) => response.text(),
          () => "",
        );
        const found = /\/socket\/\d+\/\d+\/WebPage/.exec(page);
        if (found) return found[0];
      }
    };
    const late = sleep(20_000, 0, { ref: false }).then(() => {
      throw new Error(`no inspector at ${host}`);
    });
    late.catch(() => {});
    const webSocketDebuggerUrl = `ws://${host}${await Promise.race([socket(), mini.failed, late])}`;
    const list = createServer((_, response) => response.end(JSON.stringify([{ webSocketDebuggerUrl }])));
    await once(list.listen(0, "127.0.0.1"), "listening");
    const remote = await webkit.connectOverCDP(`http://127.0.0.1:${(list.address() as AddressInfo).port}`);
    list.close();
    const context = remote.contexts()[0];
    const page = context?.pages()[0];
    if (!context || !page) throw new Error("the MiniBrowser shows no page");
    const goto = page.goto.bind(page);
    // A COOP header moves the page to a new process; Playwright takes that for a cancelled load, yet the load goes on there.
    page.goto = (url, options) =>
      goto(url, options).catch(async (error: Error) => {
        if (!/Load request cancelled/.test(error.message)) throw error;
        await page.waitForURL((now) => now.href === new URL(url).href, options);
        return null;
      });
    page.setViewportSize = async () => {};
    // Playwright's dialog bridge is read-only; Vitest sets its own.
    await page.addInitScript(() => {
      for (const name of ["alert", "confirm", "prompt"] as const) {
        Object.defineProperty(window, name, { writable: true, configurable: true, value: window[name] });
      }
    });
    return Object.assign(context, {
      newPage: async () => page,
      close: async () => {
        closed(context);
        await remote.close().catch(() => {});
        mini.process.kill();
        await Promise.race([mini.gone, sleep(2000)]);
        end();
        await x.gone;
        process.off("exit", end);
      },
    });
  } catch (error) {
    end();
    throw error;
  } finally {
    waiting = false;
  }
}
