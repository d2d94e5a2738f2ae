import type { Connection } from "./connection.ts";
import { type Database, openDatabase } from "./database.ts";
import { type Queryable, statement } from "./statement.ts";

const CONNECTIONS_MAX = 2;

/** Reads one account for runs of the sandbox, as it is at one moment, in a transaction that cannot write. */
export type SandboxReader = {
  read<T>(account: { partner_id: string; account_id: string }, body: (db: Queryable) => Promise<T>): Promise<T>;
  /** `own`: with a login that can do nothing else; `shared`: with that of the service, whose queries name the partner. */
  login(): Promise<"own" | "shared">;
  close(): Promise<void>;
};

const readOnly = statement("set transaction isolation level repeatable read, read only");
/** Pins the mode: after a query it cannot be changed any more. */
const pin = statement(
  "select set_config('tributary.pass', $1, true) as pass, set_config('search_path', coalesce($2, current_setting('search_path')), true) as path",
);
const passStatement = statement("select sandbox_world.pass($1, $2) as pass");

/** The reader of a process. A login whose rights are too wide, or that finds nothing to read, is not used: `warn` tells why. */
export function createSandboxReader(
  service: Database,
  connection: Connection | null | undefined,
  warn: (message: string) => void = () => undefined,
): SandboxReader {
  let own: Promise<Database | null> | null = null;

  async function open(): Promise<Database | null> {
    if (connection === null || connection === undefined) return null;
    const db = openDatabase(connection, CONNECTIONS_MAX);
    try {
      const faults = await sandboxFaults(db);
      if (faults.length === 0) return db;
      warn(`The sandbox reads with the login of the service, because its own ${faults.join(", ")}.`);
    } catch (error) {
      await db.close();
      throw error;
    }
    await db.close();
    return null;
  }

  function ready(): Promise<Database | null> {
    own ??= open().catch((error: unknown) => {
      own = null;
      throw error;
    });
    return own;
  }

  return {
    async read({ partner_id, account_id }, body) {
      const db = await ready();
      const [row] = db === null ? [] : await service.query<{ pass: string }>(passStatement, [partner_id, account_id]);
      // What is in `public` besides tables, on which the login has no rights: the functions of extensions.
      const [pass, path] = row === undefined ? ["", null] : [row.pass, "sandbox_world, public"];
      return (db ?? service).transaction(() => ({
        open: async (tx) => void (await Promise.all([tx.query(readOnly), tx.query(pin, [pass, path])])),
        run: body,
        close: () => [],
      }));
    },
    login: async () => ((await ready()) === null ? "shared" : "own"),
    async close() {
      await (await own?.catch(() => null))?.close();
    },
  };
}

const faultsStatement = statement(`
  select array_remove(array[
    case when r.rolsuper or r.rolcreatedb or r.rolcreaterole or r.rolreplication or r.rolbypassrls then 'has rights over the server' end,
    case when exists (select from pg_auth_members m where m.member = r.oid) then 'is a member of another role' end,
    case when has_database_privilege(current_database(), 'CREATE') then 'can create schemas' end,
    case when has_database_privilege(current_database(), 'TEMPORARY') then 'can create temporary tables' end,
    case when has_schema_privilege('public', 'CREATE') then 'can create tables' end,
    case when exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')) then 'has rights on tables' end,
    case when has_function_privilege('pg_advisory_lock(bigint)', 'EXECUTE') then 'can take advisory locks' end,
    case when has_function_privilege('pg_notify(text, text)', 'EXECUTE') then 'can notify' end,
    case when to_regnamespace('sandbox_world') is null or not has_schema_privilege('sandbox_world', 'USAGE') then 'finds nothing to read' end
  ], null) as faults
  from pg_roles r where r.rolname = current_user`);

/** What a login can do that the sandbox must not; nothing where it fits. */
export async function sandboxFaults(db: Queryable): Promise<string[]> {
  const [row] = await db.query<{ faults: string[] }>(faultsStatement);
  return row?.faults ?? ["does not exist"];
}
