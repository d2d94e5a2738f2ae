import { closed, Id, nullable, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Branding, Currency } from "../../../accounts/clients/index.ts";

const Company = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Northwind Agency"],
});
const DefaultSnapshots = Type.Array(Id("snapshot"), {
  maxItems: 20,
  uniqueItems: true,
  description: "Published snapshots that new clients get, in this order",
  examples: [["snap_01jd3k5y5cf7m8n9p0q1r2s3t4"]],
});

const fields = {
  company: Company,
  branding: Branding,
  default_currency: Currency,
  default_snapshots: DefaultSnapshots,
};

/** What the partner may change, and what its audit entries compare. */
export const ACCOUNT_FIELDS = Object.keys(fields) as (keyof typeof fields)[];

export const AccountPatch = Type.Partial(Type.Object(fields), { ...closed, title: "AccountPatch", minProperties: 1 });
export type AccountPatch = Type.Static<typeof AccountPatch>;

export const Account = Type.Object(
  {
    id: Id("partner"),
    company: Company,
    grade: Type.String({ examples: ["gold"] }),
    status: Type.Enum(["active", "suspended"]),
    api_access: Type.Boolean({ description: "Whether the partner has access to the partner API" }),
    parent_id: nullable(Id("partner")),
    house_account_id: Type.String({ ...Id("client"), description: "The partner's own account, which is not a client" }),
    branding: Branding,
    default_currency: Currency,
    default_snapshots: DefaultSnapshots,
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Account" },
);
export type AccountShown = Type.Static<typeof Account>;
