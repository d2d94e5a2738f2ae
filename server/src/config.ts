import { resolve } from "node:path";
import { isCidr } from "./platform/http/cidr.ts";
import { LOG_LEVELS, type LogLevel } from "./platform/observe/log-level.ts";

/**
 * Every environment variable of the service. docs/configuration.md shows the same table; a test compares the two.
 */
export const SETTINGS = {
  HOST: "Address to listen on. Default 127.0.0.1: this machine only.",
  PORT: "Port to listen on; 0 picks a free one. Default 8080.",
  DATA_DIR: "Folder for the embedded database, the secret key and first-run.json. Default ./data.",
  DATABASE_URL: "URL of a PostgreSQL server (15 or newer) to use instead of the embedded one, with the login of the service.",
  DATABASE_OWNER_URL: "URL of the same database with the login that owns the tables and migrates them. Default: DATABASE_URL.",
  SANDBOX_DATABASE_URL:
    "URL of the same server with the login of the sandbox of agents, which reads one account at a time and can do nothing else. Default: the sandbox reads with the login of the service; the embedded database has one of its own.",
  BASE_URL: "Public URL of the service. Default: http://HOST:PORT.",
  TRUSTED_PROXIES:
    "The networks of the proxies before the service, such as 10.0.0.0/8, separated by commas: their X-Forwarded-For tells the address of the client. Default: none, the header is ignored.",
  BRAND: "The word in custom header names, as in X-Service-Signature. Default Service.",
  SEED: "demo fills an empty database with a demo programme, none leaves it empty. Default demo on the embedded database, none on a server.",
  ROLE: "api serves requests, worker does background work, all does both. Default all.",
  MAINTENANCE_AT: "Time of the daily maintenance jobs, as hours and minutes in UTC. Default 03:20.",
  SHUTDOWN_SECONDS:
    "How long a shutdown may take, from 1 to 3600 seconds. What has not finished by then is logged, and the process ends with exit code 1. Default 30.",
  LOG_LEVEL: "fatal, error, warn, info, debug or silent. Default info.",
  RATE_LIMITS:
    "on enforces the rate limits of partners, operator keys and addresses; off disables them, for example behind a gateway that has its own. Default on.",
  SMTP_URL:
    "Where e-mail is handed over: smtps://user:password@host for TLS, smtp://user:password@host:587 for STARTTLS, which is required except on this machine or with ?tls=off. Default: no e-mail is sent.",
  MAIL_FROM: "The sender of e-mail, such as Tributary <no-reply@example.com>. Required with SMTP_URL.",
  SMTP_LISTEN:
    "Where mail for e-mail channels is accepted, as a port or an address and a port, such as 0.0.0.0:25. A port alone is of HOST. Default: nowhere.",
  EGRESS:
    "strict lets webhooks and integrations reach public https addresses only; development allows http and loopback too. Default development on the embedded database bound to loopback, strict otherwise.",
  EGRESS_PORTS: "The ports that strict egress allows, separated by commas. Default 443.",
  DOCS_ACCESS:
    "Who may read /docs: keys for partners with API access, by key or signed in to the portal, and for the operator's people; or public. Default public on the embedded database bound to loopback, keys otherwise.",
  METRICS_ACCESS:
    "Who may read /metrics: operator for operator keys, or public, for example where only the monitoring reaches the port. Default public on the embedded database bound to loopback, operator otherwise.",
  SECRET_KEY:
    "Key that encrypts secrets at rest, at least 32 characters. Generated and kept in DATA_DIR on the embedded database, required on a server.",
} as const;

export type Setting = keyof typeof SETTINGS;

export type Config = Readonly<{
  host: string;
  port: number;
  data_dir: string;
  database_url: string | null;
  database_owner_url: string | null;
  sandbox_database_url: string | null;
  base_url: string | null;
  /** The networks of the proxies whose X-Forwarded-For is believed. */
  trusted_proxies: readonly string[];
  brand: string;
  seed: "demo" | "none";
  role: "api" | "worker" | "all";
  maintenance_at: string;
  shutdown_seconds: number;
  log_level: LogLevel;
  rate_limits: "on" | "off";
  egress: "strict" | "development";
  /** Null: no e-mail is sent. */
  mail: { url: string; from: string } | null;
  /** Where incoming e-mail is accepted. Null: nowhere. */
  smtp_listen: { host: string; port: number } | null;
  /** The ports that strict egress allows. */
  egress_ports: readonly number[];
  docs_access: "keys" | "public";
  metrics_access: "operator" | "public";
  /** Null: the key is kept in DATA_DIR, beside the embedded database. */
  secret_key: string | null;
}>;

/** All faults of the configuration at once. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

export const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "::1", "[::1]"];

const POSTGRES_RULE = "must be a URL such as postgres://user:password@host:5432/database";
const isPostgres = (value: string) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);
const isWeb = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && !/[?#]/.test(value);
const isPortList = (value: string) => value.split(",").every((port) => /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535);
/** A network of everybody would believe every header. */
const isProxyList = (value: string) => listOf(value).every((network) => isCidr(network) && !network.endsWith("/0"));
const listOf = (value: string) => value.split(",").map((item) => item.trim());
const isDuration = (value: string) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= 3_600;
const isTimeOfDay = (value: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value);

/** Reads settings of the environment, and collects the faults of all of them. */
function createReader(env: Record<string, string | undefined>) {
  const faults: string[] = [];
  const text = (name: Setting) => (env[name] === undefined || env[name] === "" ? null : env[name]);
  return {
    faults,
    text,
    choice<const Value extends string>(name: Setting, allowed: readonly Value[], fallback: Value): Value {
      const raw = text(name);
      if (raw === null) return fallback;
      const value = allowed.find((candidate) => candidate === raw);
      if (value === undefined) faults.push(`${name} is "${raw}"; it must be one of ${allowed.join(", ")}.`);
      return value ?? fallback;
    },
    matching(name: Setting, fits: (value: string) => boolean, rule: string): string | null {
      const raw = text(name);
      if (raw !== null && !fits(raw)) faults.push(`${name} ${rule}.`);
      return raw;
    },
  };
}

