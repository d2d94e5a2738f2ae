import { closed, nullable } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

const Version = Type.Literal("2.0", { examples: ["2.0"] });
const RequestId = Type.Union([
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }),
  Type.String({ maxLength: 200 }),
]);

export const RpcMessage = Type.Object(
  {
    jsonrpc: Version,
    id: Type.Optional(RequestId),
    method: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Such as tools/list or tools/call",
      examples: ["tools/list"],
    }),
    params: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z_]{1,50}$" }), Type.Unknown(), {
        ...closed,
        description: "The parameters of the method",
        examples: [{}],
      }),
    ),
  },
  { ...closed, title: "RpcMessage", description: "A request of JSON-RPC 2.0, or without id a notification" },
);
export type RpcMessage = Type.Static<typeof RpcMessage>;

export const RpcReply = Type.Object(
  {
    jsonrpc: Version,
    id: Type.Optional(nullable(RequestId)),
    result: Type.Optional(Type.Object({}, { additionalProperties: true, examples: [{ tools: [] }] })),
    error: Type.Optional(
      Type.Object(
        { code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) },
        { ...closed, description: "A fault of the protocol. What a tool refuses is a result with isError" },
      ),
    ),
  },
  {
    ...closed,
    title: "RpcReply",
    description: "A reply of JSON-RPC 2.0",
    examples: [{ jsonrpc: "2.0", id: 1, result: { tools: [] } }],
  },
);
