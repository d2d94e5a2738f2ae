import { migrateDatabase } from "../installation.ts";
import { command } from "./shell/command.ts";

export const migrate = command({
  name: "migrate",
  summary: "Bring the database to the newest migration",
  description:
    "It makes the embedded database where there is none yet. The service does the same at each start; running it again changes nothing.",
  examples: [
    { says: "Before the new version of the service starts", run: "tributary migrate" },
    { says: "On a folder of its own", run: "DATA_DIR=./elsewhere tributary migrate --json", on: "nothing" },
  ],
  async run({ logins, out }) {
    const { applied, newest } = await migrateDatabase(await logins({ make: true }));
    out.result({ applied, migration: newest?.number ?? 0 }, () => [
      ...applied.map((file) => `applied ${file}`),
      `The database is at migration ${newest?.number ?? 0}${applied.length === 0 ? ", as before" : ""}.`,
    ]);
  },
});
