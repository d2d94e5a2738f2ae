import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BackupRefused, checkBackup } from "../../src/platform/backup/index.ts";
import { type Backup, contentOf, inPieces, KNOWN_MIGRATIONS, restoreInto, takeBackup } from "../harness/backup.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

const NEWEST = KNOWN_MIGRATIONS.at(-1)?.number ?? 0;

let source: TestDatabase;
let target: TestDatabase;
let backup: Backup;
let before: Record<string, string>;

async function fill({ sql }: TestDatabase, company: string): Promise<void> {
  await sql("insert into partners (id, company, created_at, updated_at) values ('ptr_1', $1, now(), now())", [company]);
  await sql(`insert into clients (partner_id, id, company, currency, status, status_changed_at, created_at, updated_at)
    select 'ptr_1', 'cli_' || i, md5(i::text), 'usd', 'active', now(), now(), now() from generate_series(1, 300) i`);
}

beforeAll(async () => {
  source = await createTestDatabase();
  target = await createTestDatabase();
  await fill(source, "Before");
  await fill(target, "Here already");
  backup = await takeBackup(source);
  before = await contentOf(target);
});
afterAll(async () => {
  await source.drop();
  await target.drop();
});

/** The sentence that a file is refused with, by the check without a database. */
async function refusalOf(bytes: Buffer): Promise<string> {
  const error = await checkBackup(inPieces(bytes, 4_099)).catch((error: unknown) => error);
  if (!(error instanceof BackupRefused)) throw new Error(`not refused: ${error}`);
  return error.message;
}

/** The same from a restore over a database with content, which must be as before. */
async function restoreRefusal(bytes: Buffer, migrations = KNOWN_MIGRATIONS): Promise<string> {
  const error = await restoreInto(target, bytes, { may_delete: true, migrations }).catch((error: unknown) => error);
  if (!(error instanceof BackupRefused)) throw new Error(`not refused: ${error}`);
  expect(await contentOf(target)).toEqual(before);
  return error.message;
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

test("an undamaged file passes the check, with the account of what is in it", async () => {
  expect(await checkBackup(inPieces(backup.bytes, 4_099))).toEqual(backup.manifest);
  expect(backup.manifest.tables.find(({ name }) => name === "clients")?.rows).toBe(300);
});

describe("a damaged file is refused", () => {
  test("with one bit flipped, anywhere", async () => {
    const place = fc.nat({ max: backup.bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.nat({ max: 7 }), async (at, bit) => void (await refusalOf(flipped(backup.bytes, at, bit)))),
      { numRuns: 300 },
    );
  });

  test("cut off anywhere", async () => {
    const length = fc.nat({ max: backup.bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(length, async (length) => {
        expect(await refusalOf(backup.bytes.subarray(0, length))).toMatch(/ends too early|not a backup/);
      }),
      { numRuns: 200 },
    );
  });

  test("with a part taken out, doubled or moved", async () => {
    const third = Math.floor(backup.bytes.length / 3);
    const [one, two, three] = [0, 1, 2].map((part) =>
      backup.bytes.subarray(part * third, part === 2 ? undefined : (part + 1) * third),
    );
    for (const parts of [
      [one, three],
      [one, two, two, three],
      [one, three, two],
    ])
      await refusalOf(Buffer.concat(parts as Buffer[]));
  });

  test("with something behind its end", async () => {
    expect(await refusalOf(Buffer.concat([backup.bytes, Buffer.from("\n")]))).toContain("data after its end");
    expect(await refusalOf(Buffer.concat([backup.bytes, backup.bytes]))).toContain("data after its end");
  });

  test("that is something else", async () => {
    for (const text of ["", "\n", "hello", "TRIBUTARY BACKUP\n", "{}".repeat(1000)]) {
      expect(await refusalOf(Buffer.from(text))).toBe("This is not a backup of Tributary.");
    }
  });
});

describe("a restore over a database with content that cannot be done leaves it as it was", () => {
  test("a bit flipped in the head, in the rows and in the last byte", async () => {
    const { length } = backup.bytes;
    for (const at of [60, Math.floor(length / 2), length - 1]) {
      expect(await restoreRefusal(flipped(backup.bytes, at, 3))).toMatch(/^The backup is damaged: /);
    }
  });

  test("cut off just before its last byte", async () => {
    expect(await restoreRefusal(backup.bytes.subarray(0, -1))).toBe("The backup is damaged: it ends too early.");
  });

  test("a newer format", async () => {
    const newer = Buffer.concat([Buffer.from("TRIBUTARY BACKUP 2\n"), backup.bytes.subarray(backup.bytes.indexOf("\n") + 1)]);
    expect(await restoreRefusal(newer)).toBe("The backup has format 2; this version reads formats up to 1.");
  });

  test("a newer migration than this version knows", async () => {
    expect(await restoreRefusal(backup.bytes, KNOWN_MIGRATIONS.slice(0, -1))).toBe(
      `The backup has migration ${NEWEST}; this version only knows ${NEWEST - 1}.`,
    );
  });

  test("a migration with other contents", async () => {
    const changed = KNOWN_MIGRATIONS.map((migration) => ({ ...migration, checksum: `${migration.checksum}0` }));
    expect(await restoreRefusal(backup.bytes, changed)).toBe("Migration 1 of the backup differs from that of this version.");
  });

  test("a database of a newer version", async () => {
    await target.sql("insert into migrations (number, file, checksum) values (9999, '9999_later.sql', '')");
    try {
      expect(await restoreRefusal(backup.bytes)).toBe("The database has migration 9999, which this version does not know.");
    } finally {
      await target.sql("delete from migrations where number = 9999");
    }
  });

  test("rows that the tables refuse", async () => {
    const odd = await createTestDatabase();
    try {
      await odd.sql("alter table contacts drop constraint contacts_partner_id_account_id_fkey");
      await odd.sql(`insert into contacts (partner_id, id, account_id, name, phone, created_at, updated_at)
        values ('ptr_nobody', 'con_1', 'cli_nobody', 'Orphan', '+14155550100', now(), now())`);
      const { bytes } = await takeBackup(odd);
      await expect(restoreInto(target, bytes, { may_delete: true })).rejects.toThrow(/contacts_partner_id_account_id_fkey/);
      expect(await contentOf(target)).toEqual(before);
    } finally {
      await odd.drop();
    }
  });

  test("nobody agreed to delete what is there", async () => {
    await expect(restoreInto(target, backup.bytes)).rejects.toThrow("the database is not empty");
    expect(await contentOf(target)).toEqual(before);
  });

  test("a backup or a migration is under way", async () => {
    const session = await target.connect();
    await session.query("select pg_advisory_lock_shared(7214001)");
    try {
      expect(await restoreRefusal(backup.bytes)).toBe("A backup or a migration is running on this database.");
    } finally {
      await session.end();
    }
  });
});
