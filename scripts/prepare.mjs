// Makes a clone ready to run: installs what the lock file names when that has changed, with `portal` builds the portal and the
// chat when their sources have changed, and is silent and quick otherwise. Plain JavaScript, because it runs before anything is installed, on whatever Node is there.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
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

/** What a build reads. Each writes its result into its folder's `dist`. */
const BUILDS = {
  portal: {
    folders: ["portal/src", "portal/public", "portal/scripts", "sdk/src"],
    files: ["portal/index.html", "portal/vite.config.ts", "portal/package.json"],
  },
  widget: { folders: ["widget/src", "widget/scripts"], files: ["widget/package.json"] },
};

if (process.argv[2] === "portal") await Promise.all(Object.keys(BUILDS).map(buildPages));

/** Builds the portal or the chat if it is not the one of these sources. A failed build stops nothing: its address then says what to run. */
async function buildPages(name) {
  const built = `${root}${name}/dist/.built-from`;
  const sources = sourcesHash(BUILDS[name]);
  if (existsSync(built) && readFileSync(built, "utf8") === sources) return;
  process.stdout.write(`Building the ${name} (first time, or its sources have changed) ...\n`);
  // The Node that npm brought comes first: the one that started this script may be too old for the build.
  const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}` };
  const build = spawn("node", [`${name}/scripts/build.mjs`], { cwd: root, stdio: ["ignore", "ignore", "inherit"], env });
  const [status] = await once(build, "close").catch(() => [1]);
  if (status === 0) writeFileSync(built, sources);
  else
    process.stderr.write(`The ${name} could not be built; the API starts without it. Run npm run build -w ${name} to see why.\n`);
}

/** Over everything that the build reads. */
function sourcesHash({ folders, files }) {
  const hash = createHash("sha256").update(wanted);
  for (const folder of folders) {
    for (const path of readdirSync(join(root, folder), { recursive: true }).map(String).sort()) {
      const file = join(root, folder, path);
      if (/\.(tsx?|mjs|css|js|svg|webmanifest)$/.test(path) && !path.endsWith(".d.ts"))
        hash.update(path).update(readFileSync(file));
    }
  }
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex");
}
