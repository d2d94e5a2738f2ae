export {
  type Asked,
  type Disputed,
  type Known,
  type Net,
  type OpenProvider,
  type Outcome,
  PROVIDER_KINDS,
  type ProviderEvent,
  type ProviderKind,
  type RawRequest,
  type RefundOutcome,
  type Returned,
  type UsableProvider,
} from "./adapter.ts";
export { type Collected, createProvider, openProviderOrNull, providerByToken, providersFor } from "./commands.ts";
export { feature } from "./feature.ts";
export { createProgrammeProvider } from "./programme/commands.ts";
export { isProgrammeProvider } from "./programme/queries.ts";
export { usableProviders } from "./queries.ts";
export { adapterOf, supportedByAll } from "./registry.ts";
export { confirmTestCard, decideTestDispute, takeTestCard, testSession } from "./test/adapter.ts";
export type { TestSession } from "./test/queries.ts";
