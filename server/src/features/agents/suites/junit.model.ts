import type { Result } from "./model.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** A text as XML 1.0 can have it: other control characters have no form there. */
function escaped(text: string): string {
  const storable = text.toWellFormed().replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
  return storable.replaceAll(/[&<>"\n\t]/g, (character) => ENTITIES[character] ?? character);
}

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

const seconds = (ms: number) => (ms / 1_000).toFixed(3);

export type Suite = {
  name: string;
  total: number;
  started_at: string;
  tests: readonly { id: string; name: string }[];
  results: readonly Result[];
};

/** A run of tests as JUnit XML, as CI systems read it. Tests that have not run yet are skipped ones. */
export function junitOf({ name, total, started_at, tests, results }: Suite): string {
  const errors = results.filter(isError).length;
  const failures = results.filter((result) => !result.passed && !isError(result)).length;
  const time = seconds(results.reduce((sum, { duration_ms }) => sum + duration_ms, 0));
  const counts = { name, tests: total, failures, errors, skipped: total - results.length, time };
  const cases = tests.map((test) =>
    caseOf(
      name,
      test.name,
      results.find(({ test_id }) => test_id === test.id),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts)}>`,
    `  <testsuite${attributes({ ...counts, timestamp: started_at })}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const isError = ({ status }: Result) => status === "error" || status === "timed_out";

function caseOf(classname: string, name: string, result: Result | undefined): string {
  if (result === undefined) return `    <testcase${attributes({ name, classname })}><skipped/></testcase>`;
  const head = `    <testcase${attributes({ name, classname, time: seconds(result.duration_ms) })}`;
  if (result.passed) return `${head}/>`;
  const tag = isError(result) ? "error" : "failure";
  const message = result.error ?? result.failures.map((failure) => JSON.stringify(failure)).join(", ");
  return `${head}><${tag}${attributes({ message, type: result.status })}>${escaped(result.said.join("\n"))}</${tag}></testcase>`;
}
