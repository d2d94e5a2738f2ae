import { useEffect, useState } from "react";

/** Loaded after the board is drawn: nothing on it waits for it. */
const adapter = () => import("@atlaskit/pragmatic-drag-and-drop/element/adapter");

type Ref = React.RefObject<HTMLElement | null>;

/** Registers something at an element, once the code for it is there, and again when `on` changes. */
function useAdapter(attach: (parts: Awaited<ReturnType<typeof adapter>>) => () => void, on: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says when to register again
  useEffect(() => {
    let detach = () => {};
    let gone = false;
    void adapter().then((parts) => {
      if (!gone) detach = attach(parts);
    });
    return () => {
      gone = true;
      detach();
    };
  }, [on]);
}

/** Lets a card be picked up. */
export function useDraggable(ref: Ref, id: string, enabled: boolean): boolean {
  const [lifted, setLifted] = useState(false);
  useAdapter(({ draggable }) => {
    if (!enabled || ref.current === null) return () => {};
    return draggable({
      element: ref.current,
      getInitialData: () => ({ deal: id }),
      onDragStart: () => setLifted(true),
      onDrop: () => setLifted(false),
    });
  }, `${id} ${enabled}`);
  return lifted;
}

/** Lets cards be dropped on a column. True while one is above it. */
export function useDropTarget(ref: Ref, stage: string, enabled: boolean): boolean {
  const [over, setOver] = useState(false);
  useAdapter(({ dropTargetForElements }) => {
    if (!enabled || ref.current === null) return () => {};
    return dropTargetForElements({
      element: ref.current,
      getData: () => ({ stage }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, `${stage} ${enabled}`);
  return over;
}

/** Hears which card was dropped on which column. */
export function useDrops(drop: (deal: string, stage: string) => void): void {
  useAdapter(
    ({ monitorForElements }) =>
      monitorForElements({
        onDrop({ source, location }) {
          const stage = location.current.dropTargets[0]?.data.stage;
          if (typeof stage === "string") drop(String(source.data.deal), stage);
        },
      }),
    drop,
  );
}
