/** The result of one check: what was found, and how to fix it if something is wrong. */
export type Finding = { check: string; status: "ok" | "warn" | "fail"; message: string; remedy: string | null };

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message, remedy: null };
}

export function warn(check: string, message: string, remedy: string): Finding {
  return { check, status: "warn", message, remedy };
}

export function fail(check: string, message: string, remedy: string): Finding {
  return { check, status: "fail", message, remedy };
}
