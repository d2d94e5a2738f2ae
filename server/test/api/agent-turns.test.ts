import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { runDueTurns } from "../../src/features/agents/sessions/index.ts";
import { agentsOf } from "../harness/agents.ts";
import { type Receiver, startReceiver, status } from "../harness/receiver.ts";
import { sized } from "../harness/size.ts";
import { GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let account_id: string;
let target: Receiver;
const { call, write, get, thread, newAgent, answer, talk, sessionsOf, sessionOf } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  target = await startReceiver();
});
afterAll(() => target.close());

const echo = { start: "a", states: { a: { say: "Hello.", branch: [{ when: { match: ["bye"] }, go: "@end" }], go: "a" } } };
const leadsWith = async (phone: string): Promise<Json[]> =>
  (await call("GET", `/leads?account_id=${account_id}&limit=100`)).body.data.filter((lead: Json) => lead.phone === phone);
const contactWith = async (phone: string): Promise<Json> =>
  (await call("GET", `/contacts?account_id=${account_id}&limit=100`)).body.data.find((contact: Json) => contact.phone === phone);
const texts = (messages: Json[]) => messages.filter(({ kind }) => kind === "text").map(({ text }) => text);

describe("an agent", () => {
  test("talks by its playbook, does what it says, and hands off", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    expect(await ada.say("Hi")).toEqual([`Hi, I am ${agent.name}.`, "Website or ads?"]);
    expect(await ada.find()).toMatchObject({ owner_kind: "agent", owner_id: agent.id, owner_token: 2, waiting_since: null });
    expect(await ada.say("a website")).toEqual(["Monthly budget in EUR?"]);
    expect(await ada.say("900")).toEqual(["Where can we write to you?"]);
    expect(await ada.say("ada@harbour.example")).toEqual(["A colleague will call you."]);
    const [lead, ...others] = await leadsWith(ada.phone);
    expect(others).toEqual([]);
    expect(lead).toMatchObject({ email: "ada@harbour.example", status: "qualified", notes: "website, 900 EUR" });
    expect(await contactWith(ada.phone)).toMatchObject({ tags: ["hot"] });
    const conversation = await ada.find();
    expect(conversation).toMatchObject({ owner_kind: "human", owner_id: null, owner_token: 3 });
    const messages = await ada.thread();
    expect(messages.at(-1)).toMatchObject({ kind: "event", event: { type: "handed_off" } });
    expect(messages[1]).toMatchObject({ author: { type: "agent", id: agent.id }, automatic: true, status: "queued" });
    const [session] = await sessionsOf(agent);
    expect(session).toMatchObject({ status: "handed_off", turns: 4, agent_version: 1, conversation_id: conversation.id });
    expect(session.slots).toEqual({ need: "website", budget: 900, email: "ada@harbour.example" });
    const { history } = await sessionOf(session.id);
    expect(history.map(({ state, visited }: Json) => [state, visited])).toEqual([
      ["done", ["hello"]],
      ["done", []],
      ["done", []],
      ["done", ["save", "good"]],
    ]);
    expect(history.map(({ latency_ms }: Json) => typeof latency_ms)).toEqual(Array(4).fill("number"));
    expect(history[3].calls.map(({ tool }: Json) => tool)).toEqual(["update_lead", "update_lead", "add_tag"]);
    expect(await ada.say("Hello?")).toEqual([]);
  });

  test("answers messages that come in pieces once, with all of them", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    await ada.say("Hi");
    await write(agent.channel, ada.phone, "ads");
    world.clock.advance(1_500);
    expect(await runDueTurns(world.app.services)).toBe(0);
    await write(agent.channel, ada.phone, "please");
    world.clock.advance(1_500);
    expect(await runDueTurns(world.app.services)).toBe(0);
    world.clock.advance(500);
    expect(await runDueTurns(world.app.services)).toBe(1);
    expect(texts(await ada.thread()).slice(-3)).toEqual(["ads", "please", "Monthly budget in EUR?"]);
    expect(await runDueTurns(world.app.services)).toBe(0);
  });

  test("answers neither machines, nor what a person has, nor unowned conversations outside of the hours", async () => {
    const agent = await newAgent(account_id, echo);
    const machine = await talk(agent.channel);
    await write(agent.channel, machine.phone, "Out of office", { automatic: true });
    const owned = await talk(agent.channel);
    await owned.say("Hi");
    await call("POST", `/conversations/${(await owned.find()).id}/takeover`);
    await write(agent.channel, owned.phone, "Anybody?");
    expect(await answer()).toBe(0);
    await world.db.sql("update channels set timezone = 'UTC', hours = $2 where id = $1", [
      agent.channel.id,
      JSON.stringify({ mon: [{ from: "00:00", to: "00:01" }] }),
    ]);
    const late = await talk(agent.channel);
    expect(await late.say("Hi")).toEqual([]);
    await call("POST", `/conversations/${(await owned.find()).id}/return`);
    expect(await owned.say("And now?")).toEqual(["Hello."]);
  });

  test("only suggests in the mode suggest: a note, and nothing else happens", async () => {
    const playbook = {
      start: "a",
      states: { a: { do: [{ tool: "add_tag", args: { tag: "hot" } }], say: "Call us.", go: "@handoff" } },
    };
    const agent = await newAgent(account_id, playbook, { fields: { mode: "suggest" } });
    const ada = await talk(agent.channel);
    expect(await ada.say("Hi")).toEqual([]);
    expect((await ada.thread()).map(({ kind, text }) => [kind, text])).toEqual([
      ["text", "Hi"],
      ["note", "Call us."],
    ]);
    expect(await ada.find()).toMatchObject({ owner_kind: "none" });
    expect(await contactWith(ada.phone)).toMatchObject({ tags: [] });
  });

  test("that is paused, archived or off answers nobody, and one whose partner is suspended waits for nothing", async () => {
    const agent = await newAgent(account_id, echo);
    const ada = await talk(agent.channel);
    await write(agent.channel, ada.phone, "Hi");
    await call("PATCH", `/agents/${agent.id}`, { status: "paused" });
    await answer();
    expect(texts(await ada.thread())).toEqual(["Hi"]);
    await call("PATCH", `/agents/${agent.id}`, { status: "active" });
    expect(await ada.say("Hi again")).toEqual(["Hello."]);
    await call("PATCH", `/agents/${agent.id}`, { mode: "off" });
    expect(await ada.say("Hi")).toEqual([]);
  });

  test("follows the version that its session began with", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const [ada, eve] = [await talk(agent.channel), await talk(agent.channel)];
    await ada.say("Hi");
    await call("POST", `/agents/${agent.id}/versions`, { content: { engine: "playbook", playbook: echo } });
    await call("POST", `/agents/${agent.id}/publish`, { version: 2 });
    expect(await ada.say("ads")).toEqual(["Monthly budget in EUR?"]);
    expect(await eve.say("Hi")).toEqual(["Hello."]);
  });
});

