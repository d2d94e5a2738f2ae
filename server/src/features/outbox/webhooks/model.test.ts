import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { ALL_EVENT_TYPES } from "../../../kernel/events.ts";
import type { ClientAccess, KeyPrincipal } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import {
  defaultTypes,
  type Endpoint,
  endpointUrl,
  ORDERINGS,
  refuseMoreThanOwn,
  refuseReservedHeaders,
  wantsEvent,
  wantsLess,
} from "./model.ts";

const STRICT = { egress: "strict", egress_ports: [443] } as const;
const DEVELOPMENT = { egress: "development", egress_ports: [443] } as const;
const URL_REFUSED = { code: "validation_failed", faults: ["#/url url_not_allowed"] };

describe("the address of an endpoint", () => {
  test.each([
    ["https://hooks.example/a?b=c", "https://hooks.example/a?b=c"],
    ["HTTPS://Hooks.Example:443", "https://hooks.example/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://localhost.example/", "https://localhost.example/"],
    ["https://mylocal/", "https://mylocal/"],
    ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
  ])("%s is taken as %s", (text, url) => {
    expect(endpointUrl(text, STRICT)).toBe(url);
  });

  test.each([
    "hooks.example",
    "http://hooks.example/",
    "ftp://hooks.example/",
    "https://user@hooks.example/",
    "https://:word@hooks.example/",
    "https://hooks.example/#part",
    "https://hooks.example/#",
    `https://hooks.example/${"x".repeat(2048)}`,
    "https://127.0.0.1/",
    "https://0x7f000001/",
    "https://10.1.2.3./",
    "https://[::1]/",
    "https://localhost/",
    "https://localhost./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.internal/",
    "https://hooks.example:8443/",
  ])("%s is refused", (text) => {
    expect(refusalOf(() => endpointUrl(text, STRICT))).toMatchObject(URL_REFUSED);
  });

  test("may have 2048 characters", () => {
    const start = "https://hooks.example/";
    expect(endpointUrl(start + "x".repeat(2048 - start.length), STRICT)).toHaveLength(2048);
    expect(refusalOf(() => endpointUrl(start + "x".repeat(2049 - start.length), STRICT))).toMatchObject(URL_REFUSED);
  });

  test("is one of this machine in development, and of http or https", () => {
    expect(endpointUrl("http://localhost:3000/", DEVELOPMENT)).toBe("http://localhost:3000/");
    expect(endpointUrl("https://127.0.0.1/", DEVELOPMENT)).toBe("https://127.0.0.1/");
    expect(refusalOf(() => endpointUrl("ftp://localhost/", DEVELOPMENT))).toMatchObject(URL_REFUSED);
  });
});

describe("the headers of an endpoint", () => {
  const refused = (...names: string[]) =>
    refusalOf(() => refuseReservedHeaders(Object.fromEntries(names.map((name) => [name, "x"])), "Service"));

  test.each(["Authorization", "X-Api-Key", "X-Service", "My-Host", "Hosts", "X-Webhook-Id"])("may be %s", (name) => {
    expect(refused(name)).toBeNull();
  });

  test.each([
    "Host",
    "content-type",
    "Content-Length",
    "TE",
    "Proxy-Authorization",
    "webhook-id",
    "User-Agent",
    "x-service-signature",
    "X-SERVICE-Anything",
  ])("are not %s, which is ours to set", (name) => {
    expect(refused("Authorization", name)).toMatchObject({
      code: "validation_failed",
      faults: [`#/headers/${name} reserved_header`],
    });
  });

  test("have no name twice, whatever its case", () => {
    expect(refused("X-Key", "Other", "x-key")?.faults).toEqual(["#/headers/x-key repeated_header"]);
    expect(refused("X-Key", "X-Other")).toBeNull();
  });
});

const keyWith = (...scopes: Scope[]) => ({ type: "key", scopes: new Set(scopes) }) as unknown as KeyPrincipal;

describe("the types of an endpoint", () => {
  test("are by default all that its maker may read", () => {
    expect(defaultTypes({ type: "system", partner_id: "ptr_1" })).toEqual(ALL_EVENT_TYPES);
    expect(defaultTypes(keyWith("webhooks:write", "payouts:read"))).toEqual(["payout.scheduled", "payout.paid"]);
  });

  test("are refused to a key that may read none", () => {
    expect(refusalOf(() => defaultTypes(keyWith("webhooks:write")))).toMatchObject({
      code: "insufficient_scope",
      meta: { required_scope: "clients:read" },
    });
  });

  test("and the clients are no more than its maker's own", () => {
    const make = (clients: ClientAccess, client_ids: string[] | null) =>
      refusalOf(() =>
        refuseMoreThanOwn(
          { principal: keyWith("clients:read"), scope: { partner_id: "ptr_1", clients } },
          { event_types: ["client.created"], client_ids },
        ),
      )?.code ?? null;
    expect(make("all", null)).toBeNull();
    expect(make("all", ["cli_1"])).toBeNull();
    expect(make(["cli_1"], ["cli_1"])).toBeNull();
    expect(make(["cli_1"], null)).toBe("partner_wide_key_required");
    const caller = { principal: keyWith(), scope: { partner_id: "ptr_1", clients: "all" as const } };
    expect(refusalOf(() => refuseMoreThanOwn(caller, { event_types: ["deal.won"], client_ids: null }))?.code).toBe(
      "insufficient_scope",
    );
  });
});

type Wants = Pick<Endpoint, "event_types" | "client_ids">;
const wants = (client_ids: string[] | null, ...event_types: Endpoint["event_types"]): Wants => ({ event_types, client_ids });

test("an endpoint gets events of its types, and where it has clients, of those alone", () => {
  const all = wants(null, "deal.won", "tier.changed");
  const some = wants(["cli_1"], "deal.won", "tier.changed");
  expect(wantsEvent(all, "deal.won", "cli_9")).toBe(true);
  expect(wantsEvent(all, "tier.changed", null)).toBe(true);
  expect(wantsEvent(all, "client.created", "cli_1")).toBe(false);
  expect(wantsEvent(some, "deal.won", "cli_1")).toBe(true);
  expect(wantsEvent(some, "deal.won", "cli_9")).toBe(false);
  expect(wantsEvent(some, "tier.changed", null)).toBe(false);
});

test.each<[Wants, Wants, boolean]>([
  [wants(null, "deal.won"), wants(null, "deal.won", "tier.changed"), false],
  [wants(null, "deal.won", "tier.changed"), wants(null, "deal.won"), true],
  [wants(null, "deal.won"), wants(["cli_1"], "deal.won"), true],
  [wants(["cli_1"], "deal.won"), wants(null, "deal.won"), false],
  [wants(["cli_1"], "deal.won"), wants(["cli_1", "cli_2"], "deal.won"), false],
  [wants(["cli_1", "cli_2"], "deal.won"), wants(["cli_1"], "deal.won"), true],
])("from %j to %j an endpoint wants less: %j", (before, after, less) => {
  expect(wantsLess(before, after)).toBe(less);
});

test("deliveries have no order, that of their subject, or that of the feed", () => {
  expect(ORDERINGS).toEqual(["none", "subject", "strict"]);
});
