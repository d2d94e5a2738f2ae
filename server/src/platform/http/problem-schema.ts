import { ERRORS, type ErrorCode } from "../../kernel/errors.ts";

type Member = { codes: readonly ErrorCode[]; schema: object; example: unknown };

const DUPLICATES = (Object.keys(ERRORS) as ErrorCode[]).filter(
  (code) => code.startsWith("duplicate_") && code !== "duplicate_user" && code !== "duplicate_tier",
);
const text = (description: string) => ({ type: "string", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });
const integer = (description: string) => ({ type: "integer", description });
const time = (description: string) => ({ type: "string", format: "date-time", description });

/** The members that some codes have besides those of every problem. */
const MEMBERS: Record<string, Member> = {
  required_scope: {
    codes: ["insufficient_scope"],
    schema: text("The scope that the key lacks"),
    example: "clients:write",
  },
  missing_scopes: {
    codes: ["insufficient_scope"],
    schema: texts("All scopes that the calling key lacks"),
    example: ["clients:write"],
  },
  required_role: { codes: ["role_required"], schema: text("The role that is needed"), example: "owner" },
  expires_at: {
    codes: ["key_limits_exceeded"],
    schema: time("The latest time that is allowed"),
    example: "2027-01-31T12:00:00.000Z",
  },
  allowed_cidrs: { codes: ["key_limits_exceeded"], schema: texts("The networks that are allowed"), example: ["203.0.113.0/24"] },
  from: { codes: ["invalid_state_transition"], schema: text("The current state"), example: "churned" },
  to: { codes: ["invalid_state_transition"], schema: text("The requested state"), example: "suspended" },
  allowed: {
    codes: ["invalid_state_transition", "method_not_allowed"],
    schema: texts("The states or methods that are possible"),
    example: ["active"],
  },
  owner_kind: { codes: ["owner_changed"], schema: text("Who owns the conversation now"), example: "human" },
  owner_id: {
    codes: ["owner_changed"],
    schema: { type: ["string", "null"], description: "The user, key or agent that owns it now" },
    example: "usr_01jd3k5y5cf7m8n9p0q1r2s3t4",
  },
  owner_token: { codes: ["owner_changed"], schema: integer("The token of the conversation now"), example: 3 },
  reply_window_until: {
    codes: ["reply_window_closed"],
    schema: {
      type: ["string", "null"],
      format: "date-time",
      description: "When the window closed; null if the person never wrote",
    },
    example: "2026-11-02T09:30:00.000Z",
  },
  missing: {
    codes: ["template_variable_missing"],
    schema: texts("The placeholders without a value and without a default"),
    example: ["vars.day"],
  },
  channel: {
    codes: ["channel_required"],
    schema: { type: ["string", "null"], description: "The kind of channel that is missing; null if none was named" },
    example: "sms",
  },
  next_at: {
    codes: ["send_limit_reached"],
    schema: { type: ["string", "null"], format: "date-time", description: "When it can be sent again; null if never" },
    example: "2026-11-03T09:30:00.000Z",
  },
  payable_cents: { codes: ["amount_not_due"], schema: integer("What can still be paid, in minor units"), example: 2_500 },
  existing_id: {
    codes: [...DUPLICATES, "deal_conflict", "replay_in_progress"],
    schema: {
      type: ["string", "null"],
      description: "The id of the existing resource; null if it has just been deleted, or is not yours",
    },
    example: "cli_01jd3k5y5cf7m8n9p0q1r2s3t4",
  },
  fields: {
    codes: ["duplicate_contact", "duplicate_lead", "deal_won"],
    schema: texts("The fields that it is about"),
    example: ["phone"],
  },
  candidates: {
    codes: ["ambiguous_match"],
    schema: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "matched_on"],
        properties: { id: { type: "string" }, matched_on: { type: "array", items: { type: "string" } } },
      },
      description: "The records that match, each with the fields that match",
    },
    example: [
      { id: "con_01jd3k5y5cf7m8n9p0q1r2s3t4", matched_on: ["phone"] },
      { id: "con_01jd3k5y5cf7m8n9p0q1r2s3t5", matched_on: ["email"] },
    ],
  },
  phones: {
    codes: ["resource_in_use"],
    schema: texts("The phone numbers that several contacts share"),
    example: ["+14155552671"],
  },
  stages: {
    codes: ["stage_not_in_pipeline", "resource_in_use"],
    schema: {
      type: "array",
      items: {
        anyOf: [
          { type: "string" },
          {
            type: "object",
            required: ["id", "name", "deals"],
            properties: { id: { type: "string" }, name: { type: "string" }, deals: { type: "integer" } },
          },
        ],
      },
      description: "The names of the pipeline's stages; for resource_in_use, the stages that have deals",
    },
    example: ["New", "Qualified", "Won", "Lost"],
  },
  used_by: {
    codes: ["resource_in_use"],
    schema: texts(
      "What still names the resource: partners, rules or certifications of a tier, default_snapshots or listing of a snapshot",
    ),
    example: ["partners"],
  },
  run_id: {
    codes: ["payout_run_in_progress"],
    schema: text("The id of the run that is in progress"),
    example: "prn_01jd3k5y5cf7m8n9p0q1r2s3t4",
  },
  test_run_id: {
    codes: ["suite_failed", "suite_running"],
    schema: text("The id of the run of the tests"),
    example: "trun_01jd3k5y5cf7m8n9p0q1r2s3t4",
  },
  failed: {
    codes: ["suite_failed"],
    schema: {
      type: "array",
      items: {
        type: "object",
        required: ["test_id", "name", "failures", "error"],
        properties: {
          test_id: { type: "string" },
          name: { type: "string" },
          failures: { type: "array", items: { type: "object" }, description: "The assertions that did not hold" },
          error: { type: ["string", "null"], description: "Why it could not run to its end" },
        },
      },
      description: "The tests that did not pass",
    },
    example: [
      {
        test_id: "tst_01jd3k5y5cf7m8n9p0q1r2s3t4",
        name: "Hands a rich lead to a person",
        failures: [{ type: "handed_off", value: true }],
        error: null,
      },
    ],
  },
  blockers: { codes: ["payout_blocked"], schema: texts("What blocks the payout"), example: ["no_payout_method"] },
  plans: { codes: ["unknown_plan"], schema: texts("The names of the active plans"), example: ["Starter", "Growth", "Scale"] },
  open_deals: { codes: ["resource_in_use"], schema: integer("The number of open deals in the pipeline"), example: 3 },
  pipeline_id: {
    codes: ["stage_not_in_pipeline"],
    schema: text("The id of the pipeline"),
    example: "ppl_01jd3k5y5cf7m8n9p0q1r2s3t4",
  },
  stage_id: { codes: ["stage_conflict"], schema: text("The id of the current stage"), example: "stg_01jd3k5y5cf7m8n9p0q1r2s3t4" },
  stage: { codes: ["stage_conflict"], schema: text("The name of the current stage"), example: "Qualified" },
  violations: {
    codes: ["stage_rule_violation"],
    schema: {
      type: "array",
      items: {
        type: "object",
        required: ["rule", "detail"],
        properties: {
          rule: { type: "string" },
          fields: { type: "array", items: { type: "string" } },
          detail: { type: "string" },
        },
      },
      description: "The rules of the pipeline that the move violates",
    },
    example: [{ rule: "no_skip", detail: "Won is not the next stage." }],
  },
  protected_until: {
    codes: ["deal_conflict"],
    schema: { type: ["string", "null"], format: "date-time", description: "The end of the protection; null if it has no end" },
    example: "2027-01-31T12:00:00.000Z",
  },
  registration_status: { codes: ["registration_closed"], schema: text("The status of the registration"), example: "rejected" },
  reason: {
    codes: [
      "conversion_not_undoable",
      "merge_not_undoable",
      "import_not_revertible",
      "deployment_not_revertible",
      "link_destination_refused",
      "snapshot_not_deployable",
    ],
    schema: text("The reason, for programs"),
    example: "too_old",
  },
  conflicts: {
    codes: ["snapshot_conflict"],
    schema: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "key", "code", "path", "detail"],
        properties: Object.fromEntries(["type", "key", "code", "path", "detail"].map((name) => [name, { type: "string" }])),
      },
      description: "What the client has changed otherwise than the snapshot",
    },
    example: [{ type: "pipeline", key: "sales", code: "both_changed", path: "/name", detail: "The client has changed it, too." }],
  },
  price_cents: { codes: ["price_changed"], schema: integer("The price now, in minor units"), example: 24_900 },
  currency: { codes: ["price_changed"], schema: text("The currency of the price"), example: "usd" },
  refundable_cents: {
    codes: ["refund_exceeds_charge", "payment_not_refundable"],
    schema: integer("What can still be refunded, in minor units"),
    example: 9_900,
  },
  commission_status: { codes: ["commission_locked"], schema: text("The status of the commission"), example: "void" },
  suggestion: { codes: ["invalid_phone"], schema: text("A likely correction"), example: "+14155552671" },
  limit: {
    codes: [
      "endpoint_limit_reached",
      "import_limit_reached",
      "rollout_limit_reached",
      "registration_limit_reached",
      "link_limit_reached",
      "test_limit_reached",
      "invalid_csv",
    ],
    schema: integer("The maximum"),
    example: 20,
  },
  limit_bytes: {
    codes: ["payload_too_large", "storage_limit_reached"],
    schema: integer("The maximum number of bytes"),
    example: 262_144,
  },
  line: { codes: ["invalid_csv"], schema: integer("The line of the file"), example: 12 },
  row: { codes: ["invalid_csv"], schema: integer("The row of the file; the first after the header is 1"), example: 11 },
  missing_fields: { codes: ["invalid_csv"], schema: texts("Required fields that no column is mapped to"), example: ["phone"] },
  current_version: {
    codes: ["version_mismatch", "approval_conflict"],
    schema: integer("The current version of the resource"),
    example: 4,
  },
  record_id: { codes: ["approval_conflict"], schema: text("The record"), example: "con_01jd3k5y5cf7m8n9p0q1r2s3t4" },
  record_version: { codes: ["approval_conflict"], schema: integer("Its version when the agent asked"), example: 3 },
  sunset: {
    codes: ["endpoint_sunset"],
    schema: { type: "string", format: "date", description: "When the operation was removed" },
    example: "2027-01-31",
  },
};

