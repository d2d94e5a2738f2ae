import type { Tx } from "../../../../platform/record/tx.ts";
import { type Accounts, type Applied, type Asset, type Change, equal } from "../../../accounts/configuring/index.ts";
import { releaseChannels } from "../../../inbox/channels/index.ts";
import { contentHash } from "../versions/store.commands.ts";
import { agentRules, OWN } from "./model.ts";
import {
  type AgentBefore,
  type AppliedAgent,
  type AppliedVersion,
  agentReads,
  agentsBefore,
  archiveAgents,
  insertAgents,
  insertVersions,
  updateAgents,
} from "./queries.ts";

/** Agents in snapshots, by their published versions. They arrive paused and without channels; one that is removed is archived. */
export const agentAsset: Asset = { ...agentRules, ...agentReads, blocked: async () => [], apply };

type Kept = Exclude<Change, { do: "remove" }>;

async function apply(
  tx: Tx,
  { partner_id }: Accounts,
  changes: ReadonlyMap<string, readonly Change[]>,
): Promise<Map<string, Applied[]>> {
  const all = [...changes.values()].flat();
  const removed = all.filter((change) => change.do === "remove").map(({ id }) => id);
  await archiveAgents(tx, partner_id, removed, tx.now);
  await releaseChannels(tx, partner_id, removed);
  const changed = all.flatMap((change) => (change.do === "update" || change.do === "revive" ? [change.id] : []));
  const before = new Map((await agentsBefore(tx, partner_id, changed)).map((agent) => [agent.id, agent]));
  const [made, kept, versions] = [[], [], []] as [AppliedAgent[], AppliedAgent[], AppliedVersion[]];
  const applied = new Map<string, Applied[]>();
  for (const [account_id, list] of changes) {
    const saved: Applied[] = [];
    for (const change of list) {
      if (change.do === "remove") continue;
      const id = change.id ?? tx.newId("agent");
      const version = nextVersion(change, before.get(id) ?? { ...NEW, id });
      if (version !== null) versions.push(version);
      (change.do === "create" ? made : kept).push(agentAfter(change, before.get(id) ?? { ...NEW, id }, account_id, version));
      saved.push({ key: change.key, id, parts: [] });
    }
    applied.set(account_id, saved);
  }
  await updateAgents(tx, partner_id, kept, tx.now);
  await insertAgents(tx, partner_id, made, tx.now);
  await insertVersions(tx, partner_id, versions, tx.now);
  return applied;
}

const NEW = { latest_version: 0, published_version: null, content: null };

/** The version that a change publishes, with what is the account's own; null where nothing changes in it. */
function nextVersion({ to }: Kept, agent: AgentBefore): AppliedVersion | null {
  const { id, latest_version, published_version, content } = agent;
  if (to.content === null) return null;
  const own = Object.entries(content ?? {}).filter(([member]) => OWN.some((one) => one === member));
  const next = { ...(to.content as object), ...Object.fromEntries(own) } as Parameters<typeof contentHash>[0];
  if (content !== null && equal(content as never, next as never)) return null;
  return { agent_id: id, number: latest_version + 1, before: published_version, content: next, sha256: contentHash(next) };
}

function agentAfter(
  { do: done, to }: Kept,
  { id, latest_version, published_version }: AgentBefore,
  account_id: string,
  version: AppliedVersion | null,
): AppliedAgent {
  const { content: _, ...fields } = to;
  const numbers = {
    latest_version: version?.number ?? latest_version,
    published_version: version?.number ?? published_version,
  };
  return { ...fields, ...numbers, id, account_id, revived: done === "revive" };
}
