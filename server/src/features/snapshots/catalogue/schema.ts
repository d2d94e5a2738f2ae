import { closed, FREE_TEXT, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Content, LeftOut } from "./versions/schema.ts";

const STATUSES = ["draft", "published", "deprecated", "archived"] as const;

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 100 characters without leading or trailing whitespace, unique among the partner's own, not case-sensitive",
  examples: ["Dental practice"],
});
const Description = nullable(
  Type.String({ minLength: 1, maxLength: 2000, pattern: "\\S", description: "What it is for", examples: ["Sales and recalls"] }),
);
const Status = Type.Enum([...STATUSES], {
  type: "string",
  description:
    "A draft is not deployed. A published snapshot is installed and updated, a deprecated one only updated where it runs already.",
  examples: ["published"],
});

export const SnapshotCreate = Type.Object(
  {
    name: Name,
    description: Type.Optional(Description),
    ...Content,
    status: Type.Optional(
      Type.Enum(["draft", "published"], { description: "Default: published, and draft without a version", examples: ["draft"] }),
    ),
  },
  { ...closed, title: "SnapshotCreate" },
);
export type SnapshotCreate = Type.Static<typeof SnapshotCreate>;

const changeable = { name: Name, description: Description, status: Status };

/** What a change can set: the columns of the update. */
export const FIELDS = Object.keys(changeable) as (keyof typeof changeable)[];

export const SnapshotPatch = Type.Partial(Type.Object(changeable), { ...closed, title: "SnapshotPatch", minProperties: 1 });
export type SnapshotPatch = Type.Static<typeof SnapshotPatch>;

const Origin = Type.Enum(["own", "bought"], { description: "Whether the partner made it or bought it", examples: ["own"] });

const shown = {
  id: Id("snapshot"),
  ...changeable,
  origin: Origin,
  visibility: Type.Enum(["private", "unlisted", "marketplace"], { description: "Who can find it on the marketplace" }),
  price_cents: Type.Integer({ minimum: 0, description: "Price in minor units", examples: [19_900] }),
  currency: Type.String({ description: "Currency of the price", examples: ["usd"] }),
  latest_version: nullable(Type.Integer({ minimum: 1, description: "Number of the latest version; null without one" })),
  created_by: Type.String({ description: "Key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
  updated_at: Time,
  version: Version,
};

export const Snapshot = Type.Object(shown, {
  ...closed,
  title: "Snapshot",
  description: "Configuration that is deployed to accounts, in numbered versions",
});
export type SnapshotShown = Type.Static<typeof Snapshot>;

export const SnapshotCreated = Type.Object({ ...shown, left_out: LeftOut }, { ...closed, title: "SnapshotCreated" });

export const SnapshotListQuery = Type.Object(
  {
    ...page,
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: STATUSES.length, uniqueItems: true })),
    origin: Type.Optional(Origin),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: FREE_TEXT,
        description: "Text in the name, not case-sensitive",
        examples: ["dental"],
      }),
    ),
  },
  closed,
);
export type SnapshotListQuery = Type.Static<typeof SnapshotListQuery>;

export const SnapshotList = listOf(Snapshot, "SnapshotList");
