import { closed, nullable, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Grade, METRICS } from "../../programme/tiers/index.ts";

const Name = Type.String({ description: "Name of the tier", examples: ["Gold"] });

const Progress = Type.Object(
  {
    metric: Type.Enum([...METRICS], { type: "string" }),
    value: Type.Integer({ description: "What the partner has", examples: [12] }),
    required: Type.Integer({ description: "What the tier requires at least", examples: [20] }),
    missing: Type.Integer({ minimum: 0, description: "What the partner lacks", examples: [8] }),
    met: Type.Boolean({ examples: [false] }),
    currency: Type.Optional(Type.String({ description: "The currency of an amount", examples: ["usd"] })),
    window_days: Type.Optional(Type.Integer({ description: "The days that the metric looks back", examples: [365] })),
  },
  { ...closed, title: "TierProgress" },
);
export type Progress = Type.Static<typeof Progress>;

export const TierStanding = Type.Object(
  {
    grade: Grade,
    name: Name,
    pinned: Type.Boolean({ description: "Whether the grade was set by hand, so that metrics do not change it" }),
    pinned_until: nullable(Type.String({ ...Time, description: "When the pin ends by itself" })),
    grace_until: nullable(
      Type.String({ ...Time, description: "When the partner loses its grade, unless it meets the requirements in `keep` again" }),
    ),
    next: nullable(
      Type.Object({ grade: Grade, name: Name }, { ...closed, description: "The next higher tier; null at the top" }),
    ),
    progress: Type.Array(Progress, { description: "What the next tier requires, and what is missing" }),
    keep: Type.Array(Progress, { description: "What the present tier requires" }),
  },
  { ...closed, title: "TierStanding", description: "A partner's grade, the next one, and how far it is from both." },
);
export type TierStanding = Type.Static<typeof TierStanding>;
