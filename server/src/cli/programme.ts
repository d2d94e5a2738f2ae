import { actForOperator } from "./acting.ts";
import { amountsText } from "./listing.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";

type Settings = Record<string, string | number | boolean | null> & {
  override_bps: number[];
  payout_minimums: Record<string, number>;
  payout_debtor: { name: string; iban: string; bic?: string } | null;
};

export const showProgramme = command({
  name: "programme show",
  summary: "Show the settings of the programme",
  examples: [{ title: "Show the settings as JSON", run: "tributary programme show --json" }],
  async run({ out, services }) {
    const { getProgramme } = await import("../features/programme/operators/index.ts");
    const { json } = await getProgramme(actForOperator(await services()));
    const settings: Settings = JSON.parse(json);
    const shown = {
      ...settings,
      override_bps: settings.override_bps.join(", "),
      payout_minimums: amountsText(settings.payout_minimums),
      payout_debtor: Object.values(settings.payout_debtor ?? {}).join(", "),
    };
    const named = Object.entries(shown).map(([name, value]) => [name.replaceAll("_", " "), value]);
    out.result(settings, () => renderFields(Object.fromEntries(named)));
  },
});
