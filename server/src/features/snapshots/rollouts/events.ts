import type { EventDraft } from "../../../kernel/events.ts";
import { toldStatus } from "./model.ts";
import type { Rollout } from "./queries.ts";

/** A rollout has ended, or was stopped. */
export function rolloutEnded(rollout: Rollout): EventDraft {
  const { partner_id, id, snapshot_id, snapshot_version, version } = rollout;
  const { planned: _, ...counts } = rollout.counts;
  return {
    type: "snapshot.deployed",
    subject: id,
    subject_version: version,
    client_id: null,
    data: {
      deployment_id: null,
      rollout_id: id,
      snapshot_id,
      client_id: null,
      partner_id,
      version: snapshot_version,
      previous_version: null,
      status: toldStatus(rollout),
      scope: "rollout",
      counts,
    },
  };
}
