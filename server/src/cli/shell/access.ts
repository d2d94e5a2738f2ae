import { setTimeout as sleep } from "node:timers/promises";
import { baseUrlOf, type Config } from "../../config.ts";
import { type Logins, openLogins, requireCurrent, StartError } from "../../installation.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { createSandboxReader, type SandboxReader } from "../../platform/db/sandbox-reader.ts";
import { createSessionCookie } from "../../platform/http/session-cookie.ts";
import { createOutbound } from "../../platform/net/outbound.ts";
import { locateDatabase } from "../../platform/postgres/index.ts";
import type { Hooks, Services } from "../../platform/record/context.ts";
import { createFollower } from "../../platform/record/follow.ts";

/** A command runs only a few queries at once. */
const CONNECTIONS_MAX = 4;
const CLOSE_WITHIN_MS = 1_000;

const hooks = async (): Promise<Hooks> => (await import("../../wiring.ts")).WIRING.hooks;

/** Imports the features behind the hooks at the first call: most commands need none, and it is a fifth of their time. */
const LAZY_HOOKS: Hooks = {
  furnish: async (...call) => (await hooks()).furnish(...call),
  updateClientClaims: async (...call) => (await hooks()).updateClientClaims(...call),
  stagesInUse: async (...call) => (await hooks()).stagesInUse(...call),
  stagesEverUsed: async (...call) => (await hooks()).stagesEverUsed(...call),
  leadsOf: async (...call) => (await hooks()).leadsOf(...call),
  eraseFailedRows: async (...call) => (await hooks()).eraseFailedRows(...call),
  erased: async (...call) => (await hooks()).erased(...call),
  contactInUse: async (...call) => (await hooks()).contactInUse(...call),
  messagesOf: async (...call) => (await hooks()).messagesOf(...call),
  paymentsOf: async (...call) => (await hooks()).paymentsOf(...call),
  received: async (...call) => (await hooks()).received(...call),
  passSuite: async (...call) => (await hooks()).passSuite(...call),
  checkDefaults: async (...call) => (await hooks()).checkDefaults(...call),
  installedRecords: async (...call) => (await hooks()).installedRecords(...call),
  endAccess: async (...call) => (await hooks()).endAccess(...call),
};

export type Access = {
  logins(options?: { make?: boolean }): Promise<Logins>;
  services(): Promise<Services>;
  close(): Promise<void>;
};

/** Access of a command to the installation: opened lazily, closed once at the end. */
export function createAccess(config: () => Config, warn: (message: string) => void): Access {
  let opened: Promise<Logins> | null = null;
  let db: Database | null = null;
  let reader: SandboxReader | null = null;

  async function open(make: boolean): Promise<Logins> {
    const { database_url, data_dir } = config();
    if (database_url === null && !make && !(await locateDatabase(data_dir)).made) {
      throw new StartError(
        `There is no database in ${data_dir} yet. Create it with tributary migrate or tributary serve, or set DATA_DIR to its folder.`,
      );
    }
    return openLogins(config(), warn);
  }

  function logins({ make = false } = {}): Promise<Logins> {
    opened ??= open(make);
    return opened;
  }

  return {
    logins,
    async services() {
      const { service, sandbox } = await logins();
      db ??= openDatabase(service, CONNECTIONS_MAX);
      await requireCurrent(db);
      const { fanOut } = await import("../../features/outbox/webhooks/index.ts");
      const { brand, egress, mail } = config();
      const baseUrl = () => baseUrlOf(config());
      const cookie = createSessionCookie(baseUrl);
      reader ??= createSandboxReader(db, sandbox, warn);
      return {
        db,
        sandbox: reader,
        clock: systemClock,
        sealer: { seal: refuseSealing, open: refuseSealing },
        signer: { sign: refuseSealing, verify: refuseSealing },
        admitWriter: async () => refuseCaller(),
        admitWork: async () => refuseCaller(),
        fanOut,
        hooks: LAZY_HOOKS,
        settings: { brand, egress, demo: false, smtp: mail !== null, baseUrl, cookie },
        follower: createFollower(db),
        outbound: createOutbound({ egress, baseUrl }),
        readiness: () => "ready",
      };
    },
    async close() {
      // A session that waits for a lock would delay the exit.
      await Promise.race([Promise.all([db?.close(), reader?.close()]), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      await (await opened?.catch(() => null))?.release();
    },
  };
}

function refuseSealing(): never {
  throw new Error("encryption and signatures need the secret key");
}

function refuseCaller(): never {
  throw new Error("the command line has no API caller");
}
