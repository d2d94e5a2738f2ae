import { actFor, actForOperator, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import type { Output } from "./shell/output.ts";
import { renderFields, renderTable } from "./shell/table.ts";

type Payout = {
  id: string;
  partner_company: string;
  statement_number: string;
  status: string;
  currency: string;
  net_cents: number;
  method_hint: string;
  failure: string | null;
  reference: string | null;
  attempt: number;
  scheduled_for: string;
};

type Upcoming = {
  currency: string;
  scheduled_for: string | null;
  approved_cents: number;
  payable_cents: number;
  blockers: { code: string; blocks: boolean }[];
};

export const showUpcoming = command({
  name: "payouts upcoming",
  summary: "Show what the next run would pay a partner",
  description: "By currency, with each reason why it would not be paid.",
  options: PARTNER_OPTION,
  examples: [{ title: "Show what a partner is paid next", run: "tributary payouts upcoming --partner northwind" }],
  async run({ options, out, services: open }) {
    const [{ upcomingPayouts }, { getPartner }] = await Promise.all([
      import("../features/money/payouts/index.ts"),
      import("../features/programme/partners/index.ts"),
    ]);
    const services = await open();
    const partner_id = await findPartner(services, options.partner);
    const { currency, grade } = JSON.parse((await getPartner(actForOperator(services), partner_id)).json);
    const upcoming: { data: Upcoming[] } = JSON.parse(
      (await upcomingPayouts(actFor(services, partner_id), { partner_id, currency, grade })).json,
    );
    out.result(upcoming, () =>
      renderTable(
        upcoming.data,
        [
          { title: "next run", of: ({ scheduled_for }) => shortTime(scheduled_for), whole: true },
          { title: "approved", of: (one) => money(one.approved_cents, one.currency), right: true },
          { title: "payable", of: (one) => money(one.payable_cents, one.currency), right: true },
          { title: "blocked by", of: ({ blockers }) => blockers.flatMap(({ code, blocks }) => (blocks ? code : [])).join(", ") },
        ],
        out.width,
      ),
    );
  },
});

export const listPayouts = command({
  name: "payouts list",
  summary: "List payouts",
  options: {
    partner: {
      type: "text",
      value: "PARTNER",
      description: "Only payouts of this partner: its id, or a unique part of its name.",
    },
    status: {
      type: "list",
      value: "STATUS",
      description: "Only payouts in this state: scheduled, processing, paid, failed or cancelled.",
    },
    currency: { type: "text", value: "CODE", description: "Only payouts in this currency." },
    run: { type: "text", value: "RUN", description: "Only payouts of this run." },
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the newest payouts of all partners", run: "tributary payouts list" },
    { title: "List what failed, as JSON", run: "tributary payouts list --status failed --all --json" },
  ],
  async run(call) {
    const { options } = call;
    const { allPayoutsPage, OperatorPayoutListQuery } = await import("../features/money/payouts/index.ts");
    const services = await call.services();
    const filter = await checked("payouts list", OperatorPayoutListQuery, "query", {
      partner_id: options.partner === undefined ? undefined : await findPartner(services, options.partner),
      status: options.status,
      currency: options.currency,
      run_id: options.run,
      limit: options.limit,
    });
    await printList<Payout>(call, {
      noun: "payouts",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "partner", of: ({ partner_company }) => partner_company },
        { title: "statement", of: ({ statement_number }) => statement_number },
        { title: "amount", of: ({ net_cents, currency }) => money(net_cents, currency), right: true },
        { title: "status", of: ({ status }) => status },
        { title: "to", of: ({ method_hint }) => method_hint, spare: true },
        { title: "scheduled for", of: ({ scheduled_for }) => shortTime(scheduled_for), whole: true, spare: true },
      ],
      page: (query) => allPayoutsPage(services.db, { ...filter, ...query }),
    });
  },
});

/** The last payout to a partner, as a line of a shell finds it. */
const LAST = `"$(tributary payouts list --partner fjord --limit 1 | grep -o 'pay_[a-z0-9]*' | head -n 1)"`;

