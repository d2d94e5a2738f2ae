import { actorOf } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { canonicalText, hashOf, type Value } from "../../../accounts/configuring/index.ts";
import { insertVersion, type Version } from "./queries.ts";
import type { VersionContent } from "./schema.ts";

/** The hash of a content, whatever the order of its members. */
export const contentHash = (content: VersionContent) => hashOf(canonicalText(content as unknown as Value));

/** Adds a version of an agent. */
export function storeVersion(
  ctx: Context,
  tx: Tx,
  agent_id: string,
  number: number,
  content: VersionContent,
  note: string | null,
): Promise<Version> {
  const created_by = actorOf(ctx.principal).id;
  return insertVersion(tx, ctx.scope, { agent_id, number, content, sha256: contentHash(content), note, created_by });
}
