import { closed, Id, nullable, Time } from "../../../platform/http/shapes.ts";
import { type TSchema, Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { OperatorAuditList } from "../../outbox/audit-log/index.ts";
import { SystemHealth } from "../../programme/operators/index.ts";

const Count = Type.Integer({ minimum: 0, examples: [12] });
const Cents = Type.Integer({ minimum: 0, examples: [656_300] });
const Company = Type.String({ description: "Company of the partner", examples: ["Northwind Agency"] });

export const LargestPartner = Type.Object(
  {
    partner_id: Id("partner"),
    company: Company,
    grade: Type.String({ examples: ["gold"] }),
    clients: Count,
    currency: Currency,
    mrr_cents: Cents,
  },
  { ...closed, title: "LargestPartner" },
);

export const WaitingRegistration = Type.Object(
  {
    deal_id: Id("deal"),
    partner_id: Id("partner"),
    partner: Company,
    company: Type.String({ description: "Company that the sale is made to", examples: ["Harbour Dental"] }),
    plan: nullable(Type.String({ examples: ["Growth"] })),
    mrr_cents: nullable(Cents),
    currency: Currency,
    submitted_at: Time,
  },
  { ...closed, title: "WaitingRegistration" },
);

export const WaitingRequest = Type.Object(
  {
    id: Id("access_request"),
    partner_id: Id("partner"),
    partner: Company,
    message: nullable(Type.String({ examples: ["We sync our CRM."] })),
    created_at: Time,
  },
  { ...closed, title: "WaitingAccessRequest" },
);

const SnapshotName = Type.String({ description: "Name of the snapshot", examples: ["Dental practice"] });
const Price = { price_cents: Cents, currency: Currency };

export const WaitingListing = Type.Object(
  {
    snapshot_id: Id("snapshot"),
    partner_id: Id("partner"),
    partner: Company,
    name: SnapshotName,
    version: Type.Integer({ minimum: 1, description: "The version that was submitted", examples: [2] }),
    ...Price,
    submitted_at: Time,
  },
  { ...closed, title: "WaitingListing" },
);

export const DuePurchase = Type.Object(
  {
    id: Id("purchase"),
    partner_id: Id("partner"),
    partner: Type.String({ description: "Company of the buyer", examples: ["Fjord Studio"] }),
    snapshot_id: Id("snapshot"),
    name: SnapshotName,
    ...Price,
    created_at: Time,
  },
  { ...closed, title: "DuePurchase" },
);

export const FailingEndpoint = Type.Object(
  {
    endpoint_id: Id("endpoint"),
    partner_id: Id("partner"),
    partner: Company,
    url: Type.String({ examples: ["https://hooks.northwind.example/tributary"] }),
    failing_since: nullable(Time),
  },
  { ...closed, title: "FailingEndpoint" },
);

const waiting = <Item extends TSchema>(item: Item) =>
  Type.Object(
    {
      waiting: Type.Integer({ minimum: 0, maximum: 1000, description: "How many wait, counted up to 1,000", examples: [7] }),
      oldest: Type.Array(item, { maxItems: 10, description: "The oldest first" }),
    },
    closed,
  );

export const OperatorOverview = Type.Object(
  {
    as_of: Time,
    partners: Type.Object({ active: Count, suspended: Count, new_this_month: Count }, closed),
    clients: Type.Object(
      { pending: Count, active: Count, suspended: Count, churned: Count },
      { ...closed, description: "Clients of all partners, without house accounts" },
    ),
    mrr: Type.Array(Type.Object({ currency: Currency, mrr_cents: Cents }, closed), {
      description: "Monthly revenue of active clients, one entry per currency",
    }),
    largest_partners: Type.Array(LargestPartner, {
      maxItems: 5,
      description: "By the monthly revenue of active clients in the programme's default currency",
    }),
    registrations: waiting(WaitingRegistration),
    access_requests: waiting(WaitingRequest),
    listings: waiting(WaitingListing),
    purchases: waiting(DuePurchase),
    failing_endpoints: Type.Array(FailingEndpoint, { maxItems: 10, description: "Those that fail longest first" }),
    next_payout_run_at: Type.Union([Time, Type.Null()], {
      description: "When the schedule starts the next payout run; null where only the operator starts runs",
    }),
    health: SystemHealth,
    recent: Type.Object(OperatorAuditList.properties, {
      ...closed,
      description: "The newest actions in all audit logs; reads are left out",
    }),
  },
  { ...closed, title: "OperatorOverview" },
);
