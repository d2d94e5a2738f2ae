import { type Route, route } from "../../../../platform/http/route.ts";
import { createTestRun, getTestRun, junitFile, listTestRuns } from "./commands.ts";
import { TestRun, TestRunCreate, TestRunList, TestRunListQuery } from "./schema.ts";

const ofAgent = { partner_wide: false, path: "/agents/{id}/test-runs", params: { id: "agent" } } as const;
const one = { partner_wide: false, params: { id: "test_run" }, scope: "agents:read", method: "GET" } as const;

export const testRunRoutes: Route[] = [
  route({
    operation: "test_runs.create",
    method: "POST",
    ...ofAgent,
    summary: "Run all tests of an agent",
    description:
      "In the background, each in the sandbox: poll the run until its status is `passed` or `failed`. With `compare_to` every test runs on both versions, and its result says what differs.",
    scope: "agents:sandbox",
    body: TestRunCreate,
    body_optional: true,
    unversioned: true,
    errors: ["no_tests"],
    reply: { status: 202, schema: TestRun, location: (id) => `/test-runs/${id}` },
    handle: (ctx, { params, body }) => createTestRun(ctx, params.id, body),
  }),
  route({
    operation: "test_runs.list",
    method: "GET",
    ...ofAgent,
    summary: "List the test runs of an agent",
    description: "Newest first. Runs are kept for 90 days.",
    scope: "agents:read",
    query: TestRunListQuery,
    reply: { status: 200, schema: TestRunList },
    handle: (ctx, { params, query }) => listTestRuns(ctx, params.id, query),
  }),
  route({
    ...one,
    operation: "test_runs.get",
    path: "/test-runs/{id}",
    summary: "Get a test run with its results",
    reply: { status: 200, schema: TestRun },
    handle: async (ctx, { params }) => ({ json: (await getTestRun(ctx, params.id)).json }),
  }),
  route({
    ...one,
    operation: "test_runs.junit",
    path: "/test-runs/{id}/junit",
    summary: "Export a test run as JUnit XML",
    description: "As CI systems read it. Tests that have not run yet are skipped ones.",
    reply: { status: 200, stream: "xml" },
    handle: (ctx, { params }) => junitFile(ctx, params.id),
  }),
];