/** The schema of every problem. Further members are documented with the codes that have them. */
export const PROBLEM = {
  title: "Problem",
  description: "A problem document (RFC 9457).",
  type: "object",
  required: ["type", "title", "status", "detail", "instance", "code", "request_id"],
  properties: {
    type: { type: "string", format: "uri", description: "The documentation page of this code" },
    title: { type: "string", description: "The same for every problem of this code" },
    status: { type: "integer", minimum: 400, maximum: 599, description: "The HTTP status" },
    detail: { type: "string", description: "What is wrong and how to fix it" },
    instance: { type: "string", description: "The request as a URN" },
    code: { type: "string", enum: Object.keys(ERRORS), description: "The error, for programs" },
    request_id: { type: "string", description: "The id of the request, for logs, audit log and support" },
    errors: {
      type: "array",
      maxItems: 50,
      description: "Every fault of the request, for `validation_failed`, `invalid_parameter` and `unknown_parameter`",
      items: {
        type: "object",
        required: ["in", "pointer", "code", "detail"],
        properties: {
          in: { type: "string", enum: ["body", "query", "path", "header"], description: "The part of the request" },
          pointer: { type: "string", description: "A JSON Pointer to the value" },
          code: { type: "string", description: "The rule that the value violates" },
          detail: { type: "string", description: "What would be valid" },
        },
      },
    },
    ...Object.fromEntries(Object.entries(MEMBERS).map(([name, member]) => [name, documented(member)])),
  },
};

