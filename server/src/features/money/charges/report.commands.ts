import { notFound, Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { type RecordedRefund, recordCharges, recordRefund, refundById } from "./commands.ts";
import { chargeDetailOrNull, refundJson } from "./list.queries.ts";
import type { NewCharge, NewRefund } from "./model.ts";
import type { ChargeBulk, ChargeCreate, ClientRefundCreate, RefundCreate } from "./report.schema.ts";

function chargeOf({ charged_at, months = 1, plan = null, ...rest }: ChargeCreate): NewCharge {
  return { ...rest, charged_at: new Date(charged_at), months, plan };
}

/** Stores a charge of a client, and what it earns. Repeating a report changes nothing. */
export function reportCharge(ctx: Context, client_id: string, body: ChargeCreate) {
  return ctx.tx(async (tx) => {
    const [result] = await recordCharges(ctx, tx, [{ ...chargeOf(body), client_id }], "operator");
    if (result === undefined) throw new Error("a report has a result");
    if (result instanceof Refusal) throw result;
    const { id, partner_id } = result.charge;
    return { id, created: result.created, ...((await chargeDetailOrNull(tx, partner_id, id)) ?? notFound(id)) };
  });
}

/** Stores charges of any clients, each with a result of its own. */
export function reportCharges(ctx: Context, { charges }: ChargeBulk): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const reports = charges.map(({ client_id, ...charge }) => ({ ...chargeOf(charge), client_id }));
    const results = await recordCharges(ctx, tx, reports, "operator");
    const data = results.map((result, index) => {
      const external_id = reports[index]?.external_id;
      if (result instanceof Refusal)
        return { external_id, status: "error", error: { code: result.code, detail: result.message } };
      return { external_id, status: result.created ? "created" : "unchanged", charge_id: result.charge.id };
    });
    const count = (status: string) => data.filter((item) => item.status === status).length;
    return { json: JSON.stringify({ data, created: count("created"), unchanged: count("unchanged"), failed: count("error") }) };
  });
}

function refundOf({ external_id, amount_cents, reason = null, refunded_at }: RefundCreate): NewRefund {
  return { external_id, amount_cents, reason, refunded_at: refunded_at === undefined ? null : new Date(refunded_at) };
}

/** Stores a refund of a client, and takes back what its charge earned for it. One that comes before its charge waits for it. */
export function reportClientRefund(ctx: Context, client_id: string, { charge_external_id, ...body }: ClientRefundCreate) {
  return ctx.tx(async (tx) => shown(tx, await recordRefund(ctx, tx, { ...refundOf(body), client_id, charge_external_id })));
}

/** Stores a refund of a charge, and takes back what the charge earned for it. */
export function reportRefund(ctx: Context, charge_id: string, body: RefundCreate) {
  return ctx.tx(async (tx) => shown(tx, await refundById(ctx, tx, charge_id, refundOf(body))));
}

async function shown(tx: Tx, { refund, created }: RecordedRefund) {
  return { id: refund.id, created, json: await refundJson(tx, refund.partner_id, refund.id) };
}
