import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Day, Id, nullable, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Branding, ContactDetails, Currency, Tags } from "../../accounts/clients/index.ts";
import { AccountId, accountOfNew, CustomInput, CustomValues, OwnerId } from "../../accounts/custom-fields/index.ts";
import { StageType } from "../../accounts/pipelines/index.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Harbour Dental"],
});
const Cents = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 0, maximum: CENTS_MAX, description, examples: [example] }));
const AmountCents = Cents("Value in minor units", 120_000);
const MrrCents = Cents("Monthly recurring revenue of a sale, in minor units", 49_900);
const Plan = nullable(
  Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Plan that a sale sells", examples: ["Growth"] }),
);
const CompanyDomain = nullable(
  Type.String({
    ...Branding.properties.domain,
    description: "A host name in lower case, such as harbour.example",
    examples: ["harbour.example"],
  }),
);
const ClientId = nullable(
  Type.String({
    ...Id("client"),
    description: "Client that a sale is made to; by default, winning the sale creates one",
    examples: ["cli_01jd3k5y5cf7m8n9p0q1r2s3t4"],
  }),
);
const Notes = nullable(
  Type.String({ maxLength: 10_000, description: "Stored exactly as sent", examples: ["Decides before the summer."] }),
);
const ExternalId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Your own id of the deal, unique in its account",
    examples: ["crm-4711"],
  }),
);
export const LostReason = nullable(
  Type.String({ minLength: 1, maxLength: 500, pattern: "\\S", description: "Why the deal was lost", examples: ["Too dear"] }),
);
export const StageId = Id("stage");
export const StageName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Name of a stage, not case-sensitive",
  examples: ["Proposal"],
});
export const PipelineId = Id("pipeline");

const optional = {
  amount_cents: Type.Optional(AmountCents),
  currency: Type.Optional(Currency),
  expected_close_on: Type.Optional(nullable(Day)),
  contact_id: Type.Optional(nullable(Id("contact"))),
  owner_id: Type.Optional(nullable(OwnerId)),
  tags: Type.Optional(Tags),
  notes: Type.Optional(Notes),
  custom: Type.Optional(CustomInput),
  external_id: Type.Optional(ExternalId),
  company_domain: Type.Optional(CompanyDomain),
  contact: Type.Optional(nullable(ContactDetails)),
  plan: Type.Optional(Plan),
  mrr_cents: Type.Optional(MrrCents),
  client_id: Type.Optional(ClientId),
};

export const ClickId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 2_000,
    description:
      "The click_id that the redirect of an affiliate link added. A click that is not valid for this partner attributes nothing: affiliate_link_id is null then",
    examples: ["clk_01jd3k5y5cf7m8n9p0q1r2s3t4.spring-sale.3q2-7wAAAAAAAAAAAAAAAA"],
  }),
);

const stageOfNew = {
  pipeline_id: Type.Optional(PipelineId),
  stage_id: Type.Optional(StageId),
  stage: Type.Optional(StageName),
  lost_reason: Type.Optional(LostReason),
  click_id: Type.Optional(ClickId),
};

export const DealCreate = Type.Object(
  { name: Type.Optional(Name), company: Type.Optional(nullable(Name)), ...optional, ...stageOfNew, ...accountOfNew },
  { ...closed, title: "DealCreate", examples: [{ name: "Ten seats for Harbour Dental", amount_cents: 120_000 }] },
);
export type DealCreate = Type.Static<typeof DealCreate>;

export const DealPatch = Type.Object(
  { name: Type.Optional(Name), company: Type.Optional(nullable(Name)), ...optional },
  { ...closed, title: "DealPatch", minProperties: 1 },
);
export type DealPatch = Type.Static<typeof DealPatch>;

/** In the partner API a new deal is a sale of the house account. */
export const SaleCreate = Type.Object(
  {
    deal_id: Type.Optional(
      Type.String({
        ...Id("deal"),
        description: "A plain deal of the house account to register; it keeps the fields that are absent",
      }),
    ),
    company: Type.Optional(Name),
    name: Type.Optional(Name),
    ...optional,
    ...stageOfNew,
  },
  {
    ...closed,
    title: "SaleCreate",
    description: "A sale. company and plan are required, unless the deal in deal_id has them.",
    examples: [{ company: "Harbour Dental", plan: "Growth", mrr_cents: 49_900 }],
  },
);
export type SaleCreate = Type.Static<typeof SaleCreate>;

const Registration = Type.Object(
  {
    status: Type.Enum(["submitted", "approved", "rejected", "needs_info", "withdrawn", "expired"]),
    protected_until: Time,
    reason: nullable(Type.String({ description: "Reason of the latest decision", examples: ["Which plan?"] })),
  },
  { ...closed, title: "DealRegistration", description: "Registration of a sale: its review, and the protection of its company" },
);

export const Deal = Type.Object(
  {
    id: Id("deal"),
    account_id: AccountId,
    sale: Type.Boolean({ description: "Whether the deal is a sale, which is a registered deal of the house account" }),
    name: Name,
    pipeline_id: PipelineId,
    stage_id: StageId,
    stage: StageName,
    stage_type: StageType,
    status: Type.Enum(["open", "won", "lost"], { description: "Type of the stage" }),
    probability: Type.Integer({ minimum: 0, maximum: 100, description: "Probability of the stage, in percent" }),
    stage_entered_at: Time,
    days_in_stage: Type.Integer({ minimum: 0, description: "Whole days since the deal entered the stage" }),
    amount_cents: AmountCents,
    currency: Currency,
    expected_close_on: nullable(Day),
    contact_id: nullable(Id("contact")),
    lead_id: nullable(Id("lead")),
    affiliate_link_id: nullable(
      Type.String({ ...Id("link"), description: "Affiliate link that the deal came by; it never changes" }),
    ),
    owner_id: nullable(OwnerId),
    lost_reason: LostReason,
    tags: Tags,
    notes: Notes,
    custom: CustomValues,
    external_id: ExternalId,
    company: nullable(Name),
    company_domain: CompanyDomain,
    contact: nullable(ContactDetails),
    plan: Plan,
    mrr_cents: MrrCents,
    client_id: ClientId,
    registration: nullable(Registration),
    won_at: nullable(Time),
    lost_at: nullable(Time),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Deal" },
);
