import { expect, test } from "vitest";
import { junitOf } from "./junit.model.ts";
import type { Result } from "./model.ts";

const result = (fields: Partial<Result>): Result => ({
  test_id: "tst_1",
  name: "Says hello",
  passed: true,
  status: "passed",
  error: null,
  run_id: "sbx_1",
  duration_ms: 1_250,
  failures: [],
  said: [],
  tools: [],
  effects: [],
  slots: {},
  compared: null,
  ...fields,
});

test("counts what passed, failed, broke and has not run, and escapes what people wrote", () => {
  const xml = junitOf({
    name: 'Nora & "Co"',
    total: 4,
    started_at: "2026-11-02T09:30:00.000Z",
    tests: ["1", "2", "3", "4"].map((number) => ({ id: `tst_${number}`, name: `Test ${number}` })),
    results: [
      result({}),
      result({
        test_id: "tst_2",
        passed: false,
        status: "failed",
        failures: [{ type: "handed_off", value: true }],
        said: ["a < b", "\u0007"],
      }),
      result({ test_id: "tst_3", passed: false, status: "error", error: "The contact\nis gone." }),
    ],
  });
  expect(xml.split("\n")).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="Nora &amp; &quot;Co&quot;" tests="4" failures="1" errors="1" skipped="1" time="3.750">',
    '  <testsuite name="Nora &amp; &quot;Co&quot;" tests="4" failures="1" errors="1" skipped="1" time="3.750" timestamp="2026-11-02T09:30:00.000Z">',
    '    <testcase name="Test 1" classname="Nora &amp; &quot;Co&quot;" time="1.250"/>',
    '    <testcase name="Test 2" classname="Nora &amp; &quot;Co&quot;" time="1.250"><failure message="{&quot;type&quot;:&quot;handed_off&quot;,&quot;value&quot;:true}" type="failed">a &lt; b&#10;\uFFFD</failure></testcase>',
    '    <testcase name="Test 3" classname="Nora &amp; &quot;Co&quot;" time="1.250"><error message="The contact&#10;is gone." type="error"></error></testcase>',
    '    <testcase name="Test 4" classname="Nora &amp; &quot;Co&quot;"><skipped/></testcase>',
    "  </testsuite>",
    "</testsuites>",
    "",
  ]);
});
