import { newToken, removeToken } from "../../../../platform/http/public-tokens.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Accounts, Applied, Asset, Change, Spec } from "../../../accounts/configuring/index.ts";
import { channelRules } from "./model.ts";
import { type AppliedChannel, archiveChannels, channelReads, insertChannels, updateChannels } from "./queries.ts";

/** Channels in snapshots, without secrets and without what is an account's own. They arrive paused; one that is removed is archived. */
export const channelAsset: Asset = { ...channelRules, ...channelReads, blocked: async () => [], apply };

async function apply(
  tx: Tx,
  { partner_id }: Accounts,
  changes: ReadonlyMap<string, readonly Change[]>,
): Promise<Map<string, Applied[]>> {
  const removed = [...changes.values()].flat().filter((change) => change.do === "remove");
  const ended = await archiveChannels(
    tx,
    partner_id,
    removed.map(({ id }) => id),
    tx.now,
  );
  await Promise.all(ended.map((token) => removeToken(tx, token)));
  const [made, kept]: [AppliedChannel[], AppliedChannel[]] = [[], []];
  const applied = new Map<string, Applied[]>();
  for (const [account_id, list] of changes) {
    const saved: Applied[] = [];
    for (const change of list) {
      if (change.do === "remove") continue;
      const id = change.id ?? tx.newId("channel");
      const token = change.do === "update" ? {} : { token: await tokenFor(tx, partner_id, id, change.to) };
      (change.do === "create" ? made : kept).push({ ...change.to, id, account_id, ...token });
      saved.push({ key: change.key, id, parts: [] });
    }
    applied.set(account_id, saved);
  }
  await updateChannels(tx, partner_id, kept, tx.now);
  await insertChannels(tx, partner_id, made, tx.now);
  return applied;
}

const tokenFor = (tx: Tx, partner_id: string, id: string, { kind }: Spec) =>
  newToken(tx, kind === "webchat" ? "chat" : "hook", partner_id, id);
