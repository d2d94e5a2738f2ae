import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FailureReason } from "../features/crm/imports/index.ts";
import { RECORDS } from "../kernel/changes.ts";
import { actFor, findClient, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { createProgressLine, percent } from "./progress.ts";
import { command } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import { type Column, renderFields, renderTable } from "./shell/table.ts";

const POLL_EVERY_MS = 200;
const OVER = ["completed", "cancelled", "failed"];
const BAR = 24;
const REASONS_MAX = 20;

type Imported = {
  id: string;
  status: string;
  progress: number;
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  unmapped_columns: string[];
  failure: { code: string; detail: string } | null;
};

export const importRecords = command({
  name: "import",
  summary: "Import records from a CSV file",
  description:
    "Works with or without a running service; with one, both share the work. Use - for standard input. The exit code is 1 if rows failed; the reasons are shown, and --failed-rows saves the rows, to be corrected and imported again.",
  args: { file: { description: "The CSV file, in UTF-8, with a header row." } },
  options: {
    ...PARTNER_OPTION,
    resource: { type: "text", value: "KIND", choices: RECORDS, default: "contact", description: "The kind of record." },
    client: {
      type: "text",
      value: "CLIENT",
      description: "The client to import into, by id or external id. Default: the house account.",
    },
    mode: {
      type: "text",
      value: "MODE",
      choices: ["create", "upsert", "update"],
      default: "create",
      description: "Whether rows create records, update existing ones, or both (upsert).",
    },
    mapping: { type: "text", value: "JSON", description: 'Fields by column name, such as {"Mobile": "phone"}.' },
    "default-country": {
      type: "text",
      value: "CODE",
      description: "The default country of phone numbers without a country code, such as US.",
    },
    "failed-rows": {
      type: "text",
      value: "FILE",
      description: "A CSV file for the rows that failed, with their errors. Not written if none failed.",
    },
    "dry-run": { type: "flag", description: "Validate every row without importing any." },
  },
  examples: [
    {
      title: "Upsert contacts from standard input",
      run: "printf 'name,phone\\nAda Okafor,+14155552671\\n' | tributary import - --partner northwind --mode upsert",
    },
  ],
  async run({ args, options, out, signal, services: open }) {
    const { createImport, failedRowsFile, getImport, ImportOptions, listReasons, workImport } = await import(
      "../features/crm/imports/index.ts"
    );
    const services = await open();
    const partner_id = await findPartner(services, options.partner);
    const ctx = actFor(services, partner_id);
    const input = await checked("import", ImportOptions, "query", {
      resource: options.resource,
      mode: options.mode,
      mapping: options.mapping,
      default_country: options["default-country"],
      dry_run: options["dry-run"],
      account_id: options.client === undefined ? undefined : await findClient(ctx, options.client),
    });
    const { id = "" } = await createImport(ctx, input, openFile(args.file));
    const line = createProgressLine(out.json);
    let now = JSON.parse((await getImport(ctx, id)).json) as Imported;
    while (!OVER.includes(now.status) && !signal.aborted) {
      if (!(await workImport(services, { partner_id, id }))) await sleep(POLL_EVERY_MS);
      now = JSON.parse((await getImport(ctx, id)).json) as Imported;
      line.show(`${bar(now.progress)} ${percent(now.progress)}  ${now.total} rows`);
    }
    line.clear();
    const reasons = now.failed === 0 ? [] : await listReasons(ctx, id, REASONS_MAX);
    const saved = now.failed === 0 ? undefined : options["failed-rows"];
    if (saved !== undefined) await saveRows(saved, (await failedRowsFile(ctx, id)).pieces());
    out.result({ ...now, reasons, failed_rows: saved ?? null }, () => [
      ...describe(now),
      ...(reasons.length === 0 ? [] : ["", ...renderTable(reasons, REASON_COLUMNS, out.width)]),
    ]);
    if (now.failed > 0) out.note(whereRowsAre(id, saved));
    return now.status === "completed" && now.failed === 0 ? 0 : 1;
  },
});

const REASON_COLUMNS: readonly Column<FailureReason>[] = [
  { title: "rows", of: ({ rows }) => rows, right: true },
  { title: "column", of: ({ column }) => column },
  { title: "error", of: ({ code }) => code, whole: true },
  { title: "first row", of: ({ row }) => row, right: true },
  { title: "cell", of: ({ value }) => value, spare: true },
  { title: "detail", of: ({ detail }) => detail },
];

function whereRowsAre(id: string, saved: string | undefined): string {
  return saved === undefined
    ? `The failed rows, with their errors: GET /v1/imports/${id}/failed-rows, or --failed-rows FILE next time.`
    : `The failed rows, with their errors, are in ${saved}. Correct it and import it again.`;
}

/** The rows are about people, so nobody else may read the file. */
async function saveRows(file: string, rows: AsyncIterable<string>): Promise<void> {
  await writeFile(file, rows, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    const hint = "The import is done. Choose another file, or read the rows from the API.";
    throw new CommandRefusal("unwritable_file", `${file} cannot be written (${error.code}).`, hint);
  });
}

/** A missing file is reported before the database is used. */
function openFile(file: string): AsyncIterable<Buffer> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  return (async function* () {
    try {
      for await (const piece of stream) yield piece as Buffer;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandRefusal("unreadable_file", `${file} cannot be read (${code}).`, "Check its name and its permissions.");
    }
  })();
}

function bar(share: number): string {
  const full = Math.round(share * BAR);
  return `[${"#".repeat(full)}${" ".repeat(BAR - full)}]`;
}

function describe({ id, status, failure, total, created, updated, unchanged, failed, unmapped_columns }: Imported): string[] {
  return renderFields({
    id,
    status: failure === null ? status : `${status}: ${failure.detail}`,
    rows: String(total),
    created: String(created),
    updated: String(updated),
    unchanged: String(unchanged),
    failed: String(failed),
    "unmapped columns": unmapped_columns.join(", "),
  });
}
