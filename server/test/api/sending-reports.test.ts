import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sendingJobs } from "../../src/features/inbox/conversations/sending/index.ts";
import { status } from "../harness/receiver.ts";
import { textOf, twilio, useSendingStage } from "../harness/sending-stage.ts";
import { sized } from "../harness/size.ts";
import type { Json } from "../harness/world.ts";

const stage = useSendingStage();
const { world } = stage;

describe("a claim that ran out", () => {
  /** As a process leaves a message that was killed during the call. */
  async function lose(id: string): Promise<void> {
    const now = world.clock.now();
    await world.db.sql("update messages set status = 'sending', version = 2 where id = $1", [id]);
    await world.db.sql(
      "update message_sends set attempts = 1, claimed_by = 'dead.1', claimed_until = $2, next_at = $2 where message_id = $1",
      [id, now],
    );
  }

  test("asks the provider: what it has is sent, what it has not is sent again", async () => {
    const channel = await stage.newChannel("sms");
    const there = await stage.queue(await stage.newConversation(channel), { text: "There" });
    const absent = await stage.queue(await stage.newConversation(channel), { text: "Absent" });
    const messages = [{ body: "There", direction: "outbound-api", date_created: new Date(world.clock.now()).toUTCString() }];
    const to = (id: string) =>
      world.db.sql<Json>("select c.address from conversations c join messages m on m.conversation_id = c.id where m.id = $1", [
        id,
      ]);
    for (const id of [there, absent]) {
      const [{ address }] = (await to(id)) as [Json];
      stage.provider.answer(
        `${channel.path}?${new URLSearchParams({ To: address, PageSize: "50" })}`,
        status(200, {}, JSON.stringify({ messages })),
      );
      await lose(id);
    }
    stage.provider.answer(channel.path, twilio("SM2"));
    stage.start();
    await stage.untilStatus(there, "sent");
    expect((await stage.untilStatus(absent, "sent")).provider_id).toBe("SM2");
    expect(stage.provider.at(channel.path).map(textOf)).toEqual(["Absent"]);
    expect(await stage.outcomes(there)).toEqual(["lost", "confirmed"]);
    expect(await stage.outcomes(absent)).toEqual(["lost", "accepted"]);
  });

  test("is sent again at once with the same key where the provider knows keys", async () => {
    const channel = await stage.newChannel("api");
    const id = await stage.queue(await stage.newConversation(channel));
    await lose(id);
    stage.start();
    await stage.untilStatus(id, "sent");
    expect(stage.provider.at(channel.path).map(({ headers }) => headers["webhook-id"])).toEqual([id]);
  });

  test("waits two minutes for a report where nobody can be asked", async () => {
    const channel = await stage.newChannel("whatsapp");
    const answer = JSON.stringify({ messages: [{ id: "wamid.2" }] });
    stage.provider.answer(channel.path, status(200, { "content-type": "application/json" }, answer));
    const [reported, silent] = [
      await stage.queue(await stage.newConversation(channel)),
      await stage.queue(await stage.newConversation(channel)),
    ];
    for (const id of [reported, silent]) await lose(id);
    stage.start();
    for (const id of [reported, silent]) expect(await stage.untilAttempts(id, 1)).toEqual(["lost"]);
    await stage.report(channel, { provider_id: "wamid.1", message_id: reported, status: "delivered" });
    expect(stage.provider.at(channel.path)).toEqual([]);
    world.clock.advance(130_000);
    await stage.untilStatus(silent, "sent");
    expect(await stage.rowOf(reported)).toMatchObject({ status: "delivered", provider_id: "wamid.1" });
    expect(stage.provider.at(channel.path)).toHaveLength(1);
  });
});

test("a call without an answer is asked for before it is repeated", async () => {
  const channel = await stage.newChannel("sms");
  const conversation = await stage.newConversation(channel);
  stage.provider.answer(channel.path, (_response, _received, request) => void request.socket.destroy());
  const id = await stage.queue(conversation, { text: "Twice?" });
  stage.start();
  expect(await stage.untilAttempts(id, 1)).toEqual(["passing"]);
  const [row] = await world.db.sql<Json>("select address from conversations where id = $1", [conversation.id]);
  const messages = [{ body: "Twice?", direction: "outbound-api", date_created: world.clock.now().toUTCString() }];
  const listing = new URLSearchParams({ To: row.address, PageSize: "50" });
  stage.provider.answer(`${channel.path}?${listing}`, status(200, {}, JSON.stringify({ messages })));
  world.clock.advance(15_000);
  await stage.untilStatus(id, "sent");
  expect(await stage.outcomes(id)).toEqual(["passing", "confirmed"]);
  expect(stage.provider.at(channel.path)).toHaveLength(1);
});

