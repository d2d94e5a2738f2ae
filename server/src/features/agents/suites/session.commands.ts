import { fail, notFound } from "../../../kernel/errors.ts";
import { firstIdAt } from "../../../kernel/ids.ts";
import type { Context } from "../../../platform/record/context.ts";
import { livingPeople } from "../sandbox/index.ts";
import { type PlayedSession, playedSessionOrNull } from "../sessions/index.ts";
import { addTest } from "./commands.ts";
import type { Test } from "./queries.ts";
import type { TestOfSession, TestRequest } from "./schema.ts";

/** The most that a request of the sandbox takes. */
const MOST = { messages: 50, mocks: 50, assert: 50, text: 4_000 } as const;

/** Makes a test of a session: the same words to the same person have to lead to the same deeds. */
export function testFromSession(ctx: Context, session_id: string, { name = `From ${session_id}` }: TestOfSession): Promise<Test> {
  return ctx.tx(async (tx) => {
    const session = (await playedSessionOrNull(tx, ctx.scope, session_id)) ?? notFound(session_id);
    const { account_id, agent_id, person_ids } = session;
    const request = requestOf(session);
    if (request.messages?.length === 0) fail("session_empty");
    const living = await livingPeople(tx, ctx.scope, person_ids);
    const gone = person_ids.find((id) => !living.includes(id));
    if (gone !== undefined)
      fail("session_empty", { detail: `${gone}, with whom the session was, was deleted. Choose another session.` });
    return addTest(ctx, tx, { name, request, account_id, agent_id, session_id, person_ids });
  });
}

function requestOf(session: PlayedSession): TestRequest {
  const { id, turns, slots, handed_off, started_at } = session;
  const messages = turns.flatMap(({ text }) => (text.trim() === "" ? [] : [{ text: text.slice(0, MOST.text) }]));
  const calls = turns.flatMap(({ calls }) => calls);
  // What the account or others answered is part of the test; what is pretended anyway needs no mock.
  const mocks = calls
    .filter(({ tool, answer }) => tool === "http_request" || !answer.ok)
    .map(({ tool, args, answer }) => ({ tool, when: args, times: 1, ...mocked(answer) }));
  const assert = [
    ...(handed_off === null ? [] : [{ type: "handed_off" as const, value: handed_off }]),
    ...Object.entries(slots).map(([slot, value]) => ({ type: "slot" as const, slot, value })),
    ...calls.filter(({ answer }) => answer.ok).map(({ tool, args }) => ({ type: "tool_called" as const, tool, args })),
  ];
  return {
    messages: messages.slice(0, MOST.messages),
    world: { now: started_at.toISOString(), hours: "open", fixtures: fixturesOf(session) },
    mocks: mocks.slice(0, MOST.mocks),
    assert: assert.slice(0, MOST.assert),
    seed: id,
  };
}

type Called = PlayedSession["turns"][number]["calls"][number];

const mocked = (answer: Called["answer"]) =>
  answer.ok ? { return: answer.value } : { error: { code: answer.code.slice(0, 100), detail: answer.detail.slice(0, 500) } };

/** The person as it was before the session, as far as the session tells: what it has written is left out. */
function fixturesOf({ world: { contact, lead }, turns, started_at }: PlayedSession) {
  const done = turns.flatMap(({ calls }) => calls).filter(({ answer }) => answer.ok);
  const written = (tool: string) => new Set(done.filter((one) => one.tool === tool).flatMap(({ args }) => Object.keys(args)));
  const tagged = new Set(done.filter(({ tool }) => tool === "add_tag").map(({ args }) => args.tag));
  const before = (record: Record<string, unknown> & { tags: readonly string[] }, changed: ReadonlySet<string>) => ({
    ...Object.fromEntries(
      ["name", "phone", "email", "company"].flatMap((field) =>
        changed.has(field) || typeof record[field] !== "string" || record[field] === "" ? [] : [[field, record[field]]],
      ),
    ),
    tags: record.tags.filter((tag) => !tagged.has(tag)),
    custom: record.custom as Record<string, unknown>,
  });
  const isOlder = lead !== null && lead.id < firstIdAt("lead", started_at.getTime());
  const changed = written("update_lead");
  return {
    ...(contact === null ? {} : { contact: before(contact, written("update_contact")) }),
    ...(isOlder ? { lead: { ...before(lead, changed), status: changed.has("status") ? "new" : lead.status } } : {}),
  };
}
