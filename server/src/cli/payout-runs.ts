import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { PayoutOutcomes } from "../features/money/payouts/index.ts";
import { secretKeyOf } from "../installation.ts";
import { createSealer } from "../platform/crypto/seal.ts";
import type { Services } from "../platform/record/context.ts";
import { actForOperator } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { createProgressLine } from "./progress.ts";
import { type Call, command } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import { type Column, renderFields, renderTable } from "./shell/table.ts";
import { type Failed, readTable, reportRows } from "./table-file.ts";

const POLL_EVERY_MS = 200;

type Total = { currency: string; payouts: number; net_cents: number };
type Blocked = { code: string; partners: number };

type Run = {
  id: string;
  trigger: string;
  state: string;
  cutoff: string;
  partners_total: number;
  partners_done: number;
  scheduled: Total[];
  blocked: Blocked[];
  created_at: string;
};

const totals = (scheduled: readonly Total[]) =>
  scheduled.map(({ payouts, net_cents, currency }) => `${payouts} with ${money(net_cents, currency)}`).join(", ");
const reasons = (blocked: readonly Blocked[]) => blocked.map(({ code, partners }) => `${code} ${partners}`).join(", ");

export const listRuns = command({
  name: "payouts runs",
  summary: "List payout runs",
  options: LIST_OPTIONS,
  examples: [{ title: "List the newest runs", run: "tributary payouts runs" }],
  async run(call) {
    const { PayoutRunListQuery, runsPage } = await import("../features/money/payouts/index.ts");
    const services = await call.services();
    const filter = await checked("payouts runs", PayoutRunListQuery, "query", { limit: call.options.limit });
    await printList<Run>(call, {
      noun: "payout runs",
      options: call.options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "state", of: ({ state }) => state },
        { title: "cutoff", of: ({ cutoff }) => shortTime(cutoff), whole: true },
        { title: "partners", of: ({ partners_done, partners_total }) => `${partners_done}/${partners_total}`, right: true },
        { title: "payouts", of: ({ scheduled }) => totals(scheduled) },
        { title: "blocked", of: ({ blocked }) => reasons(blocked), spare: true },
      ],
      page: (query) => runsPage(services.db, { ...filter, ...query }),
    });
  },
});

const CUTOFF_OPTION = {
  cutoff: { type: "text", value: "TIME", description: "Pay what is due by this time, at the latest now. Default: now." },
} as const;

type Preview = {
  scheduled: Total[];
  blocked: Blocked[];
  rows_total: number;
  data: {
    company: string;
    currency: string;
    net_cents: number;
    commission_count: number;
    method: string | null;
    blockers: { code: string }[];
  }[];
};

export const previewRun = command({
  name: "payouts preview",
  summary: "Preview a payout run",
  description: "What a run would schedule now, and what would block it. Nothing is changed.",
  options: CUTOFF_OPTION,
  examples: [{ title: "See what a run would pay", run: "tributary payouts preview" }],
  async run({ options, out, services: open }) {
    const payouts = await import("../features/money/payouts/index.ts");
    const input = await checked("payouts preview", payouts.PayoutPreviewBody, "body", { cutoff: options.cutoff });
    const preview: Preview = JSON.parse((await payouts.previewRun(actForOperator(await open()), input)).json);
    const columns: readonly Column<Preview["data"][number]>[] = [
      { title: "partner", of: ({ company }) => company },
      { title: "amount", of: ({ net_cents, currency }) => money(net_cents, currency), right: true },
      { title: "commissions", of: ({ commission_count }) => commission_count, right: true, spare: true },
      { title: "method", of: ({ method }) => method },
      { title: "blocked by", of: ({ blockers }) => blockers.map(({ code }) => code).join(", ") },
    ];
    out.result(preview, () => [
      ...renderTable(preview.data, columns, out.width),
      ...renderFields({ payouts: totals(preview.scheduled) || "none", blocked: reasons(preview.blocked) }),
    ]);
    if (preview.rows_total > preview.data.length)
      out.note(`These are the first ${preview.data.length} of ${preview.rows_total}.`);
  },
});

/** The services, with what opens and seals account numbers. */
async function withSealer(call: Pick<Call, "config" | "services">): Promise<Services> {
  return { ...(await call.services()), sealer: createSealer(await secretKeyOf(call.config())) };
}

