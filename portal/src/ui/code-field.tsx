import { useImperativeHandle, useRef } from "react";
import { inks } from "./code.tsx";
import classes from "./code-field.module.css";

/** What is wrong in a line, from 1 on. */
export type Mark = { line: number; text: string };
/** Shows a part of the text: it is selected, and scrolled to. */
export type CodeFieldHandle = { show(from: number, to: number): void };

type Props = {
  label: string;
  value: string;
  onChange?(text: string): void;
  marks?: readonly Mark[];
  onSave?(): void;
  ref?: React.Ref<CodeFieldHandle>;
};

const LINE_PX = 19;
/** Above this many characters, each key would wait for the inks. */
const INKS_MAX = 60_000;

/** A text of a program that is written: line numbers, three inks, and what is wrong at the end of its line. Without `onChange` it is read. */
export function CodeField({ label, value, onChange, marks = [], onSave, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    show(from, to) {
      area.current?.focus({ preventScroll: true });
      area.current?.setSelectionRange(from, to);
      const line = value.slice(0, from).split("\n").length;
      frame.current?.scrollTo({ top: Math.max(0, (line - 4) * LINE_PX), left: 0 });
      frame.current?.scrollIntoView({ block: "nearest" });
    },
  }));
  const lines = value.split("\n");
  return (
    <div ref={frame} className={classes.frame}>
      <div className={classes.gutter} aria-hidden>
        {lines.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <span key={index} data-marked={marks.some(({ line }) => line === index + 1) || undefined}>
            {index + 1}
          </span>
        ))}
      </div>
      <div className={classes.text}>
        <div className={classes.marks} aria-hidden>
          {marks.map(({ line, text }) => (
            <p key={`${line} ${text}`} style={{ top: (line - 1) * LINE_PX }}>
              <span style={{ marginLeft: `${(lines[line - 1]?.length ?? 0) + 3}ch` }}>{text}</span>
            </p>
          ))}
        </div>
        <pre aria-hidden>
          {value.length > INKS_MAX ? value : inks(value)}
          {"\n "}
        </pre>
        <textarea
          ref={area}
          aria-label={label}
          aria-invalid={marks.length > 0}
          value={value}
          readOnly={onChange === undefined}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.metaKey && !event.ctrlKey && onChange) keepIndent(event);
            if (event.key !== "s" || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            onSave?.();
          }}
        />
      </div>
    </div>
  );
}

/** A new line begins where the one before it began; after an opening bracket two further. */
function keepIndent(event: React.KeyboardEvent<HTMLTextAreaElement>) {
  const { value, selectionStart } = event.currentTarget;
  const before = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const indent = /^ */.exec(before)?.[0] ?? "";
  event.preventDefault();
  // Deprecated, and the one way by which the browser can undo it.
  document.execCommand("insertText", false, `\n${indent}${/[[{]\s*$/.test(before) ? "  " : ""}`);
}
