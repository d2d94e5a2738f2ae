import { expect, test } from "vitest";
import { createEgress } from "./egress.ts";
import { createMailReach } from "./mail-host.ts";

const resolve = async (name: string) => [
  { address: "10.0.0.7", family: 4 },
  ...(name === "smtp.example" ? [{ address: "93.184.215.14", family: 4 }] : []),
];

test("mail goes to the address that the egress has vetted, over the ports of mail, encrypted", async () => {
  const reach = createMailReach(createEgress("strict", resolve));
  expect(await reach({ host: "smtp.example", port: 587, tls: "starttls" })).toBe("93.184.215.14");
  expect(await reach({ host: "93.184.215.14", port: 993, tls: "tls" })).toBe("93.184.215.14");
  await expect(reach({ host: "intern.example", port: 587, tls: "starttls" })).rejects.toThrow(
    "10.0.0.7 of intern.example is private",
  );
  await expect(reach({ host: "127.0.0.1", port: 25, tls: "starttls" })).rejects.toThrow("127.0.0.1 is private");
  await expect(reach({ host: "smtp.example", port: 443, tls: "tls" })).rejects.toThrow("the port 443 is not one of mail");
  await expect(reach({ host: "smtp.example", port: 25, tls: "none" })).rejects.toThrow("encrypted connections only");
});

test("development reaches this machine in plain text, and no cloud's metadata", async () => {
  const reach = createMailReach(createEgress("development", resolve));
  expect(await reach({ host: "127.0.0.1", port: 1025, tls: "none" })).toBe("127.0.0.1");
  await expect(reach({ host: "169.254.169.254", port: 25, tls: "none" })).rejects.toThrow("private");
});
