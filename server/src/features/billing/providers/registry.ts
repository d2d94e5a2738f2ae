import { closed } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import type { Adapter, ProviderKind } from "./adapter.ts";
import { stripe } from "./stripe/adapter.ts";
import { test } from "./test/adapter.ts";

/** Money that comes some other way: the page tells how, and somebody records it. */
const manual: Adapter = {
  config: Type.Object({ instructions: Type.String({ minLength: 1, maxLength: 2_000 }) }, closed),
  secrets: null,
  live: () => true,
  online: null,
  hooks: null,
};

// Each adapter is given only providers of its own kind.
const ADAPTERS = { test, manual, stripe } as unknown as Record<ProviderKind, Adapter>;

export function adapterOf(kind: ProviderKind): Adapter {
  return ADAPTERS[kind];
}

/** Whether every kind of provider can take exactly this amount, so that nobody has to ask which one it is. */
export function supportedByAll(amount_cents: number, currency: string): boolean {
  return Object.values(ADAPTERS).every(({ online }) => online?.supports(amount_cents, currency) !== false);
}
