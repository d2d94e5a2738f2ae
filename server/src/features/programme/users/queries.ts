import { fail } from "../../../kernel/errors.ts";
import { listIdentity } from "../../../kernel/page.ts";
import type { ClientAccess, TenantScope } from "../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { violatedConstraint } from "../../../platform/db/connection.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { type UserCreate, type UserListQuery, User as UserSchema, type UserShown } from "./schema.ts";

const USER_JSON = rowJson(UserSchema, { accounts: "coalesce(to_json(c.clients), to_json('all'::text))" });

/** A user as the API shows it, with its JSON. */
export type User = UserShown & { etag: string; json: string };

/** The last visit is part of the representation but changes no version, so the ETag includes it. */
function userOf(rows: { json: string }[]): User | null {
  const user = parsedRow<UserShown>(rows);
  if (user === null) return null;
  return { ...user, etag: user.last_seen_at === null ? `${user.version}` : `${user.version}-${Date.parse(user.last_seen_at)}` };
}

/** The column is null for access to all clients. */
const clientsOf = (accounts: ClientAccess) => (accounts === "all" ? null : accounts);

const INSERTED = [
  "id",
  "partner_id",
  "email",
  "name",
  "role",
  "password_hash",
  "clients",
  "state",
  "created_at",
  "updated_at",
] as const;

const insertStatement = statement(`
  with c as (insert into users ${insertValues(INSERTED)} returning *)
  select ${USER_JSON} as json from c`);

export type NewUser = {
  partner_id: string | null;
  email: string;
  name: string;
  role: UserCreate["role"] | "operator";
  accounts?: ClientAccess;
  /** Null for an invited user, who has not chosen a password yet. */
  password_hash: string | null;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<User> {
  const row = {
    ...user,
    id: tx.newId("user"),
    clients: clientsOf(user.accounts ?? "all"),
    state: user.password_hash === null ? "invited" : "active",
    created_at: tx.now,
    updated_at: tx.now,
  };
  return savedUnlessTaken(user.email, () => tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const userById = statement(`select ${USER_JSON} as json from users c where c.partner_id = $1 and c.id = $2`);
const lockUser = statement(`select ${USER_JSON} as json from users c where c.partner_id = $1 and c.id = $2 for update`);

export async function userOrNull(db: Queryable, scope: TenantScope, id: string): Promise<User | null> {
  return userOf(await db.query(userById, [scope.partner_id, id]));
}

export async function userForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<User | null> {
  return userOf(await tx.query(lockUser, [scope.partner_id, id]));
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
  where c.partner_id = $1 and c.role = 'owner' and c.state = 'active' and c.clients is null
  order by c.id
  for update`);

/** The owners who can sign in and have all accounts, locked in one order: the second of two concurrent removals sees the first. */
export async function administratorsForUpdate(tx: Queryable, scope: TenantScope): Promise<string[]> {
  return (await tx.query<{ id: string }>(ownersStatement, [scope.partner_id])).map(({ id }) => id);
}

const updateStatement = statement(`
  with c as (
    update users set name = $3, email = $4, role = $5, clients = $6, updated_at = $7, version = version + 1,
      narrowed_version = case when $8 then version + 1 else narrowed_version end
    where partner_id = $1 and id = $2
    returning *
  )
  select ${USER_JSON} as json from c`);

/** Saves the fields of a user that was locked before, and whether the user loses a right by them. */
export function updateFields(tx: Tx, scope: TenantScope, user: User, narrows: boolean): Promise<User> {
  const { id, name, email, role, accounts } = user;
  const values = [scope.partner_id, id, name, email, role, clientsOf(accounts), tx.now, narrows];
  return savedUnlessTaken(email, () => tx.query(updateStatement, values));
}

const renameStatement = statement(`
  update users set name = $2, updated_at = $3, version = version + 1
  where id = $1 and name <> $2
  returning id`);

/** Saves the name of a user. False if it was the name already. */
export async function saveName(tx: Tx, id: string, name: string): Promise<boolean> {
  return (await tx.query(renameStatement, [id, name, tx.now])).length > 0;
}

const removeStatement = statement("delete from users where partner_id = $1 and id = $2");

export async function removeUser(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.query(removeStatement, [scope.partner_id, id]);
}

const passwordStatement = statement("update users set password_hash = $2 where id = $1");

export async function savePassword(tx: Tx, id: string, password_hash: string): Promise<void> {
  await tx.query(passwordStatement, [id, password_hash]);
}

const activateStatement = statement(`
  update users set password_hash = $2, name = coalesce($3, name), state = 'active', updated_at = $4, version = version + 1
  where id = $1 and state = 'invited'
  returning id`);

/** Lets an invited user sign in from now on. False if the user is no longer invited. */
export async function activateUser(tx: Tx, id: string, password_hash: string, name: string | null): Promise<boolean> {
  return (await tx.query(activateStatement, [id, password_hash, name, tx.now])).length > 0;
}

const seenStatement = statement(`
  update users c set last_seen_at = u.at
  from unnest($1::text[], $2::timestamptz[]) as u (id, at)
  where c.id = u.id and (c.last_seen_at is null or c.last_seen_at < u.at)`);

export async function saveLastSeen(db: Queryable, seen: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(seenStatement, [[...seen.keys()], [...seen.values()]]);
}

/** The refusal of an address that is taken is the same whoever has it, so as not to reveal who else is here. */
async function savedUnlessTaken(email: string, write: () => Promise<{ json: string }[]>): Promise<User> {
  try {
    const user = userOf(await write());
    if (user === null) throw new Error("the user was not saved");
    return user;
  } catch (error) {
    if (violatedConstraint(error) !== "users_email") throw error;
    fail("duplicate_user", { detail: `${email} is the address of another user.`, cause: error });
  }
}
