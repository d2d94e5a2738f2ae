import { within } from "../../../../kernel/errors.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { canonicalText, hashOf, type Value } from "../../../accounts/configuring/index.ts";
import type { Answer, Model, ModelAsk, Request } from "../../engine/index.ts";
import { connectModel } from "../../models/index.ts";
import { checkedContent } from "../model.ts";
import { insertVersion, secretsOf, type Version, versionOrNull } from "./queries.ts";
import type { ContentInput, VersionContent } from "./schema.ts";
import { requireSources } from "./sources.commands.ts";

/** The hash of a content, whatever the order of its members. */
export const contentHash = (content: VersionContent) => hashOf(canonicalText(content as unknown as Value));

/** The purpose under which the key of a model is sealed. */
const purposeOf = (agent_id: string) => `model of ${agent_id}`;

/** A content as it is stored: checked, without its key, which is sealed beside it. */
export type Storable = { content: VersionContent; secrets: Buffer | null };

/** A content to be stored. Without a key it has that of the version `before`: only for the same address, so that nobody is sent the key of another. */
export async function storableContent(
  ctx: Context,
  tx: Tx,
  { id: agent_id, account_id }: { id: string; account_id: string },
  given: ContentInput,
  before: number | null,
): Promise<Storable> {
  const { api_key, ...model } = given.model ?? {};
  const plain = (given.model === undefined ? given : { ...given, model }) as VersionContent;
  const content = await within("content", () => checkedContent(plain, ctx.settings));
  await within("content", () => requireSources(ctx, tx, account_id, content));
  if (content.model === undefined || api_key === null) return { content, secrets: null };
  if (api_key !== undefined) return { content, secrets: ctx.sealer.seal(api_key, purposeOf(agent_id)) };
  const earlier = before === null ? null : await versionOrNull(tx, ctx.scope, agent_id, before);
  const same = earlier?.content.model?.base_url === content.model.base_url;
  return { content, secrets: same && before !== null ? await secretsOf(tx, ctx.scope, agent_id, before) : null };
}

/** Adds a version of an agent. */
export function storeVersion(
  ctx: Context,
  tx: Tx,
  agent_id: string,
  number: number,
  { content, secrets }: Storable,
  note: string | null,
): Promise<Version> {
  const created_by = actorOf(ctx.principal).id;
  return insertVersion(tx, ctx.scope, { agent_id, number, content, secrets, sha256: contentHash(content), note, created_by });
}

/** The model of a version; null where it has none. A key that was sealed under another SECRET_KEY is no key. */
export async function modelOf(
  ctx: Context,
  { agent_id, number, content }: Pick<Version, "agent_id" | "number" | "content">,
): Promise<Model | null> {
  if (content.model === undefined) return null;
  const sealed = await secretsOf(ctx.db, ctx.scope, agent_id, number);
  return connectModel(ctx, { ...content.model, api_key: sealed === null ? null : openKey(ctx, agent_id, sealed) });
}

/** Answers what a turn asks of the model of its version, within its own deadline or an earlier one. */
export async function askModelOf(
  ctx: Context,
  version: Pick<Version, "agent_id" | "number" | "content">,
  { args }: Request,
  deadline_ms = Infinity,
): Promise<Answer> {
  const model = await modelOf(ctx, version);
  if (model === null) return { ok: false, code: "down", detail: "The version has no model." };
  const { purpose: _, ...ask } = args as ModelAsk & { purpose: string };
  const reply = await model({ ...ask, deadline_ms: Math.min(ask.deadline_ms, deadline_ms) });
  return "failed" in reply ? { ok: false, code: reply.failed, detail: reply.detail } : { ok: true, value: reply };
}

function openKey({ sealer }: Context, agent_id: string, sealed: Buffer): string | null {
  try {
    return sealer.open(sealed, purposeOf(agent_id));
  } catch {
    return null;
  }
}
