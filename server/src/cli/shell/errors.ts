/** The command line was typed wrongly: exit code 2. */
export class UsageError extends Error {
  /** The command whose help shows how it is typed; null for that of all. */
  readonly command: string | null;

  constructor(message: string, command: string | null = null) {
    super(message);
    this.command = command;
  }
}

/** A command refused for a reason of its own: what is wrong, and the way out. */
export class CommandRefusal extends Error {
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}
