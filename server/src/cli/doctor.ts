import { type Config, ConfigError } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { locateDatabase } from "../platform/postgres/index.ts";
import { checkDatabase } from "./doctor/database.ts";
import { type Finding, fail, ok } from "./doctor/finding.ts";
import { checkDataDir, checkDisk, checkFirstRun, checkLocation } from "./doctor/folder.ts";
import { checkEgress, checkNode, checkPackages, checkPort } from "./doctor/machine.ts";
import { type Call, command } from "./shell/command.ts";
import type { Output } from "./shell/output.ts";
import { explain } from "./shell/problem.ts";
import { pad, wrap } from "./shell/table.ts";

export const doctor = command({
  name: "doctor",
  summary: "Diagnose the installation and suggest fixes",
  description: "Changes nothing. The exit code is 1 if a check fails; warnings leave it at 0.",
  examples: [
    { title: "Check the installation", run: "tributary doctor" },
    { title: "Use the result in a script", run: "tributary doctor --json" },
  ],
  async run(call) {
    const checks = await findAll(call);
    const count = (status: Finding["status"]) => checks.filter((finding) => finding.status === status).length;
    const counts = { ok: count("ok"), warn: count("warn"), fail: count("fail") };
    call.out.result({ healthy: counts.fail === 0, ...counts, checks }, () => [
      ...checks.flatMap((finding) => findingLines(finding, call.out)),
      "",
      `${counts.ok} ok, ${counts.warn} ${counts.warn === 1 ? "warning" : "warnings"}, ${counts.fail} failed.`,
    ]);
    return counts.fail === 0 ? 0 : 1;
  },
});

async function findAll(call: Pick<Call, "config" | "logins">): Promise<Finding[]> {
  const machine = [checkNode(), await checkSafely("packages", () => checkPackages())];
  let config: Config;
  try {
    config = call.config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...machine, ...error.faults.map((fault) => fail("configuration", fault, "See docs/configuration.md."))];
  }
  const embedded = config.database_url === null;
  const [egress, ...folder] = await Promise.all([
    checkSafely("egress", checkEgress),
    checkSafely("data folder", () => checkDataDir(config)),
    checkSafely("disk", () => checkDisk(config)),
    checkSafely("first-run file", () => checkFirstRun(config)),
    checkSafely("port", () => checkPort(config)),
    ...(embedded ? [checkSafely("database location", () => checkLocation(config))] : []),
  ]);
  const made = !embedded || (await locateDatabase(config.data_dir).catch(() => ({ made: true }))).made;
  const database = made ? await checkDatabase(config, call.logins, systemClock) : [];
  return [...machine, ok("configuration", "The environment variables are valid."), ...folder, ...database, egress];
}

/** A check that throws has found a problem too. */
async function checkSafely(check: string, run: () => Promise<Finding>): Promise<Finding> {
  return run().catch((error) => {
    const { message, remedy } = explain(error);
    return fail(check, message, remedy ?? "Fix that, then run doctor again.");
  });
}

const STYLES = { ok: "green", warn: "yellow", fail: "red" } as const;
const NAME_WIDTH = 18;
const INDENT = " ".repeat(4 + 2 + NAME_WIDTH + 2);

function findingLines({ check, status, message, remedy }: Finding, out: Output): string[] {
  const [first = "", ...rest] = wrap(message, Math.max(out.width - INDENT.length, 30));
  return [
    `${out.paint(STYLES[status], status.padEnd(4))}  ${pad(check, NAME_WIDTH)}  ${first}`,
    ...rest.map((line) => INDENT + line),
    ...(remedy === null ? [] : wrap(remedy, Math.max(out.width, INDENT.length + 30), INDENT)),
  ];
}
