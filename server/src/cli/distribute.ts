import { requireCurrent } from "../installation.ts";
import { openDatabase } from "../platform/db/database.ts";
import { distribute as distributeTables } from "../platform/db/distribute.ts";
import { createProgressLine, percent } from "./progress.ts";
import { command } from "./shell/command.ts";

export const distribute = command({
  name: "distribute",
  summary: "Distribute the database over a cluster",
  description:
    "Moves the tables of a database that has Citus to its worker nodes, by partner. No service may run on it. If it is interrupted, run it again: it goes on where it ended. docs/cluster.md describes the cluster.",
  options: { "dry-run": { type: "flag", description: "Show what would be moved, and move nothing." } },
  examples: [
    { title: "See what would be moved", run: "tributary distribute --dry-run", on: "cluster" },
    { title: "Move it", run: "tributary distribute", on: "cluster" },
  ],
  async run({ options, logins, out, signal }) {
    const { owner, service } = await logins({ make: false });
    const db = openDatabase(owner, 1);
    await requireCurrent(db).finally(() => db.close());
    const line = createProgressLine(out.json);
    const dry_run = options["dry-run"];
    const plan = await distributeTables({
      owner,
      service_role: String(service.user ?? ""),
      signal,
      dry_run,
      onStep: (what, done, total) => line.show(`${percent(done / total)}  ${what}`),
    }).finally(line.clear);
    const { workers, tables, foreign_keys } = plan;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const what = `${tables.length} tables with ${rows} rows and ${foreign_keys} foreign keys`;
    out.result({ dry_run, ...plan }, () => [
      ...(dry_run ? tables.map((table) => `${table.name}  ${table.distribution}  ${table.rows} rows`) : []),
      tables.length + foreign_keys === 0
        ? `The database is distributed over ${workers.join(", ")} already.`
        : `${dry_run ? "Would distribute" : "Distributed"} ${what} over ${workers.join(", ")}.`,
    ]);
  },
});
