/** What identifies a person within an account. */
export type Identity = { phone: string | null; email: string | null; external_id: string | null };

/** A record that matches an identity, and the fields that match. */
export type Match = { id: string; matched_on: (keyof Identity)[] };

/** Whether a record matches an identity in any field. E-mail addresses are compared without case. */
export function hasIdentity(record: Identity, { phone, email, external_id }: Identity): boolean {
  const sameEmail = email !== null && record.email?.toLowerCase() === email.toLowerCase();
  return (phone !== null && record.phone === phone) || sameEmail || (external_id !== null && record.external_id === external_id);
}

export function namesOf(fields: readonly string[]): string {
  return fields.join(" and ").replaceAll("_", " ");
}
