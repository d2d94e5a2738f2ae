import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { renderPage } from "../src/cli/shell/page.ts";
import { SETTINGS } from "../src/config.ts";
import { EVENT_TYPES } from "../src/kernel/events.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;

/** Each table is written by one place alone. */
const TABLE_OWNERS: Record<string, string> = {
  partners: "features/programme/partners",
  users: "features/programme/users",
  keys: "features/programme/keys",
  clients: "features/accounts/clients",
  custom_fields: "features/accounts/custom-fields",
  contacts: "features/crm/contacts",
  contact_merges: "features/crm/contacts",
  contact_consents: "features/crm/contacts",
  contact_images: "features/crm/contacts",
  leads: "features/crm/leads",
  lead_scoring: "features/crm/leads",
  pipelines: "features/accounts/pipelines",
  stages: "features/accounts/pipelines",
  deals: "features/crm/deals",
  deal_stages: "features/crm/deals",
  registrations: "features/crm/deals",
  registration_claims: "features/crm/deals",
  record_notes: "features/crm/timeline",
  record_images: "features/crm/records",
  imports: "features/crm/imports",
  import_chunks: "features/crm/imports",
  import_batches: "features/crm/imports",
  import_errors: "features/crm/imports",
  import_identities: "features/crm/imports",
  programme: "features/programme/operators",
  access_requests: "features/programme/partners",
  webhook_endpoints: "features/outbox/webhooks",
  webhook_secrets: "features/outbox/webhooks",
  webhook_replays: "features/outbox/webhooks",
  webhook_lanes: "features/outbox/webhooks",
  webhook_workers: "features/outbox/webhooks",
  delivery_attempts: "features/outbox/webhooks",
  deliveries: "features/outbox/webhooks",
  events: "platform/record",
  event_feed: "platform/record",
  feed_heads: "platform/record",
  change_feed: "platform/record",
  change_heads: "platform/record",
  audit_entries: "platform/record",
  audit_leaves: "platform/record",
  idempotency_replies: "platform/record",
  rate_buckets: "platform/limits",
  job_runs: "platform/jobs",
  migrations: "platform/db",
};

const FEATURE_FILES =
  /^(feature|index|([a-z-]+\.)?(model|schema|queries|commands|events|jobs|routes|catalogue|demo|admission))(\.test)?\.ts$/;
/** The delivery of webhooks is a machine of its own, and its files are its parts. */
const MACHINE_FILES =
  /features\/outbox\/webhooks\/delivery\/(engine|options|holdings|lane|scout|window|dispatcher|attempt|flusher|health)(\.test)?\.ts$/;

type Source = { path: string; text: string };

function sourcesBelow(folder: string, ending = /\.(ts|mjs)$/): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("node_modules"))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }));
}

const product = sourcesBelow("server/src").filter(({ path }) => !path.endsWith(".test.ts"));
const everything = [...sourcesBelow("server"), ...sourcesBelow("bench"), ...sourcesBelow("scripts")];

/** The files where a pattern occurs, as `path: text`. */
function occurrences(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));
}

test("the rules below look at the code that is there", () => {
  expect(product.length).toBeGreaterThan(50);
  expect(everything.length).toBeGreaterThan(product.length);
});

describe("sizes", () => {
  test(`no file is longer than ${LINES_MAX} lines`, () => {
    const long = everything.filter(({ text }) => text.split("\n").length > LINES_MAX).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
    const long = everything.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:default )?(?:async )?function\*? (\w+)[\s\S]*?\n\}/gm)]
        .filter(([body]) => body.split("\n").length > FUNCTION_LINES_MAX)
        .map(([, name]) => `${path} ${name}`),
    );
    expect(long).toEqual([]);
  });
});

