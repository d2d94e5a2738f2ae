/** What tells one person from another in an account. */
export type Identity = { phone: string | null; email: string | null; external_id: string | null };

/** A record that has some of an identity, and what of it. */
export type Match = { id: string; matched_on: (keyof Identity)[] };

/** Whether a record has any of an identity. The case of an e-mail address does not matter. */
export function hasIdentity(record: Identity, { phone, email, external_id }: Identity): boolean {
  const sameEmail = email !== null && record.email?.toLowerCase() === email.toLowerCase();
  return (phone !== null && record.phone === phone) || sameEmail || (external_id !== null && record.external_id === external_id);
}

export function namesOf(fields: readonly string[]): string {
  return fields.join(" and ").replaceAll("_", " ");
}
