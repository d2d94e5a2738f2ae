import { actFor, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import { renderTable } from "./shell/table.ts";

type Commission = {
  id: string;
  kind: string;
  level: number;
  client_company: string | null;
  source_company: string | null;
  amount_cents: number;
  currency: string;
  status: string;
  hold_until: string | null;
  accrued_at: string;
};

const AS_OF_OPTION = {
  "as-of": { type: "text", value: "TIME", description: "The state at a time, such as 2026-11-02T09:30:00Z. Default: now." },
} as const;

export const listCommissions = command({
  name: "commissions list",
  summary: "List the commissions of a partner",
  options: {
    ...PARTNER_OPTION,
    status: {
      type: "list",
      value: "STATUS",
      description: "Only commissions with this status: pending, held, approved, scheduled, paid or void.",
    },
    kind: {
      type: "list",
      value: "KIND",
      description: "Only commissions of this kind: first, recurring, override, adjustment, reversal or marketplace.",
    },
    level: { type: "integer", value: "N", description: "Only own sales (0), or overrides of this level (1 to 3)." },
    currency: { type: "text", value: "CODE", description: "Only commissions in this currency." },
    "accrued-after": { type: "text", value: "TIME", description: "Only commissions accrued at or after a time." },
    "accrued-before": { type: "text", value: "TIME", description: "Only commissions accrued before a time." },
    ...AS_OF_OPTION,
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the newest commissions of a partner", run: "tributary commissions list --partner northwind" },
    {
      title: "List everything that is held or pending, as JSON",
      run: "tributary commissions list --partner northwind --status held,pending --all --json",
    },
  ],
  async run(call) {
    const { options } = call;
    const { CommissionListQuery, listCommissions } = await import("../features/money/commissions/index.ts");
    const filter = await checked("commissions list", CommissionListQuery, "query", {
      status: options.status,
      kind: options.kind,
      level: options.level,
      currency: options.currency,
      accrued_after: options["accrued-after"],
      accrued_before: options["accrued-before"],
      as_of: options["as-of"],
      limit: options.limit,
    });
    const services = await call.services();
    const partner_id = await findPartner(services, options.partner);
    const ctx = actFor(services, partner_id);
    await printList<Commission>(call, {
      noun: "commissions",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "kind", of: ({ kind }) => kind },
        { title: "of", of: ({ client_company, source_company }) => client_company ?? source_company },
        { title: "amount", of: ({ amount_cents, currency }) => money(amount_cents, currency), right: true },
        { title: "status", of: ({ status }) => status },
        { title: "hold until", of: ({ hold_until }) => shortTime(hold_until), whole: true, spare: true },
        { title: "accrued", of: ({ accrued_at }) => shortTime(accrued_at), whole: true },
      ],
      page: (query) => listCommissions(ctx, partner_id, "partner", { ...filter, ...query }),
    });
  },
});

type Balance = { account: string; currency: string; balance_cents: number };

export const showBalances = command({
  name: "ledger balances",
  summary: "Show the balances of a partner's book",
  description:
    "A balance is credits less debits: what is owed to the partner is positive, and the balances of a currency sum to zero.",
  options: { ...PARTNER_OPTION, ...AS_OF_OPTION },
  examples: [
    { title: "Show what a partner has earned", run: "tributary ledger balances --partner northwind" },
    {
      title: "Show it as it was, as JSON",
      run: "tributary ledger balances --partner northwind --as-of 2026-11-02T09:30:00Z --json",
    },
  ],
  async run(call) {
    const { options, out } = call;
    const { LedgerQuery, readAccounts } = await import("../features/money/ledger/index.ts");
    const query = await checked("ledger balances", LedgerQuery, "query", { as_of: options["as-of"] });
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const accounts: { as_of: string; data: Balance[] } = JSON.parse((await readAccounts(ctx, ctx.scope, query)).json);
    const lines = () =>
      renderTable(
        accounts.data,
        [
          { title: "account", of: ({ account }) => account },
          { title: "balance", of: ({ balance_cents, currency }) => money(balance_cents, currency), right: true },
        ],
        out.width,
      );
    out.result(accounts, () => (accounts.data.length === 0 ? ["Nothing was earned yet."] : lines()));
  },
});
