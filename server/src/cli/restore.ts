import { access } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Config } from "../config.ts";
import { MIGRATIONS } from "../installation.ts";
import { BackupRefused, keyFingerprint, restoreBackup } from "../platform/backup/index.ts";
import { readMigrations } from "../platform/db/migrate.ts";
import { summary } from "./backup.ts";
import { openSource, readSecretKey } from "./backup-files.ts";
import { createProgressLine, percent } from "./progress.ts";
import { command } from "./shell/command.ts";

/** While there is no partner, nothing has been done with an installation. */
const CONTENT_TABLE = "partners";

type Options = { force: boolean; yes: boolean; "other-key": boolean };

export const restore = command({
  name: "restore",
  summary: "Replace everything by a backup",
  description:
    "No service may run on the database. It is done in one go: whatever goes wrong, the database stays as it was. A backup of an older version is migrated on the way. With - it comes from standard input.",
  args: { file: { description: "The backup." } },
  options: {
    force: { type: "flag", description: "Also where there are partners already: everything there is deleted." },
    yes: { type: "flag", description: "Do not ask before deleting." },
    "other-key": { type: "flag", description: "Also where the secret key is another one: what it sealed stays closed." },
  },
  examples: [
    { says: "In place of what is there", run: "tributary restore tributary.backup --force --yes" },
    {
      says: "Into a new folder, without the old secret.key",
      run: "DATA_DIR=./copy tributary restore tributary.backup --other-key",
    },
  ],
  async run({ args: { file }, options, config, logins, out, signal }) {
    const line = createProgressLine(out.json);
    let table = "";
    const source = await openSource(file, signal, (share) => line.show(`${percent(share)}  ${table}`));
    const { owner, service } = await logins({ make: true });
    const secret_key = await readSecretKey(config());
    const manifest = await restoreBackup({
      owner,
      service_role: String(service.user ?? ""),
      migrations: await readMigrations(MIGRATIONS),
      source,
      signal,
      key_fingerprint: secret_key === null ? null : keyFingerprint(secret_key),
      content_table: CONTENT_TABLE,
      confirm: {
        otherKey: async () => confirmOtherKey(options, out.note),
        deletion: (rows) => confirmDeletion(rows, options, file, out.note),
      },
      onTable(name) {
        table = name;
      },
    }).finally(line.clear);
    out.result({ file, ...manifest }, () => [summary("Restored", file, manifest)]);
    await remindOfFirstRun(config(), out.note);
  },
});

function confirmOtherKey(options: Options, note: (text: string) => void): void {
  const lost = "Secrets of webhooks, their headers, and stored replies that hold a secret cannot be opened";
  if (!options["other-key"]) {
    throw new BackupRefused(
      `The backup was made with another secret key than this installation's. ${lost} without the old one.`,
      "Put the old key in place (SECRET_KEY, or secret.key in DATA_DIR), or go on without it by --other-key.",
    );
  }
  note(`The secret key is another one. ${lost}: rotate the webhooks' secrets and set their headers anew.`);
}

async function confirmDeletion(
  rows: Map<string, number>,
  { force, yes }: Options,
  file: string,
  note: (text: string) => void,
): Promise<void> {
  const filled = [...rows].filter(([, count]) => count > 0).map(([table, count]) => `${count} ${table}`);
  const what = `The database is not empty: ${filled.join(", ")}.`;
  if (!force) throw new BackupRefused(what, "Restore into an empty one, or delete all of this by --force.");
  if (yes) return;
  if (process.stdin.isTTY !== true || file === "-") throw new BackupRefused(what, "Say --yes to delete all of this.");
  note(what);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Type yes to delete all of this: ").finally(() => terminal.close());
  if (answer.trim() !== "yes") throw new BackupRefused("Nothing was deleted.", "Type yes, or say --yes.");
}

/** It is of another first run than the data now. */
async function remindOfFirstRun({ data_dir }: Config, note: (text: string) => void): Promise<void> {
  const file = join(data_dir, "first-run.json");
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) note(`${file} is not part of a backup: its keys and passwords may be those of what was here before.`);
}
