// The Chromium for the browser tests. Run as a program, it installs the distribution's where there is none and it may.
// With REQUIRE_BROWSER it fails where there is none: else the browser tests are skipped.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The headless shell first: it takes half of the CPU time of a whole browser. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
];

/** `CHROMIUM` names one that stands elsewhere. Null where there is none. */
export const chromiumOrNull = (): string | null =>
  [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path)) ?? null;

/** Installs the distribution's, where that is known how and allowed. */
function install(): void {
  const installs = process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!installs) return;
  process.stdout.write("No Chromium was found. Installing that of the distribution for the browser tests ...\n");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (...args: string[]) => spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
  run("update", "-qq");
  const installed = ["chromium-headless-shell", "chromium"].some((name) => run("install", "-y", "-qq", name));
  if (!installed) process.stdout.write("It could not be installed.\n");
}

if (import.meta.main && chromiumOrNull() === null) {
  install();
  if (chromiumOrNull() === null) {
    const required = Boolean(process.env.REQUIRE_BROWSER);
    const effect = required ? "REQUIRE_BROWSER is set" : "the browser tests will be skipped";
    process.stdout.write(`No Chromium was found: ${effect}. CHROMIUM names one.\n`);
    if (required) process.exitCode = 1;
  }
}
