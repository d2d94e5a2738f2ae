import { command } from "./shell/command.ts";

export const openapi = command({
  name: "openapi",
  summary: "Print the OpenAPI document",
  description: "Needs no database.",
  examples: [{ title: "Write it to a file", run: "tributary openapi > openapi.json" }],
  async run({ out }) {
    const { describeInterface } = await import("../surfaces/description.ts");
    const document = describeInterface();
    out.result(document, () => [JSON.stringify(document, null, 2)]);
  },
});
