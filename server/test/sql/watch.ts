import { afterAll, afterEach, beforeAll } from "vitest";
import { onStatement, type Statement } from "../../src/platform/db/statement.ts";
import { faultOf } from "./judgement.ts";

/**
 * Statements that are composed when they are sent, by the filters and the order of a list, are checked as the tests make
 * them: the test that made one fails. Those of the modules themselves are checked in statements.test.ts.
 */
const made: Statement[] = [];
beforeAll(() => onStatement((statement) => made.push(statement)));
afterEach(refuse);
afterAll(refuse);

function refuse(): void {
  const faults = made.splice(0).flatMap((statement) => faultOf(statement) ?? []);
  if (faults.length > 0) throw new Error(faults.join("\n\n"));
}
