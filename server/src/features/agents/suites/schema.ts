import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { SandboxRequest } from "../sandbox/index.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description:
    "1 to 100 characters without leading or trailing whitespace, unique among the tests of the agent, not case-sensitive",
  examples: ["Hands a rich lead to a person"],
});

const { version: _, continue_from: __, ...request } = SandboxRequest.properties;

/** A conversation with what has to come of it; the version is that of the run. */
export const TestRequest = Type.Object(request, {
  ...closed,
  title: "AgentTestRequest",
  description: "A conversation of the sandbox, with its assertions. Without any it passes if it comes to its end",
});
export type TestRequest = Type.Static<typeof TestRequest>;

export const TestCreate = Type.Object({ name: Name, request: TestRequest }, { ...closed, title: "AgentTestCreate" });
export type TestCreate = Type.Static<typeof TestCreate>;

export const TestPatch = Type.Partial(Type.Object({ name: Name, request: TestRequest }), {
  ...closed,
  title: "AgentTestPatch",
  minProperties: 1,
});
export type TestPatch = Type.Static<typeof TestPatch>;

export const TestOfSession = Type.Object({ name: Type.Optional(Name) }, { ...closed, title: "AgentTestOfSession" });
export type TestOfSession = Type.Static<typeof TestOfSession>;

export const AgentTest = Type.Object(
  {
    id: Id("agent_test"),
    account_id: AccountId,
    agent_id: Id("agent"),
    name: Name,
    request: TestRequest,
    session_id: nullable(Type.String({ ...Id("session"), description: "The session that it was made from" })),
    created_by: Type.String({ description: "Key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "AgentTest" },
);
export type TestShown = Type.Static<typeof AgentTest>;

export const TestListQuery = Type.Object(page, closed);
export type TestListQuery = Type.Static<typeof TestListQuery>;
export const AgentTestList = listOf(AgentTest, "AgentTestList");