/** A playbook that asks a target, and then does everything at once. */
const asking = {
  start: "a",
  states: {
    a: {
      do: [
        { tool: "add_tag", args: { tag: "asked" } },
        { tool: "http_request", args: { name: "slots", body: { name: "{{contact.name}}" } } },
        { tool: "create_deal", args: { name: "Visit", amount_cents: 5000 } },
        { tool: "add_note", args: { text: "Offered {{result.http_request.body.first}}" } },
      ],
      go: "b",
    },
    b: { say: "Free: {{result.http_request.body.first}}.", go: "@end" },
  },
};
const targeting = (path: string) => ({ content: { targets: { slots: { url: `${target.origin}${path}` } } } });
const NOON = status(200, { "content-type": "application/json" }, JSON.stringify({ first: "noon" }));
const dealsOf = async (contact_id: string): Promise<Json[]> =>
  (await call("GET", `/deals?account_id=${account_id}&limit=100`)).body.data.filter(
    (deal: Json) => deal.contact_id === contact_id,
  );

describe("a turn", () => {
  test("calls targets of its version under a key of its own, and commits everything together", async () => {
    target.answer("/ok", NOON);
    const agent = await newAgent(account_id, asking, targeting("/ok"));
    const ada = await talk(agent.channel);
    expect(await ada.say("Hi")).toEqual(["Free: noon."]);
    const [request, ...others] = target.at("/ok");
    expect([others.length, JSON.parse(String(request?.body))]).toEqual([0, { name: "Ada Okafor" }]);
    expect(request?.headers["idempotency-key"]).toMatch(/^trn_\w+\.2$/);
    const contact = await contactWith(ada.phone);
    expect(contact.tags).toEqual(["asked"]);
    expect(await dealsOf(contact.id)).toMatchObject([{ name: "Visit", amount_cents: 5000 }]);
    expect((await call("GET", `/contacts/${contact.id}/notes`)).body.data).toMatchObject([{ body: "Offered noon" }]);
    expect((await sessionsOf(agent))[0]).toMatchObject({ status: "completed", outcome: { kind: "completed" } });
  });

  test("of which somebody takes the conversation over meanwhile leaves nothing behind", async () => {
    const agent = await newAgent(account_id, asking, targeting("/slow"));
    const ada = await talk(agent.channel);
    target.answer("/slow", async (response, received, request) => {
      await call("POST", `/conversations/${(await ada.find()).id}/takeover`);
      NOON(response, received, request);
    });
    expect(await ada.say("Hi")).toEqual([]);
    const contact = await contactWith(ada.phone);
    expect([contact.tags, await dealsOf(contact.id)]).toEqual([[], []]);
    const [session] = await sessionsOf(agent);
    expect((await sessionOf(session.id)).history).toMatchObject([{ state: "superseded", said: [], calls: [] }]);
  });

  test("acts on the deal that it saw or has made, whatever was made meanwhile, and not at all once that is gone", async () => {
    const make = { tool: "create_deal", args: { name: "Made" } };
    const ask = { tool: "http_request", args: { name: "slots" } };
    const move = { tool: "move_deal", args: { stage: "Proposal" } };
    /** Somebody's deals that were moved by a turn, during which another deal is made, and how its session ended. */
    const moved = async (tools: unknown[], meanwhile = async (_seen: string): Promise<unknown> => undefined) => {
      const agent = await newAgent(account_id, { start: "a", states: { a: { do: tools, go: "@end" } } }, targeting("/new"));
      const { id, phone } = (await call("POST", "/contacts", { account_id, name: "Ada", phone: nextPhone() })).body;
      const newDeal = async (name: string) => (await call("POST", "/deals", { account_id, name, contact_id: id })).body.id;
      const seen = await newDeal("Seen");
      target.answer("/new", async (response, received, request) => {
        await Promise.all([newDeal("Other"), meanwhile(seen)]);
        NOON(response, received, request);
      });
      await (await talk(agent.channel, phone)).say("Hi");
      const there = (await dealsOf(id)).filter(({ stage }) => stage === "Proposal").map(({ name }) => name);
      return [...there, (await sessionsOf(agent))[0].status];
    };
    expect(await moved([ask, move])).toEqual(["Seen", "completed"]);
    expect(await moved([make, ask, move])).toEqual(["Made", "completed"]);
    expect(await moved([ask, move], (seen) => call("DELETE", `/deals/${seen}`))).toEqual(["handed_off"]);
  });

  test("that waits while somebody takes the conversation over is not begun, and its session is over", async () => {
    const agent = await newAgent(account_id, echo);
    const ada = await talk(agent.channel);
    expect(await ada.say("Hi")).toEqual(["Hello."]);
    await write(agent.channel, ada.phone, "Are you there?");
    await call("POST", `/conversations/${(await ada.find()).id}/takeover`);
    await answer();
    expect(texts(await ada.thread())).toEqual(["Hi", "Hello.", "Are you there?"]);
    expect((await sessionsOf(agent))[0]).toMatchObject({ status: "handed_off", outcome: { kind: "handed_off" } });
  });

  test("whose target fails, or whose tool is off, hands off", async () => {
    target.answer("/broken", status(500));
    target.answer("/moved", status(300));
    target.answer("/silent", (_response, _received, request) => void request.socket.destroy());
    for (const [path, reason] of [
      ["/broken", "http_request: The target answered 500."],
      ["/moved", "http_request: The target answered 300."],
      ["/silent", "http_request: The target did not answer."],
    ] as const) {
      const agent = await newAgent(account_id, asking, targeting(path));
      const ada = await talk(agent.channel);
      expect(await ada.say("Hi")).toEqual([]);
      expect((await sessionsOf(agent))[0].outcome).toEqual({ kind: "handed_off", reason });
      expect(await contactWith(ada.phone)).toMatchObject({ tags: ["asked"] });
    }
    const off = await newAgent(account_id, asking, { content: { tools: { add_tag: "off" } } });
    const eve = await talk(off.channel);
    await eve.say("Hi");
    expect((await sessionsOf(off))[0].outcome.reason).toBe("add_tag: The tool add_tag is off.");
  });

  test("whose command is refused runs once more with the refusal, without asking anybody twice", async () => {
    target.answer("/twice", NOON);
    const playbook = structuredClone(asking) as Json;
    playbook.states.a.do.push({ tool: "update_contact", args: { email: "no address" } });
    const agent = await newAgent(account_id, playbook, targeting("/twice"));
    const ada = await talk(agent.channel);
    expect(await ada.say("Hi")).toEqual([]);
    expect(target.at("/twice")).toHaveLength(1);
    const contact = await contactWith(ada.phone);
    expect(contact).toMatchObject({ tags: ["asked"], email: null });
    expect(await dealsOf(contact.id)).toHaveLength(1);
    expect((await sessionsOf(agent))[0]).toMatchObject({
      status: "handed_off",
      outcome: { reason: expect.stringContaining("update_contact:") },
    });
    expect(await ada.find()).toMatchObject({ owner_kind: "human" });
  });

  test("that cannot be committed for a reason of ours is begun again after a second, without asking anybody twice", async () => {
    target.answer("/failing", NOON);
    const agent = await newAgent(account_id, asking, targeting("/failing"));
    const phone = nextPhone();
    await write(agent.channel, phone, "Hi");
    await world.db.sql("alter table deals add constraint broken check (name <> 'Visit') not valid");
    await expect(answer()).rejects.toMatchObject({ code: "23514" });
    await world.db.sql("alter table deals drop constraint broken");
    expect(await runDueTurns(world.app.services)).toBe(0);
    world.clock.advance(1_000);
    expect(await runDueTurns(world.app.services)).toBe(1);
    const { id } = (await call("GET", `/conversations?channel_id=${agent.channel.id}&limit=1`)).body.data[0];
    expect(texts(await thread(id))).toEqual(["Hi", "Free: noon."]);
    expect(target.at("/failing")).toHaveLength(1);
    expect(await dealsOf((await contactWith(phone)).id)).toHaveLength(1);
  });

  test("to somebody who does not want to be written to is handed off without a word", async () => {
    const agent = await newAgent(account_id, echo);
    const ada = await talk(agent.channel);
    await write(agent.channel, ada.phone, "Hi");
    const contact = await contactWith(ada.phone);
    await call("PUT", `/contacts/${contact.id}/consent`, { sms: { status: "denied", source: "Phone call" } });
    await answer();
    expect(texts(await ada.thread())).toEqual(["Hi"]);
    expect(await ada.find()).toMatchObject({ owner_kind: "human" });
  });
});

