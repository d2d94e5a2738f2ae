import { Checkbox, Skeleton } from "@mantine/core";
import { useElementSize, useMediaQuery, useMergedRef } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, useEffect, useMemo, useRef } from "react";
import { Failure } from "./failure.tsx";
import { type RowKeys, useRowKeys } from "./row-keys.ts";
import classes from "./table.module.css";

export type Column<Row> = {
  key: string;
  head: React.ReactNode;
  /** A grid track: "minmax(180px, 2fr)", "96px". */
  width: string;
  /** Right-aligned, header too: money, counts, times. */
  end?: boolean;
  /** The width of the table below which the column leaves. */
  from?: number;
  /** The `sort` of the API, ascending; "-" before it descends. `sorts` names those that exist. */
  sorts?: readonly string[];
  cell: (row: Row) => React.ReactNode;
};

/** Rows that are in memory, as `useList` gives them; a plain array has no more. */
export type Rows<Row> = {
  rows: readonly Row[];
  loading: boolean;
  error: Error | null;
  more: boolean;
  loadingMore: boolean;
  loadMore(): void;
  /** How many rows of the list come before them, because they have left the memory; `loadEarlier` brings them back. */
  first?: number;
  loadingEarlier?: boolean;
  loadEarlier?(index: number): void;
  retry(): void;
};

export type Selection = {
  ids: readonly string[];
  set(ids: readonly string[]): void;
  /** Whether rows are selected on a phone too, where the boxes take width from the lines. */
  phone?: boolean;
};

export type TableProps<Row> = {
  /** What the rows are: "Clients". */
  label: string;
  columns: readonly Column<Row>[];
  list: Rows<Row>;
  id: (row: Row) => string;
  /** What a row is called, for people who hear the page. */
  name?: (row: Row) => string;
  /** Opens a row: a click, or Enter. */
  onOpen?: (row: Row) => void;
  /** The row whose panel is open stays lit. */
  open?: string | undefined;
  selection?: Selection | undefined;
  sort?: { by: string; set(by: string): void };
  /** The group that a row belongs to, such as its day: where it changes, its name stands above the row. */
  group?: (row: Row) => string;
  /** On a phone a row is two lines, drawn by this instead of by its cells. */
  phone?: (row: Row) => React.ReactNode;
  /** What stands above the table and scrolls away with its rows. */
  above?: React.ReactNode;
  /** Instead of the table where there is no row at all. */
  empty?: React.ReactNode;
  /** Letters that act on the focused row: `{ e: edit }`. */
  keys?: Record<string, (row: Row) => void>;
};

const ROW_PX = 36;
const ROW_TOUCH_PX = 44;
const ROW_PHONE_PX = 61;
const GROUP_PX = 36;
const HEAD_PX = 32;

/** For `list` where all rows are already there. */
export const allRows = <Row,>(rows: readonly Row[] | undefined, error: Error | null = null, retry = () => {}): Rows<Row> => ({
  rows: rows ?? [],
  loading: rows === undefined && error === null,
  error: rows === undefined ? error : null,
  more: false,
  loadingMore: false,
  loadMore: () => {},
  retry,
});

