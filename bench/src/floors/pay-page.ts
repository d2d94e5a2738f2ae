// Floor of "open the page of a payment link": node:http, the product's own reads over two pipelined connections like the product's, and its own
// markup. No limits, no signed form, no log.
import { linkByToken, sellerOf } from "@tributary/server/src/features/billing/payment-links/index.ts";
import { usableProviders } from "@tributary/server/src/features/billing/providers/index.ts";
import type { Queryable } from "@tributary/server/src/platform/db/statement.ts";
import { pageText, viewOf } from "@tributary/server/src/surfaces/public/pay/layout.ts";
import { payPage } from "@tributary/server/src/surfaces/public/pay/pages.ts";
import pg from "pg";
import { cycle } from "../requests.ts";
import { ONE_PLAN, readSetting, refuse, serve } from "./floor.ts";

const clients = [0, 1].map(() => new pg.Client({ ...readSetting().connection, ...ONE_PLAN }));
await Promise.all(clients.map((client) => client.connect()));
const nextClient = cycle(clients);
const db: Queryable = {
  query: async ({ name, text }, values = []) => (await nextClient().query({ name, text, values: [...values] })).rows,
};
const NONCE = "0123456789abc.0123456789012345678901234567890123456789012";

async function page(token: string): Promise<string> {
  const link = await linkByToken(db, token, { now: new Date(), base_url: "http://127.0.0.1" });
  if (link === null) throw new Error(`no link ${token}`);
  const { partner_id, account_id, provider_id } = link;
  const seller = await sellerOf(db, partner_id, account_id);
  await usableProviders(db, { partner_id }, account_id, provider_id);
  const view = viewOf("en", seller, link);
  return pageText(view, payPage(view, link, { online: "test", instructions: [], open: true }, NONCE), NONCE);
}

serve((request, response) => {
  page(request.url?.slice(request.url.lastIndexOf("/") + 1) ?? "").then(
    (text) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": Buffer.byteLength(text) });
      response.end(text);
    },
    (error: unknown) => refuse(response, error),
  );
});
