import type { Queryable } from "../../../platform/db/statement.ts";
import { type Accounts, canonicalText, hashOf, type Live } from "../../accounts/configuring/index.ts";
import { ASSETS } from "../catalogue/index.ts";
import type { StoredInstall } from "./model.ts";
import type { Install } from "./plan/model.ts";
import { ownedBy, type Positions, positionsOf, translateInstall } from "./positions.model.ts";
import { installsOf } from "./queries.ts";

/** An account as a plan sees it: without its ids, which are in `positions`. */
export type Survey = {
  client_id: string;
  positions: Positions;
  /** What it has of the snapshot: as it is stored, and in positions. */
  stored: StoredInstall | null;
  install: Install | null;
  /** The records that other snapshots own, as `type/position`. */
  others: ReadonlySet<string>;
  /** Equal for accounts in the same state: their records, what they have of the snapshot, and what others own. */
  state_hash: string;
};

/** Looks at some accounts for a snapshot, with one statement for each type of configuration. */
export async function surveyAccounts(db: Queryable, of: Accounts, snapshot_id: string): Promise<Survey[]> {
  const [installs, ...looks] = await Promise.all([
    installsOf(db, of.partner_id, of.ids),
    ...ASSETS.map((asset) => asset.look(db, of)),
  ]);
  const byClient = Map.groupBy(installs, ({ client_id }) => client_id);
  return of.ids.map((client_id) => {
    const looked = looks.map((look) => look.get(client_id) ?? { digest: "", ids: [] });
    const positions = positionsOf(looked.flatMap(({ ids }) => ids));
    const all = byClient.get(client_id) ?? [];
    const own = all.find((install) => install.snapshot_id === snapshot_id);
    const stored = own === undefined ? null : storedOf(own);
    const install = stored && translateInstall({ version: stored.version, entries: stored.entries }, positions.of);
    const others = all.filter((one) => one !== own).flatMap(({ entries }) => ownedBy(entries, positions.of));
    const digests = looked.map(({ digest }) => digest);
    const state_hash = hashOf(canonicalText([digests, install, others.toSorted()] as never));
    return { client_id, positions, stored, install, others: new Set(others), state_hash };
  });
}

function storedOf({ version, deployment_id, entries }: StoredInstall): StoredInstall {
  return { version, deployment_id, entries };
}

/** The records of some accounts, by type. */
export async function readAccounts(db: Queryable, of: Accounts): Promise<Map<string, Record<string, Live[]>>> {
  const reads = await Promise.all(ASSETS.map(async ({ type, read }) => ({ type, found: await read(db, of) })));
  return new Map(of.ids.map((id) => [id, Object.fromEntries(reads.map(({ type, found }) => [type, found.get(id) ?? []]))]));
}