/** A list of the API. It fills its place and scrolls in it; rows beyond the screen are not drawn. Keys: j k x Enter /. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns: all, list, id, selection, phone, empty, open } = props;
  const { ref: sizeRef, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const { ref: aboveRef, height: abovePx } = useElementSize();
  const first = list.first ?? 0;
  const count = first + list.rows.length;
  // While one scrolls the props stay the same, and rows that were drawn are not drawn again.
  const columns = useMemo(() => withSelection(props).filter(({ from }) => !from || !width || width >= from), [props, width]);
  const height = useRowHeight(phone !== undefined);
  const groupAt = (index: number) => groupOf(props, index);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => height + (groupAt(index) === null ? 0 : GROUP_PX),
    overscan: 12,
    scrollMargin: abovePx + (phone !== undefined && height === ROW_PHONE_PX ? 0 : HEAD_PX),
  });
  // Where groups begin depends on the rows, which the virtual list does not look at.
  useEffect(() => {
    if (props.group !== undefined && list.rows.length > 0) virtual.measure();
  }, [virtual, list.rows, props.group]);
  const items = virtual.getVirtualItems();
  useLoading(list, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  useRowAfterPanel(open, scroller);
  const keys: RowKeys = useRowKeys({
    count,
    scrollTo: (index) => virtual.scrollToIndex(index),
    act: (index, key) => act(props, index, key),
  });

  const none = list.error !== null || (!list.loading && !list.more && list.rows.length === 0 && empty !== undefined);
  // A page of a list that is searched may be empty and yet not the last.
  const instead = none ? <Instead label={label} list={list} empty={empty} /> : null;
  if (instead !== null && props.above === undefined) return instead;
  const tracks = { "--tracks": columns.map((column) => column.width).join(" ") } as React.CSSProperties;
  return (
    <div ref={ref} className={classes.scroll}>
      {props.above !== undefined && <div ref={aboveRef}>{props.above}</div>}
      {instead ?? (
        <div
          role="table"
          aria-label={label}
          aria-rowcount={list.more ? -1 : count + 1}
          aria-busy={list.loading}
          className={classes.table}
          style={tracks}
          data-inset
          data-phone={phone ? "lines" : undefined}
          data-selects={selection?.phone || undefined}
        >
          <Head columns={columns} sort={props.sort} />
          {list.loading ? (
            <Bars columns={columns} main={all[0]?.key} />
          ) : (
            <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: "relative" }}>
              {items.map(({ index, start }) => {
                const row = list.rows[index - first];
                const group = groupAt(index);
                const top = start - virtual.options.scrollMargin;
                if (row === undefined) return <Missing key={index} top={top} />;
                return (
                  <RowView
                    key={id(row)}
                    row={row}
                    index={index}
                    group={group}
                    top={top}
                    columns={columns}
                    props={props}
                    lit={open === id(row)}
                    chosen={selection?.ids.includes(id(row)) ?? false}
                    stop={keys.stop === index}
                    focused={keys.focused}
                  />
                );
              })}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** How near to the end of the rows in memory the next ones are asked for. */
const NEAR_ROWS = 15;

/** Asks for what is seen soon: after the rows in memory, or before them. */
function useLoading<Row>(list: Rows<Row>, top: number, bottom: number): void {
  const { first = 0, rows, more, loadingMore, loadMore, loadingEarlier, loadEarlier } = list;
  const wantsMore = more && !loadingMore && bottom >= first + rows.length - NEAR_ROWS;
  useEffect(() => {
    if (wantsMore) loadMore();
  }, [wantsMore, loadMore]);
  const wantsEarlier = first > 0 && !loadingEarlier && rows.length > 0 && top < first + NEAR_ROWS;
  useEffect(() => {
    if (wantsEarlier) loadEarlier?.(top);
  }, [wantsEarlier, loadEarlier, top]);
}

/** A row that has left the memory, until it is back. */
function Missing({ top }: { top: number }) {
  return (
    <div className={`${classes.row} ${classes.virtual}`} style={{ transform: `translateY(${top}px)` }} aria-hidden>
      <span className={classes.cell}>
        <Skeleton height={8} width={120} maw="100%" />
      </span>
    </div>
  );
}

/** What stands in place of the rows: why there are none. */
function Instead<Row>({ label, list, empty }: Pick<TableProps<Row>, "label" | "list" | "empty">) {
  if (list.error === null) return empty;
  return <Failure title={`The ${label.toLowerCase()} did not load`} error={list.error} retry={list.retry} />;
}

/** A panel that was open from the start, or whose row was drawn anew, leaves the focus nowhere: its row takes it. */
function useRowAfterPanel(open: string | undefined, table: React.RefObject<HTMLElement | null>): void {
  const before = useRef(open);
  useEffect(() => {
    const closed = open === undefined ? before.current : undefined;
    before.current = open;
    if (closed !== undefined && document.activeElement === document.body)
      table.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(closed)}"]`)?.focus();
  }, [open, table]);
}

/** The name of the group that begins with a row; null within one. */
function groupOf<Row>({ list, group }: TableProps<Row>, index: number): string | null {
  const at = index - (list.first ?? 0);
  const row = list.rows[at];
  if (group === undefined || row === undefined) return null;
  const before = list.rows[at - 1];
  return before !== undefined && group(before) === group(row) ? null : group(row);
}

/** What a key does to the row that has the focus. */
function act<Row>({ list, id, onOpen, selection, keys }: TableProps<Row>, index: number, key: string): boolean {
  const row = list.rows[index - (list.first ?? 0)];
  if (row === undefined) return false;
  if (key === "Enter" && onOpen) onOpen(row);
  else if (key === "x" && selection) toggle(selection, id(row));
  else if (keys?.[key]) keys[key](row);
  else return false;
  return true;
}

