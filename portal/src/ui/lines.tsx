import classes from "./lines.module.css";

type Props = {
  /** Before both lines, 32 px wide. */
  mark?: React.ReactNode;
  title: React.ReactNode;
  note?: React.ReactNode;
  /** At the end of the title; without an `endNote`, beside both lines. */
  end?: React.ReactNode;
  endNote?: React.ReactNode;
};

/** A row of a table on a phone: a title with a note below, and what stands at the end of both. */
export function Lines({ mark, title, note, end, endNote }: Props) {
  return (
    <span className={classes.lines} data-marked={mark ? true : undefined}>
      {mark && <span className={classes.mark}>{mark}</span>}
      <b className="cut">{title}</b>
      <span className={`${classes.end} num`} data-alone={endNote ? undefined : true}>
        {end}
      </span>
      <span className={`${classes.note} muted cut`}>{note}</span>
      {endNote && <span className={`${classes.endNote} num muted`}>{endNote}</span>}
    </span>
  );
}
