import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "../../kernel/errors.ts";
import type { Kind } from "../../kernel/ids.ts";
import type { KeyPrincipal, OperatorPrincipal } from "../../kernel/principal.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Context } from "../record/context.ts";
import type { StreamType } from "./streams.ts";
import type { Upload, UploadRule } from "./upload.ts";

/** What a command gives back: the JSON that the database rendered, and what its headers are made of. */
export type Result = {
  json: string;
  id?: string;
  version?: number;
  /** Where more than its version shows in it: begins with the version. */
  etag?: string;
  /** Where a route may create or find: whether it created. */
  created?: boolean;
  /** Where the reply goes on as it is made: its pieces, in the place of JSON. */
  pieces?: AsyncIterable<string>;
};

export type CallerContext = Context & { principal: KeyPrincipal };

export type OperatorContext = Context & { principal: OperatorPrincipal };

type Input<Params, Query, Body> = { params: Params; query: Query; body: Body };

/** What is promised of an API: how long in advance it says that something goes. */
export type Stability = "preview" | "stable";

/** An operation that goes: days in UTC, such as 2027-01-31, and what takes its place. */
export type Deprecation = {
  since: string;
  /** From this day on it answers 410. */
  sunset?: string;
  /** The path of the operation to use instead, relative to the surface. */
  successor?: string;
};

/** One operation of an API: everything that its documentation, its checks and its handler need. */
export type Route = {
  /** Its name in the reference, in the audit log and in metrics, such as `clients.suspend`. */
  operation: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to its surface, with parameters in braces. */
  path: string;
  summary: string;
  /** What the summary leaves open. */
  description?: string;
  /** The errors it can answer with besides those that its form brings. */
  errors?: readonly ErrorCode[];
  /** The one scope it needs. Only a route that tells a key about itself needs none. */
  scope: Scope | "none";
  /** Whether it concerns the whole partner, so that a key for selected clients is refused. */
  partner_wide: boolean;
  /** Whether it is the operator's, so that partners' keys, scopes and suspensions have no part in it. */
  operator?: true;
  /** Whether partners without API access may use it during the private beta. */
  beta_exempt?: true;
  /** Whether the list can be had whole, as CSV or NDJSON. */
  exportable?: true;
  /** Since when the operation should no longer be used, and when it ends. */
  deprecated?: Deprecation;
  /** Whether a POST changes nothing, so that it is counted like a read. */
  read_only?: true;
  /** Whether what it acts on has no version that a change could be meant for. */
  unversioned?: true;
  /** Whether a change must say which version it is meant for. */
  if_match_required?: true;
  /** Path parameters, with the kind of id each one is. What is not such an id is not found. */
  params: Record<string, Kind>;
  /** The path parameter that names a client, for the audit log. */
  client_param?: string;
  query?: TSchema;
  body?: TSchema;
  /** Whether the body may be left out. */
  body_optional?: boolean;
  /** Whether the body is a file of this type instead of JSON, which `handle` gets as an `Upload`. */
  upload?: UploadRule;
  reply: {
    status: 200 | 201 | 202 | 204;
    /** Whether it answers 201 instead when it has created what it answers with. */
    or_created?: true;
    schema?: TSchema;
    /** Where a created thing is found, relative to the surface. */
    location?: (id: string, params: Record<string, string>) => string;
    /** Whether the body holds a secret: kept out of caches, stored sealed. */
    secret?: boolean;
    /** Whether the reply is sent in pieces as they come, and in what form. */
    stream?: StreamType;
  };
  handle(ctx: CallerContext, input: Input<Record<string, string>, unknown, unknown>): Promise<Result | undefined>;
};

type Definition<Ctx, Params extends Record<string, Kind>, Query extends TSchema, Body extends TSchema> = Omit<
  Route,
  "params" | "query" | "body" | "handle"
> & {
  params: Params;
  query?: Query;
  body?: Body;
  handle(ctx: Ctx, input: Input<{ [Name in keyof Params]: string }, Static<Query>, Static<Body>>): Promise<Result | undefined>;
};

/** Declares a route that takes a file, with a handler typed by its query. */
export function uploadRoute<Query extends TSchema>(
  definition: Omit<Definition<CallerContext, Record<string, never>, Query, TSchema>, "body" | "handle"> & {
    upload: UploadRule;
    handle(ctx: CallerContext, input: { query: Static<Query>; body: Upload }): Promise<Result>;
  },
): Route {
  return definition as unknown as Route;
}

/** Declares a route with a handler typed by its schemas. */
export function route<const Params extends Record<string, Kind>, Query extends TSchema, Body extends TSchema>(
  definition: Definition<CallerContext, Params, Query, Body>,
): Route {
  return definition as unknown as Route;
}

type OperatorDefinition<Params extends Record<string, Kind>, Query extends TSchema, Body extends TSchema> = Omit<
  Definition<OperatorContext, Params, Query, Body>,
  "scope" | "partner_wide" | "operator" | "beta_exempt" | "client_param"
>;

/** Declares a route of the operator's: an operator key may do everything, so there are no scopes. */
export function operatorRoute<const Params extends Record<string, Kind>, Query extends TSchema, Body extends TSchema>(
  definition: OperatorDefinition<Params, Query, Body>,
): Route {
  return { ...definition, scope: "none", partner_wide: false, operator: true } as unknown as Route;
}