function toggle({ ids, set }: Selection, id: string): void {
  set(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
}

function withSelection<Row>({ columns, selection, list, id, name = id, label }: TableProps<Row>): readonly Column<Row>[] {
  if (selection === undefined) return columns;
  const chosen = selection.ids.length;
  const everything = list.rows.map(id);
  const check: Column<Row> = {
    key: "check",
    head: (
      <Checkbox
        aria-label={`Select all loaded ${label.toLowerCase()}`}
        checked={chosen > 0 && chosen === everything.length}
        indeterminate={chosen > 0 && chosen < everything.length}
        onChange={() => selection.set(chosen > 0 ? [] : everything)}
      />
    ),
    width: "16px",
    cell: (row) => (
      // A finger that misses the box selects all the same, and does not open the row.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the table hears the keys of its rows
      // biome-ignore lint/a11y/noLabelWithoutControl: the box is inside
      <label className={classes.check} onClick={(event) => event.stopPropagation()}>
        <Checkbox
          aria-label={`Select ${name(row)}`}
          tabIndex={-1}
          checked={selection.ids.includes(id(row))}
          onChange={() => toggle(selection, id(row))}
        />
      </label>
    ),
  };
  return [check, ...columns];
}

function useRowHeight(lines: boolean): number {
  const phone = useMediaQuery("(max-width: 640px)", undefined, { getInitialValueInEffect: false });
  const coarse = useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false });
  if (phone && lines) return ROW_PHONE_PX;
  return phone || coarse ? ROW_TOUCH_PX : ROW_PX;
}

function Head<Row>({ columns, sort }: { columns: readonly Column<Row>[]; sort: TableProps<Row>["sort"] }) {
  return (
    <div role="row" tabIndex={-1} aria-rowindex={1} className={classes.head}>
      {columns.map(({ key, head, end, sorts }) => {
        const on = sorts?.find((by) => by === sort?.by);
        return (
          <span
            role="columnheader"
            tabIndex={-1}
            key={key}
            data-end={end || undefined}
            aria-sort={on === undefined ? undefined : on.startsWith("-") ? "descending" : "ascending"}
          >
            {sorts && sort ? (
              <button
                type="button"
                className={classes.sort}
                data-on={on === undefined ? undefined : true}
                onClick={() => sort.set(sorts[(sorts.indexOf(sort.by) + 1) % sorts.length] ?? sort.by)}
              >
                {head}
                {(on ?? sorts[0])?.startsWith("-") ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />}
              </button>
            ) : (
              head
            )}
          </span>
        );
      })}
    </div>
  );
}

type RowProps<Row> = {
  row: Row;
  index: number;
  group: string | null;
  top: number;
  columns: readonly Column<Row>[];
  props: TableProps<Row>;
  lit: boolean;
  chosen: boolean;
  /** Where Tab stops; j and k move it. */
  stop: boolean;
  focused(index: number): void;
};

const RowView = memo(AnyRow) as typeof AnyRow;

function AnyRow<Row>({ group, ...rest }: RowProps<Row>) {
  if (group === null) return <PlainRow {...rest} />;
  return (
    <>
      <div className={`${classes.group} ${classes.virtual}`} style={{ transform: `translateY(${rest.top}px)` }}>
        {group}
      </div>
      <PlainRow {...rest} top={rest.top + GROUP_PX} />
    </>
  );
}

function PlainRow<Row>({ row, index, top, columns, props, lit, chosen, stop, focused }: Omit<RowProps<Row>, "group">) {
  const { onOpen, phone, selection } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table hears the keys of its rows
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selection ? chosen : undefined}
      data-id={props.id(row)}
      data-open={lit || undefined}
      data-opens={onOpen ? true : undefined}
      data-index={index}
      className={`${classes.row} ${classes.virtual}`}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={stop ? 0 : -1}
      onFocus={() => focused(index)}
      onClick={() => onOpen?.(row)}
    >
      {columns.map(({ key, end, cell }) => (
        <span role="cell" key={key} className={classes.cell} data-end={end || undefined} data-key={key}>
          {cell(row)}
        </span>
      ))}
      {phone && (
        <span role="cell" className={classes.lines}>
          {phone(row)}
        </span>
      )}
    </div>
  );
}

const BARS = [128, 104, 142, 96, 156, 118, 134, 90, 112, 124, 140, 100];

/** The final shape after 150 ms, quieter than the data. */
function Bars<Row>({ columns, main }: { columns: readonly Column<Row>[]; main: string | undefined }) {
  return (
    <div className={classes.bars} aria-hidden>
      {BARS.map((width, index) => (
        <div key={width} className={classes.row} style={{ opacity: 1 - index * 0.06 }}>
          {columns.map(({ key, end }) => (
            <span key={key} className={classes.cell} data-end={end || undefined} data-key={key === main ? "main" : key}>
              <Skeleton height={8} width={key === main ? width : "60%"} maw="100%" />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
