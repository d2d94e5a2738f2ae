import { standingJobs } from "../../src/features/money/standing/jobs.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { World } from "./world.ts";

/** A certification that partners can be granted. */
export async function newCertification(
  { db, clock }: World,
  { lifts_to = null, valid_days = null }: { lifts_to?: string | null; valid_days?: number | null } = {},
): Promise<string> {
  const id = newId("certification", Date.now());
  await db.sql(
    "insert into certifications (id, name, lifts_to, valid_days, created_at, updated_at) values ($1, $1, $2, $3, $4, $4)",
    [id, lifts_to, valid_days, clock.now()],
  );
  return id;
}

/** Runs a scheduled job of the standing of partners. */
export function runStandingJob(
  { app, clock }: World,
  name: "certification_expiry" | "tier_review" | "tier_edits",
): Promise<string> {
  const { db } = app.services;
  const job = standingJobs(app.services, "03:20").find((one) => one.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  return job.run({ db, owner: db, clock });
}
