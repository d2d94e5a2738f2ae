import type { Applied, Asset } from "../../../accounts/configuring/index.ts";
import { passagesOf } from "../model.ts";
import { removeSources } from "../queries.ts";
import { contentOf } from "../read.commands.ts";
import { sourceRules } from "./model.ts";
import { type AppliedSource, insertSources, replaceChunks, sourceReads, updateSources } from "./queries.ts";

/** Knowledge sources in snapshots. Pages are fetched where they arrive; a source that is removed is deleted. */
export const knowledgeSourceAsset: Asset = {
  ...sourceRules,
  ...sourceReads,
  blocked: async () => [],
  async apply(tx, { partner_id }, changes) {
    const [made, kept, removed] = [[], [], []] as [AppliedSource[], AppliedSource[], string[]];
    const applied = new Map<string, Applied[]>();
    for (const [account_id, list] of changes) {
      const saved: Applied[] = [];
      for (const change of list) {
        if (change.do === "remove") {
          removed.push(change.id);
          continue;
        }
        const { key, to } = change;
        const id = change.id ?? tx.newId("knowledge_source");
        const { text, bytes, sha256 } = contentOf(String(to.text ?? ""));
        const source = { ...to, text: to.text === null ? null : text, id, account_id, key, bytes, sha256 };
        (change.do === "create" ? made : kept).push(source);
        saved.push({ key, id, parts: [] });
      }
      applied.set(account_id, saved);
    }
    if (removed.length > 0) await removeSources(tx, partner_id, removed);
    await updateSources(tx, partner_id, kept, tx.now);
    await insertSources(tx, partner_id, made, tx.now);
    await replaceChunks(tx, partner_id, [...kept, ...made], passagesOf);
    return applied;
  },
};
