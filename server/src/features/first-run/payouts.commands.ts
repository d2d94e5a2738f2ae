import type { Context, Services } from "../../platform/record/context.ts";
import {
  markFailed,
  markPaid,
  nextSlot,
  openRun,
  type Payout,
  payoutsOfRun,
  retryPayout,
  setPayoutMethod,
  startExport,
  workExport,
  workRun,
} from "../money/payouts/index.ts";
import { updateProgramme } from "../programme/operators/index.ts";
import { DEMO_PARTNER_DAYS, daysBefore, type Step } from "./demo.ts";
import {
  DEMO_DEBTOR,
  DEMO_FAILED_RUN,
  DEMO_FAILURE,
  DEMO_FORMER_METHOD,
  DEMO_METHOD,
  DEMO_METHOD_DAYS_AGO,
  DEMO_OPEN_FAILURE,
  DEMO_SUB_METHOD,
  EXPORTED_DAYS_AFTER,
  PAID_AGAIN_DAYS_AFTER,
  PAID_DAYS_AFTER,
  RETRIED_DAYS_AFTER,
  STARTED_DAYS_AFTER,
} from "./payouts.demo.ts";

/** The schedule that a programme begins with: the 15th of each month. */
const SCHEDULE = "0 6 15 * *";
const DAY_MS = 86_400_000;

/** Payout methods, the monthly runs until now, and what became of their payouts. */
export function payoutSteps(partner_id: string, sub_partner_id: string, now: Date): Step[] {
  const runs = slotsUntil(now);
  const failed = runs.at(-1 - DEMO_FAILED_RUN);
  const steps: Step[] = [
    { days_ago: DEMO_PARTNER_DAYS, by: "operator", act: (ctx) => updateProgramme(ctx, { payout_debtor: DEMO_DEBTOR }) },
    { days_ago: DEMO_METHOD_DAYS_AGO, act: (ctx) => setPayoutMethod(ctx, partner_id, DEMO_FORMER_METHOD) },
    {
      days_ago: DEMO_METHOD_DAYS_AGO,
      by: "sub_partner",
      act: (ctx) => setPayoutMethod(ctx, sub_partner_id, DEMO_SUB_METHOD),
    },
    ...runs.flatMap((slot) => {
      const refusals = new Map<string, string>();
      if (slot === failed) refusals.set(partner_id, DEMO_FAILURE);
      if (slot === runs.at(-1)) refusals.set(sub_partner_id, DEMO_OPEN_FAILURE);
      return runSteps(slot, now, [partner_id, sub_partner_id], refusals, slot === failed);
    }),
  ];
  return steps.filter(({ days_ago }) => days_ago >= 0);
}

function slotsUntil(now: Date): Date[] {
  const slots: Date[] = [];
  let slot = nextSlot(SCHEDULE, "UTC", daysBefore(now, DEMO_METHOD_DAYS_AGO));
  while (slot !== null && slot < now) {
    slots.push(slot);
    slot = nextSlot(SCHEDULE, "UTC", slot);
  }
  return slots;
}

/** A run by the schedule, its bank files, and the outcomes of its payouts: those of some partners fail. */
function runSteps(
  slot: Date,
  now: Date,
  [partner_id = "", sub_partner_id = ""]: string[],
  refusals: ReadonlyMap<string, string>,
  retried: boolean,
): Step[] {
  const started = (now.getTime() - slot.getTime()) / DAY_MS - STARTED_DAYS_AFTER;
  const reference = (payout: Payout) => `TRB-${slot.toISOString().slice(0, 7)}-${String(payout.statement_seq).padStart(4, "0")}`;
  let run_id = "";
  const payouts = async (ctx: Context) =>
    (await Promise.all([partner_id, sub_partner_id].map((id) => payoutsOfRun(ctx.db, id, run_id)))).flat();
  const each = (act: (ctx: Context, payout: Payout) => Promise<unknown>) => async (ctx: Context) => {
    for (const payout of await payouts(ctx)) await act(ctx, payout);
  };
  const outcome = (ctx: Context, payout: Payout) => {
    const failure = refusals.get(payout.partner_id);
    return failure === undefined
      ? markPaid(ctx, payout.id, { reference: reference(payout) })
      : markFailed(ctx, payout.id, failure);
  };
  const at = (days_after: number, act: Step["act"]): Step => ({ days_ago: started - days_after, by: "operator", act });
  const again = (act: (ctx: Context, payout: Payout) => Promise<unknown>) =>
    each(async (ctx, payout) => (refusals.has(payout.partner_id) ? act(ctx, payout) : undefined));
  return [
    at(0, async (ctx, services) => {
      run_id = await startScheduled(ctx, slot);
      await finish(services);
    }),
    at(EXPORTED_DAYS_AFTER, async (ctx, services) => {
      for (const { currency } of await payouts(ctx)) {
        await startExport(ctx, run_id, { format: currency === "eur" ? "sepa" : "csv", currency });
        await finish(services);
      }
    }),
    at(PAID_DAYS_AFTER, each(outcome)),
    ...(retried
      ? [
          {
            days_ago: started - RETRIED_DAYS_AFTER,
            act: (ctx: Context) => setPayoutMethod(ctx, partner_id, DEMO_METHOD),
          },
          at(
            RETRIED_DAYS_AFTER,
            again((ctx, { id }) => retryPayout(ctx, id)),
          ),
          at(
            PAID_AGAIN_DAYS_AFTER,
            again((ctx, payout) => markPaid(ctx, payout.id, { reference: `${reference(payout)}-2` })),
          ),
        ]
      : []),
  ];
}

/** Starts the run of a time of the schedule, as the job does. */
async function startScheduled(ctx: Context, slot: Date): Promise<string> {
  const run = { cutoff: slot, scheduled_for: slot, slot: slot.toISOString() };
  const id = await ctx.tx((tx) => openRun(ctx, tx, run));
  if (id === null) throw new Error("a run is in progress");
  return id;
}

/** Works off what was started. */
async function finish(services: Services): Promise<void> {
  const { signal } = new AbortController();
  const failed = (error: unknown) => {
    throw error;
  };
  while (await workRun(services, signal, failed));
  while (await workExport(services, signal));
}
