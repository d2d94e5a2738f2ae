import { closed, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { CHANNELS, type Channel } from "../model.ts";
import { ConsentStatus } from "../schema.ts";

const Source = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Where the consent was given or denied",
    examples: ["Form on the website"],
  }),
);

const ConsentInput = Type.Object(
  {
    status: ConsentStatus,
    source: Type.Optional(Source),
    at: Type.Optional(
      Type.String({ ...Time, description: "When the consent was given or denied; default now, not in the future" }),
    ),
  },
  closed,
);
const CurrentConsent = Type.Object({ status: ConsentStatus, source: Source, at: nullable(Time) }, closed);

const perChannel = <T>(schema: T) => Object.fromEntries(CHANNELS.map((channel) => [channel, schema])) as Record<Channel, T>;

export const ConsentPut = Type.Object(perChannel(Type.Optional(ConsentInput)), {
  ...closed,
  title: "ConsentPut",
  minProperties: 1,
});
export type ConsentPut = Type.Static<typeof ConsentPut>;

export const Consents = Type.Object(
  {
    ...perChannel(CurrentConsent),
    history: Type.Array(
      Type.Object(
        {
          id: Id("consent"),
          channel: Type.Enum([...CHANNELS]),
          status: ConsentStatus,
          source: Source,
          at: Time,
          recorded_at: Time,
        },
        closed,
      ),
      { description: "The latest 100 records, newest first" },
    ),
  },
  { ...closed, title: "Consents" },
);
