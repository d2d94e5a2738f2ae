import type { Applied, Asset } from "../../../../accounts/configuring/index.ts";
import { rescorePortion } from "../commands.ts";
import { DEFAULT_RULES } from "../model.ts";
import { rulesOf, scoringRules } from "./model.ts";
import { saveAllRules, scoringReads } from "./queries.ts";

/**
 * The rules that score leads, in snapshots. An account always has some: without its own, the built-in ones, and these again once its own
 * are removed. As after a change by a request, the first leads are rescored at once where somebody waits, the others by a job.
 */
export const leadScoringAsset: Asset = {
  ...scoringRules,
  ...scoringReads,
  blocked: async () => [],
  settle: rescorePortion,
  async apply(tx, { partner_id }, changes) {
    const applied = new Map<string, Applied[]>();
    const saved = [...changes].flatMap(([account_id, list]) => {
      const kept = list.flatMap((change) => (change.do === "remove" ? [] : [change]));
      applied.set(
        account_id,
        kept.map(({ key }) => ({ key, id: account_id, parts: [] })),
      );
      return list.map((change) => ({ account_id, rules: change.do === "remove" ? DEFAULT_RULES : rulesOf(change.to) }));
    });
    await saveAllRules(tx, partner_id, saved);
    return applied;
  },
};
