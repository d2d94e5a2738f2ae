import type { Job } from "../../../platform/jobs/job.ts";
import { createPoller, type Poller } from "../../../platform/jobs/poller.ts";
import type { Services } from "../../../platform/record/context.ts";
import { expireApprovals } from "./approvals/commands.ts";
import { expireSessions } from "./commands.ts";
import { type DueTurn, dueTurns } from "./turns/queries.ts";
import { workTurn } from "./turns/run.commands.ts";

/** Turns that a process runs at once: most of the time they wait for others. */
const SLOTS = 8;
const LOOK_AT = 200;

/** Runs the turns of agents, in any number of processes. Partners take turns, so that a busy one does not delay the others. */
export function createTurnWorker(services: Services, delayed: (error: unknown) => void): Poller {
  const running = new Map<string, Promise<void>>();
  let waiting: DueTurn[] = [];

  function fill(): void {
    while (running.size < SLOTS) {
      const next = waiting.shift();
      if (next === undefined) return;
      if (running.has(next.id)) continue;
      const work = workTurn(services, next)
        .catch(delayed)
        .finally(() => {
          running.delete(next.id);
          fill();
        });
      running.set(next.id, work);
    }
  }

  const poller = createPoller(async () => {
    waiting = inTurns(await dueTurns(services.db, services.clock.now(), LOOK_AT));
    fill();
    return false;
  }, delayed);

  return {
    start: poller.start,
    async stop() {
      waiting = [];
      await poller.stop();
      waiting = [];
      await Promise.all(running.values());
    },
  };
}

/** One turn of each partner after the other. */
function inTurns(due: readonly DueTurn[]): DueTurn[] {
  const places = new Map<string, number>();
  const placed = due.map((turn): [number, DueTurn] => {
    const place = places.get(turn.partner_id) ?? 0;
    places.set(turn.partner_id, place + 1);
    return [place, turn];
  });
  return placed.sort(([a], [b]) => a - b).map(([, turn]) => turn);
}

export function sessionJobs(services: Services): Job[] {
  return [
    {
      name: "agent_sessions",
      schedule: "*/10 * * * *",
      run: async () => {
        const [sessions, approvals] = [await expireSessions(services), await expireApprovals(services)];
        return `${sessions} sessions and ${approvals} approvals expired`;
      },
    },
  ];
}
