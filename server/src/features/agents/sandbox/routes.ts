import { type Route, route } from "../../../platform/http/route.ts";
import { getRun, listRuns, runSandbox } from "./commands.ts";
import { SandboxListQuery, SandboxRequest, SandboxRun, SandboxRunList } from "./schema.ts";

export const sandboxRoutes: Route[] = [
  route({
    operation: "sandbox.run",
    method: "POST",
    path: "/agents/{id}/sandbox",
    summary: "Run a sandbox conversation",
    description:
      "Nothing of it happens: no record changes, nobody is written to, nobody outside is called. The reply has what was said, which tools were used, and what would have changed. Runs are kept for 30 days. A run that takes longer than 60 seconds, or that is asked for with `Prefer: respond-async`, is answered with 202 and the status `running`: poll it.",
    scope: "agents:sandbox",
    partner_wide: false,
    params: { id: "agent" },
    body: SandboxRequest,
    unversioned: true,
    limit: { per_minute: 120, burst: 30 },
    reply: { status: 200, or_accepted: true, schema: SandboxRun, location: (id) => `/sandbox-runs/${id}` },
    handle: (ctx, { params, body, respond_async }) => runSandbox(ctx, params.id, body, respond_async),
  }),
  route({
    operation: "sandbox.list",
    method: "GET",
    path: "/agents/{id}/sandbox",
    summary: "List the sandbox runs of an agent",
    description: "Newest first.",
    scope: "agents:sandbox",
    partner_wide: false,
    params: { id: "agent" },
    query: SandboxListQuery,
    reply: { status: 200, schema: SandboxRunList },
    handle: (ctx, { params, query }) => listRuns(ctx, params.id, query),
  }),
  route({
    operation: "sandbox.get",
    method: "GET",
    path: "/sandbox-runs/{id}",
    summary: "Get a sandbox run",
    scope: "agents:sandbox",
    partner_wide: false,
    params: { id: "sandbox_run" },
    reply: { status: 200, schema: SandboxRun },
    handle: (ctx, { params }) => getRun(ctx, params.id),
  }),
];
