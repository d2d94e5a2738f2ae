/** Wrong usage of the command line: exit code 2. */
export class UsageError extends Error {
  /** The command whose help to show; null for the general help. */
  readonly command: string | null;

  constructor(message: string, command: string | null = null) {
    super(message);
    this.command = command;
  }
}

/** An error of a command: what is wrong, and how to fix it. */
export class CommandRefusal extends Error {
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}
