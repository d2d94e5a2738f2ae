import type { Config } from "../config.ts";

const ANSWER_WITHIN_MS = 2_000;

/** What answers at the address: our service, another program, or nothing. */
export type Answer =
  | { kind: "ready" }
  | { kind: "not_ready"; detail: string }
  | { kind: "other_program"; detail: string }
  | { kind: "silent"; detail: string };

/** The address of the service on this machine: a wildcard address is reached over loopback. */
export function localAddress({ host, port }: Pick<Config, "host" | "port">): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

export async function probeService(address: string): Promise<Answer> {
  try {
    const reply = await fetch(`${address}/readyz`, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const body = (await reply.json().catch(() => null)) as { status?: string; code?: string; detail?: string } | null;
    if (reply.status === 200 && body?.status === "ready") return { kind: "ready" };
    if (body?.code === "service_unavailable") return { kind: "not_ready", detail: body.detail ?? "" };
    return { kind: "other_program", detail: `another program answers (HTTP ${reply.status})` };
  } catch (error) {
    const { cause, message, name } = error as Error & { cause?: { code?: string } };
    const detail = name === "TimeoutError" ? `no answer within ${ANSWER_WITHIN_MS / 1000} s` : (cause?.code ?? message);
    return { kind: "silent", detail };
  }
}
