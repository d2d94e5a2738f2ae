import { notFound } from "../../../../kernel/errors.ts";
import { isId } from "../../../../kernel/ids.ts";
import { secretPurpose } from "../../../../platform/crypto/webhook-signature.ts";
import type { Result } from "../../../../platform/http/route.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { endpointRowOrNull } from "../queries.ts";
import { storedSecrets } from "../secrets.queries.ts";
import { CAUSES, diagnose } from "./model.ts";
import { sentBodyOrNull } from "./queries.ts";
import type { VerifyRequest } from "./schema.ts";

/** Says whether a delivery that arrived is signed as it should be and, if it is not, what became of it. */
export async function verifySignature(ctx: Context, input: VerifyRequest): Promise<Result> {
  const { headers, computed = null, endpoint_id = null } = input;
  if (endpoint_id !== null && (await endpointRowOrNull(ctx.db.byKey, ctx.scope, endpoint_id)) === null) notFound(endpoint_id);
  const body = Buffer.from(input.body, input.body_encoding === "base64" ? "base64" : "utf8");
  const received_at = input.received_at == null ? ctx.clock.now() : new Date(input.received_at);
  const event_id = eventIdOf(headers, body);
  const [secrets, sent] = await Promise.all([
    storedSecrets(ctx.db, ctx.scope),
    event_id === null ? null : sentBodyOrNull(ctx.db.byKey, ctx.scope, event_id),
  ]);
  const { cause, secret, at_seconds } = diagnose({
    brand: ctx.settings.brand,
    body,
    headers,
    computed,
    received_at,
    now: ctx.clock.now(),
    endpoint_id,
    secrets: secrets.map((row) => ({ ...row, secret: ctx.sealer.open(row.secret, secretPurpose(row.endpoint_id)) })),
    sent,
  });
  return {
    json: JSON.stringify({
      valid: cause === null,
      cause,
      detail: cause === null ? "The signature fits the body and the time." : CAUSES[cause],
      event_id,
      endpoint_id: secret?.endpoint_id ?? endpoint_id,
      secret: secret && {
        hint: secret.hint,
        created_at: secret.created_at.toISOString(),
        expires_at: secret.expires_at?.toISOString() ?? null,
        age_seconds: Math.max(0, Math.floor((ctx.clock.now().getTime() - secret.created_at.getTime()) / 1000)),
      },
      signed_seconds_ago: at_seconds === null ? null : Math.round(received_at.getTime() / 1000 - at_seconds),
    }),
  };
}

/** Which event it is about, by its header or by its own word. */
function eventIdOf(headers: Record<string, string>, body: Buffer): string | null {
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === "webhook-id")?.[1];
  const id = named ?? /"id"\s*:\s*"(evt_[0-9a-z]{26})"/.exec(body.toString("latin1"))?.[1] ?? "";
  return isId("event", id) ? id : null;
}
