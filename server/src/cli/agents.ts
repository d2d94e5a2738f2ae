import { writeFile } from "node:fs/promises";
import type { TestResult } from "../features/agents/suites/index.ts";
import { secretKeyOf } from "../installation.ts";
import { isId } from "../kernel/ids.ts";
import { createSealer } from "../platform/crypto/seal.ts";
import type { Context } from "../platform/record/context.ts";
import { actFor, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { createProgressLine } from "./progress.ts";
import { command } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import { type Column, renderTable } from "./shell/table.ts";

export const testAgent = command({
  name: "agents test",
  summary: "Run all tests of an agent",
  description:
    "In the sandbox, so that nothing happens. Works with or without a running service; with one, both share the work. The exit code is 1 if a test fails.",
  args: { agent: { description: "The agent's id or its name." } },
  options: {
    ...PARTNER_OPTION,
    version: {
      type: "text",
      value: "VERSION",
      description: "draft, published or a number. Default: the published version, else the draft.",
    },
    "compare-to": { type: "text", value: "VERSION", description: "Another version, on which every test runs as well." },
    junit: { type: "text", value: "FILE", description: "A file for the results as JUnit XML, as CI systems read it." },
  },
  examples: [
    {
      title: "Test the draft of an agent in CI",
      run: "tributary agents test Mila --partner northwind --version draft --junit junit.xml",
    },
  ],
  async run({ args, options, out, signal, config, services: open }) {
    const { createTestRun, finishTestRun, getTestRun, junitOfRun, TestRunCreate } = await import(
      "../features/agents/suites/index.ts"
    );
    // The key of a model is sealed.
    const services = { ...(await open()), sealer: createSealer(await secretKeyOf(config())) };
    const ctx = actFor(services, await findPartner(services, options.partner));
    const wanted = { version: numbered(options.version), compare_to: numbered(options["compare-to"]) };
    const input = await checked("agents test", TestRunCreate, "body", JSON.parse(JSON.stringify(wanted)));
    const { id, total } = await createTestRun(ctx, await findAgent(ctx, args.agent), input);
    const line = createProgressLine(out.json);
    line.show(`${total} tests`);
    await finishTestRun(ctx, id, () => !signal.aborted);
    line.clear();
    const run = await getTestRun(ctx, id);
    if (options.junit !== undefined) await save(options.junit, await junitOfRun(ctx, run));
    out.result(JSON.parse(run.json), () => [
      ...renderTable(run.results, COLUMNS, out.width),
      "",
      run.error ??
        `${run.results.filter(({ passed }) => passed).length} of ${total} tests have passed on version ${run.agent_version}.`,
    ]);
    return run.status === "passed" ? 0 : 1;
  },
});

const COLUMNS: readonly Column<TestResult>[] = [
  { title: "test", of: ({ name }) => name },
  { title: "status", of: ({ status }) => status, whole: true },
  {
    title: "why",
    of: ({ error, failures }) => error ?? failures.map((failure) => JSON.stringify(failure)).join(", "),
    spare: true,
  },
  { title: "differences", of: ({ compared }) => compared?.differences.map(({ path }) => path).join(", ") ?? "", spare: true },
];

const numbered = (version: string | undefined) => (version !== undefined && /^\d+$/.test(version) ? Number(version) : version);

/** An agent's id, by that id or by its name. */
async function findAgent(ctx: Context, name: string): Promise<string> {
  if (isId("agent", name)) return name;
  const { agentsNamed } = await import("../features/agents/definitions/index.ts");
  const [only, another] = await agentsNamed(ctx.db, ctx.scope, name);
  if (only !== undefined && another === undefined) return only;
  const message =
    only === undefined
      ? `The partner has no agent with the name ${name}.`
      : `Several accounts have an agent with the name ${name}.`;
  throw new CommandRefusal(
    only === undefined ? "not_found" : "agent_ambiguous",
    message,
    "Use its id: GET /v1/agents shows all agents.",
  );
}

async function save(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefusal(
      "unwritable_file",
      `${file} cannot be written (${error.code}).`,
      "The tests have run. Choose another file.",
    );
  });
}
