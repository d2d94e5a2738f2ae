import { readFile } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { type Logins, MIGRATIONS, secretKeyFile } from "../../installation.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createSealer } from "../../platform/crypto/seal.ts";
import { clusterNodes, imbalanceOf } from "../../platform/db/cluster.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { readMigrations } from "../../platform/db/migrate.ts";
import { sandboxFaults } from "../../platform/db/sandbox-reader.ts";
import { sealedReplyOrNull } from "../../platform/record/idempotency.ts";
import { appliedMigrations, changeableTables, type ServerFacts, serverFacts } from "../queries.ts";
import { explain } from "../shell/problem.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { checkMode } from "./folder.ts";

type SealedSample = NonNullable<Awaited<ReturnType<typeof sealedReplyOrNull>>>;

const OLDEST_VERSION = 150_000;

/** The checks of the database, as far as it is reachable. */
export async function checkDatabase(config: Config, open: () => Promise<Logins>, clock: Clock): Promise<Finding[]> {
  let logins: Logins;
  try {
    logins = await open();
  } catch (error) {
    return [unreachable("database", error)];
  }
  const service = openDatabase(logins.service, 2);
  const owner = openDatabase(logins.owner, 1);
  try {
    const asked_ms = clock.now().getTime();
    const facts = await serverFacts(service).catch((error) => unreachable("database", error));
    if ("check" in facts) return [facts];
    const offset_ms = facts.time_ms - (asked_ms + clock.now().getTime()) / 2;
    const owning = await serverFacts(owner).catch((error) => unreachable("database logins", error));
    const migrations = await checkMigrations(service);
    return [
      ok("database", `Database ${facts.database} answers.`),
      checkVersion(facts),
      checkEncoding(facts),
      "check" in owning ? owning : checkLogins(facts, owning),
      migrations,
      ...(await checkCluster(service)),
      await checkSandbox(logins),
      ...(migrations.status === "fail"
        ? []
        : [await checkAppendOnly(service, facts, "login" in owning && owning.login === facts.login)]),
      ...(await checkSecretKey(config, migrations.status === "fail" ? null : await sealedSampleOrNull(service))),
      judgeClock(offset_ms),
    ];
  } finally {
    await Promise.all([service.close(), owner.close()]);
  }
}

/** A sample that the secret key encrypted: a webhook secret, or a stored reply with a secret. */
async function sealedSampleOrNull(db: Database): Promise<SealedSample | null> {
  const { sealedSecretOrNull } = await import("../../features/outbox/webhooks/index.ts");
  return (await sealedSecretOrNull(db)) ?? sealedReplyOrNull(db);
}

function unreachable(check: string, error: unknown): Finding {
  const { message, remedy } = explain(error);
  return fail(check, message, remedy ?? "Fix that, then run doctor again.");
}

function checkVersion({ version, version_number }: ServerFacts): Finding {
  if (version_number >= OLDEST_VERSION) return ok("database version", `PostgreSQL ${version}.`);
  return fail("database version", `PostgreSQL ${version} is too old.`, "Use PostgreSQL 15 or newer.");
}

function checkEncoding({ encoding, database }: ServerFacts): Finding {
  if (encoding === "UTF8") return ok("database encoding", "UTF-8.");
  return fail(
    "database encoding",
    `The database ${database} is encoded in ${encoding}, so text would be corrupted.`,
    `Create another one: create database … encoding 'UTF8' template template0`,
  );
}

/** One login works, but nothing else would show what protection is lost. */
function checkLogins(service: ServerFacts, owner: ServerFacts): Finding {
  if (service.login !== owner.login)
    return ok("database logins", `${owner.login} owns the tables, ${service.login} reads and writes them.`);
  return warn(
    "database logins",
    `${service.login} both owns the tables and runs the service: the database cannot protect events and audit entries from changes by the service.`,
    "Create a second login and set DATABASE_OWNER_URL to the one that owns the tables (docs/configuration.md).",
  );
}

/** From here on, rebalancing is worth its time. */
const IMBALANCE_MAX = 0.25;

/** Nothing where the database is on one node. */
async function checkCluster(db: Database): Promise<Finding[]> {
  const nodes = await clusterNodes(db);
  if (nodes === null) return [];
  const down = nodes.filter(({ active }) => !active).map(({ address }) => address);
  if (down.length > 0)
    return [
      fail(
        "cluster",
        `${down.join(", ")} is not active.`,
        "Bring it back, then run citus_activate_node('HOST', PORT) on the coordinator.",
      ),
    ];
  const workers = nodes.filter(({ role }) => role === "worker");
  const spread = `${workers.length} workers with ${workers.map(({ shards }) => shards).join(", ")} shards.`;
  if (imbalanceOf(nodes) <= IMBALANCE_MAX) return [ok("cluster", spread)];
  return [
    warn("cluster", `The load is not balanced: ${spread}`, "Run citus_rebalance_start() on the coordinator: docs/cluster.md."),
  ];
}

