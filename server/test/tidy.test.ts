import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { renderPage } from "../src/cli/shell/page.ts";
import { SETTINGS } from "../src/config.ts";
import { EVENT_TYPES } from "../src/kernel/events.ts";
import { FEATURES } from "../src/surfaces/features.ts";
import { TABLES } from "./harness/tables.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
/** Markup is laid out one attribute a line. */
const COMPONENT_LINES_MAX = 120;

const FEATURE_FILES =
  /^(feature|index|([a-z-]+\.)?(model|schema|queries|commands|events|jobs|routes|catalogue|demo|admission))(\.test)?\.ts$/;
/** The delivery of webhooks and the sending of messages are machines of their own, and their files are their parts. */
const MACHINE_FILES =
  /features\/(outbox\/webhooks\/delivery\/(engine|options|leases|lane|queue|endpoint|endpoint-health|scout|window|dispatcher|attempt|flusher|health)|inbox\/conversations\/sending\/(engine|options|lane|sender|attempt))(\.test)?\.ts$/;

/** Each document of a payout, and what several of them need. */
const PAPER_FILES = /features\/money\/payouts\/papers\/(statement|statement-csv|payments|bank-csv|sepa|sepa-text)(\.test)?\.ts$/;

/** The adapters of channels and of payment providers: a folder for each kind, with what it reads and writes. */
const ADAPTER_FILES =
  /features\/(inbox\/channels|billing\/providers)\/((adapter|registry)|[a-z]+\/(adapter|wire|parse|twin))(\.test)?\.ts$/;

/** The sandbox of agents: the process that it starts, what that runs, and how it loses the network. */
const SANDBOX_FILES = /features\/agents\/sandbox\/(child|offline|process)\.ts$/;

type Source = { path: string; text: string };

function sourcesBelow(folder: string, ending = /\.(ts|mjs)$/): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("node_modules"))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }));
}

const product = sourcesBelow("server/src").filter(({ path }) => !path.endsWith(".test.ts"));
const portal = ["portal/src", "portal/test", "portal/scripts"].flatMap((folder) => sourcesBelow(folder, /\.(tsx?|mjs|css)$/));
const widget = ["widget/src", "widget/test", "widget/scripts"].flatMap((folder) => sourcesBelow(folder));
const everything = [...sourcesBelow("server"), ...sourcesBelow("bench"), ...sourcesBelow("scripts"), ...portal, ...widget];

/** The files where a pattern occurs, as `path: text`. */
function occurrences(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));
}

/** Who a file belongs to: the feature, or the part of the platform. */
function placeOf(path: string): string {
  const [, , layer, ...rest] = path.split("/");
  return layer === "features" ? rest.slice(0, 2).join("/") : `${layer}/${rest[0]}`;
}

/** A table after a keyword, and any that follow it in a list: `contacts c, only deals as d`. */
const TABLE_LIST =
  "((?:only\\s+)?\\(?[a-z_]+(?:(?:\\s+as)?\\s+[a-z_]+)?(?:\\s*,\\s*(?:only\\s+)?[a-z_]+(?:(?:\\s+as)?\\s+[a-z_]+)?)*)";

/** The tables that stand in the text of statements after one of the keywords. `test/sql` knows them exactly, once modules are loaded. */
function mentions(keywords: string): { path: string; table: string }[] {
  return product.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`\\b(?:${keywords})\\s+${TABLE_LIST}`, "gi"))]
      .flatMap(([, list = ""]) => list.split(","))
      .map((item) => ({ path, table: /^\s*(?:only\s+)?\(?([a-z_]+)/i.exec(item)?.[1] ?? "" }))
      .filter(({ table }) => table in TABLES),
  );
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

  test(`no function is longer than ${FUNCTION_LINES_MAX} lines, no component than ${COMPONENT_LINES_MAX}`, () => {
    const long = everything.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:default )?(?:async )?function\*? (\w+)[\s\S]*?\n\}/gm)]
        .filter(([body]) => body.split("\n").length > (path.endsWith(".tsx") ? COMPONENT_LINES_MAX : FUNCTION_LINES_MAX))
        .map(([, name]) => `${path} ${name}`),
    );
    expect(long).toEqual([]);
  });
});

