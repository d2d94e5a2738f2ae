import { describe, expect, test } from "vitest";
import { HOOKS, newEndpoint } from "../harness/webhooks.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");

describe("the address of an endpoint", () => {
  test.each([
    "http://hooks.test.example/",
    "ftp://hooks.test.example/",
    "javascript:alert(1)",
    "hooks.test.example",
    "https://user:password@hooks.test.example/",
    "https://user@hooks.test.example/",
    "https://hooks.test.example/#part",
    "https://hooks.test.example/#",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://printer.local/",
    "https://db.internal/",
    "https://api.localhost/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
    "https://１２７.0.0.1/",
    "https://168.63.129.16/metadata",
    "https://hooks.test.example:8443/",
    "https://hooks.test.example:22/",
  ])("is refused: %s", async (url) => {
    const { key } = await world.newPartner();
    const { status, body } = await world.call("POST", HOOKS, { key, body: { url } });
    expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, "#/url", "url_not_allowed"]);
    const endpoint = await newEndpoint(world, key);
    expect((await world.call("PATCH", `${HOOKS}/${endpoint.id}`, { key, body: { url } })).status).toBe(422);
  });

  test.each([
    ["https://hooks.test.example", "https://hooks.test.example/"],
    ["HTTPS://Hooks.Test.Example:443/A b", "https://hooks.test.example/A%20b"],
    ["https://bücher.example/in", "https://xn--bcher-kva.example/in"],
    ["https://8.8.8.8/in", "https://8.8.8.8/in"],
    ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
  ])("is kept as it will be called: %s", async (url, kept) => {
    const { key } = await world.newPartner();
    expect((await newEndpoint(world, key, { url })).url).toBe(kept);
  });
});

describe("with more ports allowed", () => {
  const wider = useWorld({ egress_ports: [443, 8443] }, "api");

  test("an endpoint has one of them", async () => {
    const { key } = await wider.newPartner();
    expect((await newEndpoint(wider, key, { url: "https://hooks.test.example:8443/" })).url).toBe(
      "https://hooks.test.example:8443/",
    );
    const url = "https://hooks.test.example:9443/";
    expect((await wider.call("POST", HOOKS, { key, body: { url } })).body.errors[0].code).toBe("url_not_allowed");
  });
});

describe("in development", () => {
  const development = useWorld({ egress: "development" }, "api");

  test("http and this machine are allowed, what is no address is not", async () => {
    const { key } = await development.newPartner();
    for (const url of ["http://127.0.0.1:3000/in", "http://localhost/", "https://[::1]/"]) {
      expect((await newEndpoint(development, key, { url })).url).toBe(url);
    }
    for (const url of ["ftp://127.0.0.1/", "http://a:b@127.0.0.1/", "nothing"]) {
      expect((await development.call("POST", HOOKS, { key, body: { url } })).status).toBe(422);
    }
  });
});
