import { expect, test } from "vitest";
import { chatOf, SHOP } from "../harness/chat.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld({}, "api", { rate_limits: "on" });

test("a visitor who writes too fast is told when to go on; what was refused is not stored, and others are not kept from writing", async () => {
  const base_url = await world.app.http.listen({ host: "127.0.0.1", port: 0 });
  const { key } = await world.newPartner();
  const body = { kind: "webchat", name: "Chat", config: { origins: [SHOP] } };
  const channel = (await world.call("POST", "/v1/channels", { key, body })).body;
  const chat = chatOf(() => base_url, channel);
  const [visitor, other] = [await chat.visit(), await chat.visit()];
  const replies = await Promise.all(Array.from({ length: 25 }, (_, index) => visitor.write(`Message ${index}`)));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body, headers } of refused) {
    expect(body.code).toBe("rate_limit_exceeded");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("access-control-expose-headers")).toBe("retry-after");
  }
  expect(await visitor.thread()).toHaveLength(replies.length - refused.length);
  expect((await other.write("Hello")).status).toBe(200);
  const guesses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => chat.call("GET", "/messages", { token: `guess-${index}` })),
  );
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401, 429]));
});
