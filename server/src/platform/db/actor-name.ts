/**
 * SQL for the name of the key or user with an id: null for the service itself, and once removed. It is looked up when it is read,
 * and stored nowhere else, so that a renaming counts and an erasure is complete. A partner sees the names of its own keys and
 * users; without a partner, which is for the operator, everybody's.
 */
export function actorName(id: string, partner_id: string | null): string {
  const nameIn = (table: "users" | "keys") =>
    `(select n.name from ${table} n where n.id = ${id}${partner_id === null ? "" : ` and n.partner_id = ${partner_id}`})`;
  return `coalesce(${nameIn("users")}, ${nameIn("keys")})`;
}
