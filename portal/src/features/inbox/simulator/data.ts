import { useQuery } from "@tanstack/react-query";
import { useWrite } from "../../../api/writes.ts";
import type { Channel } from "../channels/data.ts";

/** A message as a phone of the simulator has it. */
export type PhoneMessage = {
  sid: string;
  direction: "outbound-api" | "inbound";
  to: string;
  from: string;
  body: string;
  status: string;
  date_created: string;
};

/** A phone hears of what it is sent without a hint. */
const REFRESH_MS = 1_500;

const addressOf = ({ hook_path }: Channel) => `/simulator/${hook_path.slice(hook_path.lastIndexOf("/") + 1)}/messages`;

/** The simulator is a provider, and no part of the API: it answers on its own behalf, without a session. */
async function call<Reply>(path: string, init?: RequestInit): Promise<Reply> {
  const reply = await fetch(path, { ...init, headers: { "content-type": "application/json" }, credentials: "omit" });
  const body = (await reply.json().catch(() => ({}))) as { message?: string; detail?: string; errors?: { detail: string }[] };
  if (reply.ok) return body as Reply;
  throw new Error(body.errors?.[0]?.detail ?? body.detail ?? body.message ?? `The simulator answered ${reply.status}.`);
}

/** What a number was sent and wrote, the newest first. */
export function usePhone(channel: Channel, number: string) {
  return useQuery({
    queryKey: ["simulator", channel.id, number],
    queryFn: async ({ signal }) =>
      (await call<{ messages: PhoneMessage[] }>(`${addressOf(channel)}?number=${encodeURIComponent(number)}`, { signal }))
        .messages,
    refetchInterval: REFRESH_MS,
    meta: { live: ["messages"] },
  });
}

/** Writes to the channel from a phone. */
export function useWriteFrom(channel: Channel) {
  return useWrite(
    (said: { from: string; text: string; name?: string }) =>
      call<PhoneMessage>(addressOf(channel), { method: "POST", body: JSON.stringify(said) }),
    "simulator",
    "conversations",
    "messages",
  );
}
