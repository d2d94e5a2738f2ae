import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  accountOf,
  channelByToken,
  createTwin,
  isAdmitted,
  type SimulatorChannel,
  type TwinReply,
} from "../../features/inbox/channels/index.ts";
import { fail, notFound } from "../../kernel/errors.ts";
import { parseBody } from "../../platform/http/body.ts";
import { closed } from "../../platform/http/shapes.ts";
import { Type } from "../../platform/http/type.ts";
import { compile } from "../../platform/http/validation.ts";
import type { Services } from "../../platform/record/context.ts";
import { withRawBodies } from "./raw-bodies.ts";

const MESSAGES = "/simulator/:token/2010-04-01/Accounts/:account/Messages.json";
const ACCOUNT = "/simulator/:token/2010-04-01/Accounts/:account.json";
const PHONES = "/simulator/:token/messages";

const Said = Type.Object(
  {
    from: Type.String({ pattern: "^\\+[1-9]\\d{6,14}$" }),
    text: Type.String({ minLength: 1, maxLength: 1_600 }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
);
const checkSaid = compile(Said, "body");

/**
 * The provider of simulator channels, where a service is shown, tested or developed: the calls that Twilio takes, and `/messages`, where
 * people write to the channel and read what they were sent. The token of the channel is all that a person needs.
 */
export function mountSimulator(app: FastifyInstance, services: Services): void {
  const { db, sealer, settings, clock, outbound } = services;
  if (!settings.demo && settings.egress !== "development") return;
  const twin = createTwin({ http: outbound.own, baseUrl: settings.baseUrl, now: clock.now });

  async function channelOf(request: FastifyRequest): Promise<SimulatorChannel> {
    request.operation = "simulator";
    const { token } = request.params as { token: string };
    const channel = await channelByToken(db.byKey, sealer, token);
    return channel?.kind === "simulator" ? (channel as SimulatorChannel) : notFound(token);
  }

  async function calledChannel(request: FastifyRequest): Promise<SimulatorChannel> {
    const channel = await channelOf(request);
    const { account } = request.params as { account: string };
    return isAdmitted(channel, account, request.headers.authorization) ? channel : fail("invalid_credentials");
  }

  const accountReply = (channel: SimulatorChannel) => ({ status: 200, body: { sid: accountOf(channel), status: "active" } });
  const answer = (reply: FastifyReply, { status, body }: TwinReply) =>
    reply.code(status).type("application/json").send(JSON.stringify(body));
  const number = (request: FastifyRequest, name: string) => (request.query as Record<string, string | undefined>)[name] ?? null;

  withRawBodies(app, (scope) => {
    scope.post(MESSAGES, async (request, reply) => {
      const form = new URLSearchParams((request.body as Buffer | undefined)?.toString("utf8"));
      return answer(reply, twin.take(await calledChannel(request), form));
    });
    scope.get(MESSAGES, async (request, reply) => answer(reply, twin.list(await calledChannel(request), number(request, "To"))));
    scope.get(ACCOUNT, async (request, reply) => answer(reply, accountReply(await calledChannel(request))));
    scope.post(PHONES, async (request, reply) => {
      const channel = await channelOf(request);
      const said = parseBody((request.body as Buffer | undefined) ?? Buffer.alloc(0));
      checkSaid(said);
      return answer(reply, await twin.write(channel, said as Type.Static<typeof Said>));
    });
    scope.get(PHONES, async (request, reply) => answer(reply, twin.list(await channelOf(request), number(request, "number"))));
  });
}
