import { createReadStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ALL_RESOURCES } from "../kernel/changes.ts";
import { actFor, findClient, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { createProgressLine, percent } from "./progress.ts";
import { command } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import { renderFields } from "./shell/table.ts";

const LOOK_EVERY_MS = 200;
const OVER = ["completed", "cancelled", "failed"];
const BAR = 24;

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
    "Works without the service; beside a running one, both share the work. With - the file comes from standard input. It ends with 1 when rows failed: tributary says how many, and the API which.",
  args: { file: { description: "The CSV file, in UTF-8, with a line of names." } },
  options: {
    ...PARTNER_OPTION,
    resource: { type: "text", value: "KIND", choices: ALL_RESOURCES, default: "contact", description: "What the rows are." },
    client: {
      type: "text",
      value: "CLIENT",
      description: "The client whose account it is: its id, or the partner's own id of it. The house account unless told.",
    },
    mode: {
      type: "text",
      value: "MODE",
      choices: ["create", "upsert", "update"],
      default: "create",
      description: "What is done with rows that are about somebody, and those that are not.",
    },
    mapping: { type: "text", value: "JSON", description: 'Columns and their fields, such as {"Mobile": "phone"}.' },
    "default-country": {
      type: "text",
      value: "CODE",
      description: "The country of phone numbers without a country code, such as US.",
    },
    "dry-run": { type: "flag", description: "Only check every row." },
  },
  examples: [
    {
      says: "A file of contacts, from standard input",
      run: "printf 'name,phone\\nAda Okafor,+14155552671\\n' | tributary import - --partner northwind --mode upsert",
    },
  ],
  async run({ args, options, out, signal, services: open }) {
    const { createImport, getImport, ImportOptions, workImport } = await import("../features/crm/imports/index.ts");
    const services = await open();
    const partner_id = await findPartner(services, options.partner);
    const ctx = actFor(services, partner_id);
    const asked = await checked("import", ImportOptions, "query", {
      resource: options.resource,
      mode: options.mode,
      mapping: options.mapping,
      default_country: options["default-country"],
      dry_run: options["dry-run"],
      account_id: options.client === undefined ? undefined : await findClient(ctx, options.client),
    });
    const { id = "" } = await createImport(ctx, asked, openFile(args.file));
    const line = createProgressLine(out.json);
    let now = JSON.parse((await getImport(ctx, id)).json) as Imported;
    while (!OVER.includes(now.status) && !signal.aborted) {
      if (!(await workImport(services, { partner_id, id }))) await sleep(LOOK_EVERY_MS);
      now = JSON.parse((await getImport(ctx, id)).json) as Imported;
      line.show(`${bar(now.progress)} ${percent(now.progress)}  ${now.total} rows`);
    }
    line.clear();
    out.result(now, () => describe(now));
    return now.status === "completed" && now.failed === 0 ? 0 : 1;
  },
});

/** A file that is not there is said so before anything is asked of the database. */
function openFile(file: string): AsyncIterable<Buffer> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  return (async function* () {
    try {
      for await (const piece of stream) yield piece as Buffer;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandRefusal("unreadable_file", `${file} cannot be read (${code}).`, "Check its name and who may read it.");
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
    "not taken in": unmapped_columns.join(", "),
  });
}