describe("the portal", () => {
  /** Tokens name the colours; the theme is the scale that Mantine wants, and a client's own colour is computed. */
  const COLOURED = /^portal\/src\/(app\/(tokens\.css|mantine\.css|theme\.ts|shell\/shell\.module\.css)|ui\/accent\.ts)$/;

  test("names no colour outside the tokens", () => {
    const others = portal.filter(
      ({ path }) => path.startsWith("portal/src/") && !COLOURED.test(path) && !/\.test\.tsx?$/.test(path),
    );
    expect(occurrences(others, /#[0-9a-fA-F]{6}\b|\brgba?\(/g)).toEqual([]);
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
      ({ path }) =>
        path.includes("/features/") &&
        !FEATURE_FILES.test(basename(path)) &&
        !MACHINE_FILES.test(path) &&
        !PAPER_FILES.test(path) &&
        !ADAPTER_FILES.test(path) &&
        !SANDBOX_FILES.test(path),
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

  test("features stand in wings, and each uses and reads only those before it", () => {
    const names = FEATURES.map(({ name }) => name);
    const wings = names.map((name) => name.split("/")[0]);
    expect(wings).toEqual([...new Set(wings)].flatMap((wing) => wings.filter((other) => other === wing)));
    const backwards = FEATURES.flatMap(({ name, uses, reads }) =>
      [...uses, ...reads]
        .filter((needed) => !names.slice(0, names.indexOf(name)).includes(needed))
        .map((needed) => `${name} needs ${needed}`),
    );
    expect(backwards).toEqual([]);
  });

  test("every table of the schema says who owns it, and how it is distributed", () => {
    const schema = readFileSync(join(ROOT, "server/schema.sql"), "utf8");
    const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name);
    expect(tables.length).toBeGreaterThan(30);
    expect(tables.toSorted()).toEqual(Object.keys(TABLES).toSorted());
    const folders = new Set(product.map(({ path }) => placeOf(path)));
    expect(Object.values(TABLES).filter(({ owner }) => !folders.has(owner))).toEqual([]);
  });

  test("a table is written by its owner alone", () => {
    const strangers = mentions("insert into|update|delete from").filter(
      ({ path, table }) => TABLES[table]?.owner !== placeOf(path),
    );
    expect(strangers.map(({ path, table }) => `${path} writes ${table}`)).toEqual([]);
  });

  test("SQL reads the tables of its own feature, of those that it says it reads, of the platform, and global ones", () => {
    const read = mentions("from|join|using|lateral|into|update").filter(({ path }) => path.includes("/features/"));
    const strangers = read.filter(({ path, table }) => {
      const owner = TABLES[table]?.owner ?? "";
      const reads = FEATURES.find(({ name }) => name === placeOf(path))?.reads ?? [];
      const everybodys = owner.startsWith("platform/") || TABLES[table]?.distribution === "global";
      return owner !== placeOf(path) && !everybodys && !reads.includes(owner);
    });
    expect(strangers.map(({ path, table }) => `${path} reads ${table}`)).toEqual([]);
    const needless = FEATURES.flatMap(({ name, reads }) =>
      reads
        .filter((owner) => !read.some(({ path, table }) => placeOf(path) === name && TABLES[table]?.owner === owner))
        .map((owner) => `${name} does not read ${owner}`),
    );
    expect(needless).toEqual([]);
  });

  test("nobody asks what a caller is not: a kind of caller that is new would be let through", () => {
    expect(occurrences(product, /\b(principal|caller|person|who)\.type !== "/g)).toEqual([]);
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

test("examples run on the Node that the README promises, which does not run TypeScript", () => {
  const files = readdirSync(join(ROOT, "docs/examples"), { recursive: true });
  expect(files.filter((file) => String(file).endsWith(".ts"))).toEqual([]);
});
