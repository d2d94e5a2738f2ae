import type { Signer } from "../../../platform/crypto/sign.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Consent } from "./adapter.ts";
import { insertOptOut, optOutAtOrNull, removeOptOut } from "./opt-outs.queries.ts";

/** An address of an account's channels of a kind. */
export type OptOutAddress = { partner_id: string; account_id: string; kind: Consent; address: string };

/** The row of an address: a keyed hash, so that the table tells nobody's address and still knows it again. */
function rowOf(signer: Signer, { address, ...rest }: OptOutAddress) {
  const purpose = `opt-out ${rest.partner_id} ${rest.account_id} ${rest.kind}`;
  return { ...rest, hash: Buffer.from(signer.sign(address.trim().toLowerCase(), purpose), "base64url") };
}

/** When an address last asked not to be written to, or null. It holds although the person was deleted, erased or imported again. */
export function optedOutAt(db: Queryable, signer: Signer, of: OptOutAddress): Promise<Date | null> {
  return optOutAtOrNull(db, rowOf(signer, of));
}

export function optOut(tx: Tx, signer: Signer, of: OptOutAddress): Promise<void> {
  return insertOptOut(tx, rowOf(signer, of), tx.now);
}

/** The person asked to be written to again. */
export function optIn(tx: Tx, signer: Signer, of: OptOutAddress): Promise<void> {
  return removeOptOut(tx, rowOf(signer, of));
}
