// Writes server/schema.sql from a freshly migrated database.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSchema } from "../src/platform/db/catalogue.ts";
import { openDatabase } from "../src/platform/db/database.ts";
import { migrate, readMigrations } from "../src/platform/db/migrate.ts";
import { joinEmbedded } from "../src/platform/postgres/index.ts";
import { MIGRATIONS } from "../src/service.ts";

const dataDir = await mkdtemp(join(tmpdir(), "tributary-schema-"));
// Open to the user that runs PostgreSQL for root: otherwise the data would go elsewhere and stay there.
await chmod(dataDir, 0o755);
const embedded = await joinEmbedded({ dataDir });
try {
  await migrate(embedded.connection("owner"), await readMigrations(MIGRATIONS), embedded.connection("service").user);
  const db = openDatabase(embedded.connection("owner"), 2);
  await writeFile(new URL("../schema.sql", import.meta.url), await describeSchema(db));
  await db.close();
} finally {
  await embedded.leave();
  await rm(dataDir, { recursive: true, force: true });
}