describe("a follow-up", () => {
  const later = {
    start: "a",
    states: {
      a: {
        do: [{ tool: "schedule_follow_up", args: { minutes: 60, text: "Still there?" } }],
        say: "Think about it.",
        branch: [{ when: { match: ["yes"] }, say: "Great.", go: "@end" }],
        go: "a",
      },
    },
  };

  test("is sent if the person does not write before, and not if a person or the team does", async () => {
    const agent = await newAgent(account_id, later);
    const [silent, quick, taken] = [await talk(agent.channel), await talk(agent.channel), await talk(agent.channel)];
    for (const one of [silent, quick, taken]) expect(await one.say("Hi")).toEqual(["Think about it."]);
    expect(await quick.say("yes")).toEqual(["Great."]);
    await call("POST", `/conversations/${(await taken.find()).id}/takeover`);
    world.clock.advance(3_600_000);
    await answer();
    expect(texts(await silent.thread())).toEqual(["Hi", "Think about it.", "Still there?"]);
    expect(texts(await quick.thread()).at(-1)).toBe("Great.");
    expect(texts(await taken.thread()).at(-1)).toBe("Think about it.");
    expect(await silent.say("yes")).toEqual(["Great."]);
  });
});

describe("a session", () => {
  test("ends on request, and by itself after a day; the next message begins another one", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    await ada.say("Hi");
    const [first] = await sessionsOf(agent, "&status=waiting");
    const ended = await call("POST", `/sessions/${first.id}/end`);
    expect(ended.body).toMatchObject({ status: "completed", ended_at: expect.any(String) });
    expect((await call("POST", `/sessions/${first.id}/end`)).body.code).toBe("invalid_state_transition");
    expect(await ada.say("Hi again")).toHaveLength(2);
    world.clock.advance(25 * 3_600_000);
    expect(await ada.say("ads")).toHaveLength(2);
    expect((await sessionsOf(agent)).map(({ status: of }) => of)).toEqual(["waiting", "expired", "completed"]);
    const changes = (await call("GET", "/changes?resource=session&limit=100")).body.data;
    expect(changes.filter(({ id }: Json) => id === first.id).map(({ change }: Json) => change)).toEqual([
      "created",
      "updated",
      "updated",
    ]);
  });

  test("forgets a person who is erased", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    for (const text of ["Hi", "ads", "100"]) await ada.say(text);
    const [{ id }] = (await sessionsOf(agent)) as [Json];
    const contact = await contactWith(ada.phone);
    expect((await world.call("POST", `${GENERAL}/contacts/${contact.id}/erase`, { key: partner.key })).status).toBe(204);
    const session = await sessionOf(id);
    expect(session).toMatchObject({ slots: {}, status: "expired" });
    expect(session.history.map(({ said, calls }: Json) => [said, calls])).toEqual([
      [[], []],
      [[], []],
      [[], []],
    ]);
  });
});

