export type { Static, TObject, TOptional, TSchema, TString } from "typebox";
export * as Type from "./type-builders.ts";
