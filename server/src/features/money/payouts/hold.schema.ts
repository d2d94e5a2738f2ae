import { closed, FreeText, nullable, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

const Held = Type.Boolean({ description: "Whether payouts of the partner are held", examples: [true] });
const Reason = FreeText(500, "Why payouts are held; shown to the partner", "Bank details are being verified");

export const PayoutHoldPut = Type.Object(
  { held: Held, reason: Type.Optional(nullable(Reason)) },
  { ...closed, title: "PayoutHoldPut", description: "A hold needs a reason; a release has none." },
);
export type PayoutHoldPut = Type.Static<typeof PayoutHoldPut>;

export const PayoutHold = Type.Object(
  { held: Held, reason: nullable(Reason), version: Version },
  { ...closed, title: "PayoutHold", description: "While payouts are held, runs leave the partner out. What is earned is kept." },
);
