import { command } from "./shell/command.ts";

export const serve = command({
  name: "serve",
  summary: "Start the service",
  description:
    "Migrates the database, then runs until SIGTERM or Ctrl-C. Configured by environment variables: docs/configuration.md.",
  examples: [
    { title: "Start on the default port", run: "tributary serve", until: "Tributary is ready" },
    { title: "Start on a free port and print the address as JSON", run: "PORT=0 tributary serve --json", until: "base_url" },
  ],
  own_process: true,
  async run({ out }) {
    const main = await import("../main.ts");
    await main.serve({ json: out.json });
  },
});
