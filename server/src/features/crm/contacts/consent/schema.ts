import { Type } from "typebox";
import { closed, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { CHANNELS, type Channel } from "../model.ts";
import { ConsentStatus } from "../schema.ts";

const Source = nullable(
  Type.String({ minLength: 1, maxLength: 200, description: "Where it was said", examples: ["Form on the web site"] }),
);

const Given = Type.Object(
  {
    status: ConsentStatus,
    source: Type.Optional(Source),
    at: Type.Optional(Type.String({ ...Time, description: "when it was said, now unless told; not in the future" })),
  },
  closed,
);
const Said = Type.Object({ status: ConsentStatus, source: Source, at: nullable(Time) }, closed);

const perChannel = <T>(schema: T) => Object.fromEntries(CHANNELS.map((channel) => [channel, schema])) as Record<Channel, T>;

export const ConsentPut = Type.Object(perChannel(Type.Optional(Given)), { ...closed, title: "ConsentPut", minProperties: 1 });
export type ConsentPut = Type.Static<typeof ConsentPut>;

export const Consents = Type.Object(
  {
    ...perChannel(Said),
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
      { description: "What was said before, newest first, up to 100" },
    ),
  },
  { ...closed, title: "Consents" },
);