/** The sandbox works with the login of the service, too; what is lost is that the database itself forbids it to write. */
async function checkSandbox({ sandbox }: Logins): Promise<Finding> {
  const remedy = "Create a login that can do nothing, and set SANDBOX_DATABASE_URL to it (docs/operations.md).";
  if (sandbox === null) return warn("sandbox login", "The sandbox of agents reads with the login of the service.", remedy);
  const db = openDatabase(sandbox, 1);
  try {
    const faults = await sandboxFaults(db);
    if (faults.length === 0) return ok("sandbox login", `${sandbox.user} reads one account at a time and can do nothing else.`);
    return warn(
      "sandbox login",
      `${sandbox.user} is not used, because it ${faults.join(", ")}: the sandbox reads with the login of the service.`,
      "Start the service once, which grants what it needs, and revoke the rest (docs/operations.md).",
    );
  } catch (error) {
    return unreachable("sandbox login", error);
  } finally {
    await db.close();
  }
}

async function checkMigrations(db: Database): Promise<Finding> {
  const migrations = await readMigrations(MIGRATIONS);
  const known = migrations.at(-1)?.number ?? 0;
  const applied = await appliedMigrations(db).catch((error) => (error.code === "42P01" ? [] : unreachable("migrations", error)));
  if ("check" in applied) return applied;
  const changed = migrations.find(({ number, checksum }) =>
    applied.some((row) => row.number === number && row.checksum !== checksum),
  );
  if (changed !== undefined) {
    return fail(
      "migrations",
      `${changed.file} has changed since it was applied.`,
      "Restore the file: migrations never change once released.",
    );
  }
  const has = applied.at(-1)?.number ?? 0;
  if (has < known) return fail("migrations", `The database is at migration ${has} of ${known}.`, "tributary migrate");
  if (has > known)
    return warn(
      "migrations",
      `The database is at migration ${has}, newer than the ${known} of this version.`,
      "Update Tributary.",
    );
  return ok("migrations", `All ${applied.length} migrations are applied.`);
}

async function checkAppendOnly(db: Database, { login, superuser }: ServerFacts, one_login: boolean): Promise<Finding> {
  const { tables, append_only } = await changeableTables(db);
  if (tables.length === 0) return ok("append-only tables", `${login} cannot rewrite the rows of ${append_only} tables.`);
  const names = tables.length > 3 ? `${tables.slice(0, 3).join(", ")} and ${tables.length - 3} more` : tables.join(", ");
  const message = `${superuser ? `${login} is a superuser and` : login} can update or delete rows of ${names}.`;
  if (one_login) return warn("append-only tables", message, "Use a second login: see database logins.");
  return fail(
    "append-only tables",
    message,
    superuser
      ? `Revoke that privilege: alter role ${login} nosuperuser`
      : `Revoke those privileges: revoke update, delete, truncate on ${tables[0]} from ${login}, and its membership in the role that owns the table.`,
  );
}

const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 60_000;

/** Timestamps come from both clocks, so they must agree. */
export function judgeClock(offset_ms: number): Finding {
  const away_ms = Math.abs(offset_ms);
  const message = `The database's clock is ${(away_ms / 1000).toFixed(1)} s ${offset_ms < 0 ? "behind" : "ahead of"} this machine's.`;
  const remedy = "Synchronise both machines with NTP.";
  if (away_ms >= CLOCK_FAIL_MS) return fail("clock", message, remedy);
  return away_ms >= CLOCK_WARN_MS
    ? warn("clock", message, remedy)
    : ok("clock", "The clocks of this machine and the database agree.");
}

/** The key that encrypts secrets at rest: present, private, and the one that the secrets were encrypted with. */
async function checkSecretKey({ secret_key, data_dir }: Config, sample: SealedSample | null): Promise<Finding[]> {
  const file = secretKeyFile(data_dir);
  const mode = secret_key === null ? await checkMode("secret key", file) : null;
  const key = secret_key ?? (await readFile(file, "utf8").catch(() => null));
  if (key === null) {
    const lost = sample === null ? "the next start generates a new one" : "encrypted secrets in the database cannot be read";
    return [
      fail(
        "secret key",
        `${file} is missing: ${lost}.`,
        "Restore it from your backup; without it, the encrypted secrets are lost.",
      ),
    ];
  }
  if (key.length < 32) return [fail("secret key", `${file} is damaged: it is too short.`, "Restore it from your backup.")];
  const found = mode ?? ok("secret key", "SECRET_KEY is set.");
  if (sample === null) return [found];
  try {
    createSealer(key).open(sample.sealed, sample.purpose);
    return [found, ok("encrypted secrets", "The secret key decrypts the secrets in the database.")];
  } catch {
    const remedy = "Restore the key that was in use: SECRET_KEY, or secret.key in DATA_DIR.";
    return [found, fail("encrypted secrets", "The secret key does not decrypt the secrets in the database.", remedy)];
  }
}