describe("reports of a provider", () => {
  test("that come before the answer to the call are kept for it", async () => {
    const channel = await stage.newChannel("sms");
    stage.provider.answer(channel.path, async (response, received, request) => {
      await stage.report(channel, { provider_id: "SM7", status: "delivered" });
      await stage.report(channel, { provider_id: "SM7", status: "sent" });
      twilio("SM7")(response, received, request);
    });
    const id = await stage.queue(await stage.newConversation(channel));
    stage.start();
    expect(await stage.untilStatus(id, "delivered")).toMatchObject({ provider_id: "SM7" });
    expect(await world.db.sql("select 1 from parked_statuses where provider_id = 'SM7'")).toEqual([]);
  });

  test("bring a message forward only, in any order and however often", async () => {
    const channel = await stage.newChannel("sms");
    stage.provider.answer(channel.path, twilio("SM8"));
    const id = await stage.queue(await stage.newConversation(channel));
    stage.start();
    await stage.untilStatus(id, "sent");
    for (const status of ["read", "delivered", "failed", "sent", "read"])
      await stage.report(channel, { provider_id: "SM8", status });
    expect((await stage.rowOf(id)).status).toBe("read");
    const changes = await world.db.sql("select 1 from change_feed where subject = $1", [id]);
    expect(changes).toHaveLength(3);
  });

  test("of a delivery take a failure back, with its error", async () => {
    const channel = await stage.newChannel("sms");
    stage.provider.answer(channel.path, twilio("SM9"));
    const id = await stage.queue(await stage.newConversation(channel));
    stage.start();
    await stage.untilStatus(id, "sent");
    await stage.report(channel, { provider_id: "SM9", status: "failed", code: "30003", detail: "Unreachable" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "failed", error: { code: "30003" } });
    await stage.report(channel, { provider_id: "SM9", status: "delivered" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "delivered", error: null });
  });

  test("end at the same status, whether they come before the answer or after it, in whatever order and at once", async () => {
    const channel = await stage.newChannel("sms");
    const ranks = ["sent", "failed", "delivered", "read"];
    const some = fc.array(fc.constantFrom(...ranks), { maxLength: 4 });
    let sids = 0;
    stage.start();
    await fc.assert(
      fc.asyncProperty(some, some, some, async (early, late, last) => {
        sids += 1;
        const provider_id = `SM-order-${sids}`;
        const report = (status: string) => stage.report(channel, { provider_id, status });
        stage.provider.answer(channel.path, async (response, ...rest) => {
          await Promise.all(early.map(report));
          twilio(provider_id)(response, ...rest);
        });
        const id = await stage.queue(await stage.newConversation(channel));
        await stage.untilAttempts(id, 1);
        await Promise.all(late.map(report));
        for (const status of last) await report(status);
        const highest = Math.max(0, ...[...early, ...late, ...last].map((status) => ranks.indexOf(status)));
        expect((await stage.rowOf(id)).status).toBe(ranks[highest]);
      }),
      { numRuns: sized(12, 200) },
    );
  });

  test("of an opt-out deny consent, also when they come first", async () => {
    const contact = await world.newContact(stage.partner, { account_id: stage.account_id });
    const channel = await stage.newChannel("whatsapp");
    stage.provider.answer(channel.path, status(200, {}, JSON.stringify({ messages: [{ id: "wamid.9" }] })));
    await stage.report(channel, { provider_id: "wamid.9", status: "failed", code: "131050", detail: "Stopped", opted_out: true });
    const id = await stage.queue(await stage.newConversation(channel, contact.id));
    stage.start();
    expect((await stage.untilStatus(id, "failed")).error).toEqual({ code: "131050", detail: "Stopped" });
    const [row] = await world.db.sql<Json>("select consent from contacts where id = $1", [contact.id]);
    expect(row.consent.whatsapp.status).toBe("denied");
  });

  test("about nobody's message are dropped after three days", async () => {
    const channel = await stage.newChannel("sms");
    await stage.report(channel, { provider_id: "SM-unknown", message_id: "msg_unknown", status: "sent" });
    const [job] = sendingJobs(world.app.services, "03:00");
    const run = () => job?.run({ db: world.app.services.db, owner: world.app.services.db, clock: world.clock });
    expect(await run()).toBe("0 parked statuses deleted");
    world.clock.advance(3 * 86_400_000 + 1);
    expect(await run()).toMatch(/^[1-9]\d* parked statuses deleted$/);
  });
});
