import { Type } from "typebox";
import { CENTS_MAX } from "../../../../kernel/money.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Currency, ReasonBody } from "../../../accounts/clients/index.ts";
import { STATUSES } from "./model.ts";

export const RegistrationStatus = Type.Enum([...STATUSES], {
  type: "string",
  description: "Only an approved one earns",
  examples: ["approved"],
});
const Reason = Type.String({ minLength: 1, maxLength: 500, description: "Why, in your words", examples: ["Sold to already"] });
const Company = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["Harbour Dental"] });
const CompanyDomain = Type.String({ minLength: 1, maxLength: 500, examples: ["harbour.example"] });

export const Registration = Type.Object(
  {
    deal_id: Id("deal"),
    partner_id: Id("partner"),
    status: RegistrationStatus,
    protected_until: Time,
    reason: nullable(Reason),
    submitted_at: Time,
    decided_by: nullable(
      Type.String({
        description: "Who decided; null where the programme approves by itself",
        examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
      }),
    ),
    decided_at: nullable(Time),
    company: nullable(Company),
    company_domain: nullable(CompanyDomain),
    plan: nullable(Type.String({ examples: ["Growth"] })),
    mrr_cents: nullable(Type.Integer({ minimum: 0, maximum: CENTS_MAX, examples: [49900] })),
    currency: Currency,
    client_id: nullable(Id("client")),
    deal_status: Type.Enum(["open", "won", "lost"]),
    stage: Type.String({ description: "The name of the deal's stage", examples: ["Qualified"] }),
    version: Version,
  },
  { ...closed, title: "Registration", description: "A partner sale as the programme knows it. Its version is its deal's." },
);

export const RegistrationList = listOf(Registration, "RegistrationList");

export const RegistrationListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(
      Type.Enum(["-created_at", "created_at"], { description: "created_at is oldest first; -created_at unless told" }),
    ),
    status: Type.Optional(Type.Array(RegistrationStatus, { minItems: 1, maxItems: STATUSES.length, uniqueItems: true })),
    partner_id: Type.Optional(Id("partner")),
  },
  closed,
);
export type RegistrationListQuery = Type.Static<typeof RegistrationListQuery>;

/** An approval and a withdrawal may say why. */
export { ReasonBody };

/** What a partner cannot go on from without knowing why. */
export const ReasonGiven = Type.Object({ reason: Reason }, { ...closed, title: "ReasonGiven" });

export const CompanyCheck = Type.Object(
  {
    company: Type.Optional(Company),
    company_domain: Type.Optional(CompanyDomain),
    contact: Type.Optional(
      Type.Object(
        {
          email: Type.Optional(
            Type.String({ format: "email", maxLength: 254, description: "an e-mail address", examples: ["ada@harbour.example"] }),
          ),
          phone: Type.Optional(
            Type.String({
              pattern: "^\\+[1-9][0-9]{6,14}$",
              description: "a phone number in E.164, such as +14155552671",
              examples: ["+14155552671"],
            }),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: "CompanyCheck", minProperties: 1 },
);
export type CompanyCheck = Type.Static<typeof CompanyCheck>;

export const CompanyAvailability = Type.Object(
  {
    available: Type.Boolean({ description: "Whether the company can be registered now" }),
    protected_until: nullable(
      Type.String({
        format: "date-time",
        description: "When its protection ends; null where there is none, or no end to it",
        examples: ["2026-11-02T09:30:00.000Z"],
      }),
    ),
  },
  { ...closed, title: "CompanyAvailability" },
);
