import {
  failureIn,
  isOpen,
  leastCents,
  methodIn,
  type PaymentLink,
  payableCents,
} from "../../../features/billing/payment-links/index.ts";
import type { Attempt, Payment } from "../../../features/billing/payments/index.ts";
import { decimalOf, shareOf } from "../../../kernel/money.ts";
import { type Html, html } from "./html.ts";
import { nameOf, type Page, type View } from "./layout.ts";

/** What a form was sent with, and what is wrong with it. */
export type Sent = { values: Readonly<Record<string, string>>; errors: readonly string[] };

/** How a link can be paid now. */
export type Ways = {
  /** Whether there is a provider for payments online, and whether money moves there. */
  online: "live" | "test" | null;
  /** What manual providers tell. */
  instructions: readonly string[];
  /** Whether the account takes payments at all. */
  open: boolean;
};

/** The page of a link, as its state is now. */
export function payPage(view: View, link: PaymentLink, ways: Ways, nonce: string, sent: Sent | null = null): Page {
  const { say } = view;
  const seller = nameOf(view);
  const title = say("pay_to", { seller });
  const ended = (heading: string, text: string): Page => ({
    title: heading,
    body: stateOf(link.status === "paid" ? "good" : "wait", heading, html`${summary(view, link)}<p role="status">${text}</p>`),
  });
  switch (link.status) {
    case "paid":
      return ended(say("paid"), say("paid_text"));
    case "expired":
      return ended(say("expired"), say("expired_text", { seller }));
    case "cancelled":
    case "closed":
      return ended(say("ended"), say("ended_text", { seller }));
  }
  if (!isOpen(link.status) || !ways.open) return ended(say("ended"), say("disabled_text", { seller }));
  if (ways.online !== null && payableCents(link) === 0) return { title: say("busy"), body: busy(view, link) };
  const body = html`${sent !== null && sent.errors.length > 0 && errorBox(view, sent.errors)}
<h1 class="to">${title}</h1>
${summary(view, link)}
${ways.online === "test" && html`<p class="notice">${say("test")}</p>`}
${ways.online !== null && payForm(view, link, nonce, sent?.values ?? {})}
${ways.instructions.length > 0 && html`<h2>${say("how_to_pay")}</h2>${ways.instructions.map((text) => html`<pre>${text}</pre>`)}`}
${ways.online === null && ways.instructions.length === 0 && html`<p role="status">${say("no_online", { seller })}</p>`}
<p class="hint">${say("expires_on", { day: view.day(link.expires_at) })}</p>
<details><summary>${say("on_phone")}</summary><img src="/pay/${link.token}/qr.svg" alt="${link.url}" width="224" height="224" loading="lazy"></details>`;
  return { title, body };
}

const ICONS = {
  good: "M5 12.5l4.5 4.5L19 7.5",
  bad: "M7 7l10 10M17 7L7 17",
  wait: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 8v4l3 2",
};

/** What has become of something: a sign, a heading, and what follows. */
function stateOf(tone: keyof typeof ICONS, heading: string, body: Html, turns = false): Html {
  const icon = html`<svg class="icon ${tone}${turns && " turn"}" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[tone]}"/></svg>`;
  return html`<div class="state">${icon}<h1>${heading}</h1>${body}</div>`;
}

function errorBox({ say }: View, errors: readonly string[]): Html {
  return html`<div class="error" role="alert" tabindex="-1"><h2>${say("error")}</h2><ul>${errors.map((text) => html`<li>${text}</li>`)}</ul></div>`;
}

/** What is asked for. */
function summary(view: View, link: PaymentLink): Html {
  const { say, amount } = view;
  const { line_items, paid_cents, total_cents, usage } = link;
  const part = usage === "single" && paid_cents > 0 && link.amount_due_cents > 0;
  return html`${link.description !== null && html`<p class="for">${link.description}</p>`}
<p class="amount">${amount(part ? link.amount_due_cents : total_cents)}</p>
${part && html`<progress value="${paid_cents}" max="${total_cents}" aria-label="${say("paid")}"></progress><p class="quiet">${say("paid_so_far", { paid: amount(paid_cents), total: amount(total_cents) })}</p>`}
${link.due_on !== null && link.amount_due_cents > 0 && html`<p class="quiet">${say("due_on", { day: view.day(`${link.due_on}T12:00:00Z`, "UTC") })}</p>`}
${line_items !== null && itemTable(view, line_items)}`;
}

