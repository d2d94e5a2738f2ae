import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type SandboxRun = Schemas["SandboxRun"];
export type SandboxRequest = Schemas["SandboxRequest"];
export type SandboxAssertion = NonNullable<SandboxRequest["assert"]>[number];
export type SandboxEffect = SandboxRun["effects"][number];
export type SandboxToolCall = SandboxRun["tool_calls"][number];

export const runRequest = (agent_id: string) => `POST /v1/agents/${agent_id}/sandbox`;

/** Runs a conversation of which nothing happens. */
export function useRunSandbox(agent_id: string) {
  return useWrite(
    async (body: SandboxRequest) =>
      (await api.POST("/v1/agents/{id}/sandbox", { body, params: { path: { id: agent_id } } })).data,
    "sandbox_runs",
  );
}
