import { expect, test } from "vitest";
import { createEgress } from "../../src/platform/net/egress.ts";
import { createHttpSender } from "../../src/platform/net/http-sender.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { attemptsOf, changesOf, countPending } from "../harness/outbox.ts";
import { eventually } from "../postgres/processes.ts";

const stage = useDeliveryStage();
const NAMES: Record<string, string[]> = {
  "loopback.example": ["127.0.0.1"],
  "internal.example": ["10.0.0.5"],
  "metadata.example": ["169.254.169.254"],
  "six.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "several.example": ["192.168.0.1", "fd00::1", "127.0.0.1"],
  "nothing.example": [],
};

const addresses = (list: readonly string[]) => list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
const resolve = async (name: string) => addresses(NAMES[name] ?? []);

const LITERALS: [url: string, address: string][] = [
  ["https://127.0.0.1/", "127.0.0.1"],
  ["https://127.1/", "127.0.0.1"],
  ["https://2130706433/", "127.0.0.1"],
  ["https://0x7f000001/", "127.0.0.1"],
  ["https://0x7f.0.0.1/", "127.0.0.1"],
  ["https://0177.0.0.1/", "127.0.0.1"],
  ["https://127.0.0.1./", "127.0.0.1"],
  ["https://①②⑦.0.0.1/", "127.0.0.1"],
  ["https://0/", "0.0.0.0"],
  ["https://10.0.0.5/", "10.0.0.5"],
  ["https://169.254.169.254/latest/meta-data", "169.254.169.254"],
  ["https://[::1]/", "::1"],
  ["https://[::]/", "::"],
  ["https://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
  ["https://[::ffff:7f00:1]/", "::ffff:7f00:1"],
  ["https://[64:ff9b::127.0.0.1]/", "64:ff9b::7f00:1"],
  ["https://[64:ff9b:1::a00:1]/", "64:ff9b:1::a00:1"],
  ["https://[2002:7f00:1::]/", "2002:7f00:1::"],
  ["https://[fe80::1]/", "fe80::1"],
  ["https://[fd12::1]/", "fd12::1"],
];

const REFUSALS: [url: string, reason: string][] = [
  ...LITERALS.map(([url, address]): [string, string] => [url, `the address ${address} is private`]),
  ["https://loopback.example/", "the address 127.0.0.1 of loopback.example is private"],
  ["https://internal.example/", "the address 10.0.0.5 of internal.example is private"],
  ["https://metadata.example/", "the address 169.254.169.254 of metadata.example is private"],
  ["https://six.example/", "the address ::1 of six.example is private"],
  ["https://mapped.example/", "the address ::ffff:127.0.0.1 of mapped.example is private"],
  ["https://nat64.example/", "the address 64:ff9b::7f00:1 of nat64.example is private"],
  ["https://several.example/", "the address 192.168.0.1 of several.example is private"],
  ["https://nothing.example/", "the name nothing.example has no address"],
  ["http://public.example/", "the address begins with http:// and only https:// is allowed"],
  ["https://public.example:8443/", "the port 8443 is not allowed"],
  ["https://public.example:22/", "the port 22 is not allowed"],
  ["https://168.63.129.16/", "the address 168.63.129.16 is private"],
  ["ftp://public.example/", "the address begins with ftp:// and only https:// is allowed"],
];

test("an endpoint that leads into a private network is refused in every notation, and its attempts say why", async () => {
  const endpoints = await Promise.all(REFUSALS.map(([url]) => stage.newEndpoint("/", { url })));
  await stage.publish(changesOf(1, ["a"]), { endpoints: endpoints.map(({ id }) => id) });
  stage.start({ egress: "strict", resolve, options: { retry_delays_ms: [] } });
  const ids = endpoints.map(({ id }) => id);
  await eventually("all to be refused", async () => (await countPending(stage.db.sql, ids)) === 0 || null);
  const reasons = await Promise.all(ids.map((id) => attemptsOf(stage.db.sql, id)));
  expect(reasons.map(([attempt]) => attempt?.error)).toEqual(REFUSALS.map(([, reason]) => reason));
  expect(stage.receiver.received).toEqual([]);
});

const UNANSWERED_MS = 200;

const dial = (egress: ReturnType<typeof createEgress>, url: string, connect_timeout_ms = 60_000) => {
  const sender = createHttpSender(egress);
  return sender
    .post({ url: new URL(url), headers: {}, body: Buffer.from("{}"), timeout_ms: 60_000, connect_timeout_ms })
    .finally(() => sender.close());
};

test("a name that turns private between two looks is dialled at the address that was vetted, or not at all", async () => {
  const { port } = new URL(stage.receiver.origin);
  let looks = 0;
  // A public address that nobody answers at, and then the receiver on this machine.
  const rebinding = createEgress("strict", async () => addresses([looks++ === 0 ? "203.0.114.1" : "127.0.0.1"]), [Number(port)]);
  const first = await dial(rebinding, `https://rebinding.example:${port}/`, UNANSWERED_MS);
  expect(first.status).toBeNull();
  expect(first.error).not.toContain("private");
  expect(looks).toBe(1);
  const second = await dial(rebinding, `https://rebinding.example:${port}/`);
  expect(second.error).toBe("the address 127.0.0.1 of rebinding.example is private");
  expect(stage.receiver.connections()).toBe(0);
});

test("of a name with public and private addresses only the public ones are dialled", async () => {
  const { port } = new URL(stage.receiver.origin);
  const mixed = createEgress("strict", async () => addresses(["127.0.0.1", "203.0.114.1", "::1"]), [Number(port)]);
  const exchange = await dial(mixed, `https://mixed.example:${port}/`, UNANSWERED_MS);
  expect(exchange.status).toBeNull();
  expect(exchange.error).not.toContain("private");
  expect(stage.receiver.connections()).toBe(0);
});

test("a connection that ends at a private address is refused whatever led there", async () => {
  const egress = createEgress("strict", resolve);
  expect(() => egress.checkPeer("somewhere.example", "127.0.0.1")).toThrow(
    "the address 127.0.0.1 of somewhere.example is private",
  );
  expect(() => egress.checkPeer("somewhere.example", "1.1.1.1")).not.toThrow();
  // A resolver that is passed over: the socket itself is looked at.
  const blind = { ...createEgress("development", async () => addresses(["127.0.0.1"])), checkPeer: egress.checkPeer };
  const exchange = await dial(blind, stage.receiver.origin.replace("127.0.0.1", "blind.example"));
  expect(exchange.error).toBe("the address 127.0.0.1 of blind.example is private");
  expect(stage.receiver.received).toEqual([]);
});

test("a cloud's metadata is out of reach in development, too", async () => {
  const egress = createEgress("development", async () => addresses(["169.254.169.254"]));
  expect((await dial(egress, "http://metadata.example/")).error).toBe(
    "the address 169.254.169.254 of metadata.example is private",
  );
  for (const host of ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]"]) {
    expect(() => egress.checkUrl(new URL(`http://${host}/latest/meta-data`))).toThrow("is private");
  }
  expect(() => egress.checkUrl(new URL("http://127.0.0.1:3000/"))).not.toThrow();
});
