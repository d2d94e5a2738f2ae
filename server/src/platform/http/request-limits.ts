import type { FastifyReply, FastifyRequest } from "fastify";
import { fail, Refusal } from "../../kernel/errors.ts";
import { type Caller, callerId } from "../../kernel/principal.ts";
import type { Limit, Limiter, Verdict } from "../limits/limiter.ts";
import type { Authenticate } from "./authenticator.ts";
import { networkOf } from "./cidr.ts";
import type { Route } from "./route.ts";
import { clientAddress } from "./server.ts";

/** For keys and users of the operator; also the default of partners. */
const OPERATOR_LIMIT: Limit = { per_minute: 600, burst: 100 };
/** For requests without a valid key: enough for typos, too low to guess keys. */
const ADDRESS_LIMIT: Limit = { per_minute: 60, burst: 30 };

export type RequestLimits = {
  /** Counts a request against the limit of its partner, user or operator key, then of its route, and sets the RateLimit headers. */
  limitCaller(caller: Caller, reply: FastifyReply, route?: Pick<Route, "operation" | "limit">): Promise<void>;
  /** Counts a request without a valid key against its address, of IPv6 against its network. */
  limitAddress(address: string, reply: FastifyReply): Promise<void>;
  /** Counts a request without credentials against a limit of its own, by name and network, or by name alone for null. */
  limitVisitor(name: string, address: string | null, limit: Limit, reply: FastifyReply): Promise<void>;
};

/** Authenticates a request; one without a valid key counts against its address, so that keys cannot be guessed. */
export async function authenticateRequest<Who extends Caller>(
  authenticate: Authenticate<Who>,
  limits: RequestLimits | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Who> {
  try {
    return await authenticate(request);
  } catch (error) {
    if (error instanceof Refusal) await limits?.limitAddress(clientAddress(request), reply);
    throw error;
  }
}

/** All keys of a partner share a bucket. A person has an own one, so that browsing and integrations do not starve each other. */
function bucketOf(caller: Caller): string {
  return caller.type === "key" ? `partner ${caller.partner_id}` : `${caller.type} ${callerId(caller)}`;
}

export function createRequestLimits(limiter: Limiter): RequestLimits {
  return {
    async limitCaller(caller, reply, route) {
      const limit = caller.type === "operator" ? OPERATOR_LIMIT : caller.limit;
      const verdict = limiter.take(bucketOf(caller), limit);
      // Mostly there already: to wait for it all the same costs a turn of the event queue.
      announce(reply, limit, verdict instanceof Promise ? await verdict : verdict);
      if (route?.limit === undefined) return;
      announce(reply, route.limit, await limiter.take(`${route.operation} ${callerId(caller)}`, route.limit));
    },
    async limitAddress(address, reply) {
      announce(reply, ADDRESS_LIMIT, await limiter.take(`address ${networkOf(address)}`, ADDRESS_LIMIT));
    },
    async limitVisitor(name, address, limit, reply) {
      announce(reply, limit, await limiter.take(`${name} ${address === null ? "" : networkOf(address)}`, limit));
    },
  };
}

/** Sets the headers of the IETF draft on every reply; a refusal also has Retry-After. */
function announce(reply: FastifyReply, limit: Limit, verdict: Verdict): void {
  const { remaining } = verdict;
  const full_s = Math.ceil(((limit.burst - Math.min(remaining, limit.burst)) * 60) / limit.per_minute);
  reply.header("ratelimit-policy", `"default";q=${limit.per_minute};w=60`);
  reply.header("ratelimit", `"default";r=${remaining};t=${full_s}`);
  requireAdmitted(limit, verdict);
}

/** Refuses a request that a limit does not admit. */
export function requireAdmitted(limit: Limit, { admitted, wait_ms }: Verdict): void {
  if (admitted) return;
  const retry_after = Math.max(1, Math.ceil(wait_ms / 1000));
  fail("rate_limit_exceeded", {
    detail: `At most ${limit.per_minute} requests per minute, with bursts of ${limit.burst}. Retry in ${retry_after} s.`,
    headers: { "retry-after": String(retry_after) },
  });
}
