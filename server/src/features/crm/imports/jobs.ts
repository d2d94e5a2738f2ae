import { firstIdAt } from "../../../kernel/ids.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import { createPoller, type Poller } from "../../../platform/jobs/poller.ts";
import type { Services } from "../../../platform/record/context.ts";
import { dropImages } from "../records/index.ts";
import { deleteOrphanedChunks } from "./file/queries.ts";
import { KEEP_DETAILS_MS } from "./model.ts";
import { clearDetails, importsFinishedBefore } from "./queries.ts";
import { workImport } from "./step.commands.ts";
import { nextImports } from "./step.queries.ts";

const DAY_MS = 86_400_000;
const BATCH = 100;

/** Runs imports, in any number of processes: one step of each partner in turn, so that a large file does not delay other partners. */
export function createImportWorker(services: Services, delayed: (error: unknown) => void): Poller {
  return createPoller(async (stopping) => {
    let busy = false;
    for (const next of await nextImports(services.db)) {
      if (stopping.aborted) return false;
      const progressed = await workImport(services, next).catch((error: unknown) => {
        delayed(error);
        return false;
      });
      busy ||= progressed;
    }
    return busy;
  }, delayed);
}

/** Deletes errors and images of old imports, and the files of incomplete uploads. */
export function importJobs(_services: Services, at: string): Job[] {
  return [
    {
      name: "import_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const now_ms = clock.now().getTime();
        await deleteOrphanedChunks(db, firstIdAt("import", now_ms - DAY_MS));
        let cleared = 0;
        for (let count = BATCH; count === BATCH; cleared += count) {
          const old = await importsFinishedBefore(db, new Date(now_ms - KEEP_DETAILS_MS), BATCH);
          for (const one of old) {
            await dropImages(db, one.partner_id, one.id);
            await clearDetails(db, one);
          }
          count = old.length;
        }
        return `${cleared} imports cleared`;
      },
    },
  ];
}