function itemTable({ say, amount }: View, items: NonNullable<PaymentLink["line_items"]>): Html {
  const rows = items.map(({ name, quantity, unit_cents, tax_cents = 0 }) => {
    const tax = tax_cents > 0 && html`<br><small class="quiet">${say("tax", { tax: amount(tax_cents) })}</small>`;
    return html`<tr><td>${name}</td><td class="count">${quantity}</td><td>${amount(quantity * unit_cents + tax_cents)}${tax}</td></tr>`;
  });
  return html`<table><thead><tr><th scope="col">${say("item")}</th><th scope="col" class="count">${say("quantity")}</th><th scope="col">${say("price")}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function payForm(view: View, link: PaymentLink, nonce: string, values: Sent["values"]): Html {
  const { say, amount } = view;
  const payable = payableCents(link);
  const least = leastCents(link);
  const { name, email } = link.customer;
  const parts = least < payable;
  const field = (
    id: string,
    label: string,
    value: string,
    options: { type?: string; required?: boolean; hint?: string; autocomplete?: string; inputmode?: string },
  ) => {
    const { type = "text", required = false, hint, autocomplete = "off", inputmode } = options;
    return html`<label for="${id}">${label} ${!required && html`<small class="quiet">(${say("optional")})</small>`}</label>
<input id="${id}" name="${id}" type="${type}"${inputmode !== undefined && html` inputmode="${inputmode}"`} value="${value}" autocomplete="${autocomplete}" maxlength="254"${required && html` required`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
${hint !== undefined && html`<small class="quiet" id="${id}-hint">${hint}</small>`}`;
  };
  const decimal = decimalOf(payable, link.currency);
  const whole = view.language === "en" ? decimal : decimal.replace(".", ",");
  const hint = say("amount_hint", { least: amount(least), most: amount(payable) });
  const alone = !parts && link.tip === null;
  return html`<form method="post" action="${formAction(link, view)}">
<input type="hidden" name="nonce" value="${nonce}"><input type="hidden" name="shown" value="${payable}">
${parts && field("amount", say("amount"), values.amount ?? whole, { required: true, hint, inputmode: "decimal" })}
${link.tip !== null && tipField(view, link.tip.percentages, parts ? null : payable, values)}
${field("name", say("name"), values.name ?? name ?? "", { autocomplete: "name" })}
${field("email", say("email"), values.email ?? email ?? "", { type: "email", autocomplete: "email" })}
${link.collect.map(({ key, label, required }) => field(`answer_${key}`, label, values[`answer_${key}`] ?? "", { required }))}
<button type="submit">${alone ? say("pay", { amount: amount(payable) }) : say("continue")}</button>
<p class="hint">${say("next_page")}</p>
</form>`;
}

const formAction = ({ token }: PaymentLink, { language }: View) => `/pay/${token}/attempts?lang=${language}`;

/** Tips, as amounts too where it is known of what. */
function tipField({ say, amount }: View, percentages: readonly number[], of: number | null, values: Sent["values"]): Html {
  const { tip = "0" } = values;
  const choice = (value: string, label: string, note: string | null = null) =>
    html`<label class="choice"><input type="radio" name="tip" value="${value}"${tip === value && html` checked`}>${label}${note !== null && html`<small class="quiet">${note}</small>`}</label>`;
  return html`<fieldset><legend>${say("tip")}</legend>
<div class="choices">${choice("0", say("no_tip"))}${percentages.map((share) => choice(String(share), `${share} %`, of === null ? null : amount(shareOf(of, share * 100))))}${choice("other", say("other_tip"))}</div>
<div class="other"><label for="tip_amount">${say("tip_amount")}</label>
<input id="tip_amount" name="tip_amount" type="text" inputmode="decimal" value="${values.tip_amount ?? ""}" maxlength="20" autocomplete="off"></div></fieldset>`;
}

/** Somebody else is paying: the provider may end that attempt. */
function busy(view: View, link: PaymentLink): Html {
  const { say, language } = view;
  return html`${stateOf("wait", say("busy"), html`${summary(view, link)}<p role="status">${say("busy_text")}</p>`)}
<form method="post" action="/pay/${link.token}/release?lang=${language}"><button type="submit" class="second">${say("end_and_restart")}</button></form>`;
}

/** Where a payer comes back to. */
export function returnPage(view: View, link: PaymentLink, attempt: Attempt, receipt: string | null): Page {
  const { say, amount, language } = view;
  const back = `/pay/${link.token}?lang=${language}`;
  const paid = amount(attempt.amount_cents + attempt.tip_cents);
  switch (attempt.state) {
    case "succeeded":
      return {
        title: say("thanks"),
        body: html`${stateOf("good", say("thanks"), html`<p role="status">${say("thanks_text", { amount: paid })}</p>`)}
${receipt !== null && html`<a class="button" href="${receipt}">${say("show_receipt")}</a>`}
${link.status === "partially_paid" && html`<a class="button second" href="${back}">${say("pay_rest")}</a>`}`,
      };
    case "processing": {
      const body = html`<p class="amount">${paid}</p><p role="status">${say("processing_text")}</p>`;
      return { title: say("processing"), body: stateOf("wait", say("processing"), body, true), refresh_s: 5 };
    }
    case "failed":
    case "cancelled":
    case "expired":
      return {
        title: say("failed"),
        body: html`${stateOf("bad", say("failed"), html`<p role="status">${failureIn(language, attempt.failure ?? "")}</p>`)}
<a class="button" href="${back}">${say("try_again")}</a>`,
      };
    default:
      return {
        title: say("unfinished"),
        body: html`${stateOf("wait", say("unfinished"), html`<p class="amount">${paid}</p><p role="status">${say("unfinished_text")}</p>`)}
${attempt.redirect !== null && html`<a class="button" href="${attempt.redirect}">${say("go_on")}</a>`}
<form method="post" action="/pay/${link.token}/release?lang=${language}"><button type="submit" class="second">${say("end_and_restart")}</button></form>`,
      };
  }
}

/** The receipt of a payment. */
export function receiptPage(view: View, link: PaymentLink, payment: Payment, pdf: string): Page {
  const { say, amount, seller, language } = view;
  const title = `${say("receipt")} ${payment.receipt_number}`;
  const { tip_cents, amount_cents, refunded_cents, payer, method, method_hint } = payment;
  const row = (label: string, value: string) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`;
  const name = payer.name ?? link.customer.name;
  return {
    title,
    body: html`<h1>${title}</h1>
${!payment.live && html`<p class="notice">${say("test")}</p>`}
<table><tbody>
${row(say("issued_by"), seller?.company ?? "")}
${row(say("receipt_number"), payment.receipt_number)}
${row(say("paid_on"), view.day(payment.paid_at))}
${name !== null && row(say("paid_by"), name)}
${row(say("paid_with"), methodIn(language, method, method_hint))}
${link.description !== null && row(say("paid_for"), link.description)}
${tip_cents > 0 && html`${row(say("price"), amount(amount_cents))}${row(say("tip"), amount(tip_cents))}`}
<tr class="sum"><th scope="row">${say("sum")}</th><td>${amount(amount_cents + tip_cents)}</td></tr>
${refunded_cents > 0 && row(say("refunded"), amount(refunded_cents))}
</tbody></table>
${link.line_items !== null && itemTable(view, link.line_items)}
<a class="button second" href="${pdf}">${say("as_pdf")}</a>`,
  };
}

export function notFoundPage({ say }: View): Page {
  return { title: say("not_found"), body: html`<h1>${say("not_found")}</h1><p>${say("not_found_text")}</p>` };
}
