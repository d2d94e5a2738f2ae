import type { Statement } from "../../src/platform/db/statement.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { RULES, type Violation, violationsOf } from "./rules.ts";

/** A statement on one line, without comments. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const OF_ONE_NODE = /\(select \* from (\w+) where partner_id = any \(\$\d+::text\[\]\)\) (\w+)/g;

/** A poll for the partners of one node as the poll over all partners that it was made from. */
const asOverAll = (line: string) =>
  line.replaceAll(OF_ONE_NODE, (_, table, alias) => (table === alias ? table : `${table} ${alias}`));

/** The violations of a statement that no exception covers. */
export function unexcused(text: string): Violation[] {
  const line = asOverAll(oneLine(text));
  const excused = EXCEPTIONS.filter(({ begins }) => line.startsWith(begins)).map(({ rule }) => rule);
  return violationsOf(text).filter(({ rule }) => !excused.includes(rule));
}

/** What is wrong with a statement, for whoever wrote it; null where nothing is. */
export function faultOf({ name, text }: Statement): string | null {
  const violations = unexcused(text).map(({ rule, detail }) => `  ${rule} (${RULES[rule]}): ${detail}`);
  return violations.length === 0 ? null : `${name} ${text.trim()}\n${violations.join("\n")}`;
}
