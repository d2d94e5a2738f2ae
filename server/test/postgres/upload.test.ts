import { expect, test } from "vitest";
import { storeFile } from "../../src/features/crm/imports/file/commands.ts";
import { openDatabase } from "../../src/platform/db/database.ts";

test("a file that cannot be stored is refused, and nothing fails that nobody waits for", async () => {
  const db = openDatabase({ host: "127.0.0.1", port: 1, user: "nobody", database: "none" }, 1);
  const rows = Buffer.from("Name,Phone\n".repeat(100_000));
  const stored = storeFile(db, { partner_id: "prt_x", import_id: "imp_x" }, oneBlock(rows));
  await expect(stored).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await db.close();
});

async function* oneBlock(block: Buffer): AsyncGenerator<Buffer> {
  yield block;
}
