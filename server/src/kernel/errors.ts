/**
 * Every error of the API: its status, its constant title, and what the caller can do about it. The list is closed.
 * The pages under /docs/errors are generated from it.
 */
export const ERRORS = {
  invalid_json: [400, "The body is not valid JSON.", "Send one JSON value in UTF-8, nested at most 32 levels deep."],
  invalid_header: [400, "A header is not valid.", "Correct the header named in the detail."],
  invalid_parameter: [400, "A query parameter is not valid.", "Correct the parameters listed in errors."],
  unknown_parameter: [400, "A query parameter is unknown.", "Remove the parameters listed in errors, or correct their spelling."],
  invalid_cursor: [400, "The cursor is not valid for this list.", "Start again without a cursor."],
  idempotency_key_invalid: [400, "The Idempotency-Key is not valid.", "Use 1 to 255 characters of A-Z, a-z, 0-9, _ . : -"],
  missing_credentials: [401, "The API key is missing.", "Send the header Authorization: Bearer <API_KEY>."],
  invalid_credentials: [401, "The API key is not valid.", "Check the key. It may be mistyped, expired or revoked."],
  sign_in_failed: [401, "The sign-in failed.", "Check the e-mail address and the password. A forgotten password can be reset."],
  code_required: [
    401,
    "A code of the second factor is required.",
    "Send the code that the authenticator app shows, or a recovery code, as code.",
  ],
  invalid_code: [
    401,
    "The code is not valid.",
    "Use the code that the authenticator app shows now, or a recovery code that was not used yet.",
  ],
  invalid_link: [401, "The link is not valid.", "A link can be used once and expires. Ask for a new one."],
  invalid_signature: [
    401,
    "The signature is not valid.",
    "Sign the request with the secret of the channel, over the address and the body as they are sent.",
  ],
  invalid_visitor_token: [
    401,
    "The token of the visitor is not valid.",
    "Begin a session at /chat/{token}/sessions without a token, and use the one in its reply.",
  ],
  session_expired: [401, "The session has ended.", "Sign in again."],
  origin_not_allowed: [
    403,
    "The chat is not for this web page.",
    "Add the origin of the page, such as https://shop.example, to the origins of the channel.",
  ],
  insufficient_scope: [403, "The key lacks a scope.", "Use a key that has the scope in required_scope."],
  partner_wide_key_required: [403, "This operation needs a key for all clients.", 'Use a key whose clients are "all".'],
  key_limits_exceeded: [
    403,
    "The other key would have wider limits than the key in use.",
    "Set an expires_at that is no later, and allowed_cidrs that are no wider, than those of the key you use.",
  ],
  reply_withheld: [
    403,
    "The stored reply is withheld.",
    "The request was carried out and is not repeated. Its reply is shown again only to a key that has lost no right since, and a reply with a secret only to the same secret of the key. Read the resource instead.",
  ],
  role_required: [
    403,
    "The role of the user does not allow this.",
    "Ask a user whose role allows it: the one in required_role, or another that the detail names.",
  ],
  reauthentication_required: [
    403,
    "The password must be confirmed first.",
    "Confirm it with POST /portal/api/session/confirm, then repeat the request within ten minutes.",
  ],
  cross_site_request: [403, "The request comes from another site.", "Use the portal itself. Programs use the API with a key."],
  person_required: [403, "An API key cannot do this.", "A user who is signed in to the portal must do it."],
  beta_access_required: [
    403,
    "The partner has no API access yet.",
    "Request it with POST /v1/partners/access-request. The company that runs the programme decides.",
  ],
  sub_partners_off: [403, "Partners cannot add partners in this programme.", "Contact the company that runs the programme."],
  partner_suspended: [403, "The partner account is suspended.", "Contact the company that runs the programme."],
  not_found: [
    404,
    "The resource was not found.",
    "Check the id. It may belong to another partner, or it may never have existed.",
  ],
  route_not_found: [404, "The path was not found.", "Check the path against the reference at /docs."],
  method_not_allowed: [405, "The path does not support this method.", "Use one of the methods in the Allow header."],
  not_acceptable: [
    406,
    "The requested format is not available.",
    "Accept application/json, or a format that the operation exports.",
  ],
  request_timeout: [408, "The request did not arrive in time.", "Send the whole request within 30 seconds."],
  invalid_state_transition: [409, "The current state does not allow this.", "Choose one of the states in allowed."],
  duplicate_client: [409, "The client already exists.", "Use the client in existing_id, or another external_id."],
  duplicate_user: [409, "A user with this e-mail address already exists.", "Use another e-mail address."],
  endpoint_limit_reached: [
    409,
    "The partner has reached its limit of webhook endpoints.",
    "Delete an unused endpoint, or subscribe one endpoint to more event types.",
  ],
  endpoint_disabled: [409, "The webhook endpoint is disabled.", 'Enable it first: PATCH it with {"enabled": true}.'],
  event_not_wanted: [
    409,
    "The webhook endpoint no longer subscribes to this event.",
    "PATCH the endpoint first: its event_types and client_ids must include those of the event.",
  ],
  replay_in_progress: [
    409,
    "A replay for this endpoint is already running.",
    "Wait until the replay in existing_id is done, or cancel it with DELETE.",
  ],
  duplicate_contact: [
    409,
    "The contact already exists in this account.",
    "Use the contact in existing_id, or POST /v1/contacts/upsert.",
  ],
  duplicate_lead: [409, "The lead already exists in this account.", "Use the lead in existing_id, or POST /v1/leads/upsert."],
  conversion_not_undoable: [409, "The conversion can no longer be undone.", "Change the records by hand; the detail says why."],
  duplicate_custom_field: [
    409,
    "The custom field already exists in this account.",
    "Use the field in existing_id, or another key.",
  ],
  duplicate_deal: [409, "The deal already exists in this account.", "Use the deal in existing_id, or another external_id."],
  deal_won: [409, "The deal is won.", "If it was won by mistake, move it out of the won stage first."],
  stage_conflict: [409, "The deal is in another stage.", "Check the current stage in stage, then move the deal from there."],
  duplicate_pipeline: [409, "The pipeline already exists in this account.", "Use the pipeline in existing_id, or another name."],
  duplicate_tag: [409, "The tag already exists in this account.", "Use the tag in existing_id, or another name."],
  duplicate_message_template: [
    409,
    "The template already exists in this account.",
    "Use the template in existing_id, or another name.",
  ],
  duplicate_channel: [409, "The channel already exists in this account.", "Use the channel in existing_id, or another name."],
  channel_limit_reached: [409, "The account has reached its limit of channels.", "Archive a channel that is no longer used."],
  duplicate_agent: [409, "The agent already exists in this account.", "Use the agent in existing_id, or another name."],
  agent_limit_reached: [409, "The account has reached its limit of agents.", "Archive an agent that is no longer used."],
  duplicate_snapshot: [409, "The snapshot already exists.", "Use the snapshot in existing_id, or another name."],
  snapshot_bought: [
    409,
    "The snapshot was bought.",
    "Only its seller changes it. Create a snapshot of your own from the manifest of one of its versions.",
  ],
  duplicate_view: [409, "The view already exists.", "Use another name, or change the view that has it."],
  view_limit_reached: [409, "There are too many saved views.", "Delete a view that is no longer used."],
  ambiguous_match: [
    409,
    "More than one record matches.",
    "Merge the records in candidates, or send only the values of one of them.",
  ],
  import_limit_reached: [409, "Too many imports are waiting.", "Wait until one of them has finished, or cancel one."],
  import_not_revertible: [409, "The import cannot be reverted.", "Change the records by hand; the detail says why."],
  snapshot_conflict: [
    409,
    "The account conflicts with the snapshot.",
    "The conflicts say what the client has changed. Deploy with another conflict_policy, or change the account first.",
  ],
  plan_stale: [409, "The plan is no longer valid.", "Make the plan again with dry_run, and send its plan_hash."],
  deployment_not_revertible: [
    409,
    "The deployment cannot be rolled back.",
    "The reason says why. Only the newest deployment of a snapshot to an account can be rolled back, within 30 days.",
  ],
  rollout_limit_reached: [409, "Too many rollouts are in progress.", "Wait until one of them has ended, or pause or cancel one."],
  duplicate_conversation: [
    409,
    "There is an open conversation already.",
    "Use the conversation in existing_id: a channel has one open conversation with an address.",
  ],
  duplicate_message: [
    409,
    "Another message of the conversation has this client_message_id.",
    "Use the message in existing_id, or another client_message_id.",
  ],
  owner_changed: [
    409,
    "Somebody else owns the conversation now.",
    "Read the conversation again, then decide with its owner and its owner_token.",
  ],
  recipient_opted_out: [
    409,
    "The person does not want to be written to.",
    "Do not write on this channel until the person asks for it or gives consent again.",
  ],
  consent_required: [
    409,
    "Marketing needs the consent of the person.",
    "Record the consent with PUT /v1/contacts/{id}/consent once the person has given it.",
  ],
  reply_window_closed: [
    409,
    "The channel allows only templates now.",
    "Send a template that the provider has approved, or wait until the person writes again.",
  ],
  storage_limit_reached: [
    409,
    "The account has reached its limit of attachments.",
    "Erase people or files that are no longer needed. The limit is in limit_bytes.",
  ],
  amount_not_due: [
    409,
    "The link does not take this amount.",
    "Use at most the amount in payable_cents: the rest is paid, or is being paid by somebody right now.",
  ],
  payment_not_refundable: [
    409,
    "The payment cannot be refunded by this amount.",
    "Refund at most the amount in refundable_cents.",
  ],
  client_inactive: [409, "The client's account is read-only.", "Reactivate the client first."],
  merge_not_undoable: [409, "The merge can no longer be undone.", "Change the records by hand; the detail says why."],
  duplicate_purchase: [409, "The snapshot was bought before.", "Use the purchase in existing_id. Later versions are included."],
  own_snapshot: [409, "The snapshot is the partner's own.", "Deploy it as it is: a partner does not buy what it owns."],
  price_changed: [409, "The price has changed.", "Check price_cents and currency, then send the purchase again with them."],
  resource_in_use: [409, "The resource is still in use.", "Replace it first; the detail says where it is used."],
  duplicate_plan: [409, "A plan with this name already exists.", "Use the plan in existing_id, or another name."],
  duplicate_tier: [
    409,
    "A tier with this grade or rank already exists.",
    "Use another grade and rank, or change the tier that has them.",
  ],
  duplicate_certification: [
    409,
    "The certification already exists.",
    "Use the one in existing_id. A certification has one name, and a partner holds it once.",
  ],
  duplicate_charge: [
    409,
    "Another charge has this external_id.",
    "Use the charge in existing_id. A charge that is reported again must have the same facts.",
  ],
  duplicate_refund: [
    409,
    "Another refund has this external_id.",
    "Use the refund in existing_id. A refund that is reported again must have the same facts.",
  ],
  duplicate_adjustment: [
    409,
    "Another adjustment has this reference.",
    "Use the commission in existing_id. An adjustment that is sent again must have the same facts.",
  ],
  duplicate_link: [
    409,
    "The code is already in use.",
    "Use the link in existing_id, or another code. Upper and lower case, o and 0, and i, l and 1 count as the same.",
  ],
  link_limit_reached: [409, "The partner has reached its limit of affiliate links.", "Archive a link that is no longer used."],
  commission_locked: [
    409,
    "The commission can no longer be changed.",
    "It is part of a payout, or void. Correct the balance with an adjustment.",
  ],
  payout_blocked: [
    409,
    "The partner cannot be paid now.",
    "The reasons are in blockers. The partner sees them with GET /v1/partners/payouts/upcoming.",
  ],
  payout_run_in_progress: [409, "Another payout run is in progress.", "Wait until it has finished. Its progress is at run_id."],
  nothing_to_export: [
    409,
    "The run has no payout that this file could contain.",
    "Payouts that are in a file are not exported again.",
  ],
  tree_too_deep: [409, "No partner can be added below this one.", "The partner tree has its greatest depth here."],
  deal_conflict: [
    409,
    "The company is already registered.",
    "Wait until protected_until, or use the record in existing_id. Check a company with POST /v1/partners/deals/check before work begins.",
  ],
  registration_limit_reached: [
    409,
    "The partner has reached its limit of open registrations.",
    "Win, lose or withdraw another one first.",
  ],
  registration_closed: [
    409,
    "The deal's registration was rejected or withdrawn.",
    "Register the sale as a new deal, or contact the company that runs the programme.",
  ],
  idempotency_key_in_progress: [
    409,
    "A request with this Idempotency-Key is still running.",
    "Retry the same request after a second.",
  ],
  cursor_expired: [
    410,
    "The cursor has expired.",
    "Read the lists again, then follow the feed from its start, without a cursor.",
  ],
  endpoint_sunset: [410, "This operation has been removed.", "Use its successor; the Link header and the detail name it."],
  version_mismatch: [412, "The resource has changed in the meantime.", "Read it again and retry the change with the new ETag."],
  payload_too_large: [413, "The body is too large.", "Send at most the number of bytes in limit_bytes."],
  unsupported_media_type: [415, "The media type of the body is not supported.", "Send Content-Type: application/json."],
  invalid_csv: [422, "The CSV file is not valid.", "Correct the file; the detail says where and what."],
  validation_failed: [422, "The request is not valid.", "Correct the fields listed in errors."],
  invalid_playbook: [
    422,
    "The playbook is not valid.",
    "Correct what errors lists: names that do not exist, states that nothing leads to, loops without a question.",
  ],
  unknown_plan: [422, "The plan is unknown.", "Use one of the names in plans, as GET /v1/partners/plans lists them."],
  link_destination_refused: [
    422,
    "A link cannot lead to this address.",
    "Use an https address without a user name, on a host that the programme allows. The reason says what is wrong.",
  ],
  snapshot_not_deployable: [
    422,
    "The snapshot cannot be deployed.",
    "The reason says why: it is a draft, archived, deprecated, has no such version, or is not licensed.",
  ],
  refund_exceeds_charge: [
    422,
    "The refund is greater than what is left of the charge.",
    "Refund at most the amount in refundable_cents.",
  ],
  unsupported_channel: [
    422,
    "The conversation is on another channel.",
    "Leave channel out: a message goes to where the conversation is. Start another conversation for another channel.",
  ],
  template_variable_missing: [
    422,
    "The template needs a value that is not there.",
    "Send the values named in missing as vars, fill the fields of the person, or give the placeholders a default.",
  ],
  account_required: [422, "The account is ambiguous.", "Send account_id: the key is bound to several clients."],
  invalid_phone: [
    422,
    "The phone number is not valid.",
    "Send it in E.164 format, such as +14155552671. If there is a likely correction, suggestion holds it.",
  ],
  phone_required: [422, "The contact needs a phone number.", "Send contact.phone, or add a phone number to the lead first."],
  stage_not_in_pipeline: [
    422,
    "The stage is not in the pipeline.",
    "Use one of those in stages, or send the pipeline_id of another pipeline.",
  ],
  stage_rule_violation: [422, "The pipeline does not allow this move.", "Fix what violations lists, then move the deal again."],
  idempotency_key_reused: [422, "The Idempotency-Key was used for a different request.", "Use a new key for a new request."],
  rate_limit_exceeded: [
    429,
    "Too many requests.",
    "Wait for the number of seconds in Retry-After. The RateLimit header shows what is left.",
  ],
  precondition_required: [428, "This change needs an If-Match header.", "Read the resource and send its ETag as If-Match."],
  headers_too_large: [431, "The headers are too large.", "Send at most 16 KiB of headers."],
  internal_error: [500, "An unexpected error occurred.", "Retry; if it persists, report the request_id."],
  service_unavailable: [503, "The service is not ready.", "Retry after the number of seconds in Retry-After."],
} as const satisfies Record<string, readonly [status: number, title: string, remedy: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request: its location, the rule that it violates, and what would be valid. */
export type Fault = { in: "body" | "query" | "path" | "header"; pointer: string; code: string; detail: string };

export type Explanation = {
  /** Help for the caller, without internals. Default: the first faults, or the code's remedy. */
  detail?: string;
  faults?: Fault[];
  /** Further members of the problem, such as `allowed` or `existing_id`. */
  meta?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** For the log only. */
  cause?: unknown;
};

/** The application's one error class: a refused request, with a code of the catalogue. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly explanation: Explanation;

  constructor(code: ErrorCode, explanation: Explanation = {}) {
    const detail = explanation.detail ?? sumUp(explanation.faults ?? []);
    super(detail ?? ERRORS[code][1], { cause: explanation.cause });
    this.name = "Refusal";
    this.code = code;
    this.explanation = detail === undefined ? explanation : { ...explanation, detail };
  }
}

const FAULTS_SHOWN = 3;

/** The first faults in words. */
function sumUp(faults: readonly Fault[]): string | undefined {
  const more = faults.length - FAULTS_SHOWN;
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ detail }) => detail);
  return faults.length === 0 ? undefined : [...shown, ...(more > 0 ? [`${more} more: see errors.`] : [])].join(" ");
}

export function fail(code: ErrorCode, explanation?: Explanation): never {
  throw new Refusal(code, explanation);
}

/** Does a part of a command whose input is one member of the body: its faults then point into that member. */
export async function within<T>(member: string, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof Refusal) || error.explanation.faults === undefined) throw error;
    const faults = error.explanation.faults.map((fault) =>
      fault.in === "body" ? { ...fault, pointer: fault.pointer.replace("#", `#/${member}`) } : fault,
    );
    throw new Refusal(error.code, { ...error.explanation, faults });
  }
}

/** The same error for an id that does not exist and for one of another tenant: the two must not differ. */
export function notFound(id: string, hint = ""): never {
  const detail = id.trim() === "" ? "The path has no id." : `${id.slice(0, 64).toWellFormed()} was not found.`;
  fail("not_found", { detail: detail + hint });
}
