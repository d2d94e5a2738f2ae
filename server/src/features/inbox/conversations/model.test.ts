import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { type Conversation, closed, NOBODY, opened, ownedAfterReply, ownedBy, requireToken, snoozed } from "./model.ts";

const NOW = new Date("2026-11-02T09:30:00.000Z");
const conversation = (fields: Partial<Conversation> = {}) =>
  ({ ...NOBODY, owner_token: 5, status: "open", return_at: null, archived_at: null, ...fields }) as Conversation;
const HUMAN = { owner_kind: "human", owner_id: "usr_1" } as const;
const AGENT = { owner_kind: "agent", owner_id: "agt_1" } as const;

describe("the owner", () => {
  test("has a new token with each change, and the same one without", () => {
    expect(ownedBy(conversation(), HUMAN)).toMatchObject({ ...HUMAN, owner_token: 6 });
    expect(ownedBy(conversation(HUMAN), HUMAN).owner_token).toBe(5);
    expect(ownedBy(conversation(HUMAN), { ...HUMAN, owner_id: "usr_2" }).owner_token).toBe(6);
    expect(ownedBy(conversation(HUMAN), NOBODY, NOW)).toMatchObject({ ...NOBODY, owner_token: 6, return_at: NOW });
    expect(ownedBy(conversation({ ...HUMAN, return_at: NOW }), HUMAN).return_at).toBeNull();
  });

  test.each([
    ["nobody", NOBODY, 6, "usr_2"],
    ["an agent", AGENT, 6, "usr_2"],
    ["people in general", { owner_kind: "human", owner_id: null } as const, 6, "usr_2"],
    ["a person", HUMAN, 5, "usr_1"],
  ])("after an answer to a conversation of %s", (_, owner, owner_token, owner_id) => {
    expect(ownedAfterReply(conversation(owner), "usr_2")).toMatchObject({ owner_kind: "human", owner_token, owner_id });
  });

  test("after an answer goes back to the agent when it was to", () => {
    const handed = conversation({ owner_kind: "human", owner_id: null, return_at: NOW });
    expect(ownedAfterReply(handed, "usr_2")).toMatchObject({ owner_id: "usr_2", owner_token: 6, return_at: NOW });
  });

  test("of another token refuses what was decided before", () => {
    requireToken(conversation(), undefined);
    requireToken(conversation(), 5);
    expect(refusalOf(() => requireToken(conversation(HUMAN), 4))).toMatchObject({
      code: "owner_changed",
      meta: { ...HUMAN, owner_token: 5 },
    });
  });
});

describe("a conversation", () => {
  test("that is closed belongs to nobody and waits for nothing", () => {
    const after = closed(conversation({ ...AGENT, status: "snoozed", snoozed_until: NOW, waiting_since: NOW, unread: 2 }), NOW);
    expect(after).toMatchObject({ ...NOBODY, owner_token: 6, status: "closed", closed_at: NOW, snoozed_until: null });
    expect(after).toMatchObject({ waiting_since: null, unread: 0 });
    expect(closed(after, new Date(0))).toBe(after);
  });

  test("is opened unless it is archived, and snoozed unless it is closed", () => {
    expect(opened(conversation({ status: "closed", closed_at: NOW }))).toMatchObject({ status: "open", closed_at: null });
    expect(opened(conversation({ status: "snoozed", snoozed_until: NOW }))).toMatchObject({
      status: "open",
      snoozed_until: null,
    });
    const archived = conversation({ status: "closed", archived_at: NOW });
    expect(refusalOf(() => opened(archived))).toMatchObject({
      code: "invalid_state_transition",
      meta: { from: "archived", allowed: [] },
    });
    expect(snoozed(conversation(), NOW)).toMatchObject({ status: "snoozed", snoozed_until: NOW });
    expect(refusalOf(() => snoozed(conversation({ status: "closed" }), NOW))).toMatchObject({
      meta: { from: "closed", allowed: ["open"] },
    });
  });
});
