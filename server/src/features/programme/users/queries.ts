import { fail } from "../../../kernel/errors.ts";
import { listIdentity } from "../../../kernel/page.ts";
import type { ClientAccess, TenantScope } from "../../../kernel/principal.ts";
import { violatedConstraint } from "../../../platform/db/connection.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { UserCreate, UserListQuery } from "./schema.ts";

const USER_JSON = `(select row_to_json(x)::text from (select
    c.id, c.name, c.email, c.role, coalesce(to_json(c.clients), to_json('all'::text)) as accounts, c.state,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;
const USER_COLUMNS = `c.id, c.version, c.name, c.role, c.clients, c.state, ${USER_JSON} as json`;

/** A user as its row is read, with the JSON that the API shows of it. */
export type User = {
  id: string;
  version: number;
  name: string;
  role: UserCreate["role"] | "operator";
  accounts: ClientAccess;
  state: "invited" | "active";
  json: string;
};

type UserRow = Omit<User, "accounts"> & { clients: string[] | null };

const userOf = ({ clients, ...row }: UserRow): User => ({ ...row, accounts: clients ?? "all" });

const insertStatement = statement(`
  insert into users as c (id, partner_id, email, name, role, password_hash, clients, state, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, case when $6::text is null then 'invited' else 'active' end, $8, $8)
  returning ${USER_COLUMNS}`);

export type NewUser = {
  partner_id: string | null;
  email: string;
  name: string;
  role: UserCreate["role"] | "operator";
  accounts?: ClientAccess;
  /** Null for somebody who is invited and has not chosen one yet. */
  password_hash: string | null;
};

/** Adds a user. An address that is taken is refused in the same words whoever has it, so that nobody learns who else is here. */
export async function insertUser(tx: Tx, user: NewUser): Promise<User> {
  const { partner_id, email, name, role, password_hash, accounts = "all" } = user;
  const clients = accounts === "all" ? null : accounts;
  const values = [tx.newId("user"), partner_id, email, name, role, password_hash, clients, tx.now];
  try {
    return saved(await tx.query<UserRow>(insertStatement, values));
  } catch (error) {
    if (violatedConstraint(error) !== "users_email") throw error;
    fail("duplicate_user", { detail: `${email} is the address of another user.`, cause: error });
  }
}

const userById = statement(`select ${USER_COLUMNS} from users c where c.partner_id = $1 and c.id = $2`);
const lockUser = statement(`select ${USER_COLUMNS} from users c where c.partner_id = $1 and c.id = $2 for update`);

export async function userOrNull(db: Queryable, scope: TenantScope, id: string): Promise<User | null> {
  const [row] = await db.query<UserRow>(userById, [scope.partner_id, id]);
  return row === undefined ? null : userOf(row);
}

export async function userForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<User | null> {
  const [row] = await tx.query<UserRow>(lockUser, [scope.partner_id, id]);
  return row === undefined ? null : userOf(row);
}

export function usersPage(db: Queryable, { partner_id }: TenantScope, query: UserListQuery): Promise<{ json: string }> {
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("users", {}),
      table: "users",
      json: USER_JSON,
      sort: byCreation(true),
      conditions: () => [],
    },
    query,
  );
}

const ownersStatement = statement(`
  select c.id from users c
  where c.partner_id = $1 and c.role = 'owner' and c.state = 'active'
  order by c.id
  for update`);

/** The owners who can sign in, locked in one order, so that of two who are removed at once the second sees the first gone. */
export async function activeOwnersForUpdate(tx: Queryable, scope: TenantScope): Promise<string[]> {
  return (await tx.query<{ id: string }>(ownersStatement, [scope.partner_id])).map(({ id }) => id);
}

const updateStatement = statement(`
  update users c set name = $3, clients = $4, updated_at = $5, version = c.version + 1
  where c.partner_id = $1 and c.id = $2
  returning ${USER_COLUMNS}`);

/** Saves the fields of a user that was locked before. */
export async function saveFields(tx: Tx, scope: TenantScope, { id, name, accounts }: User): Promise<User> {
  const values = [scope.partner_id, id, name, accounts === "all" ? null : accounts, tx.now];
  return saved(await tx.query<UserRow>(updateStatement, values));
}

const removeStatement = statement("delete from users where partner_id = $1 and id = $2");

export async function removeUser(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.query(removeStatement, [scope.partner_id, id]);
}

function saved([row]: UserRow[]): User {
  if (row === undefined) throw new Error("the user was not saved");
  return userOf(row);
}
