import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { compile } from "../../../platform/http/validation.ts";
import { attempt, type Context, type Tx } from "../../../platform/record/context.ts";
import { accountForChange, accountForNew } from "../../accounts/index.ts";
import { withoutTags, withTags } from "../../clients/index.ts";
import { addDeal, changeDeal, removeDeal } from "../commands.ts";
import type { Deal } from "../model.ts";
import { dealsForUpdate } from "../queries.ts";
import { DealCreate, DealPatch } from "../schema.ts";
import type { BulkItem, DealBulk } from "./schema.ts";

const checkCreate = compile(DealCreate, "body");
const checkPatch = compile(DealPatch, "body");

type Done = { id: string; changed: boolean };

/** Does one thing to many deals, each as if it were called for alone; all that is done commits at once, with the stored reply. */
export function changeDeals(ctx: Context, input: DealBulk): Promise<{ json: string }> {
  refuseUnfitFields(input);
  const items = input.deals ?? (input.deal_ids ?? []).map((id) => ({ id }));
  return ctx.tx(async (tx) => {
    const ids = items.flatMap((item) => ("id" in item && typeof item.id === "string" ? [item.id] : []));
    const locked = new Map((await dealsForUpdate(tx, ctx.scope, ids)).map((deal) => [deal.id, deal]));
    const data: BulkItem[] = [];
    for (const [index, item] of items.entries()) data.push(await itemOf(index, item, () => act(ctx, tx, input, locked, item)));
    const count = (status: BulkItem["status"]) => data.filter((one) => one.status === status).length;
    return {
      json: JSON.stringify({ data, succeeded: count("ok"), unchanged: count("unchanged"), failed: count("error") }),
    };
  });
}

async function itemOf(index: number, item: object, run: () => Promise<Done>): Promise<BulkItem> {
  try {
    const { id, changed } = await run();
    return { index, id, status: changed ? "ok" : "unchanged" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { faults, meta } = error.explanation;
    const errors = faults === undefined ? {} : { errors: faults };
    const id = "id" in item && typeof item.id === "string" ? item.id.slice(0, 64).toWellFormed() : null;
    return { index, id, status: "error", error: { code: error.code, detail: error.message, ...errors, ...meta } };
  }
}

async function act(
  ctx: Context,
  tx: Tx,
  { action, tags = [] }: DealBulk,
  locked: Map<string, Deal>,
  item: object,
): Promise<Done> {
  if (action === "create") return create(ctx, tx, item);
  const { id, ...patch } = item as { id?: unknown };
  const before = lockedDeal(locked, id);
  const account = await accountForChange(ctx, tx, "deal", before.account_id);
  if (action === "delete") {
    await removeDeal(ctx, tx, before);
    locked.delete(before.id);
    return { id: before.id, changed: true };
  }
  if (action === "update") checkPatch(patch);
  const change = action === "update" ? patch : { tags: (action === "tag" ? withTags : withoutTags)(before.tags, tags) };
  // A sale may be refused when it is written already, because the company turns out to be another's.
  const after = await attempt(tx, before.sale, () => changeDeal(ctx, tx, account, before, change));
  locked.set(after.id, after);
  return { id: after.id, changed: after !== before };
}

function lockedDeal(locked: ReadonlyMap<string, Deal>, id: unknown): Deal {
  if (typeof id !== "string") {
    const detail = "id is required.";
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/id", code: "required", detail }] });
  }
  const deal = isId("deal", id) ? locked.get(id) : undefined;
  return deal === undefined || deal.deleted_at !== null ? notFound(id) : deal;
}

async function create(ctx: Context, tx: Tx, item: object): Promise<Done> {
  checkCreate(item);
  const input = item as DealCreate;
  const account = await accountForNew(ctx, tx, "deal", input.account_id);
  const { id } = await attempt(tx, account.house, () => addDeal(ctx, tx, account, input));
  return { id, changed: true };
}

/** Deals belong to what makes or changes them, ids to the rest, and tags to tagging. */
function refuseUnfitFields(input: DealBulk): void {
  const { action } = input;
  const whole = action === "create" || action === "update";
  const tagging = action === "tag" || action === "untag";
  const wanted = { deals: whole, deal_ids: !whole, tags: tagging };
  for (const name of ["deals", "deal_ids", "tags"] as const) {
    if (wanted[name] === (input[name] !== undefined)) continue;
    const code = wanted[name] ? "required_by_action" : "not_of_action";
    const detail = wanted[name] ? `${name} is required to ${action}.` : `${name} is not a field of ${action}.`;
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${name}`, code, detail }] });
  }
}
