import type { EventDraft } from "../../../kernel/events.ts";

type Deployed = {
  partner_id: string;
  deployment_id: string;
  rollout_id: string | null;
  snapshot_id: string;
  client_id: string;
  version: number;
  previous_version: number | null;
  status: string;
};

/** A deployment to a client, or its rollback: then `version` no longer runs there, and `previous_version` does. */
export function snapshotDeployed(deployed: Deployed, client_version: number): EventDraft {
  const { client_id } = deployed;
  const data = { ...deployed, scope: "client", counts: null };
  return { type: "snapshot.deployed", subject: client_id, subject_version: client_version, client_id, data };
}
