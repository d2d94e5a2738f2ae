import type { ErrorCode } from "../../kernel/errors.ts";
import type { Named } from "../../kernel/ids.ts";
import type { OperatorPrincipal, PartnerCaller, PersonPrincipal } from "../../kernel/principal.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Limit } from "../limits/limiter.ts";
import type { Context } from "../record/context.ts";
import type { StoredReply } from "../record/idempotency.ts";
import type { Pieces, StreamType } from "./streams.ts";
import type { Static, TSchema } from "./type.ts";
import type { Upload, UploadRule } from "./upload.ts";

/** The result of a command: JSON rendered by the database, and the values of the reply's headers. */
export type Result = {
  json: string;
  id?: string;
  version?: number;
  /** For resources that depend on more than their version; starts with the version. */
  etag?: string;
  /** For routes that create or update: whether a resource was created. */
  created?: boolean;
  /** For routes that may answer before their work has ended: whether they do. */
  accepted?: boolean;
  /** For replies of JSON-RPC: another status than the route's, as its protocol wants it. */
  http_status?: number;
  /** Further headers of the reply, such as a cookie. */
  headers?: Readonly<Record<string, string>>;
  /** For streamed replies: the chunks, instead of JSON. */
  pieces?: Pieces;
};

export type CallerContext = Context & {
  principal: PartnerCaller;
  /** Does what another operation does, for the same caller: under its own scope, and audited under its own name. Its input is checked before. */
  call(
    route: Route,
    input: Pick<Input<Record<string, string>, unknown, unknown>, "params" | "query" | "body">,
  ): Promise<StoredReply>;
};

export type OperatorContext = Context & { principal: OperatorPrincipal };

export type PersonContext = Context & { principal: PersonPrincipal };

type Headers = Readonly<Record<string, string | string[] | undefined>>;
/** `respond_async`: the caller prefers not to wait (RFC 7240). */
type Input<Params, Query, Body> = { params: Params; query: Query; body: Body; headers: Headers; respond_async: boolean };

/** The stability of an API, which sets the notice before a removal. */
export type Stability = "preview" | "stable";

/** A deprecated operation: days in UTC, such as 2027-01-31, and its successor. */
export type Deprecation = {
  since: string;
  /** From this day on the operation answers 410. */
  sunset?: string;
  /** The path of the replacement, relative to the surface. */
  successor?: string;
};

/** One operation of an API: everything that documentation, validation and handling need. */
export type Route = {
  /** Its name in the reference, in the audit log and in metrics, such as `clients.suspend`. */
  operation: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to its surface, with parameters in braces. */
  path: string;
  summary: string;
  /** Details beyond the summary. */
  description?: string;
  /** Errors beyond those implied by its shape. */
  errors?: readonly ErrorCode[];
  /** The required scope. Only a route about the calling key itself needs none. */
  scope: Scope | "none";
  /** Whether it needs a key for all clients. */
  partner_wide: boolean;
  /** Whether it belongs to the operator API, where partner keys, scopes and suspensions do not apply. */
  operator?: true;
  /** Whether partners without API access may use it during the private beta. */
  beta_exempt?: true;
  /** Whether only an owner of the partner may use it, signed in to the portal: no key and no other role. */
  owner_only?: true;
  /** Whether a person must have given the password within the last minutes. */
  sensitive?: true;
  /** How often each caller may use it, for what compares a secret. */
  limit?: Limit;
  /** Whether the list can be exported as CSV or NDJSON. */
  exportable?: true;
  /** Deprecation and sunset of the operation. */
  deprecated?: Deprecation;
  /** Whether a POST changes nothing and is audited like a read. */
  read_only?: true;
  /** Whether it changes nothing that has a version, so that If-Match does not apply. */
  unversioned?: true;
  /** Whether If-Match is required. */
  if_match_required?: true;
  /** Path parameters with what they name. A malformed id, name or number is not found. */
  params: Record<string, Named>;
  /** The path parameter that names a client, for the audit log. */
  client_param?: string;
  query?: TSchema;
  body?: TSchema;
  /** How large the body may be. Default: 256 KiB. */
  body_bytes_max?: number;
  /** Whether the body is optional. */
  body_optional?: boolean;
  /** For uploads: the type of file that replaces the JSON body. `handle` gets it as an `Upload`. */
  upload?: UploadRule;
  reply: {
    status: 200 | 201 | 202 | 204;
    /** Whether it answers 201 when it creates the resource. */
    or_created?: true;
    /** Whether it answers 202 when its work goes on. */
    or_accepted?: true;
    /** Whether it answers as JSON-RPC over HTTP does: 202 to a notification, and faults of the protocol as errors of JSON-RPC. */
    rpc?: true;
    schema?: TSchema;
    /** The path of a created resource, relative to the surface. */
    location?: (id: string, params: Record<string, string>) => string;
    /** Whether the body contains a secret: not cacheable, stored encrypted. */
    secret?: boolean;
    /** For streamed replies: their type. The schema is that of each message. */
    stream?: StreamType;
    /** How many of these streams a partner may have open in a process. Default: 20 together with all others. */
    streams_max?: number;
    /** Whether the stream goes on until the reader leaves. Last-Event-ID then takes the place of the parameter `after`. */
    endless?: true;
  };
  handle(ctx: CallerContext, input: Input<Record<string, string>, unknown, unknown>): Promise<Partial<Result> | undefined>;
};

type Definition<Ctx, Params extends Record<string, Named>, Query extends TSchema, Body extends TSchema> = Omit<
  Route,
  "params" | "query" | "body" | "handle"
> & {
  params: Params;
  query?: Query;
  body?: Body;
  handle(
    ctx: Ctx,
    input: Input<{ [Name in keyof Params]: string }, Static<Query>, Static<Body>>,
  ): Promise<Partial<Result> | undefined>;
};

/** Declares a route with an upload, with a handler typed by its query. */
export function uploadRoute<Query extends TSchema>(
  definition: Omit<Definition<CallerContext, Record<string, never>, Query, TSchema>, "body" | "handle"> & {
    upload: UploadRule;
    handle(ctx: CallerContext, input: { query: Static<Query>; body: Upload }): Promise<Result>;
  },
): Route {
  return definition as unknown as Route;
}

/** Declares a route with a handler typed by its schemas. */
export function route<const Params extends Record<string, Named>, Query extends TSchema, Body extends TSchema>(
  definition: Definition<CallerContext, Params, Query, Body>,
): Route {
  return definition as unknown as Route;
}

type OperatorDefinition<Params extends Record<string, Named>, Query extends TSchema, Body extends TSchema> = Omit<
  Definition<OperatorContext, Params, Query, Body>,
  "scope" | "partner_wide" | "operator" | "owner_only" | "beta_exempt" | "client_param"
>;

/** Declares a route of the operator API, which has no scopes. */
export function operatorRoute<const Params extends Record<string, Named>, Query extends TSchema, Body extends TSchema>(
  definition: OperatorDefinition<Params, Query, Body>,
): Route {
  return { ...definition, scope: "none", partner_wide: false, operator: true } as unknown as Route;
}

/** Declares a route for people who are signed in to the portal, of a partner or of the operator. Keys cannot use it. */
export function personRoute<const Params extends Record<string, Named>, Query extends TSchema, Body extends TSchema>(
  definition: Omit<
    Definition<PersonContext, Params, Query, Body>,
    "scope" | "partner_wide" | "operator" | "owner_only" | "beta_exempt" | "client_param"
  >,
): Route {
  return { ...definition, scope: "none", partner_wide: false } as unknown as Route;
}
