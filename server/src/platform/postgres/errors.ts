/** The embedded database is not available: the message says what is wrong, the remedy how to fix it. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = "EmbeddedDatabaseError";
  readonly remedy: string;

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.remedy = remedy;
  }
}

export const OWN_SERVER_REMEDY = "Set DATABASE_URL to use a PostgreSQL server (15 or newer) of your own instead.";

/** The `code` of a Node or PostgreSQL error (`ENOENT`, `57P03`); null for anything else. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const FULL_DISK = /no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i;

export function isFullDiskError(text: string): boolean {
  return FULL_DISK.test(text);
}

export function fullDisk(folder: string, cause?: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The disk that holds ${folder} is full, so the database cannot run.`,
    "Free some space (about 200 MB for an empty database) and start again, or move DATA_DIR to a larger disk.",
    cause,
  );
}

/** Wraps errors of the file system, such as a read-only mount, in an EmbeddedDatabaseError. */
export function explainSystemError(error: unknown, dataDir: string): unknown {
  const code = errorCode(error);
  if (error instanceof EmbeddedDatabaseError || code === null) return error;
  if (isFullDiskError(code)) return fullDisk(dataDir, error);
  return new EmbeddedDatabaseError(
    `The embedded database could not be set up for ${dataDir}: ${errorText(error)}.`,
    `Check the folder and its file system, or choose another DATA_DIR. ${OWN_SERVER_REMEDY}`,
    error,
  );
}
