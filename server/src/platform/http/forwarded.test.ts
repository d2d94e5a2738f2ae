import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createForwardedReader } from "./forwarded.ts";

const read = createForwardedReader(["10.0.0.0/8", "192.0.2.1/32", "2001:db8:ffff::/48"]);

describe("the client behind trusted proxies", () => {
  test.each([
    ["one proxy", "203.0.113.7", "203.0.113.7"],
    ["a chain of proxies", "203.0.113.7, 10.1.1.1, 192.0.2.1", "203.0.113.7"],
    ["what a client forged stands left of its own address", "127.0.0.1, 10.9.9.9, 203.0.113.7, 10.1.1.1", "203.0.113.7"],
    ["everything is a proxy", "10.2.2.2,10.3.3.3", "10.2.2.2"],
    ["IPv6", "2001:DB8:0:0::7", "2001:db8::7"],
    ["a proxy with IPv6", "2001:db8::7, 2001:db8:ffff::1", "2001:db8::7"],
    ["IPv4 mapped to IPv6", "::ffff:203.0.113.7", "203.0.113.7"],
    ["IPv4 mapped to IPv6, in hexadecimal", "0:0:0:0:0:FFFF:cb00:7107", "203.0.113.7"],
    ["a mapped proxy", "203.0.113.7, ::ffff:10.1.1.1", "203.0.113.7"],
    ["a port", "203.0.113.7:49152", "203.0.113.7"],
    ["a port after IPv6", "[2001:db8::7]:443", "2001:db8::7"],
    ["brackets", "[2001:db8::7]", "2001:db8::7"],
    ["a zone", "fe80::1%eth0", "fe80::1"],
    ["spaces and tabs", " \t203.0.113.7\t ", "203.0.113.7"],
  ])("%s", (_, header, client) => {
    expect(read("10.0.0.1", header)).toBe(client);
  });

  test("several headers are one list", () => {
    expect(read("10.0.0.1", ["127.0.0.1, 203.0.113.7", "10.1.1.1"])).toBe("203.0.113.7");
  });
});

test.each(["203.0.113.9", "11.0.0.1", "2001:db8:fffe::1", "0.0.0.0"])(
  "the header of %s, which is no proxy, is not read",
  (peer) => {
    expect(read(peer, "127.0.0.1, 10.1.1.1")).toBe(peer);
  },
);

test.each([
  "",
  " ",
  "unknown",
  "_hidden",
  "203.0.113.256",
  "0203.0.113.7",
  "203.0.113.7:port",
  "203.0.113.7:123456",
  "[2001:db8::7",
  "2001:db8::7]:1",
  "[203.0.113.7",
  "1",
  "localhost",
  "203.0.113.7;drop",
  "203.0.113.7%eth0",
  "\u00ff\u0080",
  "::1::",
  "203.0.113.7,",
  "f".repeat(16_000),
])("a value that is not an address, %j, leaves the last hop that was believed", (value) => {
  expect(read("10.0.0.1", value)).toBe("10.0.0.1");
  expect(read("10.0.0.1", `203.0.113.7, ${value}, 10.1.1.1`)).toBe("10.1.1.1");
});

test("a chain of more than 20 proxies is not followed to its end", () => {
  const chain = Array.from({ length: 30 }, (_, index) => `10.0.1.${index}`);
  expect(read("10.0.0.1", chain.join(","))).toBe("10.0.1.10");
});

test("whatever a client sends, a proxy that appends its address makes it known", () => {
  const forged = fc.oneof(fc.string({ unit: "binary" }), fc.ipV4(), fc.ipV6(), fc.constantFrom("10.0.0.1", ",", "127.0.0.1"));
  fc.assert(
    fc.property(fc.array(forged), fc.constantFrom(",", ", ", " ,"), (values, comma) => {
      expect(read("10.0.0.1", [...values, "203.0.113.7"].join(comma))).toBe("203.0.113.7");
      expect(read("203.0.113.7", values.join(comma))).toBe("203.0.113.7");
    }),
  );
});
