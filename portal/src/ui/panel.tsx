import { ActionIcon } from "@mantine/core";
import { Maximize2, X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useGo } from "./link.tsx";
import classes from "./panel.module.css";

type Props = {
  title: React.ReactNode;
  close(): void;
  /** The page that shows the same at full width. */
  full?: string;
  actions?: React.ReactNode;
  children: React.ReactNode;
  foot?: React.ReactNode;
};

/** Takes the focus to what has opened, and back to its opener when it closes. */
export function useFocus(): React.RefObject<HTMLElement | null> {
  const opened = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    (opened.current?.querySelector<HTMLElement>("[data-autofocus]") ?? opened.current)?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return opened;
}

/**
 * Beside the rows, without a veil: the list stays usable, and the row stays lit. Whether it is open is part of the address
 * (`open=<id>`), Escape closes it, and the focus returns to where it was opened.
 */
export function Panel({ title, close, full, actions, children, foot }: Props) {
  const panel = useFocus();
  const id = useId();
  const go = useGo();
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className={`${classes.panel} t-drawer`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        close();
      }}
    >
      <header className={classes.head}>
        <h2 id={id} className="cut">
          {title}
        </h2>
        {actions}
        {full && (
          <ActionIcon aria-label="Open as a page" onClick={() => go(full)}>
            <Maximize2 size={14} />
          </ActionIcon>
        )}
        <ActionIcon aria-label="Close" onClick={close}>
          <X size={16} />
        </ActionIcon>
      </header>
      <div className={classes.body}>{children}</div>
      {foot && <footer className={classes.foot}>{foot}</footer>}
    </aside>
  );
}
