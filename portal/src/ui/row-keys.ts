import { useEffect, useRef, useState } from "react";

type Options = {
  count: number;
  scrollTo(index: number): void;
  /** True if the key meant something to the row. */
  act(index: number, key: string): boolean;
};

export type RowKeys = {
  /** The row where Tab stops. */
  stop: number;
  focused(index: number): void;
};

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
const covered = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** j and k move, also from the page; other keys act on the row that has the focus. "/" goes to the filter. */
export function useRowKeys({ count, scrollTo, act }: Options): RowKeys {
  const [stop, setStop] = useState(0);
  const latest = useRef({ count, stop, scrollTo, act });
  latest.current = { count, stop, scrollTo, act };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || typing(event.target) || covered()) return;
      const inRow = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=row][data-index]") : null;
      if (event.key === "/") {
        document.querySelector<HTMLInputElement>("[data-filter] input, input[data-filter]")?.focus();
      } else if (event.key === "j" || event.key === "ArrowDown") {
        if (event.key === "ArrowDown" && inRow === null) return;
        move(inRow === null ? 0 : Number(inRow.dataset.index) + 1);
      } else if (event.key === "k" || event.key === "ArrowUp") {
        if (event.key === "ArrowUp" && inRow === null) return;
        move(inRow === null ? 0 : Number(inRow.dataset.index) - 1);
      } else if (inRow === null || event.target !== inRow || !latest.current.act(Number(inRow.dataset.index), event.key)) {
        return;
      }
      event.preventDefault();
    };
    const move = (to: number) => {
      const index = Math.max(0, Math.min(latest.current.count - 1, to));
      latest.current.scrollTo(index);
      setStop(index);
      const row = () => document.querySelector<HTMLElement>(`[role=row][data-index="${index}"]`);
      // At once, so that the next key meets it; a row that is far away is drawn first.
      if (row() === null) requestAnimationFrame(() => row()?.focus());
      else row()?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return {
    stop: Math.min(stop, Math.max(0, count - 1)),
    focused: setStop,
  };
}
