import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let channel: OpenChannel;
const { call, write } = conversationsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  channel = await newChannel(world, partner, (await world.newClient(partner)).id);
});

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const MEGABYTE = 1024 * 1024;

/** The address of a server, which ends with the test. */
async function addressOf(server: Server): Promise<string> {
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The id of a message with images. */
async function messageWith(text: string, addresses: readonly string[]): Promise<string> {
  await write(channel, nextPhone(), text, { html: addresses.map((src) => `<img src="${src}">`).join("") });
  return (await call("GET", `/conversations?channel_id=${channel.id}&q=${text}`)).body.data[0].last_message.id;
}

test("remote images of a message are loaded for its reader, if they are images", async () => {
  const replies: Record<string, [number, string, Buffer]> = {
    "/a.png?x=1&y=2": [200, "image/png", PNG],
    "/page": [200, "text/html", Buffer.from("<script>")],
    "/drawing": [200, "image/svg+xml", Buffer.from("<svg/>")],
    "/large": [200, "image/png", Buffer.alloc(MEGABYTE + 1)],
    "/moved": [302, "image/png", PNG],
  };
  const asked: string[] = [];
  const base = await addressOf(
    createServer(({ url = "", headers }, reply) => {
      asked.push(`${url} ${headers.cookie ?? ""}${headers.referer ?? ""}`);
      const [status, type, body] = replies[url] ?? [404, "image/png", PNG];
      reply.writeHead(status, { "content-type": type, location: "/a.png?x=1&y=2" }).end(body);
    }),
  );
  const id = await messageWith("Look", [...Object.keys(replies).map((path) => base + path), "http://127.0.0.1:1/"]);
  expect(asked).toEqual([]);
  const { images } = (await call("GET", `/messages/${id}/images`)).body;
  expect(asked.toSorted()).toEqual(["/a.png?x=1&y=2 ", "/drawing ", "/large ", "/moved ", "/page "]);
  const content = PNG.toString("base64");
  expect(images[0]).toEqual({ number: 1, media_type: "image/png", content, error: null });
  expect(images.slice(1).map(({ number, content, error }: Json) => [number, content, error])).toEqual([
    [2, null, "This is no image that can be shown."],
    [3, null, "This is no image that can be shown."],
    [4, null, "The image is too large."],
    [5, null, "The server of the image answered 302."],
    [6, null, expect.stringMatching(/^It could not be loaded: /)],
  ]);
  expect((await call("GET", `/messages/${id}/images`, undefined, (await world.newPartner()).key)).status).toBe(404);
});

test("of many images the first thirty are loaded, and no more than ten megabytes of them", async () => {
  const asked: string[] = [];
  const base = await addressOf(
    createServer(({ url = "" }, reply) => {
      asked.push(url);
      reply.writeHead(200, { "content-type": "image/png" }).end(url.startsWith("/large") ? Buffer.alloc(MEGABYTE) : PNG);
    }),
  );
  const paths = Array.from({ length: 31 }, (_, index) => `${base}/${index < 10 ? "large" : "small"}${index}`);
  const { images } = (await call("GET", `/messages/${await messageWith("Many", paths)}/images`)).body;
  expect(asked).toHaveLength(30);
  expect(images.map(({ error }: Json) => error)).toEqual([
    ...Array(10).fill(null),
    ...Array(20).fill("The images are too large."),
  ]);
});
