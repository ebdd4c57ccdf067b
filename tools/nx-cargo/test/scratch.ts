// A copy of the work tree in a new folder, without what git ignores. The packages of node_modules are linked, not copied.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export const workspace = resolve(import.meta.dirname, "../../..");

/** Paths of the files below `folder` that git knows or would add, relative to the workspace. */
export function files(...folder: string[]): string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...folder];
  return execFileSync("git", list, { cwd: workspace, encoding: "utf8" })
    .split("\0")
    .filter((path) => path && existsSync(join(workspace, path)));
}

/** Copies `paths` into a new folder, whose path holds `name`; the caller removes it. */
export function scratch(name: string, paths: string[]): { root: string; [Symbol.dispose](): void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(join(workspace, path), join(root, path));
  }
  for (const manifest of paths.filter((path) => path.endsWith("package.json"))) {
    const modules = join(dirname(manifest), "node_modules");
    // "junction" is what Windows allows without privileges; other systems ignore it.
    if (existsSync(join(workspace, modules))) symlinkSync(join(workspace, modules), join(root, modules), "junction");
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, maxRetries: 3 }) };
}
