import { serve } from "./serve.ts";
import type { Command } from "./shell/command.ts";

/** Every command, in the order of help and of docs/command-line.md. */
export const COMMANDS: readonly Command[] = [serve];

/** What the commands of a group are about. */
export const GROUPS: Record<string, string> = {
  partners: "Partners of the programme",
  users: "Users of a partner",
  keys: "API keys of partners and of the operator",
  clients: "Client accounts of a partner",
  events: "What happened, in order",
};
