import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { AccountId } from "../../../accounts/custom-fields/index.ts";
import { RUN_STATUSES, VersionWanted } from "../../sandbox/index.ts";
import { TEST_RUN_STATUSES } from "../model.ts";

export const TestRunCreate = Type.Object(
  {
    version: Type.Optional(VersionWanted),
    compare_to: Type.Optional(
      Type.Union([...VersionWanted.anyOf], {
        description: "Another version, on which every test runs as well: the results say what differs",
        examples: ["published"],
      }),
    ),
  },
  { ...closed, title: "TestRunCreate" },
);
export type TestRunCreate = Type.Static<typeof TestRunCreate>;

const Status = Type.Enum([...TEST_RUN_STATUSES], {
  type: "string",
  description: "failed: a test did not pass, or the run could not go on",
  examples: ["failed"],
});
const count = (description: string) => Type.Integer({ minimum: 0, description });
const open = (description: string) => Type.Object({}, { additionalProperties: true, description });
const TestStatus = Type.Enum([...RUN_STATUSES], { type: "string", description: "Status of its run of the sandbox" });

const listed = {
  id: Id("test_run"),
  account_id: AccountId,
  agent_id: Id("agent"),
  agent_version: Type.Integer({ minimum: 1, description: "Number of the version" }),
  compare_to: nullable(Type.Integer({ minimum: 1, description: "Number of the version that it is compared with" })),
  sha256: Type.String({ description: "Hash of the content of the version when the run was asked for" }),
  status: Status,
  total: count("How many tests there are"),
  passed: count("How many have passed so far"),
  failed: count("How many have not"),
  error: nullable(Type.String({ description: "Why it could not go on" })),
  created_by: Type.String({ description: "Key or user that asked for it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
  finished_at: nullable(Time),
};
export const TestRunListed = Type.Object(listed, { ...closed, title: "TestRunListed" });

const RunId = nullable(
  Type.String({ ...Id("sandbox_run"), description: "Its run of the sandbox, kept for 30 days; null where it could not begin" }),
);

const Result = Type.Object(
  {
    test_id: Id("agent_test"),
    name: Type.String(),
    passed: Type.Boolean(),
    status: TestStatus,
    error: nullable(Type.String({ description: "Why it could not run to its end" })),
    run_id: RunId,
    duration_ms: count("How long it took"),
    failures: Type.Array(open("An assertion that did not hold")),
    said: Type.Array(Type.String(), { description: "What the agent said" }),
    tools: Type.Array(open("The tool with its arguments"), { description: "The tools that it used" }),
    effects: Type.Array(open("Kind, and the values after"), { description: "What would have changed" }),
    slots: open("What the person has answered, by slot"),
    compared: nullable(
      Type.Object(
        {
          run_id: RunId,
          status: TestStatus,
          differences: Type.Array(
            Type.Object(
              {
                path: Type.String({ description: "JSON pointer into the result", examples: ["/said"] }),
                from: Type.Unknown({ description: "Value of the version that it is compared with" }),
                to: Type.Unknown({ description: "Value of the version" }),
              },
              { ...closed, title: "TestDifference" },
            ),
          ),
        },
        { ...closed, title: "TestCompared", description: "The same test on the version that it is compared with" },
      ),
    ),
  },
  { ...closed, title: "TestResult" },
);

export const TestRun = Type.Object(
  { ...listed, results: Type.Array(Result, { description: "Of the tests that have run so far" }) },
  { ...closed, title: "TestRun" },
);
export type TestRunShown = Type.Static<typeof TestRun>;

export const TestRunListQuery = Type.Object(
  {
    ...page,
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: 4, uniqueItems: true, description: "With any of these" })),
  },
  closed,
);
export type TestRunListQuery = Type.Static<typeof TestRunListQuery>;
export const TestRunList = listOf(TestRunListed, "TestRunList");
