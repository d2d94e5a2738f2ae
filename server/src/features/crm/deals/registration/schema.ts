import { CENTS_MAX } from "../../../../kernel/money.ts";
import { ActorName, closed, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Currency, ReasonBody } from "../../../accounts/clients/index.ts";
import { STATUSES } from "./model.ts";

export const RegistrationStatus = Type.Enum([...STATUSES], {
  type: "string",
  description: "Status of the review; only approved sales earn commissions",
  examples: ["approved"],
});
const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "Reason for the decision",
  examples: ["Sold to already"],
});
const Company = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["Harbour Dental"] });
const CompanyDomain = Type.String({ minLength: 1, maxLength: 500, examples: ["harbour.example"] });

export const Registration = Type.Object(
  {
    deal_id: Id("deal"),
    partner_id: Id("partner"),
    partner_company: Type.String({ description: "Name of the partner", examples: ["Northwind Agency"] }),
    status: RegistrationStatus,
    protected_until: Time,
    reason: nullable(Reason),
    submitted_at: Time,
    decided_by: nullable(
      Type.String({
        description: "Who decided; null for an automatic approval",
        examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
      }),
    ),
    decided_by_name: ActorName,
    decided_at: nullable(Time),
    company: nullable(Company),
    company_domain: nullable(CompanyDomain),
    plan: nullable(Type.String({ examples: ["Growth"] })),
    mrr_cents: nullable(Type.Integer({ minimum: 0, maximum: CENTS_MAX, examples: [49900] })),
    currency: Currency,
    client_id: nullable(Id("client")),
    deal_status: Type.Enum(["open", "won", "lost"]),
    stage: Type.String({ description: "Name of the deal's stage", examples: ["Qualified"] }),
    version: Version,
  },
  { ...closed, title: "Registration", description: "Registration of a sale. Its version is the version of the deal." },
);

export const RegistrationList = listOf(Registration, "RegistrationList");

export const RegistrationListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(
      Type.Enum(["-created_at", "created_at"], { description: "Sort order; created_at is oldest first. Default -created_at" }),
    ),
    status: Type.Optional(Type.Array(RegistrationStatus, { minItems: 1, maxItems: STATUSES.length, uniqueItems: true })),
    partner_id: Type.Optional(Id("partner")),
  },
  closed,
);
export type RegistrationListQuery = Type.Static<typeof RegistrationListQuery>;

export { ReasonBody };

/** The body of decisions that require a reason. */
export const RequiredReason = Type.Object({ reason: Reason }, { ...closed, title: "RequiredReason" });

export const CompanyCheck = Type.Object(
  {
    company: Type.Optional(Company),
    company_domain: Type.Optional(CompanyDomain),
    contact: Type.Optional(
      Type.Object(
        {
          email: Type.Optional(
            Type.String({ format: "email", maxLength: 254, description: "E-mail address", examples: ["ada@harbour.example"] }),
          ),
          phone: Type.Optional(
            Type.String({
              pattern: "^\\+[1-9][0-9]{6,14}$",
              description: "Phone number in E.164 format, such as +14155552671",
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
        description: "End of the protection; null if there is none, or if it has no end",
        examples: ["2026-11-02T09:30:00.000Z"],
      }),
    ),
  },
  { ...closed, title: "CompanyAvailability" },
);

export const SaleAccrued = Type.Object(
  {
    deal_id: Id("deal"),
    accrued: Type.Boolean({ description: "False if the sale earned already" }),
    first_commission_cents: Type.Integer({ minimum: 0, examples: [7493] }),
  },
  { ...closed, title: "SaleAccrued" },
);
