import type { Adapter, ChannelKind } from "./adapter.ts";
import { api } from "./api/adapter.ts";
import { email } from "./email/adapter.ts";
import { simulator } from "./simulator/adapter.ts";
import { sms } from "./sms/adapter.ts";
import { webchat } from "./webchat/adapter.ts";
import { whatsapp } from "./whatsapp/adapter.ts";

/** The adapter of every kind that channels can be made of. */
const ADAPTERS: Partial<Record<ChannelKind, Adapter>> = { webchat, email, sms, whatsapp, api, simulator };

/** The kinds that are offered. */
export const OFFERED = Object.keys(ADAPTERS) as ChannelKind[];

export function adapterOf(kind: ChannelKind): Adapter {
  const adapter = ADAPTERS[kind];
  if (adapter === undefined) throw new Error(`no adapter for channels of the kind ${kind}`);
  return adapter;
}
