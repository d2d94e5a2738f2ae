import type { Pipeline } from "../pipelines/data.ts";
import { type Deal, type Interval, useHistory } from "./data.ts";
import classes from "./deals.module.css";
import { daysText } from "./value.tsx";

/** Days beyond the target of the stage that a deal is in. */
export function daysOver(deal: Pick<Deal, "stage_id" | "status" | "days_in_stage">, pipeline: Pipeline | undefined): number {
  const target = pipeline?.stages.find(({ id }) => id === deal.stage_id)?.target_days ?? null;
  return target === null || deal.status !== "open" ? 0 : Math.max(0, deal.days_in_stage - target);
}

const daysIn = (history: readonly Interval[], stage: string) =>
  history.filter(({ stage_id }) => stage_id === stage).reduce((sum, { days }) => sum + days, 0);

/** The way of a deal through its pipeline, with the time that each stage took. */
export function Track({ deal, pipeline }: { deal: Deal; pipeline: Pipeline }) {
  const { data: history = [] } = useHistory(deal.id);
  const stages = pipeline.stages.filter(
    ({ id, type }) => type === "open" || id === deal.stage_id || (type === "won" && deal.status === "open"),
  );
  const at = stages.findIndex(({ id }) => id === deal.stage_id);
  const over = daysOver(deal, pipeline);
  return (
    <ol className={classes.steps} aria-label="Stages">
      {stages.map(({ id, name, type, target_days }, index) => {
        const here = id === deal.stage_id;
        const was = history.some(({ stage_id }) => stage_id === id);
        const days = daysIn(history, id);
        const of =
          here && type === "open" && target_days !== null && over === 0
            ? `${days} of ${target_days} d`
            : daysText(days, here ? over : 0);
        return (
          <li
            key={id}
            data-done={(was && index < at) || undefined}
            data-now={here ? type : undefined}
            data-late={(here && over > 0) || undefined}
            aria-current={here ? "step" : undefined}
          >
            <b className="cut">{name}</b>
            <span>{was || here ? (type === "open" ? of : "") : ""}</span>
          </li>
        );
      })}
    </ol>
  );
}
