import { type ErrorCode, Refusal } from "../../src/kernel/errors.ts";

/** What a caller is told of a refused call: the code, the faults as `pointer code`, the further members. */
export type Refused = { code: ErrorCode; faults: string[]; meta: Record<string, unknown>; message: string };

/** The refusal of a call, or null when it returns. Any other error is thrown on. */
export function refusalOf(call: () => unknown): Refused | null {
  try {
    call();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { faults = [], meta = {} } = error.explanation;
    return { code: error.code, faults: faults.map(({ pointer, code }) => `${pointer} ${code}`), meta, message: error.message };
  }
}
