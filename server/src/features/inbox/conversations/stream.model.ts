/** Reads what is asked for several times at the same moment once. Nothing is kept: who asks later reads what is there then. */
export function createSharedReads<Value>() {
  const underway = new Map<string, Promise<Value | null>>();
  return (key: string, read: () => Promise<Value | null>): Promise<Value | null> => {
    const known = underway.get(key);
    if (known !== undefined) return known;
    const reading = read().finally(() => underway.delete(key));
    underway.set(key, reading);
    return reading;
  };
}
