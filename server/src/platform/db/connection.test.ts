import { expect, test } from "vitest";
import { violatedConstraint } from "./connection.ts";

function databaseError(code: string, message: string, constraint?: string): Error {
  return Object.assign(new Error(message), { code, ...(constraint === undefined ? {} : { constraint }) });
}

const duplicate = (name: string) => `duplicate key value violates unique constraint "${name}"`;

test.each([
  ["a single node names the constraint", databaseError("23505", duplicate("clients_2024"), "clients_2024"), "clients_2024"],
  [
    "a cluster names that of a shard in the message",
    databaseError("23505", duplicate("clients_external_id_102306")),
    "clients_external_id",
  ],
  ["a cluster's insert from a select is an internal error", databaseError("XX000", duplicate("keys_hash_102011")), "keys_hash"],
  [
    "a number that is no shard's belongs to the name",
    databaseError("23505", duplicate("audit_entries_2026_11_pkey")),
    "audit_entries_2026_11_pkey",
  ],
  ["an internal error of another kind", databaseError("XX000", "cache lookup failed for relation 1234567"), null],
  [
    "a violation of another constraint",
    databaseError("23503", "violates foreign key constraint", "contacts_partner_id_account_id_fkey"),
    null,
  ],
  ["an error without a code", new Error(duplicate("clients_external_id")), null],
])("%s", (_, error, name) => {
  expect(violatedConstraint(error)).toBe(name);
});
