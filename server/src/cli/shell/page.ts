import type { Command } from "./command.ts";
import { describe, describeArgument, EXIT_CODES, optionLine, usageLine } from "./help.ts";
import { GLOBAL_OPTIONS } from "./parse.ts";

const INTRODUCTION = `# Command line

<!-- Generated from server/src/cli by \`npm run commands\`; do not edit. -->

From the root of a clone, with or without a running service:

\`\`\`sh
npx tributary status
npx tributary keys create --partner northwind --name "Billing sync" --scopes clients:read,events:read --expires-in 90d
npx tributary events tail --partner northwind
\`\`\`

\`tributary --help\`, \`tributary keys --help\` and \`tributary keys create --help\` show the content of this page.

- **Database.** Commands work on the database directly. They read the same environment variables as the service: \`DATA_DIR\`, \`DATABASE_URL\` and so on
  ([configuration.md](configuration.md)). A running embedded database is joined; a stopped one is started, and stopped afterwards.
- **Effects.** Commands run the same code as the API, with the same events and audit entries. The audit log names the actor \`system\`.
- **Migrations.** Only \`tributary migrate\` and \`tributary serve\` migrate. All other commands refuse a database at another migration.
- **\`--json\`** prints one JSON document, or one line of JSON per item of a stream. Lists have the shape of the API's lists.
- **Errors** go to standard error, with the cause and a remedy; with \`--json\` as \`{"error": {"code", "message", "remedy", …}}\`.
- **Colours** are used on terminals, unless \`NO_COLOR\` is set. \`COLUMNS\` sets the width; without a terminal it is unlimited.
`;

/** docs/command-line.md, from the table of commands. */
export function renderPage(commands: readonly Command[]): string {
  const codes = Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return [
    INTRODUCTION,
    "| exit code | meaning |",
    "|---|---|",
    ...codes,
    "",
    "## Commands",
    "",
    "| command | summary |",
    "|---|---|",
    ...commands.map(({ name, summary }) => `| [\`${name}\`](#${name.replaceAll(" ", "-")}) | ${summary} |`),
    "",
    ...rows(
      "global option",
      Object.entries(GLOBAL_OPTIONS).map(([name, option]) => [optionLine(name, option), describe(option)]),
    ),
    ...commands.flatMap(renderCommand),
  ].join("\n");
}

function renderCommand(command: Command): string[] {
  const { name, summary, description, args, options, examples } = command;
  return [
    `## ${name}`,
    "",
    `${summary}.${description === undefined ? "" : ` ${description}`}`,
    "",
    "```",
    usageLine(command),
    "```",
    "",
    ...rows(
      "argument",
      Object.entries(args).map(([argument, definition]) => [argument.toUpperCase(), describeArgument(definition)]),
    ),
    ...rows(
      "option",
      Object.entries(options).map(([option, definition]) => [optionLine(option, definition), describe(definition)]),
    ),
    "```sh",
    ...examples.flatMap(({ title, run }) => [`# ${title}`, run]),
    "```",
    "",
  ];
}

function rows(title: string, pairs: (readonly [string, string])[]): string[] {
  if (pairs.length === 0) return [];
  const inCell = (text: string) => text.replaceAll("|", "\\|");
  return [`| ${title} | |`, "|---|---|", ...pairs.map(([name, text]) => `| \`${inCell(name)}\` | ${inCell(text)} |`), ""];
}
