export { feature } from "./feature.ts";
export type {
  Accounts,
  Applied,
  Asset,
  Block,
  Change,
  Live,
  Merging,
  Parts,
  Reference,
  Removal,
  Spec,
  Value,
} from "./model.ts";
