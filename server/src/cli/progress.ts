const EVERY_MS = 200;

export type ProgressLine = { show(text: string): void; clear(): void };

/** A progress line on standard error, overwritten in place; silent unless it is a terminal. */
export function createProgressLine(quiet: boolean): ProgressLine {
  const { stderr } = process;
  if (quiet || stderr.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shown_ms = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      if (performance.now() - shown_ms < EVERY_MS) return;
      shown_ms = performance.now();
      stderr.write(`\r\u001b[K${text.slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    clear: () => void stderr.write("\r\u001b[K"),
  };
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
