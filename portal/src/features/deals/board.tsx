import { Kbd, Skeleton, VisuallyHidden } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useDrops } from "../../ui/drag.ts";
import { Failure } from "../../ui/failure.tsx";
import type { Pipeline, Stage } from "../pipelines/data.ts";
import classes from "./board.module.css";
import { useBoardKeys } from "./board-keys.ts";
import { totalsOf } from "./board-model.ts";
import { Column, ShutColumn } from "./column.tsx";
import { type Board as BoardData, type BoardDeal, useBoard } from "./data.ts";
import type { Moves } from "./moves.tsx";
import { valueText } from "./value.tsx";

type Props = {
  pipeline: Pipeline;
  moves: Moves;
  movable: boolean;
  open: string | undefined;
  onOpen(id: string): void;
  /** The columns of lost deals are shown. */
  lost: boolean;
  setLost(shown: boolean): void;
  /** The stage that a phone shows. */
  at: string | undefined;
  setAt(stage: string): void;
  /** Beside the answer: the choice of the pipeline. */
  children?: React.ReactNode;
};

export function Board(props: Props) {
  const { pipeline } = props;
  const { data, error, refetch } = useBoard(pipeline.id);
  if (data === undefined && error) return <Failure title="The board did not load" error={error} retry={refetch} />;
  if (data === undefined) return <Bones pipeline={pipeline} />;
  return <Shown board={data} {...props} />;
}

function Shown({
  board,
  pipeline,
  moves,
  movable,
  open,
  onOpen,
  lost,
  setLost,
  at,
  setAt,
  children,
}: Props & { board: BoardData }) {
  const [choosing, setChoosing] = useState<string | null>(null);
  const [focused, setFocused] = useState<string>();
  const follow = useRef<string | null>(null);
  const placed = useRef(new Map<string, { deal: BoardDeal; stage: Stage }>());
  placed.current = new Map();
  const stages = useMemo(() => stagesOf(board, pipeline), [board, pipeline]);
  const elsewhere = useMemo(() => new Set(board.stages.flatMap((column) => column.latest_deals.map(({ id }) => id))), [board]);
  const learn = (deals: readonly BoardDeal[], stage: Stage) => {
    for (const deal of deals) placed.current.set(deal.id, { deal, stage });
  };
  const choose = useCallback((id: string | null) => {
    follow.current = id ?? follow.current;
    setChoosing(id);
  }, []);
  const focus = useCallback((id: string) => {
    if (id !== follow.current) follow.current = null;
    setFocused(id);
  }, []);
  const move = useCallback(
    (deal: BoardDeal, from: Stage, to: Stage) => {
      follow.current = deal.id;
      setChoosing(null);
      moves.move(deal, from, to);
    },
    [moves.move],
  );
  const drop = useCallback(
    (id: string, stage_id: string) => {
      const found = placed.current.get(id);
      const to = stages.find(({ id }) => id === stage_id);
      if (found && to) move(found.deal, found.stage, to);
    },
    [stages, move],
  );
  useDrops(drop);
  useBoardKeys({ find: (id) => placed.current.get(id), stages, movable, move, choose });
  // A card that moves takes the focus with it.
  useEffect(() => {
    const id = follow.current;
    if (id === null) return;
    const card = document.querySelector<HTMLElement>(`[data-card="${id}"]`);
    if (card !== null && (document.activeElement === document.body || document.activeElement === null)) card.focus();
  });
  const columns = stages.filter(({ type }) => lost || type !== "lost");
  const shut = lost ? [] : stages.filter(({ type }) => type === "lost");
  const first = board.stages.find(({ latest_deals }) => latest_deals.length > 0)?.latest_deals[0]?.id;
  const stop = focused !== undefined && elsewhere.has(focused) ? focused : first;
  const columnOf = (stage: Stage) => board.stages.find(({ stage_id }) => stage_id === stage.id);
  const shown = stages.find(({ id }) => id === at) ?? stages.find((stage) => columnOf(stage)?.deals) ?? stages[0];
  return (
    <>
      <div className={classes.bar}>
        <Summary board={board} />
        {children}
      </div>
      <div className={classes.stages} role="group" aria-label="Stages">
        {stages.map((stage) => (
          <button key={stage.id} type="button" aria-pressed={stage.id === shown?.id} onClick={() => setAt(stage.id)}>
            {stage.name} <span>{columnOf(stage)?.deals}</span>
          </button>
        ))}
      </div>
      <div
        className={classes.board}
        data-lost={lost ? "open" : "shut"}
        style={{ "--open": columns.length } as React.CSSProperties}
        onPointerDown={() => {
          follow.current = null;
        }}
      >
        {stages.map((stage) => {
          const column = columnOf(stage);
          if (column === undefined || (stage.type === "lost" && !lost && stage !== shown)) return null;
          return (
            <Column
              key={stage.id}
              pipeline={pipeline.id}
              column={column}
              stage={stage}
              stages={stages}
              next={nextOf(stages, stage, 1)}
              elsewhere={elsewhere}
              shown={stage.id === shown?.id}
              movable={movable}
              open={open}
              stop={stop}
              choosing={choosing}
              choose={choose}
              move={move}
              onOpen={onOpen}
              onFocus={focus}
              learn={learn}
            />
          );
        })}
        {shut.map((stage) => (
          <ShutColumn
            key={stage.id}
            stage={stage}
            deals={columnOf(stage)?.deals ?? 0}
            movable={movable}
            onOpen={() => setLost(true)}
          />
        ))}
      </div>
      <VisuallyHidden role="status" aria-live="polite">
        {moves.said}
      </VisuallyHidden>
    </>
  );
}

