import { useEffect, useRef } from "react";
import type { Stage } from "../pipelines/data.ts";
import type { BoardDeal } from "./data.ts";

type Options = {
  find(id: string): { deal: BoardDeal; stage: Stage } | undefined;
  stages: readonly Stage[];
  movable: boolean;
  move(deal: BoardDeal, from: Stage, to: Stage): void;
  choose(id: string): void;
};

const cardsIn = (column: Element | null) => [...(column?.querySelectorAll<HTMLElement>("[data-card]") ?? [])];

/** Arrows (and j, k) go from card to card; m, [ and ] move the one that has the focus. */
export function useBoardKeys(options: Options): void {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-card]") : null;
      if (card === null) return;
      if (walk(card, event.key) || change(card.dataset.card ?? "", event.key, latest.current)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function walk(card: HTMLElement, key: string): boolean {
  const column = card.closest("section");
  const cards = cardsIn(column);
  const at = cards.indexOf(card);
  if (key === "ArrowDown" || key === "j") cards[at + 1]?.focus();
  else if (key === "ArrowUp" || key === "k") cards[at - 1]?.focus();
  else if (key === "ArrowRight" || key === "ArrowLeft") {
    const columns = [...(column?.parentElement?.querySelectorAll("section") ?? [])]
      .map(cardsIn)
      .filter(({ length }) => length > 0);
    const beside = columns[columns.findIndex((some) => some.includes(card)) + (key === "ArrowRight" ? 1 : -1)];
    beside?.[Math.min(at, beside.length - 1)]?.focus();
  } else return false;
  return true;
}

function change(id: string, key: string, { find, stages, movable, move, choose }: Options): boolean {
  const found = find(id);
  if (!movable || found === undefined) return false;
  const { deal, stage } = found;
  if (key === "m") {
    choose(id);
    return true;
  }
  if (key !== "[" && key !== "]") return false;
  const to = stages[stages.findIndex((one) => one.id === stage.id) + (key === "]" ? 1 : -1)];
  if (to !== undefined) move(deal, stage, to);
  return true;
}
