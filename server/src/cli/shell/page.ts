import type { Command } from "./command.ts";
import { describe, describeArgument, EXIT_CODES, optionLine, usageLine } from "./help.ts";
import { GLOBAL_OPTIONS } from "./parse.ts";

const INTRODUCTION = `# The command line

<!-- Made from server/src/cli by \`npm run commands\`; do not edit. -->

From the root of a clone, beside a running service or without one:

\`\`\`sh
npx tributary status
npx tributary keys create --partner northwind --name "Billing sync" --scopes clients:read,events:read --expires-in 90d
npx tributary events tail --partner northwind
\`\`\`

\`tributary --help\`, \`tributary keys --help\` and \`tributary keys create --help\` say what this page says.

- **It works on the database itself**, which the same environment variables name as for the service: \`DATA_DIR\`, \`DATABASE_URL\` and so on
  ([configuration.md](configuration.md)). An embedded database that runs is joined; one that does not is started, and stopped afterwards.
- **It does what the API does**: the same commands, events and audit entries. The audit log names the actor \`system\`.
- **It never migrates by the way.** On a database at another migration it refuses; \`tributary migrate\` and \`tributary serve\` migrate.
- **\`--json\`** prints one JSON document, or a line of JSON each for what goes on and on. Lists have the form of the API's lists.
- **Errors** go to standard error: what is wrong and the way out; with \`--json\` as \`{"error": {"code", "message", "remedy", …}}\`.
- **Colours** are for terminals, and not with \`NO_COLOR\`. \`COLUMNS\` sets the width; without a terminal there is no bound.
`;

/** docs/command-line.md, from the table of commands. */
export function renderPage(commands: readonly Command[]): string {
  const codes = Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return [
    INTRODUCTION,
    "| exit code | means |",
    "|---|---|",
    ...codes,
    "",
    "## Commands",
    "",
    "| command | does |",
    "|---|---|",
    ...commands.map(({ name, summary }) => `| [\`${name}\`](#${name.replaceAll(" ", "-")}) | ${summary} |`),
    "",
    ...rows(
      "Every command also takes",
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
    ...examples.flatMap(({ says, run }) => [`# ${says}`, run]),
    "```",
    "",
  ];
}

function rows(title: string, pairs: (readonly [string, string])[]): string[] {
  if (pairs.length === 0) return [];
  const inCell = (text: string) => text.replaceAll("|", "\\|");
  return [`| ${title} | |`, "|---|---|", ...pairs.map(([name, text]) => `| \`${inCell(name)}\` | ${inCell(text)} |`), ""];
}