function documented({ codes, schema }: Member): object {
  const { description } = schema as { description: string };
  return { ...schema, description: `${description}. With ${codes.map((code) => `\`${code}\``).join(", ")}` };
}

const FAULT = { in: "body", pointer: "#/name", code: "required", detail: "name is required." };
const FAULTS: Partial<Record<ErrorCode, object>> = {
  validation_failed: FAULT,
  invalid_parameter: { in: "query", pointer: "#/limit", code: "maximum", detail: "limit must be at most 100." },
  unknown_parameter: {
    in: "query",
    pointer: "#/serch",
    code: "unknown_parameter",
    detail: "serch is not a parameter of this operation. Did you mean search?",
  },
};

/** A problem as a caller gets it. */
export function exampleProblem(code: ErrorCode): Record<string, unknown> {
  const [status, title, remedy] = ERRORS[code];
  const request_id = "req_01jd3k5y5cf7m8n9p0q1r2s3t4";
  const fault = FAULTS[code] as { detail: string } | undefined;
  const members = Object.entries(MEMBERS).filter(([, { codes }]) => codes.includes(code));
  return {
    type: `http://127.0.0.1:8080/docs/errors/${code}`,
    title,
    status,
    detail: fault?.detail ?? remedy,
    instance: `urn:request:${request_id}`,
    code,
    request_id,
    ...(fault === undefined ? {} : { errors: [fault] }),
    ...Object.fromEntries(members.map(([name, { example }]) => [name, example])),
  };
}
