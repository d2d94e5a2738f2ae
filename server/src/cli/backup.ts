import { once } from "node:events";
import { resolve } from "node:path";
import {
  type BackupProgress,
  checkBackup,
  keyFingerprint,
  type Manifest,
  type Output,
  openOutput,
  writeBackup,
} from "../platform/backup/index.ts";
import { SERVICE_VERSION } from "../platform/observe/version.ts";
import { openSource, readSecretKey } from "./backup-files.ts";
import { createProgressLine, megabytes, percent } from "./progress.ts";
import { type Call, command } from "./shell/command.ts";

const STANDARD_OUTPUT = "-";

export const backup = command({
  name: "backup",
  summary: "Back up the database to one file, while the service runs",
  description:
    "The backup is a consistent snapshot. The file appears under its name only when it is complete. It contains neither the secret key nor first-run.json: keep those elsewhere. Use - for standard output.",
  whole_output: true,
  args: { file: { description: "The file to write. An existing file is replaced once the backup is complete." } },
  options: { check: { type: "flag", description: "Verify a backup file instead of writing one. Needs no database." } },
  examples: [
    { title: "Back up the database of this folder", run: "tributary backup tributary.backup" },
    { title: "Verify a backup file", run: "tributary backup --check tributary.backup" },
  ],
  run: (call) => (call.options.check ? checkFile(call) : backUp(call)),
});

async function backUp({
  args: { file },
  config,
  logins,
  out,
  signal,
}: Call<{ file: string }, { check: boolean }>): Promise<void> {
  const { owner } = await logins();
  const secret_key = await readSecretKey(config());
  const line = createProgressLine(out.json);
  const output = file === STANDARD_OUTPUT ? standardOutput() : await openOutput(resolve(file));
  try {
    const manifest = await writeBackup({
      owner,
      version: SERVICE_VERSION,
      key_fingerprint: secret_key === null ? null : keyFingerprint(secret_key),
      sink: output,
      signal,
      onProgress({ table, rows, bytes, share }: BackupProgress) {
        line.show(`${percent(share)}  ${table}  ${rows} rows  ${megabytes(bytes)}`);
      },
    });
    await output.complete();
    line.clear();
    if (file === STANDARD_OUTPUT) out.note(summary("Wrote", file, manifest));
    else out.result({ file, ...manifest }, () => [summary("Wrote", file, manifest)]);
  } catch (error) {
    line.clear();
    await output.discard();
    throw error;
  }
}

async function checkFile({ args: { file }, out, signal }: Call<{ file: string }, { check: boolean }>): Promise<void> {
  const line = createProgressLine(out.json);
  const source = await openSource(file, signal, (share) => line.show(percent(share)));
  const manifest = await checkBackup(source).finally(line.clear);
  out.result({ file, ...manifest }, () => [summary("Verified", file, manifest)]);
}

export function summary(did: string, file: string, { created_at, rows, bytes, tables, migrations }: Manifest): string {
  const migration = migrations.at(-1)?.number ?? 0;
  return `${did} ${file}: ${rows} rows of ${tables.length} tables, ${megabytes(bytes)} before compression, of ${created_at}, migration ${migration}.`;
}

/** Nothing can be undone on a stream: its reader knows by the last frame whether it is complete. */
function standardOutput(): Output {
  return {
    async write(bytes) {
      if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
    },
    complete: async () => undefined,
    discard: async () => undefined,
  };
}
