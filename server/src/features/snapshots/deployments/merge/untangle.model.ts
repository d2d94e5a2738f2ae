/** What has a name that no other may have. A name is null once it needs none. */
export type Named = { name(): string | null; changed(): boolean; giveUp(): void };

/** Takes back changes of names until no two are the same, and says whether there were any. What did not change keeps its name. */
export function untangle(all: readonly Named[]): boolean {
  for (let again = false; ; again = true) {
    const holders = Map.groupBy(all, (one) => one.name());
    const clash = all.find((one) => one.name() !== null && one.changed() && (holders.get(one.name())?.length ?? 0) > 1);
    if (clash === undefined) return again;
    clash.giveUp();
  }
}
