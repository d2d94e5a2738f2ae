import { useEffect, useState } from "react";

/** Loaded after the page is drawn: nothing on it waits for it. */
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

/** Lets an element be picked up, by its handle if it has one. True while it is. */
export function useDraggable(ref: Ref, id: string, enabled: boolean, handle?: Ref): boolean {
  const [lifted, setLifted] = useState(false);
  useAdapter(({ draggable }) => {
    if (!enabled || ref.current === null) return () => {};
    return draggable({
      element: ref.current,
      ...(handle?.current ? { dragHandle: handle.current } : {}),
      getInitialData: () => ({ id }),
      onDragStart: () => setLifted(true),
      onDrop: () => setLifted(false),
    });
  }, `${id} ${enabled}`);
  return lifted;
}

/** Lets elements be dropped on this one. True while one is above it. */
export function useDropTarget(ref: Ref, id: string, enabled: boolean): boolean {
  const [over, setOver] = useState(false);
  useAdapter(({ dropTargetForElements }) => {
    if (!enabled || ref.current === null) return () => {};
    return dropTargetForElements({
      element: ref.current,
      getData: () => ({ id }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, `${id} ${enabled}`);
  return over;
}

/** Hears what was dropped on what. */
export function useDrops(drop: (id: string, on: string) => void): void {
  useAdapter(
    ({ monitorForElements }) =>
      monitorForElements({
        onDrop({ source, location }) {
          const target = location.current.dropTargets[0]?.data.id;
          if (typeof target === "string") drop(String(source.data.id), target);
        },
      }),
    drop,
  );
}
