import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { BASE } from "../../../api/base.ts";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type AgentTest = Schemas["AgentTest"];
export type TestRequest = Schemas["AgentTestRequest"];
export type TestRun = Schemas["TestRun"];
export type TestRunListed = Schemas["TestRunListed"];
export type TestResult = TestRun["results"][number];

const TESTS = "agent_tests";
const RUNS = "test_runs";
/** A run tells of its progress only when it is asked. */
const PROGRESS_MS = 1_000;

/** All tests of an agent, the oldest first. */
export function useTests(id: string) {
  return useQuery({
    queryKey: [TESTS, id],
    queryFn: async ({ signal }) => {
      const tests: AgentTest[] = [];
      for await (const test of api.list("/v1/agents/{id}/tests", { params: { path: { id }, query: { limit: 100 } }, signal }))
        tests.push(test);
      return tests;
    },
  });
}

export function useCreateTest(id: string) {
  return useWrite(
    async ({ body, key }: { body: Schemas["AgentTestCreate"]; key: string }) =>
      (await api.POST("/v1/agents/{id}/tests", { body, params: { path: { id }, header: idempotency(key) } })).data,
    TESTS,
  );
}

export function useUpdateTest() {
  return useWrite(async ({ test, body }: { test: AgentTest; body: Schemas["AgentTestPatch"] }) => {
    const params = { path: { id: test.agent_id, test_id: test.id }, header: ifMatch(test.version) };
    return (await api.PATCH("/v1/agents/{id}/tests/{test_id}", { body, params })).data;
  }, TESTS);
}

export function useDeleteTest() {
  return useWrite(async ({ agent_id, id, version }: AgentTest) => {
    const params = { path: { id: agent_id, test_id: id }, header: ifMatch(version) };
    await api.DELETE("/v1/agents/{id}/tests/{test_id}", { params });
  }, TESTS);
}

export function useTestOfSession() {
  return useWrite(
    async ({ session_id, name }: { session_id: string; name: string }) =>
      (await api.POST("/v1/sessions/{id}/to-test", { body: { name }, params: { path: { id: session_id } } })).data,
    TESTS,
  );
}

/** The runs of the suite, newest first. */
export function useTestRuns(id: string) {
  return useList<TestRunListed>([RUNS, "list", id], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET("/v1/agents/{id}/test-runs", { params: { path: { id }, query }, signal })).data;
  });
}

export const isUnderWay = ({ finished_at }: Pick<TestRun, "finished_at">) => finished_at === null;

/** A run with its results, followed until it ends. */
export function useTestRun(id: string | undefined) {
  return useQuery({
    queryKey: [RUNS, "one", id],
    queryFn: async ({ signal }) => (await api.GET("/v1/test-runs/{id}", { params: { path: { id: id ?? "" } }, signal })).data,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? PROGRESS_MS : false),
  });
}

export function useStartTestRun(id: string) {
  return useWrite(
    async (body: Schemas["TestRunCreate"]) =>
      (await api.POST("/v1/agents/{id}/test-runs", { body, params: { path: { id } } })).data,
    RUNS,
  );
}

export const junitAddress = (id: string) => `${BASE}/v1/test-runs/${id}/junit`;
