import { command } from "./shell/command.ts";

export const serve = command({
  name: "serve",
  summary: "Start the service",
  description:
    "It is configured by environment variables (docs/configuration.md), migrates the database, and runs until SIGTERM or Ctrl-C.",
  examples: [
    { says: "Start on the default port", run: "tributary serve", until: "Tributary is ready" },
    { says: "On any free port, with where that is as JSON", run: "PORT=0 tributary serve --json", until: "base_url" },
  ],
  own_process: true,
  async run({ out }) {
    const main = await import("../main.ts");
    await main.serve({ json: out.json });
  },
});
