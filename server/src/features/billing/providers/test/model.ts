/** The cards that the test provider accepts, and what happens to each. It refuses all others, and stores none. */
export const TEST_CARDS = {
  "4242424242424242": { becomes: "succeeded" },
  "4000000000000002": { becomes: "failed" },
  "4000000000003220": { becomes: "confirming" },
  "4000000000000077": { becomes: "processing", later: "succeeded" },
  "4000000000000341": { becomes: "processing", later: "failed" },
  "4000000000000259": { becomes: "succeeded", disputed: true },
} as const;

export type TestCard = (typeof TEST_CARDS)[keyof typeof TEST_CARDS];

/** How long a payment takes that is not decided at once. */
export const DECIDED_AFTER_MS = 5_000;

/** What happens to a card, written with or without spaces; null for a card that is none of the test's. */
export function testCard(number: string): (TestCard & { last4: string }) | null {
  const digits = number.replaceAll(/[\s-]/g, "");
  const card = Object.hasOwn(TEST_CARDS, digits) ? TEST_CARDS[digits as keyof typeof TEST_CARDS] : null;
  return card === null ? null : { ...card, last4: digits.slice(-4) };
}