/** A payout by its id, or by the number of its statement within a partner. */
const PAYOUT_ARGUMENT = { payout: { description: "The payout's id, or with --partner the number of its statement." } };

type Named = { args: { payout: string }; options: { partner: string | undefined } };

async function findPayout(services: Parameters<typeof findPartner>[0], { args: { payout }, options: { partner } }: Named) {
  if (!/^S-\d+$/i.test(payout)) return payout;
  const { payoutOfStatement } = await import("../features/money/payouts/index.ts");
  return payoutOfStatement(services.db, await findPartner(services, partner), Number(payout.slice(2)));
}

function show(out: Output, { json }: { json: string }): void {
  const payout: Payout = JSON.parse(json);
  out.result(payout, () =>
    renderFields({
      id: payout.id,
      partner: payout.partner_company,
      statement: payout.statement_number,
      amount: money(payout.net_cents, payout.currency),
      status: payout.status,
      to: payout.method_hint,
      attempt: String(payout.attempt),
      failure: payout.failure,
      reference: payout.reference,
    }),
  );
}

export const payPayout = command({
  name: "payouts pay",
  summary: "Mark a payout as paid",
  description: "Tells the partner. Repeating it changes nothing.",
  args: PAYOUT_ARGUMENT,
  options: {
    ...PARTNER_OPTION,
    reference: { type: "text", value: "TEXT", description: "The reference of the bank, which the partner sees." },
    "paid-at": { type: "text", value: "TIME", description: "When it was paid, such as 2026-11-02T09:30:00Z. Default: now." },
  },
  examples: [
    {
      title: "Report that a payout has been paid",
      run: "tributary payouts pay S-000001 --partner northwind --reference TRB-2026-11-0001",
    },
  ],
  async run({ out, services: open, ...call }) {
    const { markPaid, PaidBody } = await import("../features/money/payouts/index.ts");
    const { reference, "paid-at": paid_at } = call.options;
    const body = await checked("payouts pay", PaidBody, "body", { reference, paid_at });
    const services = await open();
    show(out, await markPaid(actForOperator(services), await findPayout(services, call), body));
  },
});

export const failPayout = command({
  name: "payouts fail",
  summary: "Mark a payout as failed",
  description: "It is still owed: try it again, or cancel it.",
  args: PAYOUT_ARGUMENT,
  options: {
    ...PARTNER_OPTION,
    failure: { type: "text", value: "TEXT", required: true, description: "Why it failed; the partner sees it." },
  },
  examples: [
    { title: "Report that the bank refused the last payout", run: `tributary payouts fail ${LAST} --failure "Account closed"` },
  ],
  async run({ out, services: open, ...call }) {
    const { FailedBody, markFailed } = await import("../features/money/payouts/index.ts");
    const { failure } = await checked("payouts fail", FailedBody, "body", { failure: call.options.failure });
    const services = await open();
    show(out, await markFailed(actForOperator(services), await findPayout(services, call), failure));
  },
});

export const retryPayout = command({
  name: "payouts retry",
  summary: "Try a failed payout again",
  description: "With the payout method that the partner has now.",
  args: PAYOUT_ARGUMENT,
  options: PARTNER_OPTION,
  examples: [{ title: "Try the last payout to a partner again", run: `tributary payouts retry ${LAST}` }],
  async run({ out, services: open, ...call }) {
    const payouts = await import("../features/money/payouts/index.ts");
    const services = await open();
    show(out, await payouts.retryPayout(actForOperator(services), await findPayout(services, call)));
  },
});

export const cancelPayout = command({
  name: "payouts cancel",
  summary: "Cancel a payout",
  description: "Its commissions are approved again, and in the next run. One that is in a file for the bank cannot be cancelled.",
  args: PAYOUT_ARGUMENT,
  options: PARTNER_OPTION,
  examples: [{ title: "Cancel the last payout to a partner", run: `tributary payouts cancel ${LAST}` }],
  async run({ out, services: open, ...call }) {
    const payouts = await import("../features/money/payouts/index.ts");
    const services = await open();
    show(out, await payouts.cancelPayout(actForOperator(services), await findPayout(services, call)));
  },
});
