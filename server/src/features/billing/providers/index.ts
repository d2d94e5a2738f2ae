export {
  type Asked,
  type Known,
  type Net,
  type OpenProvider,
  type Outcome,
  PROVIDER_KINDS,
  type ProviderKind,
  type RefundOutcome,
} from "./adapter.ts";
export { createProvider } from "./commands.ts";
export { feature } from "./feature.ts";
export { openProviderOrNull, usableProviders } from "./queries.ts";
export { adapterOf } from "./registry.ts";
export { confirmTestCard, takeTestCard, testSession } from "./test/adapter.ts";
export type { TestSession } from "./test/queries.ts";
