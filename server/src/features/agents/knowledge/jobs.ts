import type { Job } from "../../../platform/jobs/job.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { fetchPage } from "./fetch.commands.ts";
import { duePages, type Page, sourceForUpdateOrNull } from "./queries.ts";
import { storeFetched, takeTurnOf } from "./store.commands.ts";

const BATCH = 40;
/** Each waits for another server. */
const AT_ONCE = 8;

/** Fetches the pages that are due. Returns how many. */
export async function fetchDuePages(services: Services): Promise<number> {
  const due = await duePages(services.db, services.clock.now(), BATCH);
  for (let from = 0; from < due.length; from += AT_ONCE)
    await Promise.all(due.slice(from, from + AT_ONCE).map((page) => refresh(services, page)));
  return due.length;
}

async function refresh(services: Services, page: Page): Promise<void> {
  const ctx = createContext(services, { principal: { type: "system", partner_id: page.partner_id } });
  const fetched = await fetchPage(ctx, page);
  await ctx.tx(async (tx) => {
    await takeTurnOf(tx, page.account_id);
    const source = await sourceForUpdateOrNull(tx, ctx.scope, page.id);
    if (source !== null) await storeFetched(ctx, tx, source, page.url, fetched);
  });
}

export function knowledgeJobs(services: Services): Job[] {
  return [{ name: "knowledge_pages", schedule: "* * * * *", run: async () => `${await fetchDuePages(services)} pages fetched` }];
}