test("conversations at once, with several workers: one answer to each message, and each effect once", async () => {
  const count = sized(12, 100);
  target.answer("/many", NOON);
  const agent = await newAgent(account_id, asking, targeting("/many"));
  const people = Array.from({ length: count }, nextPhone);
  await Promise.all(people.map((phone) => write(agent.channel, phone, "Hi")));
  world.clock.advance(2_000);
  await Promise.all(Array.from({ length: 3 }, () => runDueTurns(world.app.services)));
  const { body } = await call("GET", `/conversations?channel_id=${agent.channel.id}&limit=100`);
  expect(body.data).toHaveLength(count);
  for (const { id } of body.data) expect(texts(await thread(id))).toEqual(["Hi", "Free: noon."]);
  expect(target.at("/many")).toHaveLength(count);
  const [{ deals }] = (await world.db.sql(
    "select count(*)::int as deals from deals d join contacts c on c.id = d.contact_id where c.phone = any ($1)",
    [people],
  )) as [{ deals: number }];
  expect(deals).toBe(count);
});

test("property: whatever the moment of a take-over, the agent's words stand before it or not at all", async () => {
  const agent = await newAgent(account_id, echo);
  for (let round = 0; round < sized(20, 1_000); round += 1) {
    const phone = nextPhone();
    await write(agent.channel, phone, "Hi");
    world.clock.advance(2_000);
    const { body } = await call("GET", `/conversations?channel_id=${agent.channel.id}&limit=1`);
    const { id } = body.data[0];
    const pause = async () => {
      for (let step = 0; step < (round * 7) % 40; step += 1) await new Promise(setImmediate);
      return call("POST", `/conversations/${id}/takeover`);
    };
    const [, taken] = await Promise.all([runDueTurns(world.app.services), pause()]);
    expect(taken.status).toBe(200);
    const messages = await thread(id);
    const takeover = messages.findIndex(({ event }) => event?.type === "taken_over");
    const said = messages.findIndex(({ text }) => text === "Hello.");
    expect(takeover).toBeGreaterThan(0);
    expect(said).toBeLessThan(takeover);
    expect(await get(id)).toMatchObject({ owner_kind: "human" });
  }
});
