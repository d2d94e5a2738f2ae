import type { ApiError } from "@tributary/sdk";
import { useEffect, useMemo, useState } from "react";
import type { Mark } from "../../../ui/code-field.tsx";
import type { Agent, AgentVersionWhole, Content } from "../data.ts";
import { formatJson, lineAt, type Parsed, type Places, parseJson, placeOf } from "./json.ts";
import { inOrder, sameValue } from "./order.ts";

/** What the service or the reader of JSON says of a place in the text. */
export type Fault = Mark & { from: number; to: number };

type Kept = {
  text: string;
  /** When the version that it began with, or was saved as, was changed. */
  base_at: string;
  /** It is what was saved. */
  saved: boolean;
  refused: { text: string; error: ApiError } | null;
};

/** What is being written in this tab, by agent: who looks elsewhere in between finds it again. */
const kept = new Map<string, Kept>();

export type Draft = {
  text: string;
  /** What the text says; null while it is no JSON. */
  value: Content | null;
  places: Places;
  faults: readonly Fault[];
  /** What a refusal says of the whole. */
  problem: ApiError | null;
  changed: boolean;
  /** Somebody else has saved the draft since. */
  overtaken: boolean;
  write(text: string): void;
  saved(version: AgentVersionWhole): void;
  refuse(error: ApiError): void;
  /** Back to what is stored. */
  discard(): void;
};

const NOWHERE: Places = new Map();

/** The newest version as somebody writes it. */
export function useDraft({ id }: Agent, version: AgentVersionWhole | undefined): Draft {
  const [mine, setMine] = useState<Kept | null>(() => kept.get(id) ?? null);
  useEffect(() => {
    if (mine === null) kept.delete(id);
    else kept.set(id, mine);
  }, [id, mine]);
  const stored = useMemo(() => (version === undefined ? "" : formatJson(inOrder(version.content))), [version]);
  const newer = mine !== null && version !== undefined && version.updated_at > mine.base_at;
  const own = newer && mine.saved ? null : mine;
  const text = own?.text ?? stored;
  const parsed = useMemo(() => parseJson(text), [text]);
  const whole = "places" in parsed ? parsed : null;
  const changed = own !== null && version !== undefined && (whole === null || !sameValue(whole.value, version.content));
  const error = own?.refused?.text === text ? own.refused.error : null;
  const base_at = own?.base_at ?? version?.updated_at ?? "";
  useWarning(changed);
  return {
    text,
    value: whole === null ? null : (whole.value as Content),
    places: whole?.places ?? NOWHERE,
    faults: useMemo(() => faultsOf(text, parsed, error), [text, parsed, error]),
    problem: error,
    changed,
    overtaken: changed && newer,
    write: (next) => setMine({ text: next, base_at, saved: false, refused: own?.refused ?? null }),
    // A key of a model is not shown again: then what is stored stands in place of what was typed.
    saved: ({ updated_at, content }) =>
      setMine(
        whole !== null && sameValue(whole.value, content) ? { text, base_at: updated_at, saved: true, refused: null } : null,
      ),
    refuse: (refusal) => setMine({ text, base_at, saved: false, refused: { text, error: refusal } }),
    discard: () => setMine(null),
  };
}

function faultsOf(text: string, parsed: ReturnType<typeof parseJson>, error: ApiError | null): Fault[] {
  if (!("places" in parsed)) {
    const { at, detail } = parsed;
    return [{ line: lineAt(text, at), text: detail, from: at, to: Math.min(at + 1, text.length) }];
  }
  return (error?.errors ?? []).map(({ pointer, detail }) => atPlace(text, parsed, pointer, detail));
}

function atPlace(text: string, { places }: Parsed, pointer: string, detail: string): Fault {
  const { from, to, name } = placeOf(places, pointer.replace(/^#?(\/content)?/, ""));
  // A long value is pointed at by its name.
  const line = lineAt(text, text.slice(from, to).includes("\n") ? name : from);
  return { line, text: detail, from: text.slice(from, to).includes("\n") ? name : from, to };
}

/** Asks before the window is closed over what was not saved. */
function useWarning(changed: boolean): void {
  useEffect(() => {
    if (!changed) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [changed]);
}
