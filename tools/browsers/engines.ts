/** The engines, by Playwright's names. */
export const engines = ["chromium", "firefox", "webkit"] as const;
export type Engine = (typeof engines)[number];

/** Those that BROWSERS names, such as "chromium,webkit", or all. */
export function wanted(): Engine[] {
  const names = process.env.BROWSERS?.split(/[\s,]+/).filter(Boolean) ?? [];
  for (const name of names) {
    if (!engines.includes(name as Engine)) throw new Error(`BROWSERS: expected some of ${engines.join()}, got ${name}`);
  }
  return engines.filter((engine) => names.length === 0 || names.includes(engine));
}
