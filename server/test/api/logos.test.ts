import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEgress } from "../../src/platform/net/egress.ts";
import { createHttpSender } from "../../src/platform/net/http-sender.ts";
import { createImageLoader } from "../../src/platform/net/images.ts";
import { billingOf } from "../harness/billing.ts";
import { newPerson, type Person } from "../harness/people.ts";
import { type Answer, type Receiver, startReceiver } from "../harness/receiver.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" });
const strict = useWorld({ egress: "strict" });

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

let server: Receiver;
let partner: TestPartner;
let owner: Person;

const file =
  (type: string, body: Buffer | string, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": type, ...headers }).end(body);

beforeAll(async () => {
  server = await startReceiver();
  server.answer("/logo.png", file("image/png", PNG));
  server.answer("/logo.svg", file("image/svg+xml", SVG));
  server.answer("/page", file("image/png", "<!doctype html><script>alert(1)</script>"));
  server.answer("/large", file("image/png", Buffer.concat([PNG, Buffer.alloc(512 * 1024)])));
  server.answer("/gone", file("image/png", PNG, 404));
  server.answer("/moved", file("text/plain", "", 302, { location: "/logo.png" }));
  server.answer("/round", file("text/plain", "", 302, { location: "/round" }));
  partner = await world.newPartner({ branding: { logo_url: `${server.origin}/logo.png` } });
  owner = await newPerson(world, partner);
});

afterAll(() => server.close());

/** A client of the partner with a logo at this path of the server. */
async function clientWith(path: string): Promise<string> {
  const { id } = await world.newClient(partner, { branding: { logo_url: server.origin + path } });
  return id as string;
}

describe("the logo of an account", () => {
  test("is shown through the portal, where it can run nothing and is kept for five minutes", async () => {
    const id = await clientWith("/logo.svg");
    const { status, text, headers } = await owner.call("GET", `/logo/${id}`);
    expect([status, text]).toEqual([200, SVG]);
    expect(headers).toMatchObject({
      "content-type": "image/svg+xml",
      "content-disposition": "attachment",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, max-age=300",
    });
    const again = await owner.call("GET", `/logo/${id}?of=later`, { headers: { "if-none-match": headers.etag ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const loads = server.at("/logo.svg");
    expect(loads).toHaveLength(1);
    expect(loads[0]?.headers).not.toHaveProperty("cookie");
  });

  test("is the partner's, unless the client has its own", async () => {
    const { id } = await world.newClient(partner);
    const shown = await owner.call("GET", `/logo/${id}`);
    expect([shown.status, shown.headers["content-type"]]).toEqual([200, "image/png"]);
    const { house_account_id } = (await owner.call("GET", "/session")).body;
    expect((await owner.call("GET", `/logo/${house_account_id}`)).status).toBe(200);
  });

  test("is not there for those who do not have the account: strangers, other staff, operators, and nobody", async () => {
    const id = await clientWith("/logo.png");
    const { id: other } = await world.newClient(partner);
    const staff = await newPerson(world, partner, { role: "member", accounts: [other] });
    const stranger = await newPerson(world, await world.newPartner());
    const operator = await newPerson(world, null);
    const missing = (await owner.call("GET", "/logo/cli_01jcwz0000000000000000000x")).body;
    for (const person of [staff, stranger, operator]) {
      const { status, body } = await person.call("GET", `/logo/${id}`);
      expect([status, body.code, body.title]).toEqual([404, "not_found", missing.title]);
    }
    expect((await staff.call("GET", `/logo/${other}`)).status).toBe(200);
    expect((await world.call("GET", `/portal/api/logo/${id}`)).status).toBe(401);
    expect((await world.call("GET", `/portal/api/logo/${id}`, { key: partner.key })).status).toBe(401);
  });

  test.each([
    ["/page", "The file is not an image: PNG, JPEG, GIF, WebP and SVG are."],
    ["/large", "The image is larger than 512 KB."],
    ["/gone", "The server of the image answered 404."],
    ["/round", "The address redirects more than 3 times."],
  ])("at %s is refused: %s", async (path, detail) => {
    const { status, body } = await owner.call("GET", `/logo/${await clientWith(path)}`);
    expect([status, body.code, body.detail]).toEqual([404, "logo_unavailable", detail]);
  });

  test("may redirect", async () => {
    expect((await owner.call("GET", `/logo/${await clientWith("/moved")}`)).status).toBe(200);
  });

  test("is not loaded from a private address", async () => {
    const here = await strict.newPartner({ branding: { logo_url: `https://127.0.0.1/logo.png` } });
    const person = await newPerson(strict, here);
    const { house_account_id } = (await person.call("GET", "/session")).body;
    const { status, body } = await person.call("GET", `/logo/${house_account_id}`);
    expect([status, body.code, body.detail]).toEqual([
      404,
      "logo_unavailable",
      "The image could not be loaded: the address 127.0.0.1 is private.",
    ]);
  });

  test("that was never set is not there", async () => {
    const bare = await world.newPartner();
    const { id } = await world.newClient(bare);
    const { body } = await (await newPerson(world, bare)).call("GET", `/logo/${id}`);
    expect([body.code, body.detail]).toEqual(["logo_unavailable", "The branding has no logo."]);
  });

  test("is on the pay page through us, too, which lets in no image of others", async () => {
    const { url } = await billingOf(world).newLink(partner);
    const path = url.replace("http://tributary.test", "");
    const page = await world.call("GET", path);
    expect(page.headers["content-security-policy"]).toContain("img-src 'self' data:;");
    expect(page.text).toContain(`<img src="${path}/logo" alt="">`);
    const logo = await world.call("GET", `${path}/logo`);
    expect([logo.status, logo.headers["content-type"]]).toEqual([200, "image/png"]);
    expect((await world.call("GET", "/pay/0000000000000/logo")).status).toBe(404);
  });
});

describe("images of other servers", () => {
  const sender = createHttpSender(createEgress("development"));
  afterAll(() => sender.close());

  /** A loader with a clock, and how often a path was asked for. */
  function stage(path: string, answer: Answer) {
    server.answer(path, answer);
    const clock = { ms: 0 };
    const load = createImageLoader(sender, () => clock.ms);
    return { clock, load: () => load(server.origin + path), asked: () => server.at(path).length };
  }

  test("are loaded once for all who ask, and again after a quarter of an hour", async () => {
    const { clock, load, asked } = stage("/kept", file("image/png", PNG));
    const [one, other] = await Promise.all([load(), load()]);
    expect(one).toMatchObject({ media_type: "image/png", bytes: PNG });
    expect(other).toBe(one);
    clock.ms = 15 * 60_000 - 1;
    await load();
    expect(asked()).toBe(1);
    clock.ms += 1;
    await load();
    expect(asked()).toBe(2);
  });

  test("that fail are tried again after a minute", async () => {
    const { clock, load, asked } = stage("/failing", file("text/plain", "", 500));
    expect(await load()).toBe("The server of the image answered 500.");
    await load();
    expect(asked()).toBe(1);
    clock.ms = 60_000;
    await load();
    expect(asked()).toBe(2);
  });

  test("are kept up to 32 MB, those used last", async () => {
    const load = createImageLoader(sender, () => 0);
    for (let number = 0; number < 80; number += 1) {
      server.answer(`/many/${number}`, file("image/png", Buffer.concat([PNG, Buffer.alloc(500 * 1024)])));
      await load(`${server.origin}/many/${number}`);
      await load(`${server.origin}/many/0`);
    }
    await load(`${server.origin}/many/79`);
    await load(`${server.origin}/many/1`);
    const asked = [0, 1, 79].map((number) => server.at(`/many/${number}`).length);
    expect(asked).toEqual([1, 2, 1]);
  });
});
