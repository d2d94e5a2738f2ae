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
import { styleOf } from "./style.ts";

/** What every page is drawn with. */
export type View = {
  language: Language;
  say: Say;
  seller: Seller | null;
  /** Where the logo of the seller is, at our own origin. */
  logo: string | null;
  /** An amount of the link's currency. */
  amount(cents: number): string;
  day(time: string | Date, zone?: string): string;
};

type Shown = Pick<PaymentLink, "token" | "currency" | "timezone">;

export function viewOf(language: Language, seller: Seller | null, link: Shown | null): View {
  return {
    language,
    say: textsOf(language),
    seller,
    logo: link === null || seller?.branding.logo_url === undefined ? null : `/pay/${link.token}/logo`,
    amount: (cents) => amountText(cents, link?.currency ?? "usd", language),
    day: (time, zone = link?.timezone ?? "UTC") =>
      new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: zone }).format(new Date(time)),
  };
}

/** Who is paid: the company, which the payer knows, rather than the name of its software. */
export const nameOf = ({ seller }: View): string => seller?.company ?? "";

export type Page = {
  title: string;
  body: Html;
  refresh_s?: number;
  /** The page of a provider has one language. */
  of_provider?: true;
};

const NAMES: Record<Language, string> = { en: "English", de: "Deutsch", fr: "Français", es: "Español", pt: "Português" };
const LANGUAGE: Record<Language, string> = { en: "Language", de: "Sprache", fr: "Langue", es: "Idioma", pt: "Idioma" };

/** Where forms may lead: to us, and from us on to the pages of providers. */
const FORM_TARGETS = "'self' https://checkout.stripe.com";

export function sendPage(reply: FastifyReply, status: number, view: View, page: Page): FastifyReply {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' data:; form-action ${FORM_TARGETS}; frame-ancestors 'none'; base-uri 'none'`;
  return reply
    .code(status)
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .header("x-robots-tag", "noindex")
    .type("text/html; charset=utf-8")
    .send(pageText(view, page, nonce, reply.request.method === "GET"));
}

/** The page as it is sent; its style is allowed by the nonce. One that was read can be read in another language. */
export function pageText(view: View, page: Page, nonce: string, read = true): string {
  return `<!doctype html>\n${documentOf(view, page, nonce, read).markup}`;
}

/** A page that answers a form has no address of its own, so that its language cannot be changed. */
function documentOf(view: View, { title, body, refresh_s, of_provider }: Page, nonce: string, read: boolean): Html {
  const { language, say, seller, logo } = view;
  const { support_email, primary_color = "#1c4f82" } = seller?.branding ?? {};
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
<main>${seller !== null && html`<header>${logo !== null && html`<img src="${logo}" alt="">`}<span>${nameOf(view)}</span></header>`}
${body}</main>
<footer>${support_email !== undefined && html`<p>${say("questions")} <a href="mailto:${support_email}">${support_email}</a></p>`}
${read && of_provider === undefined && languages(view)}</footer>
</body>
</html>
`;
}

function languages({ language }: View): Html {
  const links = Object.entries(NAMES).map(
    ([code, name]) =>
      html`<a href="?lang=${code}" lang="${code}" hreflang="${code}"${code === language && html` aria-current="true"`}>${name}</a>`,
  );
  return html`<nav aria-label="${LANGUAGE[language]}">${links}</nav>`;
}
