import type { FastifyRequest } from "fastify";

/** Whether the caller already has this version. A compressing proxy makes the ETag weak, which must not matter here. */
export function isKnown(request: FastifyRequest, etag: string | undefined): boolean {
  const seen = request.headers["if-none-match"];
  if (seen === undefined || etag === undefined) return false;
  return seen.trim() === "*" || seen.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
