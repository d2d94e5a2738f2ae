import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import {
  type Language,
  type PaymentLink,
  type Say,
  type Seller,
  textsOf,
} from "../../../features/billing/payment-links/index.ts";
import { amountText } from "../../../kernel/money.ts";
import { type Html, html } from "./html.ts";

/** What every page is drawn with. */
export type View = {
  language: Language;
  say: Say;
  seller: Seller | null;
  /** An amount of the link's currency. */
  amount(cents: number): string;
  day(time: string | Date, zone?: string): string;
};

export function viewOf(language: Language, seller: Seller | null, link: Pick<PaymentLink, "currency" | "timezone"> | null): View {
  return {
    language,
    say: textsOf(language),
    seller,
    amount: (cents) => amountText(cents, link?.currency ?? "usd", language),
    day: (time, zone = link?.timezone ?? "UTC") =>
      new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: zone }).format(new Date(time)),
  };
}

export const nameOf = ({ seller }: View): string => seller?.branding.product_name ?? seller?.company ?? "";

export type Page = { title: string; body: Html; refresh_s?: number };

/** Where forms may lead: to us, and from us on to the pages of providers. */
const FORM_TARGETS = "'self' https://checkout.stripe.com";

export function sendPage(reply: FastifyReply, status: number, view: View, page: Page): FastifyReply {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' https: data:; form-action ${FORM_TARGETS}; frame-ancestors 'none'; base-uri 'none'`;
  return reply
    .code(status)
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .header("x-robots-tag", "noindex")
    .type("text/html; charset=utf-8")
    .send(pageText(view, page, nonce));
}

/** The page as it is sent; its style is allowed by the nonce. */
export function pageText(view: View, page: Page, nonce: string): string {
  return `<!doctype html>\n${documentOf(view, page, nonce).markup}`;
}

function documentOf(view: View, { title, body, refresh_s }: Page, nonce: string): Html {
  const { language, say, seller } = view;
  const { logo_url, support_email, primary_color = "#1c4f82" } = seller?.branding ?? {};
  const logo = logo_url?.startsWith("https://") === true ? html`<img src="${logo_url}" alt="">` : null;
  return html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh_s !== undefined && html`<meta http-equiv="refresh" content="${refresh_s}">`}
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ markup: styleOf(primary_color) }}</style>
</head>
<body>
${seller !== null && html`<header>${logo}<span>${nameOf(view)}</span></header>`}
<main>${body}</main>
${support_email !== undefined && html`<footer>${say("questions")} <a href="mailto:${support_email}">${support_email}</a></footer>`}
</body>
</html>
`;
}

/** Black or white, whichever is easier to read on a colour of branding. */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000" : "#fff";
}

/** The colour is one of the form #0b7285: the schema of branding allows no other. */
function styleOf(color: string): string {
  const accent = /^#[0-9a-fA-F]{6}$/.test(color) ? color : "#1c4f82";
  return `:root{--accent:${accent};--on-accent:${textOn(accent)};color-scheme:light}
*{box-sizing:border-box}body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#1c2530;background:#f2f4f6}
header,main,footer{max-width:32rem;margin:0 auto;padding:1rem}header{display:flex;gap:.75rem;align-items:center;font-weight:600}
header img{max-height:2.5rem;max-width:10rem}main{background:#fff;padding:1.25rem}
h1{font-size:1.35rem;line-height:1.25;margin:0 0 .75rem}h2{font-size:1.05rem;margin:1.25rem 0 .5rem}
.amount{font-size:2rem;font-weight:700;margin:.25rem 0}.quiet{color:#55606b}.notice{background:#fff6d6;padding:.75rem;border-radius:.5rem}
.error{border:2px solid #b42318;padding:.75rem;border-radius:.5rem;margin-bottom:1rem}.error h2{margin:0;color:#b42318}
table{width:100%;border-collapse:collapse;margin:.5rem 0}th,td{text-align:left;padding:.4rem 0;border-bottom:1px solid #dde2e6;vertical-align:top}
td:last-child,th:last-child{text-align:right}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}
label,legend{display:block;font-weight:600;margin:1rem 0 .25rem;padding:0}fieldset{border:0;padding:0;margin:0}
.choice{display:flex;gap:.6rem;align-items:center;font-weight:400;margin:.25rem 0;min-height:2.75rem}.choice input{width:1.25rem;height:1.25rem}
input[type=text],input[type=email]{width:100%;padding:.7rem;font:inherit;border:1px solid #8a949e;border-radius:.5rem;background:#fff}
button,.button{display:block;width:100%;margin-top:1.25rem;padding:.85rem;border:0;border-radius:.5rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;background:var(--accent);color:var(--on-accent);cursor:pointer}
.second{background:#fff;color:#1c2530;border:1px solid #8a949e}:focus-visible{outline:3px solid #1c2530;outline-offset:2px}
summary{cursor:pointer;margin-top:1.25rem}details img{display:block;width:100%;max-width:14rem;margin:.75rem auto}
@media(max-width:36rem){details{display:none}}@media(min-width:36rem){main{border-radius:.75rem;padding:2rem;margin-top:1rem}}@media print{body{background:#fff}.button,button{display:none}}`;
}
