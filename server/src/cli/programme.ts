import { actForOperator } from "./acting.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";

export const showProgramme = command({
  name: "programme show",
  summary: "Show the settings of the programme",
  examples: [{ title: "Show the settings as JSON", run: "tributary programme show --json" }],
  async run({ out, services }) {
    const { getProgramme } = await import("../features/programme/operators/index.ts");
    const { json } = await getProgramme(actForOperator(await services()));
    const settings: Record<string, string | number | number[] | null> = JSON.parse(json);
    const shown = Object.entries(settings).map(([name, value]) => [
      name.replaceAll("_", " "),
      Array.isArray(value) ? value.join(", ") : value,
    ]);
    out.result(settings, () => renderFields(Object.fromEntries(shown)));
  },
});
