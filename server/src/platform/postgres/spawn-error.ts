import type { Account } from "./account.ts";
import { EmbeddedDatabaseError, errorCode, errorText, OWN_SERVER_REMEDY } from "./errors.ts";

/** Explains why the system could not start a program of PostgreSQL. */
export function spawnError(program: string, account: Account, error: Error): EmbeddedDatabaseError {
  if (account.borrowed && ["EPERM", "EINVAL"].includes(errorCode(error) ?? "")) {
    return new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and root is not allowed to start it as user ${account.name}.`,
      `Start as an ordinary user. ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
  if (errorCode(error) === "ENOENT") {
    return new EmbeddedDatabaseError(
      `${program} cannot run here: it is missing, or built for another C library (these builds need glibc).`,
      `Run npm install again, or use a glibc system (not Alpine). ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
  return new EmbeddedDatabaseError(`${program} cannot be started: ${errorText(error)}.`, OWN_SERVER_REMEDY, error);
}
