import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const { CITUS_BIN } = process.env;
if (CITUS_BIN === undefined || !existsSync(join(CITUS_BIN, "initdb"))) {
  process.stderr.write(
    "Set CITUS_BIN to the folder of the programs of a PostgreSQL that has Citus, such as /usr/lib/postgresql/15/bin.\nscripts/build-citus.sh builds it. See docs/cluster.md.\n",
  );
  process.exit(2);
}

/** What runs on three nodes: the move itself, then the API, deliveries, several processes, crashes. Arguments choose other files. */
const FOLDERS = ["api", "deliveries", "cluster", "chaos", "property"].map((folder) => `server/test/${folder}/`);
const chosen = process.argv.slice(2);
const runs = chosen.length > 0 ? [["service", ...chosen]] : [["citus"], ["service", ...FOLDERS]];
let failed = false;
for (const [project, ...files] of runs) {
  const args = [join("node_modules", "vitest", "vitest.mjs"), "run", "--project", project, ...files];
  failed = spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0 || failed;
}
process.exit(failed ? 1 : 0);
