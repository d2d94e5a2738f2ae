import type { FastifyReply } from "fastify";
import { fail } from "../../kernel/errors.ts";
import type { Caller } from "../../kernel/principal.ts";
import type { Limit, Limiter, Verdict } from "../limits/limiter.ts";

/** For the operator's keys, and the default that partners start with. */
const OPERATOR_LIMIT: Limit = { per_minute: 600, burst: 100 };
/** For who has no valid key: enough for a mistyped one, too few to guess. */
const STRANGER_LIMIT: Limit = { per_minute: 60, burst: 30 };

export type RequestLimits = {
  /** Counts a request against its key and its partner, and says in headers what is left. */
  admitCaller(caller: Caller, reply: FastifyReply): Promise<void>;
  /** Counts a request without a valid key against its address. */
  admitStranger(address: string, reply: FastifyReply): Promise<void>;
};

export function createRequestLimits(limiter: Limiter): RequestLimits {
  return {
    async admitCaller(caller, reply) {
      const limit = caller.type === "key" ? caller.limit : OPERATOR_LIMIT;
      // A key's limit is its partner's, so the partner's bucket holds the key too.
      const bucket = caller.type === "key" ? `partner ${caller.partner_id}` : `operator ${caller.key_id}`;
      announce(reply, limit, await limiter.take(bucket, limit));
    },
    async admitStranger(address, reply) {
      announce(reply, STRANGER_LIMIT, await limiter.take(`address ${address}`, STRANGER_LIMIT));
    },
  };
}

/** The headers of the IETF draft, on every reply; a refusal also says when to come back. */
function announce(reply: FastifyReply, limit: Limit, { admitted, remaining, wait_ms }: Verdict): void {
  const full_s = Math.ceil(((limit.burst - Math.min(remaining, limit.burst)) * 60) / limit.per_minute);
  reply.header("ratelimit-policy", `"default";q=${limit.per_minute};w=60`);
  reply.header("ratelimit", `"default";r=${remaining};t=${full_s}`);
  if (admitted) return;
  const retry_after = Math.max(1, Math.ceil(wait_ms / 1000));
  fail("rate_limit_exceeded", {
    detail: `At most ${limit.per_minute} requests a minute, ${limit.burst} at once. Come back in ${retry_after} s.`,
    headers: { "retry-after": String(retry_after) },
  });
}
