import { type Route, route } from "../../../platform/http/route.ts";
import { answer } from "./commands.ts";
import { RpcMessage, RpcReply } from "./schema.ts";

export const mcpRoutes: Route[] = [
  route({
    operation: "mcp.post",
    method: "POST",
    path: "/mcp",
    summary: "Use tools by the Model Context Protocol",
    description:
      "For assistants: the address of an MCP server over streamable HTTP, without sessions. `tools/list` shows the tools that the key has the scopes for, `tools/call` uses one. One message per request; the reply is JSON.",
    scope: "none",
    partner_wide: false,
    params: {},
    unversioned: true,
    body: RpcMessage,
    reply: { status: 200, rpc: true, schema: RpcReply },
    handle: (ctx, { body, headers }) => answer(ctx, body, headers),
  }),
];
