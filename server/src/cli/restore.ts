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

/** An installation without partners counts as empty. */
const CONTENT_TABLE = "partners";

type Options = { force: boolean; yes: boolean; "other-key": boolean };

export const restore = command({
  name: "restore",
  summary: "Restore the database from a backup",
  description:
    "Replaces all data in one transaction: if anything fails, the database is unchanged. No service may run on the database. A backup of an older version is migrated. Use - for standard input.",
  args: { file: { description: "The backup file." } },
  options: {
    force: { type: "flag", description: "Restore even if the database has partners. All its data is deleted." },
    yes: { type: "flag", description: "Do not ask for confirmation." },
    "other-key": {
      type: "flag",
      description: "Restore even if the secret key differs. Secrets encrypted with the old key cannot be read.",
    },
  },
  examples: [
    { title: "Replace the current data", run: "tributary restore tributary.backup --force --yes" },
    {
      title: "Restore into a new folder, without the old secret.key",
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
  const lost = "Webhook secrets, webhook headers and stored replies with a secret cannot be decrypted";
  if (!options["other-key"]) {
    throw new BackupRefused(
      `The backup was made with another secret key. ${lost} without that key.`,
      "Use the old key (SECRET_KEY, or secret.key in DATA_DIR), or continue without it with --other-key.",
    );
  }
  note(`The secret key differs from that of the backup. ${lost}: rotate the webhook secrets and set the headers again.`);
}

async function confirmDeletion(
  rows: Map<string, number>,
  { force, yes }: Options,
  file: string,
  note: (text: string) => void,
): Promise<void> {
  const filled = [...rows].filter(([, count]) => count > 0).map(([table, count]) => `${count} ${table}`);
  const what = `The database is not empty: ${filled.join(", ")}.`;
  if (!force) throw new BackupRefused(what, "Restore into an empty database, or delete this data with --force.");
  if (yes) return;
  if (process.stdin.isTTY !== true || file === "-")
    throw new BackupRefused(what, "Confirm with --yes that this data may be deleted.");
  note(what);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Type yes to delete this data: ").finally(() => terminal.close());
  if (answer.trim() !== "yes") throw new BackupRefused("Nothing was deleted.", "Type yes, or use --yes.");
}

/** The file belongs to the previous data. */
async function remindOfFirstRun({ data_dir }: Config, note: (text: string) => void): Promise<void> {
  const file = join(data_dir, "first-run.json");
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) note(`${file} is not part of a backup: its keys and passwords may belong to the previous data.`);
}
