import {
  type Install,
  type PlanInput,
  type Planned,
  type Policy,
  planFor,
  planRollback,
} from "../../../src/features/snapshots/deployments/plan/model.ts";
import type { PureAccount } from "./pure-account.ts";
import type { PureManifest } from "./pure-manifests.ts";
import { SYNTHETIC } from "./synthetic-assets.ts";

/** A snapshot in an account: its versions, numbered from 1, and the install. */
export class PureSnapshot {
  readonly versions: readonly PureManifest[];
  readonly id: string;
  install: Install | null = null;

  constructor(versions: readonly PureManifest[], id = "snap_1") {
    this.versions = versions;
    this.id = id;
  }

  plan(account: PureAccount, version: number, policy: Policy, others: ReadonlySet<string> = new Set()): Planned {
    const bases = (n: number) => this.versions[n - 1] as PureManifest;
    const input: Omit<PlanInput, "blocks"> = {
      assets: SYNTHETIC,
      snapshot_id: this.id,
      version,
      manifest: bases(version),
      bases,
      install: this.install,
      others,
      state: account.state,
      state_hash: "of these accounts",
      policy,
    };
    const first = planFor({ ...input, blocks: [] });
    return planFor({ ...input, blocks: account.blocked(first.removals) });
  }

  deploy(account: PureAccount, version: number, policy: Policy, others?: ReadonlySet<string>) {
    const [planned, previous] = [this.plan(account, version, policy, others), this.install];
    const applied = account.apply(planned.changes);
    this.install = planned.install(applied);
    return { ...planned, version, previous, ids: planned.changed(applied) };
  }

  rollback(account: PureAccount, deployed: ReturnType<PureSnapshot["deploy"]>): Planned {
    const { version, previous, undo, ids } = deployed;
    const others = new Set<string>();
    const input = {
      ...{ assets: SYNTHETIC, snapshot_id: this.id, version, previous, undo, changed: ids, others },
      install: this.install,
      state: account.state,
      state_hash: "of these accounts",
    };
    const first = planRollback({ ...input, blocks: [] });
    const planned = planRollback({ ...input, blocks: account.blocked(first.removals) });
    this.install = planned.install(account.apply(planned.changes));
    return planned;
  }

  /** The records that it owns, as others see them. */
  owned(): Set<string> {
    return new Set(Object.entries(this.install?.entries ?? {}).map(([name, { id }]) => `${name.split("/")[0]}/${id}`));
  }
}
