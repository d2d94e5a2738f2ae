import { type Config, ConfigError } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { locateDatabase } from "../platform/postgres/index.ts";
import { checkDatabase } from "./doctor/database.ts";
import { type Finding, fail, ok } from "./doctor/finding.ts";
import { checkDataDir, checkDisk, checkFirstRun, checkPlace } from "./doctor/folder.ts";
import { checkEgress, checkNode, checkPackages, checkPort } from "./doctor/machine.ts";
import { type Call, command } from "./shell/command.ts";
import type { Output } from "./shell/output.ts";
import { explain } from "./shell/problem.ts";
import { pad, wrap } from "./shell/table.ts";

export const doctor = command({
  name: "doctor",
  summary: "Look for what is wrong with the installation, and say how to mend it",
  description: "It changes nothing. Warnings leave the exit code at 0, a failed check makes it 1.",
  examples: [
    { says: "Before the first start, after a move, when something is odd", run: "tributary doctor" },
    { says: "For a script", run: "tributary doctor --json" },
  ],
  async run(call) {
    const checks = await findAll(call);
    const count = (status: Finding["status"]) => checks.filter((finding) => finding.status === status).length;
    const counts = { ok: count("ok"), warn: count("warn"), fail: count("fail") };
    call.out.result({ healthy: counts.fail === 0, ...counts, checks }, () => [
      ...checks.flatMap((finding) => findingLines(finding, call.out)),
      "",
      `${counts.ok} in order, ${counts.warn} to know of, ${counts.fail} to mend.`,
    ]);
    return counts.fail === 0 ? 0 : 1;
  },
});

async function findAll(call: Pick<Call, "config" | "logins">): Promise<Finding[]> {
  const machine = [checkNode(), await seen("packages", () => checkPackages())];
  let config: Config;
  try {
    config = call.config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...machine, ...error.faults.map((fault) => fail("configuration", fault, "See docs/configuration.md."))];
  }
  const embedded = config.database_url === null;
  const [egress, ...folder] = await Promise.all([
    seen("egress", checkEgress),
    seen("data folder", () => checkDataDir(config)),
    seen("disk", () => checkDisk(config)),
    seen("first-run file", () => checkFirstRun(config)),
    seen("port", () => checkPort(config)),
    ...(embedded ? [seen("database place", () => checkPlace(config))] : []),
  ]);
  const made = !embedded || (await locateDatabase(config.data_dir).catch(() => ({ made: true }))).made;
  const database = made ? await checkDatabase(config, call.logins, systemClock) : [];
  return [...machine, ok("configuration", "The environment is in order."), ...folder, ...database, egress];
}

/** A check that stumbles has found something too. */
async function seen(check: string, look: () => Promise<Finding>): Promise<Finding> {
  return look().catch((error) => {
    const { message, remedy } = explain(error);
    return fail(check, message, remedy ?? "Mend that, and look again.");
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
