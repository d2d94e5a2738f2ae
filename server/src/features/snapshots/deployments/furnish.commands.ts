import { type Fault, fail, Refusal } from "../../../kernel/errors.ts";
import { actorOf, type TenantScope } from "../../../kernel/principal.ts";
import type { AuditDraft } from "../../../platform/record/audit.ts";
import type { Context, Furnishing } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { insertDue } from "../../accounts/pipelines/index.ts";
import { assetOf, type Deployable, deployableVersion } from "../catalogue/index.ts";
import { deployToNew } from "./batch.commands.ts";
import { defaultSnapshots, queueDeployments } from "./queries.ts";

/** As many assets are deployed in the request that creates the account; with more, the worker of rollouts deploys them. */
export const ASSETS_AT_ONCE_MAX = 200;

type Asked = { snapshot_id: string; version?: number };
type Account = { partner_id: string; id: string };
type Wanted = { sources: Deployable[]; left_out: AuditDraft[] };

/**
 * What a new account begins with: the snapshots that are asked for, by default those of the partner. Its first pipeline is created when it
 * is first used, unless a snapshot brings a default one.
 */
export async function furnish(ctx: Context, tx: Tx, account: Account, asked: readonly Asked[] | null): Promise<Furnishing> {
  const scope: TenantScope = { partner_id: account.partner_id, clients: "all" };
  const { sources, left_out } = asked === null ? await defaults(ctx, tx, scope, account) : await requested(tx, scope, asked);
  const assets = sources.reduce((sum, { manifest }) => sum + manifest.assets.length, 0);
  const status = assets > ASSETS_AT_ONCE_MAX ? "queued" : "installed";
  const due = status === "queued" || !sources.some(bringsDefault);
  return {
    snapshots: sources.map(({ snapshot_id, version }) => ({ snapshot_id, version, status })),
    open: () => void (due && insertDue(tx, account)),
    async deploy() {
      if (left_out.length > 0) tx.tell(account.partner_id, { audits: left_out });
      if (status === "queued") await queue(ctx, tx, account, sources);
      else if (sources.length > 0) await deployToNew(ctx, tx, { ...account, first_pipeline: due }, sources);
    },
  };
}

/** Whether a snapshot has the record that an account has one of, as its default pipeline. */
function bringsDefault({ manifest }: Deployable): boolean {
  return manifest.assets.some(({ type, spec }) => type === "pipeline" && spec[assetOf(type).exclusive ?? ""] === true);
}

/** The snapshots that were asked for. One that cannot be deployed refuses the account. */
async function requested(tx: Tx, scope: TenantScope, asked: readonly Asked[]): Promise<Wanted> {
  const faults: Fault[] = [];
  const refuse = (index: number, code: string, detail: string) =>
    void faults.push({ in: "body", pointer: `#/snapshots/${index}/snapshot_id`, code, detail });
  const found = await Promise.all(
    asked.map(async ({ snapshot_id, version = null }, index) => {
      if (asked.findIndex((other) => other.snapshot_id === snapshot_id) < index)
        return refuse(index, "duplicate_snapshot", `The snapshot ${snapshot_id} occurs twice.`);
      return deployableVersion(tx, scope, snapshot_id, version, "install").catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== "not_found") throw error;
        return refuse(index, "unknown_snapshot", `The snapshot ${snapshot_id} was not found.`);
      });
    }),
  );
  if (faults.length > 0) fail("validation_failed", { faults });
  return { sources: found.filter((source) => source !== undefined), left_out: [] };
}

/** The partner's defaults. One that cannot be deployed any more is left out: it must not keep a client from being created. */
async function defaults(ctx: Context, tx: Tx, scope: TenantScope, { id }: Account): Promise<Wanted> {
  if ("default_snapshots" in ctx.principal && !ctx.principal.default_snapshots) return { sources: [], left_out: [] };
  const ids = await defaultSnapshots(tx, scope.partner_id);
  const left_out: AuditDraft[] = [];
  const found = await Promise.all(
    ids.map((snapshot_id) =>
      deployableVersion(tx, scope, snapshot_id, null, "install").catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        left_out.push({ action: "snapshots.deploy", outcome: "denied", target: snapshot_id, client_id: id, code: error.code });
      }),
    ),
  );
  return { sources: found.filter((source) => source !== undefined), left_out };
}

async function queue(ctx: Context, tx: Tx, { partner_id, id }: Account, sources: readonly Deployable[]): Promise<void> {
  const deployments = sources.map(({ snapshot_id, version }) => ({ id: tx.newId("deployment"), snapshot_id, version }));
  await queueDeployments(tx, { partner_id, client_id: id }, actorOf(ctx.principal).id, deployments);
}
