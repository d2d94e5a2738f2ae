/**
 * Every error the service answers with: its status, its constant title, and what the caller can do about it.
 * The list is closed. Pages under /docs/errors are made from it.
 */
export const ERRORS = {
  invalid_json: [400, "The body is not valid JSON.", "Send one JSON value in UTF-8, nested at most 32 levels deep."],
  invalid_header: [400, "A header could not be read.", "Correct the header named in the detail."],
  invalid_parameter: [400, "A query parameter is not valid.", "Correct the parameters listed in errors."],
  unknown_parameter: [
    400,
    "A query parameter is not known.",
    "Remove the parameters listed in errors, or correct their spelling.",
  ],
  invalid_cursor: [400, "The cursor is not valid for this list.", "Start again without a cursor."],
  idempotency_key_invalid: [400, "The Idempotency-Key is not valid.", "Use 1 to 255 characters of A-Z, a-z, 0-9, _ . : -"],
  missing_credentials: [401, "No API key was given.", "Send the header Authorization: Bearer <API_KEY>."],
  invalid_credentials: [401, "The API key is not valid.", "Check the key. It may be mistyped, expired or revoked."],
  insufficient_scope: [403, "The key lacks a scope.", "Use a key that has the scope named in required_scope."],
  partner_wide_key_required: [403, "This needs a key for all clients.", 'Use a key whose clients are "all".'],
  key_limits_exceeded: [
    403,
    "The key is limited itself.",
    "Give the other key no later expires_at, and no allowed_cidrs outside those of the key you use.",
  ],
  person_required: [403, "A key cannot do this.", "Let a person do it who is signed in to the portal."],
  beta_access_required: [
    403,
    "The partner has no access to the API yet.",
    "Ask for it with POST /v1/partners/access-request. The company that runs the programme decides.",
  ],
  partner_suspended: [403, "The partner account is suspended.", "Ask the company that runs the programme."],
  not_found: [404, "There is no such thing.", "Check the id. It may belong to somebody else, or never have existed."],
  route_not_found: [404, "There is no such address.", "Check the path against the reference at /docs."],
  method_not_allowed: [405, "The address does not take this method.", "Use one of the methods in the Allow header."],
  not_acceptable: [
    406,
    "The reply cannot be given in that form.",
    "Accept application/json, or a form that the operation exports.",
  ],
  request_timeout: [408, "The request did not arrive in time.", "Send the whole request within 30 seconds."],
  invalid_state_transition: [409, "The current state does not allow this.", "Choose one of the states in allowed."],
  duplicate_client: [409, "There is such a client already.", "Use the client named in existing_id, or another external_id."],
  duplicate_user: [409, "There is a user with this e-mail address already.", "Use another e-mail address."],
  endpoint_limit_reached: [
    409,
    "The partner has as many webhook endpoints as it may have.",
    "Remove one that is no longer used, or have one endpoint take more event types.",
  ],
  endpoint_disabled: [409, "The webhook endpoint is disabled.", 'Enable it first: PATCH it with {"enabled": true}.'],
  event_not_wanted: [
    409,
    "The webhook endpoint no longer takes this event.",
    "PATCH the endpoint first, so that its event_types and client_ids include those of the event.",
  ],
  replay_in_progress: [
    409,
    "A replay for this endpoint is running already.",
    "Wait until the replay named in existing_id is done, or cancel it with DELETE.",
  ],
  duplicate_contact: [
    409,
    "The account has such a contact already.",
    "Use the contact named in existing_id, or POST /v1/contacts/upsert.",
  ],
  duplicate_lead: [409, "The account has such a lead already.", "Use the lead named in existing_id, or POST /v1/leads/upsert."],
  conversion_not_undoable: [
    409,
    "The conversion cannot be taken back any more.",
    "Change the records by hand; the detail says why.",
  ],
  duplicate_custom_field: [409, "The account has such a field already.", "Use the field named in existing_id, or another key."],
  duplicate_deal: [409, "The account has such a deal already.", "Use the deal named in existing_id, or another external_id."],
  deal_won: [409, "The deal is won.", "Move it out of the won stage first, if it was put there by mistake."],
  stage_conflict: [409, "The deal is in another stage by now.", "Look at the stage named in stage, then move it from there."],
  duplicate_pipeline: [
    409,
    "The account has such a pipeline already.",
    "Use the pipeline named in existing_id, or another name.",
  ],
  ambiguous_match: [409, "More than one record matches.", "Merge the records in candidates, or send only what one of them has."],
  import_limit_reached: [409, "Too many imports are waiting.", "Wait until one of them is through, or cancel one."],
  import_not_revertible: [409, "The import cannot be reverted.", "Change the records by hand; the detail says why."],
  client_inactive: [409, "The client's account takes no changes.", "Reactivate the client first."],
  merge_not_undoable: [409, "The merge cannot be undone any more.", "Change the records by hand; the detail says why."],
  resource_in_use: [409, "This is still needed.", "Put something in its place first; the detail says what."],
  deal_conflict: [
    409,
    "The company is registered already.",
    "Wait until protected_until, or use what existing_id names. Ask POST /v1/partners/deals/check before the work begins.",
  ],
  registration_limit_reached: [
    409,
    "The partner has as many open registrations as it may have.",
    "Win, lose or withdraw another one first.",
  ],
  registration_closed: [
    409,
    "The deal's registration was rejected or withdrawn.",
    "Register the sale as a new deal, or ask the company that runs the programme.",
  ],
  idempotency_key_in_progress: [
    409,
    "A request with this Idempotency-Key is still running.",
    "Wait a second and send the same request again.",
  ],
  cursor_expired: [
    410,
    "The cursor points before what is kept.",
    "Read the lists you need anew, then follow the feed from its start, without a cursor.",
  ],
  endpoint_sunset: [410, "This operation has ended.", "Use what took its place; the Link header and the detail name it."],
  version_mismatch: [412, "The resource has changed meanwhile.", "Read it again and repeat the change with the new ETag."],
  payload_too_large: [413, "The body is too large.", "Send at most the number of bytes in limit_bytes."],
  unsupported_media_type: [415, "The body is not JSON.", "Send Content-Type: application/json."],
  invalid_csv: [422, "The CSV file cannot be taken.", "Correct the file; the detail says where and what."],
  validation_failed: [422, "The request is not valid.", "Correct the fields listed in errors."],
  account_required: [422, "The account is not clear.", "Send account_id: the key is bound to several clients."],
  invalid_phone: [
    422,
    "The phone number is not valid.",
    "Send it in E.164, such as +14155552671. There may be one to try in suggestion.",
  ],
  phone_required: [422, "A contact needs a phone number.", "Send contact.phone, or give the lead one first."],
  stage_not_in_pipeline: [
    422,
    "The pipeline has no such stage.",
    "Use one of those in stages, or send the pipeline_id of another.",
  ],
  stage_rule_violation: [422, "The pipeline does not allow this move.", "Mend what violations lists, then move the deal again."],
  idempotency_key_reused: [422, "The Idempotency-Key was used for another request.", "Use a new key for a new request."],
  rate_limit_exceeded: [
    429,
    "Too many requests.",
    "Wait for the seconds in Retry-After. The RateLimit header says what is left.",
  ],
  precondition_required: [428, "This change needs an If-Match.", "Read the resource and send its ETag as If-Match."],
  headers_too_large: [431, "The headers are too large.", "Send at most 16 KiB of headers."],
  internal_error: [500, "Something went wrong on our side.", "Try again; if it stays, report the request_id."],
  service_unavailable: [503, "The service is not ready.", "Try again after the seconds in Retry-After."],
} as const satisfies Record<string, readonly [status: number, title: string, remedy: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request: where it is, what rule it broke, and what would be right. */
export type Fault = { in: "body" | "query" | "path" | "header"; pointer: string; code: string; detail: string };

export type Explanation = {
  /** Help for the caller, safe for strangers to read. Left out, it is the code's remedy. */
  detail?: string;
  faults?: Fault[];
  /** Further members of the problem, such as `allowed` or `existing_id`. */
  meta?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** For the log only. */
  cause?: unknown;
};

/** The one error class of the application: a request refused, with a code of the catalogue. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly explanation: Explanation;

  constructor(code: ErrorCode, explanation: Explanation = {}) {
    super(explanation.detail ?? ERRORS[code][1], { cause: explanation.cause });
    this.name = "Refusal";
    this.code = code;
    this.explanation = explanation;
  }
}

export function fail(code: ErrorCode, explanation?: Explanation): never {
  throw new Refusal(code, explanation);
}

/** The answer for what is not there, and for what is somebody else's: the two must not differ. */
export function notFound(id: string): never {
  fail("not_found", { detail: `There is no ${id.slice(0, 64).toWellFormed()} here.` });
}
