import { describe, expect, test } from "vitest";
import { type ConfigError, readConfig } from "./config.ts";

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

test("an empty environment is a development setup on loopback", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    brand: "Service",
    seed: "demo",
    role: "all",
    egress: "development",
    docs_access: "public",
    metrics_access: "public",
  });
});

test("on another address, or on a database server, the strict defaults apply", () => {
  expect(readConfig({ HOST: "0.0.0.0" })).toMatchObject({ egress: "strict", docs_access: "keys", metrics_access: "operator" });
  const server = { DATABASE_URL: "postgres://u@h/d", SECRET_KEY: "x".repeat(32) };
  expect(readConfig(server)).toMatchObject({ egress: "strict", docs_access: "keys", seed: "none" });
});

test("every fault is listed at once, each with the variable's name", () => {
  const faults = faultsOf({
    PORT: "70000",
    MAINTENANCE_AT: "24:00",
    SHUTDOWN_SECONDS: "0",
    EGRESS_PORTS: "443,70000",
    TRUSTED_PROXIES: "10.0.0.0/8,10.0.0.1",
    METRICS_ACCESS: "all",
    ROLE: "boss",
    EGRESS: "open",
    LOG_LEVEL: "loud",
    SEED: "yes",
    BRAND: "two words",
    DATABASE_URL: "mysql://x",
    BASE_URL: "ftp://x",
    SECRET_KEY: "short",
    SMTP_LISTEN: "mail.example",
  });
  const named = faults.map((fault) => fault.split(" ")[0]);
  expect(named.sort()).toEqual([
    "BASE_URL",
    "BRAND",
    "DATABASE_URL",
    "EGRESS",
    "EGRESS_PORTS",
    "LOG_LEVEL",
    "MAINTENANCE_AT",
    "METRICS_ACCESS",
    "PORT",
    "ROLE",
    "SECRET_KEY",
    "SEED",
    "SHUTDOWN_SECONDS",
    "SMTP_LISTEN",
    "TRUSTED_PROXIES",
  ]);
});

describe("SECRET_KEY", () => {
  test("is required on a server, because every process must share it", () => {
    expect(faultsOf({ DATABASE_URL: "postgres://u@h/d" })).toEqual([expect.stringContaining("SECRET_KEY is required")]);
  });

  test("is never part of a message", () => {
    expect(faultsOf({ SECRET_KEY: "hunter2" }).join()).not.toContain("hunter2");
  });
});

test("BASE_URL loses its trailing slash", () => {
  expect(readConfig({ BASE_URL: "https://partners.example/" }).base_url).toBe("https://partners.example");
});

test("TRUSTED_PROXIES is a list of networks, of which none is everybody", () => {
  expect(readConfig({}).trusted_proxies).toEqual([]);
  expect(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::/32" }).trusted_proxies).toEqual(["10.0.0.0/8", "2001:db8::/32"]);
  for (const open of ["0.0.0.0/0", "10.0.0.0/8,::/0", "*", "10.0.0.0/8,"])
    expect(faultsOf({ TRUSTED_PROXIES: open }), open).toHaveLength(1);
});

test("SMTP_LISTEN is a port, with an address or that of the service", () => {
  expect(readConfig({}).smtp_listen).toBeNull();
  expect(readConfig({ SMTP_LISTEN: "2525" }).smtp_listen).toEqual({ host: "127.0.0.1", port: 2525 });
  expect(readConfig({ SMTP_LISTEN: "0.0.0.0:25" }).smtp_listen).toEqual({ host: "0.0.0.0", port: 25 });
  expect(readConfig({ SMTP_LISTEN: "[::]:25" }).smtp_listen).toEqual({ host: "::", port: 25 });
  for (const wrong of ["70000", "smtp://x:25", "::25", "x:"]) expect(faultsOf({ SMTP_LISTEN: wrong }), wrong).toHaveLength(1);
});

describe("SMTP_URL", () => {
  const MAIL_FROM = "Harbour <no-reply@harbour.example>";

  test("needs MAIL_FROM, and BASE_URL where the service is not for this machine alone", () => {
    expect(readConfig({}).mail).toBeNull();
    const url = "smtps://user:p%40ss@smtp.example.com:465";
    expect(readConfig({ SMTP_URL: url, MAIL_FROM }).mail).toEqual({ url, from: MAIL_FROM });
    expect(faultsOf({ SMTP_URL: url })).toEqual([expect.stringContaining("MAIL_FROM is required")]);
    expect(faultsOf({ SMTP_URL: url, MAIL_FROM, HOST: "0.0.0.0" })).toEqual([expect.stringContaining("BASE_URL is required")]);
  });

  test.each(["https://smtp.example.com", "smtp://", "smtp://host?tls=on", "smtp://host/path", "host:25"])(
    "cannot be %s, and is never part of a message",
    (url) => {
      const faults = faultsOf({ SMTP_URL: url, MAIL_FROM });
      expect(faults).toEqual([expect.stringMatching(/^SMTP_URL must be/)]);
      expect(faults.join()).not.toContain(url);
    },
  );

  test.each(["nobody", "A <b@c", "a@b@c", "A\r\nBcc: x@y.example <a@b.example>"])("MAIL_FROM cannot be %j", (from) => {
    expect(faultsOf({ SMTP_URL: "smtp://localhost", MAIL_FROM: from })).toEqual([expect.stringMatching(/^MAIL_FROM must be/)]);
  });
});
