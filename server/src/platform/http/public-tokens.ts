import { randomBytes } from "node:crypto";
import { type Query, type Queryable, statement } from "../db/statement.ts";

/** What a public path begins with: /chat, /hooks or /pay. */
export type TokenKind = "chat" | "hook" | "pay";

export type TokenTarget = { kind: TokenKind; partner_id: string; target_id: string };

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 77 bits. */
const LENGTH = 13;
const PATTERN = /^[0-9A-Za-z]{13}$/;

/** A random token. Bytes beyond the last whole multiple of 62 are left out, so that every letter is equally likely. */
export function randomToken(): string {
  let token = "";
  while (token.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < 248 && token.length < LENGTH) token += ALPHABET[byte % 62];
    }
  }
  return token;
}

const insertStatement = statement("insert into public_tokens (token, kind, partner_id, target_id) values ($1, $2, $3, $4)");

/** Gives something a token, by which strangers name it in a path. */
export async function newToken(tx: Queryable, kind: TokenKind, partner_id: string, target_id: string): Promise<string> {
  const token = randomToken();
  const { statement, values } = tokenQuery(token, { kind, partner_id, target_id });
  await tx.query(statement, values);
  return token;
}

/** The write that gives something a random token. */
export function tokenQuery(token: string, { kind, partner_id, target_id }: TokenTarget): Query {
  return { statement: insertStatement, values: [token, kind, partner_id, target_id] };
}

const targetByToken = statement("select t.kind, t.partner_id, t.target_id from public_tokens t where t.token = $1");

/** What a token stands for; null if it stands for nothing. */
export async function tokenTarget(db: Queryable, token: string): Promise<TokenTarget | null> {
  if (!PATTERN.test(token)) return null;
  const [row] = await db.query<TokenTarget>(targetByToken, [token]);
  return row ?? null;
}

const deleteStatement = statement("delete from public_tokens where token = $1");

/** Ends a token: its path is not found any more. */
export async function removeToken(tx: Queryable, token: string): Promise<void> {
  await tx.query(deleteStatement, [token]);
}
