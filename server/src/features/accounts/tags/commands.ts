import { fail, notFound } from "../../../kernel/errors.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "../custom-fields/index.ts";
import { TAGS_MAX } from "./model.ts";
import {
  countTags,
  insertTag,
  removeTag,
  saveTag,
  type Tag,
  tagForUpdateOrNull,
  tagIdByNameOrNull,
  tagOrNull,
  tagsPage,
} from "./queries.ts";
import type { TagCreate, TagListQuery, TagPatch } from "./schema.ts";

const AUDITED = ["name", "description"] as const;

export function createTag(ctx: Context, { account_id, ...input }: TagCreate): Promise<Tag> {
  return ctx.tx(async (tx) => {
    await takeTurn(tx, `tags of ${ctx.scope.partner_id}`);
    const account = await accountForNew(ctx, tx, "contact", account_id);
    if ((await countTags(tx, ctx.scope, account.id)) >= TAGS_MAX)
      fail("validation_failed", { detail: `An account has at most ${TAGS_MAX} tags.` });
    const tag = { account_id: account.id, description: null, ...input };
    const saved = (await insertTag(tx, ctx.scope, tag)) ?? (await refuseDuplicate(ctx, tx, tag));
    const changes = changesBetween<Partial<Tag>>({}, saved, AUDITED);
    record(tx, ctx.scope, [], { action: "tags.create", target: saved.id, client_id: account.id, changes });
    return saved;
  });
}

export async function getTag(ctx: Context, id: string): Promise<Tag> {
  return (await tagOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listTags(ctx: Context, query: TagListQuery): Promise<{ json: string }> {
  return tagsPage(ctx.db, ctx.scope, query);
}

/** Changes a tag. Records keep the name that they have. */
export function updateTag(ctx: Context, id: string, patch: TagPatch): Promise<Tag> {
  return ctx.tx(async (tx) => {
    const before = await lockedTag(ctx, tx, id);
    const after = { ...before, ...patch };
    const changes = changesBetween<Tag>(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "tags.update", target: id, client_id: before.account_id, changes });
    return (await saveTag(tx, ctx.scope, after)) ?? refuseDuplicate(ctx, tx, after);
  });
}

/** Deletes a tag. Records that have it keep it. */
export function deleteTag(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const { account_id, name } = await lockedTag(ctx, tx, id);
    await removeTag(tx, ctx.scope, id);
    const changes = { name: { from: name, to: null } };
    record(tx, ctx.scope, [], { action: "tags.delete", target: id, client_id: account_id, changes });
  });
}

/** A tag of an account that takes changes. The account is locked first: whoever changes many tags of it locks it first, too. */
async function lockedTag(ctx: Context, tx: Tx, id: string): Promise<Tag> {
  const { account_id } = (await tagOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await accountForChange(ctx, tx, "contact", account_id);
  const tag = (await tagForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, tag);
  return tag;
}

async function refuseDuplicate(ctx: Context, tx: Tx, tag: Pick<Tag, "account_id" | "name">): Promise<never> {
  const existing_id = await tagIdByNameOrNull(tx, ctx.scope, tag);
  fail("duplicate_tag", { detail: `Another tag has the name ${tag.name}.`, meta: { existing_id } });
}
