import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, Known, Net, Outcome } from "../adapter.ts";
import { DECIDED_AFTER_MS, testCard } from "./model.ts";
import { disputeSession, moveSession, openSession, sessionOrNull, type TestSession } from "./queries.ts";

const DECLINED = "The card was declined.";

/**
 * A provider for tests and demos. It behaves like one elsewhere: it has its own page for cards and its own records, is asked by
 * reference, and may decide later. Its reference is the id of the attempt, so that a repeated start finds the same session.
 */
export const test: Adapter = {
  config: Type.Object({}, closed),
  secrets: null,
  live: () => false,
  hooks: null,
  online: {
    supports: () => true,
    async start(_, { partner_id, id, pay_url }, { db, now }) {
      await openSession(db, { partner_id, id }, now());
      return { redirect: `${pay_url}/test/${id}`, provider_ref: id };
    },
    look: (_, attempt, net) => outcomeOf(attempt, net),
    async expire(_, attempt, net) {
      await moveSession(net.db, { ...attempt, from: ["open", "confirming"], to: "expired" });
      return outcomeOf(attempt, net);
    },
    refund: async (_, { id }) => ({ status: "succeeded", provider_ref: `test_${id}` }),
    // Nobody returns money at the test provider itself.
    refunds: async () => [],
    async disputes(_, { partner_id, attempt_id: id, amount_cents }, { db, now }) {
      const dispute = (await sessionOrNull(db, { partner_id, id }, now()))?.dispute ?? null;
      return dispute === null ? [] : [{ provider_ref: id, amount_cents, reason: "fraudulent", status: dispute }];
    },
  },
};

async function outcomeOf(attempt: Known, { db, now }: Net): Promise<Outcome | null> {
  const session = await sessionOrNull(db, attempt, now());
  return session === null ? null : outcome(session, attempt.id);
}

function outcome({ state, card_last4 }: TestSession, id: string): Outcome {
  switch (state) {
    case "open":
    case "confirming":
      return { state: "pending" };
    case "processing":
      return { state };
    case "succeeded":
      return { state, ref: id, method: "card", method_hint: card_last4 };
    case "failed":
      return { state, failure: DECLINED };
    case "expired":
      return { state, failure: "The payment was not completed." };
  }
}

/** A session for the page of the provider; null if there is none. */
export function testSession(attempt: { partner_id: string; id: string }, { db, now }: Net): Promise<TestSession | null> {
  return sessionOrNull(db, attempt, now());
}

/** Takes a card. False if it is none that the provider knows; its number is forgotten. */
export async function takeTestCard(attempt: { partner_id: string; id: string }, number: string, net: Net): Promise<boolean> {
  const card = testCard(number);
  if (card === null) return false;
  const later = "later" in card ? { state: card.later, at: new Date(net.now().getTime() + DECIDED_AFTER_MS) } : undefined;
  await moveSession(net.db, { ...attempt, from: ["open"], to: card.becomes, last4: card.last4, ...(later && { later }) });
  if ("disputed" in card) await disputeSession(net.db, { ...attempt, from: null, to: "open" });
  return true;
}

/** Decides a payment that needs a second step. */
export async function confirmTestCard(
  attempt: { partner_id: string; id: string },
  approved: boolean,
  { db }: Net,
): Promise<void> {
  await moveSession(db, { ...attempt, from: ["confirming"], to: approved ? "succeeded" : "failed" });
}

/** Decides a dispute, as the bank of the payer would. */
export async function decideTestDispute(attempt: { partner_id: string; id: string }, won: boolean, { db }: Net): Promise<void> {
  await disputeSession(db, { ...attempt, from: "open", to: won ? "won" : "lost" });
}
