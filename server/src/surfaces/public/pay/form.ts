import { leastCents, type PaymentLink, payableCents, TOTAL_MAX } from "../../../features/billing/payment-links/index.ts";
import type { Form } from "../../../features/billing/payments/index.ts";
import { shareOf } from "../../../kernel/money.ts";
import type { Signer } from "../../../platform/crypto/sign.ts";
import { randomToken } from "../../../platform/http/public-tokens.ts";
import { typedAmount } from "./amounts.ts";
import type { View } from "./layout.ts";

const PURPOSE = "pay form";
const ANSWER_MAX = 254;
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@.]+$/;

type Signing = { signer: Signer };

/** A nonce for one form of a link. It is signed, so that showing a form stores nothing. */
export function newNonce({ signer }: Signing, { id }: PaymentLink): string {
  const nonce = randomToken();
  return `${nonce}.${signer.sign(`${id} ${nonce}`, PURPOSE)}`;
}

/** The nonce of a form that was made here for the link; null for another. */
export function readNonce({ signer }: Signing, { id }: PaymentLink, text: string): string | null {
  const [nonce = "", mac = ""] = text.split(".");
  return signer.verify(`${id} ${nonce}`, PURPOSE, mac) ? nonce : null;
}

/** A form that can be paid, or what is wrong with it. */
export type Read = { form: Form } | { errors: string[] };

/** Reads what a payer has sent. */
export function readForm(view: View, link: PaymentLink, nonce: string, values: Readonly<Record<string, string>>): Read {
  const { say } = view;
  const errors: string[] = [];
  const amount_cents = amountOf(view, link, values, errors);
  const tip_cents = tipOf(view, link, values, amount_cents, errors);
  const email = (values.email ?? "").trim();
  if (email !== "" && !EMAIL.test(email)) errors.push(say("error_email"));
  const answers: Record<string, string> = {};
  for (const { key, label, required } of link.collect) {
    const answer = clean(values[`answer_${key}`]);
    if (answer !== "") answers[key] = answer;
    else if (required) errors.push(say("error_required", { label }));
  }
  if (errors.length > 0) return { errors };
  const payer = { name: clean(values.name) || null, email: email || null, answers };
  return { form: { nonce, amount_cents, tip_cents, payer, language: view.language } };
}

/** Without control characters, which the database could not store. */
function clean(text = ""): string {
  return text
    .replaceAll(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, ANSWER_MAX)
    .toWellFormed();
}

/** What is paid now: what the payer was shown, or a part of it. */
function amountOf({ say, amount }: View, link: PaymentLink, values: Readonly<Record<string, string>>, errors: string[]): number {
  const most = payableCents(link);
  const least = leastCents(link);
  if (values.amount === undefined) {
    if (values.shown !== String(most)) errors.push(say("error_changed"));
    return most;
  }
  const typed = typedAmount(values.amount, link.currency);
  if (typed === null || typed < least || typed > most)
    errors.push(say("error_amount", { least: amount(least), most: amount(most) }));
  return typed ?? most;
}

function tipOf(
  { say, amount }: View,
  { tip, currency }: PaymentLink,
  values: Readonly<Record<string, string>>,
  amount_cents: number,
  errors: string[],
): number {
  const chosen = values.tip ?? "0";
  if (tip === null || chosen === "0") return 0;
  if (tip.percentages.includes(Number(chosen))) return shareOf(amount_cents, Number(chosen) * 100);
  const typed = typedAmount(values.tip_amount ?? "", currency);
  if (chosen !== "other" || typed === null || typed > TOTAL_MAX)
    errors.push(say("error_tip", { example: amount(shareOf(amount_cents, 1_000)) }));
  return typed ?? 0;
}
