import type { TimelineEntry } from "./data.ts";

/** Messages of one conversation that follow each other are one entry, which says how many, and the last of them. */
export function foldMessages(entries: readonly TimelineEntry[]): { entry: TimelineEntry; count: number }[] {
  const folded: { entry: TimelineEntry; count: number }[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    const goesOn = entry.message !== null && last?.entry.message?.conversation_id === entry.message.conversation_id;
    if (last !== undefined && goesOn) last.count += 1;
    else folded.push({ entry, count: 1 });
  }
  return folded;
}
