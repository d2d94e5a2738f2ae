import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Grade } from "../../tiers/index.ts";
import { DIRECTIONS } from "./model.ts";

export const TierChange = Type.Object(
  {
    id: Id("tier_change"),
    at: Time,
    previous_grade: Grade,
    grade: Grade,
    direction: Type.Enum([...DIRECTIONS], { type: "string", description: "none: a certification changed and the grade did not" }),
    reason: Type.Enum(["metric", "certification", "manual"], { type: "string" }),
    certification_id: nullable(Id("certification")),
    certification: nullable(Type.String({ description: "Name of the certification", examples: ["Sales"] })),
  },
  {
    ...closed,
    title: "TierChange",
    description: "A change of a partner's grade, or a certification that it got or lost. Each is a `tier.changed` event, too.",
  },
);

export const TierChangeListQuery = Type.Object(page, closed);
export const TierChangeList = listOf(TierChange, "TierChangeList");
