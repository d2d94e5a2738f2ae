import type { RecordKind } from "../../../kernel/changes.ts";
import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { withoutTags, withTags } from "../../accounts/clients/index.ts";
import { type Account, accountForChange, accountForNew } from "../../accounts/custom-fields/index.ts";
import type { BulkInput, BulkItem } from "./bulk.schema.ts";

type Row = { id: string; account_id: string; deleted_at: Date | null; tags: string[] };

/** How single records of a resource are created, changed and deleted. */
export type Bulk<R extends Row> = {
  kind: RecordKind;
  /** The names of the members of the body with whole records and with ids. */
  many: string;
  ids: string;
  checkCreate(item: object): void;
  checkPatch(item: object): void;
  lock(ctx: Context, tx: Tx, ids: readonly string[]): Promise<R[]>;
  /** Creates a record from a validated item. */
  add(ctx: Context, tx: Tx, account: Account, item: object): Promise<R>;
  change(ctx: Context, tx: Tx, account: Account, before: R, patch: object): Promise<R>;
  remove(ctx: Context, tx: Tx, record: R): Promise<void>;
};

type Done = { id: string; changed: boolean };

/**
 * Applies one action to many records, each as if requested alone, in one transaction. A refused item is refused before anything is written
 * for it, so the others need no savepoint.
 */
export function bulkChange<R extends Row>(bulk: Bulk<R>, ctx: Context, body: object): Promise<{ json: string }> {
  const input = body as BulkInput;
  validateFields(bulk, input);
  const items = (input[bulk.many] as object[]) ?? (input[bulk.ids] as string[]).map((id) => ({ id }));
  return ctx.tx(async (tx) => {
    if (input.action === "create") await takeTurns(bulk, ctx, tx, items);
    const ids = items.flatMap((item) => ("id" in item && typeof item.id === "string" ? [item.id] : []));
    const locked = new Map((await bulk.lock(ctx, tx, ids)).map((record) => [record.id, record]));
    const data: BulkItem[] = [];
    for (const [index, item] of items.entries())
      data.push(await resultOf(index, item, () => applyAction(bulk, ctx, tx, input, locked, item)));
    const count = (status: BulkItem["status"]) => data.filter((one) => one.status === status).length;
    return {
      json: JSON.stringify({ data, succeeded: count("ok"), unchanged: count("unchanged"), failed: count("error") }),
    };
  });
}

/** Two calls that create the same records in different orders would wait for each other for ever: of one account, each has its turn. */
async function takeTurns<R extends Row>({ kind }: Bulk<R>, ctx: Context, tx: Tx, items: readonly object[]): Promise<void> {
  const accounts = new Set(items.map((item) => String((item as { account_id?: unknown }).account_id ?? ctx.scope.partner_id)));
  await Promise.all([...accounts].sort().map((account) => takeTurn(tx, `bulk ${kind} ${account}`)));
}

async function resultOf(index: number, item: object, run: () => Promise<Done>): Promise<BulkItem> {
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

async function applyAction<R extends Row>(
  bulk: Bulk<R>,
  ctx: Context,
  tx: Tx,
  { action, tags = [] }: BulkInput,
  locked: Map<string, R>,
  item: object,
): Promise<Done> {
  if (action === "create") return create(bulk, ctx, tx, item);
  const { id, ...patch } = item as { id?: unknown };
  const before = lockedRecord(bulk.kind, locked, id);
  const account = await accountForChange(ctx, tx, bulk.kind, before.account_id);
  if (action === "delete") {
    await bulk.remove(ctx, tx, before);
    locked.delete(before.id);
    return { id: before.id, changed: true };
  }
  if (action === "update") bulk.checkPatch(patch);
  const change = action === "update" ? patch : { tags: (action === "tag" ? withTags : withoutTags)(before.tags, tags) };
  const after = await bulk.change(ctx, tx, account, before, change);
  locked.set(after.id, after);
  return { id: after.id, changed: after !== before };
}

function lockedRecord<R extends Row>(kind: RecordKind, locked: ReadonlyMap<string, R>, id: unknown): R {
  if (typeof id !== "string") {
    const detail = "id is required.";
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/id", code: "required", detail }] });
  }
  const record = isId(kind, id) ? locked.get(id) : undefined;
  return record === undefined || record.deleted_at !== null ? notFound(id) : record;
}

async function create<R extends Row>(bulk: Bulk<R>, ctx: Context, tx: Tx, item: object): Promise<Done> {
  bulk.checkCreate(item);
  const { account_id } = item as { account_id?: string };
  const account = await accountForNew(ctx, tx, bulk.kind, account_id);
  return { id: (await bulk.add(ctx, tx, account, item)).id, changed: true };
}

/** create and update take whole records, the other actions ids; tag and untag also tags. */
function validateFields({ many, ids }: { many: string; ids: string }, input: BulkInput): void {
  const { action } = input;
  const whole = action === "create" || action === "update";
  const tagging = action === "tag" || action === "untag";
  for (const [name, wanted] of Object.entries({ [many]: whole, [ids]: !whole, tags: tagging })) {
    if (wanted === (input[name] !== undefined)) continue;
    const code = wanted ? "required_by_action" : "not_of_action";
    const detail = wanted ? `${name} is required by the action ${action}.` : `${name} is not allowed with the action ${action}.`;
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${name}`, code, detail }] });
  }
}
