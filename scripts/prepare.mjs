// Makes a clone ready to run: installs what the lock file names when that has changed, and is silent and quick
// otherwise. Plain JavaScript, because it runs before anything is installed, on whatever Node is there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.installed-lock`;
const wanted = `${createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex")} ${process.platform} ${process.arch}`;

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  process.stdout.write("Installing packages (first time, or the lock file has changed) ...\n");
  // The npm that runs this script tells us where it is; by name otherwise.
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const args = [...first, "ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: npm === undefined && process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write("Installing failed. Run npm ci to see why.\n");
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
