// Writes docs/command-line.md from the table of commands.
import { writeFile } from "node:fs/promises";
import { COMMANDS } from "../src/cli/commands.ts";
import { renderPage } from "../src/cli/shell/page.ts";

await writeFile(new URL("../../docs/command-line.md", import.meta.url), renderPage(COMMANDS));
