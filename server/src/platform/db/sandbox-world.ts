import { createHash } from "node:crypto";
import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";

/** Where the login of the sandbox finds what it may read. Migrations and restores drop it, because views hold on to columns. */
export const SANDBOX_SCHEMA = "sandbox_world";
export const DROP_SANDBOX_WORLD = `drop schema if exists ${SANDBOX_SCHEMA} cascade`;

const LOCK_KEY = 7_214_003;

/** What agents see of an account, with the condition that a row `t` is of the account `a`. */
const VISIBLE: Readonly<Record<string, string>> = {
  clients: "t.id = a.account_id",
  contacts: "t.account_id = a.account_id",
  leads: "t.account_id = a.account_id",
  deals: "t.account_id = a.account_id",
  knowledge_sources: "t.account_id = a.account_id",
  knowledge_chunks: "t.account_id = a.account_id",
  pipelines: "t.account_id = a.account_id",
  stages: `exists (select from public.pipelines p
      where p.partner_id = t.partner_id and p.id = t.pipeline_id and p.account_id = a.account_id)`,
};

/** A pass names an account and a time, signed with a secret that neither login can read: whoever has none sees no rows. */
const SIGNED = (text: string) => `encode(sha256(k.secret || sha256(k.secret || convert_to(${text}, 'UTF8'))), 'hex')`;
const part = (number: number) => `split_part(current_setting('tributary.pass', true), '|', ${number})`;
const NAMED = `${part(1)} || '|' || ${part(2)} || '|' || ${part(3)}`;

const SECRET = `
  create table ${SANDBOX_SCHEMA}.secret (secret bytea not null);
  insert into ${SANDBOX_SCHEMA}.secret values (sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea))`;

const FUNCTIONS = `
  create function ${SANDBOX_SCHEMA}.pass(partner_id text, account_id text) returns text
    language sql volatile security definer set search_path = pg_catalog
    return (
      select named.text || '|' || ${SIGNED("named.text")} from ${SANDBOX_SCHEMA}.secret k,
        lateral (select partner_id || '|' || account_id || '|' || (extract(epoch from clock_timestamp()) + 300)::bigint as text) named);
  create function ${SANDBOX_SCHEMA}.account(out partner_id text, out account_id text) returns setof record
    language sql stable security definer set search_path = pg_catalog
    begin atomic
      select ${part(1)}, ${part(2)} from ${SANDBOX_SCHEMA}.secret k
      where ${part(4)} = ${SIGNED(NAMED)} and nullif(${part(3)}, '')::bigint > extract(epoch from clock_timestamp());
    end`;

const viewOf = ([table, condition]: [string, string]) => `
  create view ${SANDBOX_SCHEMA}.${table} with (security_barrier) as
    select t.* from ${SANDBOX_SCHEMA}.account() a join public.${table} t on t.partner_id = a.partner_id and ${condition}`;

function statements(serviceRole: string, sandboxRole: string): string[] {
  const [service, sandbox] = [pg.escapeIdentifier(serviceRole), pg.escapeIdentifier(sandboxRole)];
  const views = Object.keys(VISIBLE).map((table) => `${SANDBOX_SCHEMA}.${table}`);
  return [
    DROP_SANDBOX_WORLD,
    `create schema ${SANDBOX_SCHEMA}`,
    SECRET,
    FUNCTIONS,
    ...Object.entries(VISIBLE).map(viewOf),
    `revoke all on all functions in schema ${SANDBOX_SCHEMA} from public`,
    `grant usage on schema ${SANDBOX_SCHEMA} to ${sandbox}, ${service}`,
    `grant execute on function ${SANDBOX_SCHEMA}.pass to ${service}`,
    `grant execute on function ${SANDBOX_SCHEMA}.account to ${sandbox}`,
    `grant select on ${views.join(", ")} to ${sandbox}`,
  ];
}

/**
 * Makes what the login of the sandbox may read, unless it is there: after a migration, a restore, or for a login that is new. Temporary
 * tables are taken from everybody but the owner and the service.
 */
export async function makeSandboxWorld(owner: Connection, serviceRole: string, sandboxRole: string): Promise<void> {
  const client = new pg.Client({ ...connectionSettings(owner, "sandbox world"), lock_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const wanted = statements(serviceRole, sandboxRole);
    const hash = createHash("sha256").update(wanted.join("\n")).digest("hex");
    if (await isMade(client, hash)) return;
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [LOCK_KEY]);
    if (!(await isMade(client, hash))) {
      for (const statement of wanted) await client.query(statement);
      await client.query(`comment on schema ${SANDBOX_SCHEMA} is '${hash}'`);
      await withoutTemporary(client, serviceRole);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function isMade(client: pg.Client, hash: string): Promise<boolean> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regnamespace('${SANDBOX_SCHEMA}')::oid, 'pg_namespace') as comment`,
  );
  return rows[0]?.comment === hash;
}

async function withoutTemporary(client: pg.Client, serviceRole: string): Promise<void> {
  const { rows } = await client.query<{ name: string; owns: boolean }>(`
    select d.datname as name, pg_has_role(d.datdba, 'usage') as owns from pg_database d where d.datname = current_database()`);
  const [database] = rows;
  if (database?.owns !== true) return;
  const name = pg.escapeIdentifier(database.name);
  await client.query(`revoke temporary on database ${name} from public`);
  await client.query(`grant temporary on database ${name} to ${pg.escapeIdentifier(serviceRole)}`);
}
