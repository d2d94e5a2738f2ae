import { type Fault, fail } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { clientIds } from "../../accounts/clients/index.ts";
import { deployableVersion } from "../catalogue/index.ts";
import { insertMembers } from "../deployments/index.ts";
import { ACTIVE_MAX, type Canary, canaryOf, defaultCanary, FAILURE_PERCENT_DEFAULT, MEMBERS_MAX } from "./model.ts";
import { countActive, insertRollout, installedClients, knownClients, rolloutOrNull } from "./queries.ts";
import type { RolloutCreate } from "./schema.ts";

type Settings = Required<Pick<RolloutCreate, "conflict_policy" | "dry_run">> & { snapshot_id: string; version: number };

/** Creates a rollout and queues the deployment of each of its clients, all in one transaction. */
export function createRollout(ctx: Context, snapshot_id: string, input: RolloutCreate): Promise<Result> {
  const { conflict_policy = "merge", dry_run = false, plan_of = null, max_failure_percent = FAILURE_PERCENT_DEFAULT } = input;
  return ctx.tx(async (tx) => {
    const how = input.target === "installed" ? "update" : "install";
    const { version } = await deployableVersion(tx, ctx.scope, snapshot_id, input.version ?? null, how);
    await requireCapacity(tx, ctx.scope.partner_id);
    if (plan_of !== null) await requirePlanOf(ctx, tx, plan_of, { snapshot_id, version, conflict_policy, dry_run });
    const ids = await targetClients(ctx, tx, snapshot_id, input.target);
    const id = tx.newId("rollout");
    const canary = dry_run ? null : input.canary === undefined ? defaultCanary(ids.length) : input.canary;
    const first = requireMembers(canaryOf(canary, id, ids), canary, ids);
    const created_by = actorOf(ctx.principal).id;
    const { partner_id } = ctx.scope;
    const created = await insertRollout(tx, {
      partner_id,
      id,
      snapshot_id,
      snapshot_version: version,
      policy: conflict_policy,
      dry_run,
      plan_of,
      target: input.target,
      canary,
      canary_members: first.size,
      max_failure_percent,
      total: ids.length,
      created_by,
    });
    const members = ids.map((client_id) => ({ id: tx.newId("deployment"), client_id, canary: first.has(client_id) }));
    await insertMembers(tx, { partner_id, rollout_id: id, snapshot_id, version, policy: conflict_policy, created_by, members });
    const values = { snapshot_id, version, conflict_policy, dry_run, total: ids.length };
    const changes = Object.fromEntries(Object.entries(values).map(([name, to]) => [name, { from: null, to }]));
    record(tx, ctx.scope, [], { action: "rollouts.create", target: id, client_id: null, changes });
    return created;
  });
}

/** Refuses one more rollout to work on than a partner may have. No other is started until the transaction ends. */
export async function requireCapacity(tx: Tx, partner_id: string): Promise<void> {
  await takeTurn(tx, `rollouts ${partner_id}`);
  if ((await countActive(tx, partner_id)) < ACTIVE_MAX) return;
  const detail = `${ACTIVE_MAX} rollouts are queued or running already. Wait until one has ended, or pause one.`;
  fail("rollout_limit_reached", { detail, meta: { limit: ACTIVE_MAX } });
}

function refuse(pointer: string, code: string, detail: string): never {
  const fault: Fault = { in: "body", pointer, code, detail };
  fail("validation_failed", { detail, faults: [fault] });
}

async function targetClients(ctx: Context, tx: Tx, snapshot_id: string, target: RolloutCreate["target"]): Promise<string[]> {
  const ids = await idsOf(ctx, tx, snapshot_id, target);
  if (ids.length === 0) refuse("#/target", "no_clients", "The target has no clients.");
  if (ids.length <= MEMBERS_MAX) return ids;
  refuse("#/target", "too_many_clients", `A rollout has at most ${MEMBERS_MAX} clients. Split the target by a filter.`);
}

async function idsOf(ctx: Context, tx: Tx, snapshot_id: string, target: RolloutCreate["target"]): Promise<string[]> {
  if (target === "all") return clientIds(tx, ctx.scope, { status: ["active"] }, MEMBERS_MAX + 1);
  if (target === "installed") return installedClients(tx, ctx.scope.partner_id, snapshot_id, MEMBERS_MAX + 1);
  if ("filter" in target) return clientIds(tx, ctx.scope, target.filter, MEMBERS_MAX + 1);
  const known = await knownClients(tx, ctx.scope.partner_id, target.client_ids);
  const index = target.client_ids.findIndex((id) => !known.includes(id));
  if (index < 0) return known;
  const detail = `The client ${target.client_ids[index]} was not found, or is the house account.`;
  refuse(`#/target/client_ids/${index}`, "unknown_client", detail);
}

/** The clients that are named as a canary must be clients of the rollout. */
function requireMembers(first: ReadonlySet<string>, canary: Canary | null, ids: readonly string[]): ReadonlySet<string> {
  if (canary === null || !("client_ids" in canary)) return first;
  const members = new Set(ids);
  const index = canary.client_ids.findIndex((id) => !members.has(id));
  if (index < 0) return first;
  refuse(`#/canary/client_ids/${index}`, "not_in_target", `The client ${canary.client_ids[index]} is not in the target.`);
}

/** A rollout keeps to the plans of a dry run of the same version in the same manner. */
async function requirePlanOf(ctx: Context, tx: Tx, plan_of: string, settings: Settings): Promise<void> {
  const planned = await rolloutOrNull(tx, ctx.scope.partner_id, plan_of);
  const { snapshot_id, version, conflict_policy, dry_run } = settings;
  const why =
    planned === null
      ? `The rollout ${plan_of} was not found.`
      : !planned.dry_run || dry_run
        ? "plan_of is for a rollout that carries out what a dry run has found."
        : planned.snapshot_id !== snapshot_id || planned.snapshot_version !== version || planned.policy !== conflict_policy
          ? "The dry run has another snapshot, version or conflict_policy."
          : planned.counts.queued > 0
            ? "The dry run has not ended yet."
            : null;
  if (why !== null) refuse("#/plan_of", "not_applicable", why);
}
