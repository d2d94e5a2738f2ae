// The Chromium for the browser tests. Run as a program, it installs the distribution's where there is none and it may.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/opt/google/chrome/chrome"];

/** `CHROMIUM` names one that stands elsewhere. Null where there is none. */
export const chromiumOrNull = (): string | null =>
  [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path)) ?? null;

if (import.meta.main && chromiumOrNull() === null) {
  const installs = process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!installs) {
    process.stdout.write("No Chromium was found: the browser tests will be skipped. CHROMIUM names one.\n");
  } else {
    process.stdout.write("No Chromium was found. Installing that of the distribution for the browser tests ...\n");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const run = (...args: string[]) => spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
    if (!(run("update", "-qq") && run("install", "-y", "-qq", "chromium")))
      process.stdout.write("It could not be installed: the browser tests will be skipped.\n");
  }
}
