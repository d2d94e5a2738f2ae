export type { Static, TObject, TOptional, TProperties, TSchema, TString } from "typebox";
export * as Type from "./type-builders.ts";
