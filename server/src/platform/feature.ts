import type { PublicRoute } from "./http/public-route.ts";
import type { Route } from "./http/route.ts";
import type { Job } from "./jobs/job.ts";
import type { Compose } from "./mail/mailer.ts";
import type { Services } from "./record/context.ts";

/** What a feature is made of and what it needs: the reference, the crontab and the import rules are derived from it. */
export type Feature = {
  /** Its folder below `features`: the wing and the feature. */
  name: string;
  /** The features that its code calls, through their index.ts. */
  uses: readonly string[];
  /** The features whose tables its statements read. Global tables and those of the platform are everybody's to read. */
  reads: readonly string[];
  /** The tags of its operations in the reference, with a sentence each. */
  tags?: Readonly<Record<string, string>>;
  partner_routes?: readonly Route[];
  general_routes?: readonly Route[];
  operator_routes?: readonly Route[];
  /** For people who are signed in to the portal. */
  portal_routes?: readonly Route[];
  /** For people who are about to sign in. */
  portal_public_routes?: readonly PublicRoute[];
  /** The e-mails that it sends, by kind. */
  mails?: Readonly<Record<string, Compose>>;
  /** Its scheduled jobs; `maintenance_at` is the quiet time of the day, as hours and minutes in UTC. */
  jobs?(services: Services, maintenance_at: string): Job[];
};
