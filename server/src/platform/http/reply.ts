import type { FastifyReply, FastifyRequest } from "fastify";
import type { StoredReply } from "../record/idempotency.ts";
import { isKnown } from "./known.ts";
import type { Result, Route } from "./route.ts";

/** The HTTP reply of a result, the same for a first reply and for one replayed for an Idempotency-Key. */
export function replyOf(
  route: Route,
  prefix: string,
  params: Record<string, string>,
  result: Partial<Result> | undefined,
): StoredReply {
  const headers: Record<string, string> = { ...result?.headers };
  if (result?.version !== undefined) headers.etag = `"${result.etag ?? result.version}"`;
  const status = result?.http_status ?? (result?.created === true ? 201 : result?.accepted === true ? 202 : route.reply.status);
  if (status !== 200 && route.reply.location !== undefined && result?.id !== undefined)
    headers.location = prefix + route.reply.location(result.id, params);
  return { status, headers, body: result?.json ?? null };
}

export function send(request: FastifyRequest, reply: FastifyReply, route: Route, answer: StoredReply): FastifyReply {
  reply.header("request-id", request.id);
  reply.header("cache-control", route.reply.secret === true ? "no-store" : "private, no-cache");
  for (const name in answer.headers) reply.header(name, answer.headers[name]);
  if (route.method === "GET" && isKnown(request, answer.headers.etag)) return reply.code(304).send();
  if (answer.body === null) return reply.code(answer.status).send();
  return reply.code(answer.status).header("content-type", "application/json; charset=utf-8").send(answer.body);
}