type Matching = (name: Setting, fits: (value: string) => boolean, rule: string) => string | null;

const isSmtp = (value: string) => /^smtps?:\/\/[^/?#]+\/?(\?tls=off)?$/.test(value) && URL.canParse(value);
const isSender = (value: string) => /^([^<>\r\n]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value);

function readMail(matching: Matching, faults: string[]): Config["mail"] {
  const url = matching("SMTP_URL", isSmtp, "must be a URL such as smtps://user:password@smtp.example.com");
  const from = matching("MAIL_FROM", isSender, "must be an address such as Tributary <no-reply@example.com>");
  if (url !== null && from === null) faults.push("MAIL_FROM is required with SMTP_URL.");
  return url === null || from === null ? null : { url, from };
}

const LISTEN = /^(?:(\[[0-9a-fA-F:]+\]|[\w.-]+):)?(\d{1,5})$/;
const isListen = (value: string) => Number(LISTEN.exec(value)?.[2] ?? 65_536) <= 65_535;

function readListen(value: string | null, host: string): Config["smtp_listen"] {
  const [, address, port] = LISTEN.exec(value ?? "") ?? [];
  return port === undefined ? null : { host: address?.replaceAll(/[[\]]/g, "") ?? host, port: Number(port) };
}

/** The public address: BASE_URL, or where the service listens. */
export function baseUrlOf({ base_url, host, port }: Pick<Config, "base_url" | "host" | "port">): string {
  return base_url ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Reads the environment, or throws with all of its faults. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { faults, text, choice, matching } = createReader(env);
  const host = matching("HOST", (value) => /^[\w.:-]+$/.test(value), "must be a host name or an IP address") ?? "127.0.0.1";
  const port = matching(
    "PORT",
    (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
    `is "${env.PORT}"; it must be a number from 0 to 65535`,
  );
  const database_url = matching("DATABASE_URL", isPostgres, POSTGRES_RULE);
  const database_owner_url = matching("DATABASE_OWNER_URL", isPostgres, POSTGRES_RULE);
  const sandbox_database_url = matching("SANDBOX_DATABASE_URL", isPostgres, POSTGRES_RULE);
  if (sandbox_database_url !== null && database_url === null) faults.push("SANDBOX_DATABASE_URL needs DATABASE_URL.");
  if (database_owner_url !== null && database_url === null)
    faults.push("DATABASE_OWNER_URL is set without DATABASE_URL: set both, or neither.");
  const base_url = matching("BASE_URL", isWeb, "must be an http or https URL without a query");
  const proxies = matching(
    "TRUSTED_PROXIES",
    isProxyList,
    "must be networks such as 10.0.0.0/8, separated by commas, none of them /0",
  );
  const brand = matching(
    "BRAND",
    (value) => /^[A-Za-z][A-Za-z0-9]{0,29}$/.test(value),
    "must be one word of up to 30 letters and digits, because it is part of header names",
  );
  const secret_key = matching(
    "SECRET_KEY",
    (value) => value.length >= 32,
    "must have at least 32 characters; generate one with: openssl rand -base64 32",
  );
  if (database_url !== null && secret_key === null && text("SECRET_KEY") === null) {
    faults.push(
      "SECRET_KEY is required with DATABASE_URL, because every process must share it; generate one with: openssl rand -base64 32",
    );
  }
  const mail = readMail(matching, faults);
  const smtp_listen = matching("SMTP_LISTEN", isListen, "must be a port, or an address and a port such as 0.0.0.0:25");
  const maintenance_at = matching("MAINTENANCE_AT", isTimeOfDay, "must be a time of day such as 03:20");
  const shutdown_seconds = matching("SHUTDOWN_SECONDS", isDuration, "must be a number from 1 to 3600");
  const egress_ports = matching("EGRESS_PORTS", isPortList, "must be numbers from 1 to 65535, separated by commas");
  const local = database_url === null && LOOPBACK.includes(host);
  if (mail !== null && base_url === null && !LOOPBACK.includes(host))
    faults.push("BASE_URL is required with SMTP_URL: the links in e-mail lead there.");
  const config: Config = Object.freeze({
    host,
    port: port === null ? 8080 : Number(port),
    data_dir: resolve(text("DATA_DIR") ?? "data"),
    database_url,
    database_owner_url,
    sandbox_database_url,
    base_url: base_url?.replace(/\/+$/, "") ?? null,
    trusted_proxies: proxies === null ? [] : listOf(proxies),
    brand: brand ?? "Service",
    seed: choice("SEED", ["demo", "none"], database_url === null ? "demo" : "none"),
    role: choice("ROLE", ["api", "worker", "all"], "all"),
    maintenance_at: maintenance_at ?? "03:20",
    shutdown_seconds: Number(shutdown_seconds ?? 30),
    log_level: choice("LOG_LEVEL", LOG_LEVELS, "info"),
    rate_limits: choice("RATE_LIMITS", ["on", "off"], "on"),
    mail,
    smtp_listen: readListen(smtp_listen, host),
    egress: choice("EGRESS", ["strict", "development"], local ? "development" : "strict"),
    egress_ports: (egress_ports ?? "443").split(",").map(Number),
    docs_access: choice("DOCS_ACCESS", ["keys", "public"], local ? "public" : "keys"),
    metrics_access: choice("METRICS_ACCESS", ["operator", "public"], local ? "public" : "operator"),
    secret_key,
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