describe("names", () => {
  test("no file or folder is a drawer", () => {
    const drawers = everything.filter(({ path }) =>
      /(^|\/)(utils?|helpers?|common|shared|lib|misc|manager)(\/|\.\w+$)/i.test(path),
    );
    expect(drawers.map(({ path }) => path)).toEqual([]);
  });

  test("a feature's folder has files of the one shape", () => {
    const others = product.filter(
      ({ path }) => path.includes("/features/") && !FEATURE_FILES.test(basename(path)) && !MACHINE_FILES.test(path),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

describe("calls that are not made", () => {
  test("time comes from the clock", () => {
    const calls = occurrences(product, /Date\.now\(\)|new Date\(\)/g);
    expect(calls.filter((call) => !/kernel\/clock\.ts|platform\/postgres\//.test(call))).toEqual([]);
  });

  test("chance comes from node:crypto", () => {
    expect(occurrences(everything, /Math\.random/g).filter((call) => !call.includes("tidy.test.ts"))).toEqual([]);
  });

  test("nothing is left unfinished", () => {
    const marks = new RegExp(["TO" + "DO", "FIX" + "ME", "XX" + "X:", "\\.(skip|only|to" + "do)\\("].join("|"), "g");
    expect(occurrences(everything, marks)).toEqual([]);
  });
});

describe("structure", () => {
  test("every module is imported by another, or is a way in", () => {
    const entries = new Set(["server/src/cli.ts"]);
    const imported = new Set(
      product.flatMap(({ path, text }) =>
        [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, target = ""]) => join(dirname(path), target)),
      ),
    );
    const lonely = product.map(({ path }) => path).filter((path) => !entries.has(path) && !imported.has(path));
    expect(lonely).toEqual(["server/src/cli/shell/page.ts", "server/src/platform/db/catalogue.ts"]);
  });

  test("a table is written by its owner alone", () => {
    const writes = /\b(?:insert into|update|delete from)\s+(?:only\s+)?([a-z_]+)(?=\s*(?:\(|set\b|as\b|where\b|[a-z]\s+set\b))/gi;
    const strangers = product.flatMap(({ path, text }) =>
      [...text.matchAll(writes)]
        .map(([, table = ""]) => table)
        .filter((table) => !path.startsWith(`server/src/${TABLE_OWNERS[table] ?? "nobody"}/`))
        .map((table) => `${path} writes ${table}`),
    );
    expect(strangers).toEqual([]);
  });

  test("every table of the schema has an owner", () => {
    const schema = readFileSync(join(ROOT, "server/schema.sql"), "utf8");
    const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name);
    expect(tables.sort()).toEqual(Object.keys(TABLE_OWNERS).sort());
  });

  test("SQL stands in queries.ts, or in the platform", () => {
    const sql = /[`"]\s*(?:select|insert into|update \w+ set|delete from|with (?:recursive )?\w+ as)\s/gi;
    const outside = occurrences(product, sql).filter((found) => !/queries\.ts|admission\.ts|\/platform\//.test(found));
    expect(outside).toEqual([]);
  });
});

describe("documents", () => {
  test("docs/configuration.md describes every setting, in the words of config.ts", () => {
    const page = readFileSync(join(ROOT, "docs/configuration.md"), "utf8");
    for (const [name, text] of Object.entries(SETTINGS)) expect(page).toContain(`| \`${name}\` | ${text} |`);
  });

  test("docs/command-line.md is what the table of commands makes: run npm run commands after a change", () => {
    expect(readFileSync(join(ROOT, "docs/command-line.md"), "utf8")).toBe(renderPage(COMMANDS));
  });

  test("every relative link in a document leads somewhere", () => {
    const pages = readdirSync(ROOT).filter((file) => file.endsWith(".md"));
    const documents = [
      ...pages,
      ...readdirSync(join(ROOT, "docs"), { recursive: true }).map((file) => join("docs", String(file))),
    ];
    const broken = documents
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) => {
        const links = [...readFileSync(join(ROOT, path), "utf8").matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)];
        return links.map(([, target = ""]) => join(dirname(path), target));
      })
      .filter((target) => {
        try {
          readdirSync(join(ROOT, dirname(target)));
          return !readdirSync(join(ROOT, dirname(target))).includes(basename(target));
        } catch {
          return true;
        }
      });
    expect(broken).toEqual([]);
  });

  test("there are exactly the thirteen event types of the interface", () => {
    expect(Object.keys(EVENT_TYPES)).toHaveLength(13);
  });
});
