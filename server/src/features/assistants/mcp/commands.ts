import type { Server } from "@modelcontextprotocol/server";
import { ERRORS, Refusal } from "../../../kernel/errors.ts";
import type { CallerContext, Result } from "../../../platform/http/route.ts";
import { meaningOf, toolsFor } from "./model.ts";
import type { RpcMessage } from "./schema.ts";
import { TOOLS } from "./tools.catalogue.ts";

type Sdk = typeof import("@modelcontextprotocol/server");
type Headers = Readonly<Record<string, string | string[] | undefined>>;

const INSTRUCTIONS =
  "Contacts, leads, deals, conversations and payment links of the accounts of this key. Amounts are in minor units. Records belong to an account: list_accounts shows the accounts, and without account_id a new record is made in the key's own. Names of stages are in list_pipelines.";

/** Answers one message of JSON-RPC. Nothing is kept between two of them. */
export async function answer(ctx: CallerContext, message: RpcMessage, headers: Headers): Promise<Partial<Result>> {
  // Nothing is ever told to those who listen, so no stream is opened for them.
  if (message.method === "subscriptions/listen") return refused(message, -32_601, "Method not found");
  // Loaded on first use, because most processes never need it.
  const sdk = await import("@modelcontextprotocol/server");
  const faults: unknown[] = [];
  const response = await serve(sdk, serverOf(sdk, ctx, faults), message, headers);
  if (faults.length > 0) throw faults[0];
  const text = await response.text();
  return { http_status: response.status, ...(text === "" ? {} : { json: text }) };
}

function refused({ id }: RpcMessage, code: number, message: string): Partial<Result> {
  return { http_status: 404, json: JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } }) };
}

/** Both revisions of the protocol that there are: the one with an envelope in each request, and the one that begins with a handshake. */
async function serve(sdk: Sdk, server: Server, body: RpcMessage, headers: Headers): Promise<Response> {
  const request = new Request("http://mcp.invalid/", { method: "POST", headers: protocolHeaders(headers), body: "{}" });
  if (!(await sdk.isLegacyRequest(request, body)))
    return sdk.createMcpHandler(() => server, { legacy: "reject" }).fetch(request, { parsedBody: body });
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

/** The headers of the protocol. The reply is JSON whatever the caller accepts, which was checked before. */
function protocolHeaders(headers: Headers): [string, string][] {
  const own = Object.entries(headers).filter(([name]) => name.startsWith("mcp-"));
  const texts = own.map(([name, value]): [string, string] => [name, String(value)]);
  return [...texts, ["accept", "application/json, text/event-stream"], ["content-type", "application/json"]];
}

/** A server for one message. Faults that are no refusals are noted, to become the reply of the route. */
function serverOf(sdk: Sdk, ctx: CallerContext, faults: unknown[]): Server {
  const info = { name: ctx.settings.brand, version: "1" };
  const server = new sdk.Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", async () => ({ tools: toolsFor(TOOLS, ctx.principal) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = Object.hasOwn(TOOLS, params.name) ? TOOLS[params.name] : undefined;
    if (tool === undefined) throw new sdk.ProtocolError(-32_602, `There is no tool ${params.name}.`);
    try {
      const { route, input } = meaningOf(tool, params.arguments ?? {});
      return resultOf((await ctx.call(route, input)).body);
    } catch (error) {
      if (error instanceof Refusal) return refusalOf(error);
      faults.push(error);
      throw new Error("The tool failed.");
    }
  });
  return server;
}

function resultOf(json: string | null) {
  const value = json ?? "{}";
  return { content: [{ type: "text" as const, text: value }], structuredContent: JSON.parse(value) as Record<string, unknown> };
}

/** What a problem document says that a model can use. */
function refusalOf({ code, explanation: { detail, faults, meta } }: Refusal) {
  const problem = { code, detail: detail ?? ERRORS[code][2], ...(faults === undefined ? {} : { errors: faults }), ...meta };
  return { ...resultOf(JSON.stringify(problem)), isError: true };
}
