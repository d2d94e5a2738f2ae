import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Applied, Change } from "../../accounts/configuring/index.ts";
import { ASSETS } from "../catalogue/index.ts";
import type { PlacedConflict } from "./model.ts";
import type { Changed, Install, Plan, Planned } from "./plan/model.ts";
import { changesWithIds, translateChanged, translateInstall } from "./positions.model.ts";
import type { Survey } from "./survey.commands.ts";

/** An account that a plan is applied to. */
export type Target = { survey: Survey; planned: Planned };

/** What an account has after its plan was applied, and the ids of what has changed. */
export type Result = { install: Install; changed: Changed };

/**
 * Applies plans to accounts, type by type. A plan is all that is written. Several plans of one account are applied as one: no record is in
 * two of them. The results are in the order of the targets.
 */
export async function applyPlans({ hooks }: Context, tx: Tx, partner_id: string, targets: readonly Target[]): Promise<Result[]> {
  const applied = await Promise.all(
    ASSETS.map(async (asset): Promise<[type: string, Map<string, Applied[]>]> => {
      const changes = new Map<string, Change[]>();
      for (const { survey, planned } of targets) {
        const list = planned.changes[asset.type] ?? [];
        if (list.length === 0) continue;
        const all = changes.get(survey.client_id) ?? [];
        changes.set(survey.client_id, [...all, ...changesWithIds(list, survey.positions)]);
      }
      if (changes.size === 0) return [asset.type, new Map()];
      return [asset.type, await asset.apply(tx, { partner_id, ids: [...changes.keys()] }, changes, hooks)];
    }),
  );
  return targets.map(({ survey: { client_id, positions }, planned }) => {
    const own = Object.fromEntries(applied.map(([type, of]) => [type, takeApplied(of.get(client_id), planned.changes[type])]));
    const install = translateInstall(planned.install(own), positions.idAt);
    return { install, changed: translateChanged(planned.changed(own), positions.idAt) };
  });
}

/** Takes what the changes of one plan made, which come first, from all that was applied to an account. */
function takeApplied(applied: Applied[] = [], changes: readonly Change[] = []): Applied[] {
  return applied.splice(0, changes.filter((change) => change.do !== "remove").length);
}

export function conflictsOf({ steps }: Plan): PlacedConflict[] {
  return steps.flatMap(({ type, key, conflicts }) => conflicts.map((conflict) => ({ type, key, ...conflict })));
}
