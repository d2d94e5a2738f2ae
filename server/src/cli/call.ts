import type { Config } from "../config.ts";
import type { Logins } from "../service.ts";

/** What a command is run with. */
export type Call<Args, Options> = {
  args: Args;
  options: Options;
  out: {
    json: boolean;
    result(value: unknown, lines: () => readonly string[]): void;
    note(text: string): void;
  };
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  config(): Config;
  /** Both logins of the database; an embedded one is joined or started, and let go of when the command ends. */
  logins(options?: { make?: boolean }): Promise<Logins>;
};
