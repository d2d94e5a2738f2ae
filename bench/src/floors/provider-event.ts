// Floor of "take an event of Stripe": node:http, the product's own check of the signature and its own insert of the event, autocommitted, into a
// table with the same indexes. No token, provider, attempt, limits or log.
import { noteHandled } from "@tributary/server/src/features/billing/payments/hooks.queries.ts";
import { readEvent } from "@tributary/server/src/features/billing/providers/stripe/wire.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { WEBHOOK_SECRET } from "../billing.ts";
import { elsewhere, readBody, readSetting, refuse, serve } from "./floor.ts";

const { partner_id } = readSetting();
const db = elsewhere("provider_events");
const id = newId("payment_provider", Date.now());
const secrets = { webhook_secret: WEBHOOK_SECRET };
const provider = { partner_id, id, account_id: null, kind: "stripe" as const, config: {}, live: false, secrets };

async function take(headers: Record<string, string>, body: string): Promise<void> {
  const now = new Date();
  const event = await readEvent(provider, { headers, body: Buffer.from(body) }, now);
  if (event === null) throw new Error("the event is not signed");
  await noteHandled(db, provider, event, now);
}

serve((request, response) => {
  readBody(request)
    .then((body) => take(request.headers as Record<string, string>, body))
    .then(
      () => response.writeHead(204).end(),
      (error: unknown) => refuse(response, error),
    );
});
