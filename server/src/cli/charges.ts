import type { ChargeCreate } from "../features/money/charges/index.ts";
import type { Services } from "../platform/record/context.ts";
import { actFor, actForOperator, findClient, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import { renderFields } from "./shell/table.ts";
import { type Failed, readTable, reportRows } from "./table-file.ts";

type Charge = {
  id: string;
  external_id: string;
  client_company: string;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  months: number;
  charged_at: string;
  outcome: string;
};

export const recordCharge = command({
  name: "charges record",
  summary: "Record what a client paid",
  description:
    "Earns commissions, as POST /v1/admin/clients/{id}/charges does. Repeating it with the same facts changes nothing.",
  args: { client: { description: "The client's id or external id." } },
  options: {
    ...PARTNER_OPTION,
    "external-id": {
      type: "text",
      value: "ID",
      required: true,
      description: "Your id of the charge, unique within the partner, such as an invoice number.",
    },
    "amount-cents": { type: "integer", value: "N", required: true, description: "What was paid, without tax, in minor units." },
    currency: { type: "text", value: "CODE", required: true, description: "An ISO 4217 code such as usd." },
    "charged-at": { type: "text", value: "TIME", description: "When it was paid, such as 2026-11-02T09:30:00Z. Default: now." },
    months: { type: "integer", value: "N", description: "The months that it pays for. Default: 1." },
    plan: { type: "text", value: "PLAN", description: "The plan that it pays for." },
  },
  examples: [
    {
      title: "Record a monthly payment",
      run: "tributary charges record acme-1 --partner northwind --external-id INV-1042 --amount-cents 49900 --currency usd",
    },
  ],
  async run(call) {
    const { args, options, out } = call;
    const { ChargeCreate, reportCharge } = await import("../features/money/charges/index.ts");
    const services = await call.services();
    const input = await checked("charges record", ChargeCreate, "body", {
      external_id: options["external-id"],
      amount_cents: options["amount-cents"],
      currency: options.currency,
      charged_at: options["charged-at"] ?? services.clock.now().toISOString(),
      months: options.months,
      plan: options.plan,
    });
    const client_id = await findClient(actFor(services, await findPartner(services, options.partner)), args.client);
    const { json, created } = await reportCharge(actForOperator(services), client_id, input);
    const charge: Charge & { commissions: { amount_cents: number; currency: string }[] } = JSON.parse(json);
    const earned = charge.commissions.map(({ amount_cents, currency }) => money(amount_cents, currency));
    out.result(charge, () =>
      renderFields({
        id: charge.id,
        "external id": charge.external_id,
        client: charge.client_company,
        amount: money(charge.amount_cents, charge.currency),
        charged: charge.charged_at,
        outcome: charge.outcome,
        commissions: earned.join(", "),
      }),
    );
    if (!created) out.note("It was recorded before: nothing changed.");
  },
});

const COLUMNS = ["client", "external_id", "amount_cents", "currency", "charged_at", "months", "plan"] as const;
const REQUIRED: readonly string[] = COLUMNS.slice(0, 5);

type Row = { row: number; client: string; external_id: string; charge: ChargeCreate | null; error: string };

export const importCharges = command({
  name: "charges import",
  summary: "Import charges from a CSV file",
  description: `Columns: ${COLUMNS.join(", ")}; the last two may be missing. client is the client's id or external id. Rows that were imported before change nothing, so a file can be imported again. Use - for standard input. The exit code is 1 if rows failed.`,
  args: { file: { description: "The CSV file, in UTF-8, with a header row." } },
  options: PARTNER_OPTION,
  examples: [
    {
      title: "Import charges from standard input",
      run: "printf 'client,external_id,amount_cents,currency,charged_at\\nacme-1,INV-1043,49900,usd,2026-11-02T09:30:00Z\\n' | tributary charges import - --partner northwind",
    },
  ],
  async run({ args, options, out, services: open }) {
    const { CHARGES_MAX, reportCharges } = await import("../features/money/charges/index.ts");
    const rows = await readRows(args.file);
    const services = await open();
    const clients = await findClients(services, options.partner, rows);
    const failed: Failed[] = [];
    const known = rows.flatMap(({ row, client, external_id, charge, error }) => {
      const client_id = clients.get(client);
      if (charge !== null && client_id !== undefined) return [{ row, item: { ...charge, client_id } }];
      const unknown = `The partner has no client with the id or external id ${client}.`;
      const [code, detail] = charge === null ? ["validation_failed", error] : ["not_found", unknown];
      failed.push({ row, name: external_id, error: code, detail });
      return [];
    });
    return reportRows(out, {
      rows: rows.length,
      items: known,
      failed,
      batch_max: CHARGES_MAX,
      counts: ["created", "unchanged"],
      known_by: "external_id",
      nameOf: ({ external_id }) => external_id,
      send: (charges) => reportCharges(actForOperator(services), { charges }),
    });
  },
});

/** The rows of a file, each checked with the schema of the API. */
async function readRows(file: string): Promise<Row[]> {
  const { ChargeCreate } = await import("../features/money/charges/index.ts");
  const { check, rows } = await readTable(file, ChargeCreate, {
    command: "charges import",
    columns: COLUMNS,
    required: REQUIRED,
  });
  return rows.map(({ row, cells: { client = "", ...values } }) => {
    const charge = Object.fromEntries(Object.entries(values).map(([name, cell]) => [name, valueIn(name, cell)]));
    const error = check(charge);
    return { row, client, external_id: values.external_id ?? "", charge: error === "" ? (charge as ChargeCreate) : null, error };
  });
}

function valueIn(name: string, cell: string): string | number {
  return (name === "amount_cents" || name === "months") && /^-?\d+$/.test(cell) ? Number(cell) : cell;
}

/** The ids of the clients that rows name, as far as they exist. */
async function findClients(services: Services, partner: string | undefined, rows: readonly Row[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ctx = actFor(services, await findPartner(services, partner));
  for (const client of new Set(rows.map((row) => row.client))) {
    try {
      found.set(client, await findClient(ctx, client));
    } catch (error) {
      if (!(error instanceof CommandRefusal)) throw error;
    }
  }
  return found;
}

export const listCharges = command({
  name: "charges list",
  summary: "List the charges of a partner's clients",
  options: {
    ...PARTNER_OPTION,
    client: { type: "text", value: "CLIENT", description: "Only charges of this client, by id or external id." },
    outcome: {
      type: "list",
      value: "OUTCOME",
      description: "Only charges with this outcome: earned, no_sale, outside_window or zero.",
    },
    "charged-after": {
      type: "text",
      value: "TIME",
      description: "Only charges at or after a time such as 2026-11-02T09:30:00Z.",
    },
    "charged-before": { type: "text", value: "TIME", description: "Only charges before a time." },
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the latest charges of a partner's clients", run: "tributary charges list --partner northwind" },
    {
      title: "List the charges that earned nothing, as JSON",
      run: "tributary charges list --partner northwind --outcome no_sale,outside_window --json",
    },
  ],
  async run(call) {
    const { options } = call;
    const { ChargeListQuery, chargesPage } = await import("../features/money/charges/index.ts");
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const filter = await checked("charges list", ChargeListQuery, "query", {
      client_id: options.client === undefined ? undefined : await findClient(ctx, options.client),
      outcome: options.outcome,
      charged_after: options["charged-after"],
      charged_before: options["charged-before"],
      limit: options.limit,
    });
    await printList<Charge>(call, {
      noun: "charges",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "external id", of: ({ external_id }) => external_id },
        { title: "client", of: ({ client_company }) => client_company },
        { title: "amount", of: ({ amount_cents, currency }) => money(amount_cents, currency), right: true },
        { title: "refunded", of: ({ refunded_cents, currency }) => money(refunded_cents, currency), right: true, spare: true },
        { title: "outcome", of: ({ outcome }) => outcome, spare: true },
        { title: "charged", of: ({ charged_at }) => shortTime(charged_at), whole: true },
      ],
      page: (query) => chargesPage(ctx.db, ctx.scope, { ...filter, ...query }),
    });
  },
});