export const startRun = command({
  name: "payouts run",
  summary: "Start a payout run",
  description:
    "Schedules a payout for each partner and currency with enough that is approved. The service goes on with it; with --wait this command does, too, until it has finished.",
  options: {
    ...CUTOFF_OPTION,
    "scheduled-for": { type: "text", value: "TIME", description: "When the payouts are to be paid. Default: now." },
    wait: { type: "flag", description: "Wait until the run has finished." },
  },
  examples: [{ title: "Schedule everything that is due", run: "tributary payouts run --wait" }],
  async run(call) {
    const { options, out, signal } = call;
    const payouts = await import("../features/money/payouts/index.ts");
    const input = await checked("payouts run", payouts.PayoutRunCreate, "body", {
      cutoff: options.cutoff,
      scheduled_for: options["scheduled-for"],
    });
    const services = await call.services();
    const ctx = actForOperator(services);
    const id = await payouts.startRun(ctx, input);
    const read = async (): Promise<Run> => JSON.parse((await payouts.getRun(ctx, id)).json);
    const line = createProgressLine(out.json);
    const failed = (error: unknown) => out.note(`A payout was left for the next run: ${error}`);
    let run = await read();
    while (options.wait && run.state === "running" && !signal.aborted) {
      if (!(await payouts.workRun(services, signal, failed))) await sleep(POLL_EVERY_MS);
      run = await read();
      line.show(`${run.partners_done} of ${run.partners_total} partners`);
    }
    line.clear();
    out.result(run, () =>
      renderFields({
        id: run.id,
        state: run.state,
        cutoff: run.cutoff,
        partners: `${run.partners_done} of ${run.partners_total}`,
        payouts: totals(run.scheduled) || "none",
        blocked: reasons(run.blocked),
      }),
    );
  },
});

type Made = { id: string; state: string; payouts: number; amount_cents: number; currency: string | null };

export const exportRun = command({
  name: "payouts export",
  summary: "Make a file for the bank",
  description:
    "Contains the scheduled payouts of a run, which are processing from then on and in no other file. It has the account numbers of partners: only you can read the file that is written.",
  args: {
    run: { description: "The run's id; tributary payouts runs lists them." },
    file: { description: "Where to write it. It must not exist yet." },
  },
  options: {
    format: {
      type: "text",
      value: "FORMAT",
      choices: ["csv", "sepa"],
      default: "csv",
      description: "CSV, or SEPA XML for euro.",
    },
    currency: { type: "text", value: "CODE", description: "Only payouts in this currency." },
  },
  examples: [
    {
      title: "Make a file of the last run",
      run: `tributary payouts export "$(tributary payouts runs --limit 1 | grep -o 'prn_[a-z0-9]*' | head -n 1)" payments.csv`,
    },
  ],
  async run(call) {
    const { args, options, out, signal } = call;
    const payouts = await import("../features/money/payouts/index.ts");
    const { format, currency } = options;
    const input = await checked("payouts export", payouts.PayoutExportCreate, "body", { format, currency });
    const services = await withSealer(call);
    const ctx = actForOperator(services);
    await writeNew(args.file, "");
    const { id } = await payouts.startExport(ctx, args.run, input);
    const read = async (): Promise<Made> => JSON.parse((await payouts.getExport(ctx, id)).json);
    while ((await read()).state === "running") {
      signal.throwIfAborted();
      if (!(await payouts.workExport(services, signal))) await sleep(POLL_EVERY_MS);
    }
    const { pieces } = await payouts.downloadExport(ctx, id);
    for await (const piece of pieces?.(signal) ?? []) await writeFile(args.file, piece, { flag: "a" });
    const made = await read();
    out.result({ ...made, file: args.file }, () => renderFields({ id, payouts: String(made.payouts), file: args.file }));
  },
});

/** Creates a file that nobody else can read, before anything is done that it is needed for. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefusal("unwritable_file", `${file} cannot be created (${error.code}).`, "Choose another name.");
  });
}

const COLUMNS = ["payout_id", "outcome", "paid_at", "reference", "failure"] as const;

type Outcome = PayoutOutcomes["outcomes"][number];

export const reportOutcomes = command({
  name: "payouts outcomes",
  summary: "Report outcomes of payouts from a CSV file",
  description: `Columns: ${COLUMNS.join(", ")}; the last three may be missing. outcome is paid or failed. Rows that were reported before change nothing, so a file can be reported again. Use - for standard input. The exit code is 1 if rows failed.`,
  args: { file: { description: "The CSV file, in UTF-8, with a header row." } },
  examples: [
    {
      title: "Report that the last payout has been paid",
      run: `printf 'payout_id,outcome\\n%s,paid\\n' "$(tributary payouts list --status processing --limit 1 | grep -o 'pay_[a-z0-9]*' | head -n 1)" | tributary payouts outcomes -`,
    },
  ],
  async run({ args, out, services: open }) {
    const { applyOutcomes, OUTCOMES_MAX, PayoutOutcomes } = await import("../features/money/payouts/index.ts");
    const table = { command: "payouts outcomes", columns: COLUMNS, required: COLUMNS.slice(0, 2) };
    const { rows, check } = await readTable(args.file, PayoutOutcomes, table);
    const services = await open();
    const failed: Failed[] = [];
    const good = rows.flatMap(({ row, cells }) => {
      const detail = check({ outcomes: [cells] });
      if (detail === "") return [{ row, item: cells as unknown as Outcome }];
      failed.push({ row, name: cells.payout_id ?? "", error: "validation_failed", detail });
      return [];
    });
    return reportRows(out, {
      rows: rows.length,
      items: good,
      failed,
      batch_max: OUTCOMES_MAX,
      counts: ["changed", "unchanged"],
      known_by: "payout_id",
      nameOf: ({ payout_id }) => payout_id,
      send: (outcomes) => applyOutcomes(actForOperator(services), { outcomes }),
    });
  },
});