/** The stages of the board: those of the pipeline, and archived ones that still have deals. */
function stagesOf(board: BoardData, pipeline: Pipeline): Stage[] {
  return board.stages.map(({ stage_id, stage, stage_type, probability, target_days }) => {
    const known = pipeline.stages.find(({ id }) => id === stage_id);
    return known ?? { id: stage_id, name: stage, type: stage_type, probability, target_days, required_fields: [] };
  });
}

/** The stage before or after one. */
export const nextOf = (stages: readonly Stage[], stage: Stage, by: 1 | -1): Stage | undefined => {
  const index = stages.findIndex(({ id }) => id === stage.id);
  return index < 0 ? undefined : stages[index + by];
};

/** The answer: how much is open, and what is late. */
function Summary({ board }: { board: BoardData }) {
  const open = board.stages.filter(({ stage_type }) => stage_type === "open");
  const deals = open.reduce((sum, column) => sum + column.deals, 0);
  const late = open.reduce((sum, column) => sum + column.over_target, 0);
  const values = totalsOf(open);
  if (deals === 0) return <p>No open deal in this pipeline.</p>;
  return (
    <p>
      {values.map((value, index) => (
        <span key={`${value.currency}${value.monthly}`}>
          {index > 0 && (index === values.length - 1 ? " and " : ", ")}
          <b>{valueText({ ...value, monthly: false })}</b>
          {value.monthly && !values[index + 1]?.monthly && " a month"}
        </span>
      ))}{" "}
      in {deals} open {deals === 1 ? "deal" : "deals"}.{" "}
      {late > 0 && (
        <span className={classes.late}>
          {late} {late === 1 ? "is" : "are"} over target.
        </span>
      )}
    </p>
  );
}

/** The keys of the board, for the line at its foot. */
export function BoardKeys({ movable }: { movable: boolean }) {
  return (
    <span className={classes.keys}>
      <span>
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        <Kbd>←</Kbd>
        <Kbd>→</Kbd> choose
      </span>
      <span>
        <Kbd>⏎</Kbd> open
      </span>
      {movable && (
        <>
          <span>
            <Kbd>m</Kbd> move to
          </span>
          <span>
            <Kbd>[</Kbd>
            <Kbd>]</Kbd> stage before, after
          </span>
        </>
      )}
    </span>
  );
}

function Bones({ pipeline }: { pipeline: Pipeline }) {
  const columns = pipeline.stages.filter(({ type }) => type !== "lost");
  return (
    <>
      <div className={classes.bar} role="status" aria-busy="true" aria-label="Loading">
        <Skeleton height={8} width={280} my={12} />
      </div>
      <div className={classes.board} data-lost="open" aria-hidden>
        {columns.map(({ id, name }, index) => (
          <section key={id} className={classes.column} data-shown={index === 0 || undefined}>
            <header>
              <h2 className="cut">{name}</h2>
            </header>
            <div className={`${classes.cards} ${classes.skeleton}`}>
              {[0, 1, 2].slice(index % 2).map((card) => (
                <div key={card}>
                  <Skeleton height={8} width="64%" />
                  <Skeleton height={8} width="40%" />
                </div>
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}
