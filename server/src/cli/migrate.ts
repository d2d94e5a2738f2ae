import { migrateDatabase } from "../installation.ts";
import { command } from "./shell/command.ts";

export const migrate = command({
  name: "migrate",
  summary: "Apply pending migrations",
  description:
    "Creates the embedded database if it does not exist. The service migrates at each start too. Running it again changes nothing.",
  examples: [
    { title: "Migrate before a new version starts", run: "tributary migrate" },
    {
      title: "Create and migrate a database in another folder",
      run: "DATA_DIR=./elsewhere tributary migrate --json",
      on: "nothing",
    },
  ],
  async run({ logins, out }) {
    const { applied, newest } = await migrateDatabase(await logins({ make: true }));
    out.result({ applied, migration: newest?.number ?? 0 }, () => [
      ...applied.map((file) => `applied ${file}`),
      `The database is at migration ${newest?.number ?? 0}${applied.length === 0 ? ", up to date" : ""}.`,
    ]);
  },
});
