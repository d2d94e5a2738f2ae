import type { Hooks } from "../../../platform/record/context.ts";
import { installsOf } from "./queries.ts";

/** The records of an account that a snapshot has there, so that a capture gives them the same keys. */
export const installedRecords: Hooks["installedRecords"] = async (db, { partner_id }, account_id, snapshot_id) => {
  const installs = await installsOf(db, partner_id, [account_id]);
  return installs.find((install) => install.snapshot_id === snapshot_id)?.entries ?? {};
};
