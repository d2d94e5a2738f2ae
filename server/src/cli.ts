import { COMMANDS, GROUPS } from "./cli/commands.ts";
import { runCommandLine } from "./cli/shell/run.ts";

const code = await runCommandLine({ commands: COMMANDS, groups: GROUPS }, process.argv.slice(2));
if (code !== null) {
  // A pipe may still hold what was written: the end of the process would cut it off.
  for (const output of [process.stdout, process.stderr]) await new Promise((resolve) => output.write("", resolve));
  process.exit(code);
}
