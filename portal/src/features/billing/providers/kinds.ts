import type { ProviderKind } from "./data.ts";

/** What a provider of a kind is called, and what it does. */
export const KINDS: Record<ProviderKind, { name: string; about: string }> = {
  manual: { name: "By hand", about: "The page says how to pay, such as by transfer. You record what arrives." },
  test: { name: "Test", about: "A page with test cards. No money moves, and receipts have numbers of their own." },
};
