import { Button, Kbd, Menu } from "@mantine/core";
import { ArrowRight, Clock } from "lucide-react";
import { memo, useRef } from "react";
import { useDraggable } from "../../ui/drag.ts";
import { Monogram } from "../../ui/monogram.tsx";
import { day } from "../../ui/when.tsx";
import type { Stage } from "../pipelines/data.ts";
import classes from "./board.module.css";
import { worthOf } from "./board-model.ts";
import type { BoardDeal } from "./data.ts";
import { titleOf } from "./moves.tsx";
import { DealValue, daysText, RegistrationState, valueText } from "./value.tsx";

export type CardProps = {
  deal: BoardDeal;
  stage: Stage;
  stages: readonly Stage[];
  /** The stage after this one, where a click on a phone moves it. */
  next: Stage | undefined;
  movable: boolean;
  open: boolean;
  /** Where Tab stops. */
  stop: boolean;
  /** "Move to …" is open. */
  choosing: boolean;
  choose(id: string | null): void;
  move(deal: BoardDeal, from: Stage, to: Stage): void;
  onOpen(id: string): void;
  onFocus(id: string): void;
};

/** A deal on the board. Keys: Enter opens, m moves to a stage by name, [ and ] to the neighbours. */
export const Card = memo((props: CardProps) => {
  const { deal, stage, next, movable, open, stop, choosing, onOpen, onFocus, move } = props;
  const ref = useRef<HTMLButtonElement>(null);
  const lifted = useDraggable(ref, deal.id, movable);
  const value = worthOf(deal);
  const second = secondLine(deal, stage);
  const closed = stage.type !== "open";
  return (
    <li className={classes.cell}>
      <button
        ref={ref}
        type="button"
        className={classes.card}
        data-card={deal.id}
        data-open={open || undefined}
        data-lifted={lifted || undefined}
        tabIndex={stop ? 0 : -1}
        aria-keyshortcuts={movable ? "m [ ]" : undefined}
        aria-label={nameOf(deal, stage)}
        onClick={() => onOpen(deal.id)}
        onFocus={() => onFocus(deal.id)}
      >
        <span className={classes.top}>
          <b className="cut">{titleOf(deal)}</b>
          <DealValue value={value} />
        </span>
        {second !== "" && <span className={`${classes.second} cut`}>{second}</span>}
        {!closed && <Bottom deal={deal} />}
        {movable && (
          <span className={`${classes.hint} only-desk`} aria-hidden>
            <span>
              <Kbd>m</Kbd> Move to
            </span>
            {next && (
              <span>
                <Kbd>]</Kbd> <span className="cut">{next.name}</span>
              </span>
            )}
          </span>
        )}
      </button>
      {movable && next && !closed && (
        <Button
          className={classes.move ?? ""}
          variant="subtle"
          rightSection={<ArrowRight />}
          aria-label={`Move ${titleOf(deal)} to ${next.name}`}
          onClick={() => move(deal, stage, next)}
        >
          <span className="cut">{next.name}</span>
        </Button>
      )}
      {choosing && <MoveMenu {...props} />}
    </li>
  );
});

function Bottom({ deal }: { deal: BoardDeal }) {
  const { owner, registration, days_in_stage, days_over } = deal;
  return (
    <span className={classes.bottom}>
      {owner !== null && <Monogram name={owner} person size={18} />}
      {registration !== null ? <RegistrationState registration={registration} /> : <span className="cut">{owner}</span>}
      <span className={classes.days} data-late={days_over > 0 || undefined}>
        <Clock size={12} aria-hidden />
        {daysText(days_in_stage, days_over)}
      </span>
    </span>
  );
}

/** The stages that it can move to. */
function MoveMenu({ deal, stage, stages, choose, move }: CardProps) {
  return (
    <Menu opened onChange={(opened) => !opened && choose(null)} position="bottom-start" returnFocus={false} width={200}>
      <Menu.Target>
        <span className={classes.anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Move ${titleOf(deal)} to`}>
        <Menu.Label>Move to</Menu.Label>
        {stages
          .filter(({ id }) => id !== stage.id)
          .map((to) => (
            <Menu.Item key={to.id} onClick={() => move(deal, stage, to)}>
              {to.name}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function secondLine(
  { name, company, plan, expected_close_on, stage_entered_at, lost_reason }: BoardDeal,
  { type }: Stage,
): string {
  if (type === "won") return `Won on ${day(stage_entered_at)}`;
  if (type === "lost") return lost_reason ?? `Lost on ${day(stage_entered_at)}`;
  const closes = expected_close_on === null ? null : `closes ${day(expected_close_on)}`;
  const parts = [name !== company && company !== null ? name : null, plan, closes];
  return parts.filter(Boolean).join(", ");
}

/** What a card says to people who hear it, in the order in which it is seen. */
function nameOf(deal: BoardDeal, stage: Stage): string {
  const value = worthOf(deal);
  const closed = stage.type !== "open";
  const days = closed ? null : deal.days_over > 0 ? `${deal.days_over} d over` : `${deal.days_in_stage} d in ${stage.name}`;
  return [titleOf(deal), value && valueText(value), secondLine(deal, stage), closed ? null : deal.registration?.status, days]
    .filter(Boolean)
    .join(", ");
}
