import { LruMap } from "../../../platform/db/lru.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { type Block, equal, type Removal } from "../../accounts/configuring/index.ts";
import { ASSETS } from "../catalogue/index.ts";
import type { Planned, State } from "./plan/model.ts";
import { blockInPositions, removalsWithIds, stateInPositions } from "./positions.model.ts";
import { readAccounts, type Survey, surveyAccounts } from "./survey.commands.ts";

const KEPT_MAX = 200;

/** Plans by what they are made from. Two that are made from the same are the same, whoever asks. */
const kept = new LruMap<Planned>(KEPT_MAX);

/** How the accounts of a batch are planned. */
export type Planner = {
  partner_id: string;
  snapshot_id: string;
  /** Everything that a plan depends on besides the account's state. */
  key(survey: Survey): string;
  plan(survey: Survey, state: State, blocks: readonly Block[]): Planned;
  /** Accounts that are not locked may change between two statements. */
  locked: boolean;
};

/** The state of an account has changed while its plan was made. */
export class Moved extends Error {}

type Case = { survey: Survey; blocks: readonly Block[] };

/** The plan of each account: made once for all that are in the same state, and made again where something to remove is in use. */
export async function planAccounts(
  ctx: Context,
  tx: Tx,
  planner: Planner,
  surveys: readonly Survey[],
): Promise<Map<string, Planned>> {
  const planned = await planCases(
    tx,
    planner,
    surveys.map((survey) => ({ survey, blocks: [] })),
  );
  const blocked = await blockedCases(ctx, tx, planner, surveys, planned);
  return new Map([...planned, ...(await planCases(tx, planner, blocked))]);
}

async function planCases(tx: Tx, planner: Planner, cases: readonly Case[]): Promise<Map<string, Planned>> {
  const groups = Map.groupBy(cases, ({ survey, blocks }) => JSON.stringify([planner.key(survey), survey.state_hash, blocks]));
  const plans = new Map([...groups.keys()].map((key) => [key, kept.get(key)]));
  const missing = [...groups].flatMap(([key, [first]]) =>
    plans.get(key) === undefined && first !== undefined ? [{ key, ...first }] : [],
  );
  const states = await statesOf(tx, planner, missing);
  for (const { key, survey, blocks } of missing) {
    const plan = planner.plan(survey, states.get(survey.client_id) ?? {}, blocks);
    plans.set(key, plan);
    kept.set(key, plan);
  }
  return new Map(
    [...groups].flatMap(([key, group]) => group.map(({ survey }) => [survey.client_id, plans.get(key) as Planned] as const)),
  );
}

/** The states of the accounts that plans are made for. */
async function statesOf(tx: Tx, planner: Planner, cases: readonly Case[]): Promise<Map<string, State>> {
  if (cases.length === 0) return new Map();
  const of = { partner_id: planner.partner_id, ids: cases.map(({ survey }) => survey.client_id) };
  const records = await readAccounts(tx, of);
  if (!planner.locked) {
    const again = await surveyAccounts(tx, of, planner.snapshot_id);
    if (again.some(({ state_hash }, index) => state_hash !== cases[index]?.survey.state_hash))
      throw new Moved("the account has changed");
  }
  return new Map(
    cases.map(({ survey }) => [survey.client_id, stateInPositions(records.get(survey.client_id) ?? {}, survey.positions)]),
  );
}

/** The accounts in which something that a plan removes is in use. */
async function blockedCases(
  { hooks }: Context,
  tx: Tx,
  { partner_id }: Planner,
  surveys: readonly Survey[],
  planned: ReadonlyMap<string, Planned>,
): Promise<Case[]> {
  const blocks = await Promise.all(
    ASSETS.map((asset) => {
      const removals = new Map<string, Removal[]>();
      for (const { client_id, positions } of surveys) {
        const removed = planned.get(client_id)?.removals[asset.type] ?? [];
        if (removed.length > 0) removals.set(client_id, removalsWithIds(removed, positions));
      }
      return removals.size === 0 ? [] : asset.blocked(tx, hooks, { partner_id, ids: [...removals.keys()] }, removals);
    }),
  );
  const byClient = Map.groupBy(blocks.flat(), ({ account_id }) => account_id);
  return surveys.flatMap((survey) => {
    const found = (byClient.get(survey.client_id) ?? []).map((block) => blockInPositions(block, survey.positions));
    return found.length === 0 ? [] : [{ survey, blocks: found.toSorted(byPosition) }];
  });
}

function byPosition(a: Block, b: Block): number {
  return `${a.id} ${a.part}` < `${b.id} ${b.part}` ? -1 : 1;
}

/** Whether a plan changes neither the account nor what it has of the snapshot. */
export function isEmpty({ install }: Survey, planned: Planned): boolean {
  return (
    Object.values(planned.changes).every((changes) => changes.length === 0) &&
    equal(planned.install({}) as never, install as never)
  );
}
