import { closed } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import type { Adapter, ProviderKind } from "./adapter.ts";
import { test } from "./test/adapter.ts";

/** Money that comes some other way: the page tells how, and somebody records it. */
const manual: Adapter = {
  config: Type.Object({ instructions: Type.String({ minLength: 1, maxLength: 2_000 }) }, closed),
  live: true,
  online: null,
};

const ADAPTERS: Record<ProviderKind, Adapter> = { test, manual };

export function adapterOf(kind: ProviderKind): Adapter {
  return ADAPTERS[kind];
}
