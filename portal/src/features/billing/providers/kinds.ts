import type { ProviderKind } from "./data.ts";

/** What a provider of a kind is called, and what it does. */
export const KINDS: Record<ProviderKind, { name: string; about: string }> = {
  manual: { name: "By hand", about: "The page says how to pay, such as by transfer. You record what arrives." },
  stripe: { name: "Stripe", about: "The pages of Stripe: cards, wallets, debits. The money goes to your account there." },
  test: { name: "Test", about: "A page with test cards. No money moves, and receipts have numbers of their own." },
};
