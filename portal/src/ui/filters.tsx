import { Button, Popover } from "@mantine/core";
import { SlidersHorizontal } from "lucide-react";
import classes from "./filters.module.css";

/** Filters that are needed now and then: behind one button, which says how many are set. */
export function Filters({ count, clear, children }: { count: number; clear(): void; children: React.ReactNode }) {
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus classNames={{ dropdown: "t-pop" }}>
      <Popover.Target>
        <Button variant={count > 0 ? "default" : "subtle"} leftSection={<SlidersHorizontal />}>
          {count > 0 ? `Filters, ${count}` : "Filters"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.filters}>
          {children}
          <Button variant="default" disabled={count === 0} onClick={clear}>
            Clear
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
