import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Applied, Change } from "../../accounts/configuring/index.ts";
import { ASSETS } from "../catalogue/index.ts";
import { type Form, filled, formOf, newBlank } from "./form.model.ts";
import type { PlacedConflict } from "./model.ts";
import type { Plan, Planned } from "./plan/model.ts";
import { changesWithIds } from "./positions.model.ts";
import type { Survey } from "./survey.commands.ts";

/** An account that a plan is applied to. */
export type Target = { survey: Survey; planned: Planned };

/** What an account has after its plan was applied, and the ids of what has changed: the entries of an `Install` and `Changed`, as JSON. */
export type Result = { version: number | null; entries: string; changed: string };

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
    const own = applied.map(([type, of]) => ({ type, list: takeApplied(of.get(client_id), planned.changes[type]) }));
    const made = own.flatMap(({ list }) => list.flatMap(({ id, parts }) => [id, ...parts]));
    const { version, entries, changed } = formsOf(planned, own);
    return { version, entries: filled(entries, made, positions.idAt), changed: filled(changed, made, positions.idAt) };
  });
}

type Forms = { version: number | null; entries: Form; changed: Form };

/** What a plan leaves behind, written once for all accounts that share it. */
const forms = new WeakMap<Planned, Forms>();

function formsOf(planned: Planned, own: readonly { type: string; list: readonly Applied[] }[]): Forms {
  const known = forms.get(planned);
  if (known !== undefined) return known;
  let count = 0;
  const blank = () => newBlank(count++);
  const blanks = Object.fromEntries(
    own.map(({ type, list }) => [type, list.map(({ key, parts }): Applied => ({ key, id: blank(), parts: parts.map(blank) }))]),
  );
  const { version, entries } = planned.install(blanks);
  const made = { version, entries: formOf(entries), changed: formOf(planned.changed(blanks)) };
  forms.set(planned, made);
  return made;
}

/** Takes what the changes of one plan made, which come first, from all that was applied to an account. */
function takeApplied(applied: Applied[] = [], changes: readonly Change[] = []): Applied[] {
  return applied.splice(0, changes.filter((change) => change.do !== "remove").length);
}

/** Does what follows changes of an account, once they are committed. */
export async function settleAccount({ db, clock, scope }: Context, account_id: string): Promise<void> {
  for (const { settle } of ASSETS) await settle?.(db, clock.now(), scope.partner_id, account_id);
}

export function conflictsOf({ steps }: Plan): PlacedConflict[] {
  return steps.flatMap(({ type, key, conflicts }) => conflicts.map((conflict) => ({ type, key, ...conflict })));
}
