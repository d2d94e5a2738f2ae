import { Button } from "@mantine/core";
import { ChevronLeft } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useDropTarget } from "../../ui/drag.ts";
import type { Stage } from "../pipelines/data.ts";
import classes from "./board.module.css";
import { valuesOf } from "./board-model.ts";
import { Card, type CardProps } from "./card.tsx";
import { type BoardColumn, type BoardDeal, useColumn } from "./data.ts";
import { valueText } from "./value.tsx";

const MORE = 50;

type Shared = Pick<CardProps, "stages" | "next" | "movable" | "choose" | "move" | "onOpen" | "onFocus">;
type Props = Shared & {
  pipeline: string;
  column: BoardColumn;
  stage: Stage;
  /** Cards that the board shows in another column: they have just moved there. */
  elsewhere: ReadonlySet<string>;
  shown: boolean;
  open: string | undefined;
  stop: string | undefined;
  choosing: string | null;
  /** Tells the board which cards there are besides its own. */
  learn(deals: readonly BoardDeal[], stage: Stage): void;
};

/** A stage: how many, how much, and its deals, those that entered last first. */
export function Column({ pipeline, column, stage, elsewhere, shown, open, stop, choosing, learn, ...card }: Props) {
  const ref = useRef<HTMLElement>(null);
  const over = useDropTarget(ref, stage.id, card.movable);
  const [wanted, setWanted] = useState(0);
  const { data: extra, isFetching } = useColumn(pipeline, stage.id, column.next_cursor, wanted);
  const deals = useMemo(() => {
    const first = new Set(column.latest_deals.map(({ id }) => id));
    const rest = wanted === 0 ? [] : (extra ?? []).filter(({ id }) => !first.has(id) && !elsewhere.has(id));
    return [...column.latest_deals, ...rest];
  }, [column.latest_deals, extra, elsewhere, wanted]);
  learn(deals, stage);
  const more = column.deals - deals.length;
  return (
    <section
      ref={ref}
      className={classes.column}
      data-type={stage.type}
      data-over={over || undefined}
      data-shown={shown || undefined}
      aria-label={stage.name}
    >
      <header>
        <h2 className="cut">{stage.name}</h2>
        <span className="muted">{column.deals}</span>
        <span className={classes.sum}>
          {valuesOf(column.totals).map((value) => (
            <span key={`${value.currency}${value.monthly}`}>{valueText(value)}</span>
          ))}
        </span>
        {stage.target_days !== null && <span className={`${classes.target} only-phone`}>target {stage.target_days} days</span>}
      </header>
      <ul className={classes.cards} aria-label={`Deals in ${stage.name}`}>
        {deals.map((deal) => (
          <Card
            key={deal.id}
            deal={deal}
            stage={stage}
            open={open === deal.id}
            stop={stop === deal.id}
            choosing={choosing === deal.id}
            {...card}
          />
        ))}
        {deals.length === 0 && (
          <li className={classes.none}>Nothing here.{card.movable && <span className="only-desk"> Drop a deal.</span>}</li>
        )}
        {more > 0 && (
          <li className={classes.more}>
            <Button variant="subtle" size="xs" loading={isFetching && wanted > 0} onClick={() => setWanted(wanted + MORE)}>
              Show {Math.min(more, MORE)} more of {more}
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

type ShutProps = { stage: Stage; deals: number; movable: boolean; onOpen(): void };

/** A column of lost deals that is shut: one can still drop on it. */
export function ShutColumn({ stage, deals, movable, onOpen }: ShutProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const over = useDropTarget(ref, stage.id, movable);
  return (
    <button
      ref={ref}
      type="button"
      className={classes.shut}
      data-over={over || undefined}
      data-type="lost"
      aria-label={`Show ${deals} in ${stage.name}`}
      onClick={onOpen}
    >
      <ChevronLeft size={14} aria-hidden />
      <span>{stage.name}</span>
      <span className="muted">{deals}</span>
    </button>
  );
}
