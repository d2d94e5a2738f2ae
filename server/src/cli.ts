import { COMMANDS, GROUPS } from "./cli/commands.ts";
import { runCommandLine } from "./cli/shell/run.ts";

const code = await runCommandLine({ commands: COMMANDS, groups: GROUPS }, process.argv.slice(2));
if (code !== null) process.exit(code);
