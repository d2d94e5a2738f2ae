import type { Account } from "./account.ts";
import { EmbeddedDatabaseError, errorCode, errorText, OWN_SERVER_REMEDY } from "./errors.ts";

/** Says why the system would not even start a program of PostgreSQL. */
export function spawnRefused(program: string, account: Account, error: Error): EmbeddedDatabaseError {
  if (account.borrowed && ["EPERM", "EINVAL"].includes(errorCode(error) ?? "")) {
    return new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and here root may not act as user ${account.name}.`,
      `Start as an ordinary user. ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
  if (errorCode(error) === "ENOENT") {
    return new EmbeddedDatabaseError(
      `${program} cannot run here: it is missing, or made for another C library (these builds need glibc).`,
      `Run npm install again, or use a glibc system (not Alpine). ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
  return new EmbeddedDatabaseError(`${program} cannot be run: ${errorText(error)}.`, OWN_SERVER_REMEDY, error);
}
