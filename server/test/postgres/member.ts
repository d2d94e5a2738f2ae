// A process of its own that joins the embedded database, so that tests can kill it: options come as its argument,
// it reports in JSON lines and leaves when told to on its standard input.
import { createInterface } from "node:readline";
import { EmbeddedDatabaseError, type EmbeddedOptions, joinEmbedded } from "../../src/platform/postgres/index.ts";

function report(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

// A service drains on Ctrl-C, it does not drop dead.
process.on("SIGINT", () => report({ kind: "interrupted" }));

const { umask, ...options }: EmbeddedOptions & { umask?: number } = JSON.parse(process.argv[2] ?? "{}");
if (umask !== undefined) process.umask(umask);
try {
  const database = await joinEmbedded({ ...options, log: (message) => report({ kind: "log", message }) });
  const { started, location } = database;
  report({ kind: "joined", started, location, connection: database.connection("owner") });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "leave") break;
  }
  await database.leave();
  report({ kind: "left" });
} catch (error) {
  if (!(error instanceof EmbeddedDatabaseError)) throw error;
  report({ kind: "refused", message: error.message, remedy: error.remedy });
}
