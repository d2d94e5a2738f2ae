import { Button } from "@mantine/core";
import { Building2, Coins, Undo2, Webhook, Zap } from "lucide-react";
import { useMay } from "../../api/session.ts";
import { Id } from "../../ui/copy.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money } from "../../ui/money.tsx";
import { Panel } from "../../ui/panel.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import { useClient } from "../clients/data.ts";
import type { Pipeline } from "../pipelines/data.ts";
import { type Deal, useDeal, useHistory, useWin } from "./data.ts";
import classes from "./deals.module.css";
import { cardOf, type Moves, titleOf } from "./moves.tsx";

type Props = { id: string; pipeline: Pipeline | undefined; moves: Moves; close(): void };

/** What winning a sale has set in motion. */
export function WonPanel({ id, pipeline, moves, close }: Props) {
  const { data: deal } = useDeal(id);
  return (
    <Panel title="Won" close={close} full={`/deals/${id}`} foot={deal && <Foot deal={deal} {...{ pipeline, moves, close }} />}>
      {deal ? <Happened deal={deal} /> : <Loading />}
    </Panel>
  );
}

function Happened({ deal }: { deal: Deal }) {
  const may = useMay();
  const { event, deliveries } = useWin(deal, { events: may("events:read"), webhooks: may("webhooks:read") });
  const commission = Number((event?.data as { first_commission_cents?: number } | undefined)?.first_commission_cents ?? 0);
  return (
    <div className={classes.view}>
      <div>
        <h3 className={classes.name}>{titleOf(deal)} is won</h3>
        <p className={classes.lead}>
          <b>
            <Money cents={deal.mrr_cents ?? 0} currency={deal.currency} />
          </b>{" "}
          a month{deal.plan ? ` on ${deal.plan}` : ""}. This followed by itself:
        </p>
      </div>
      <ul className={classes.happened}>
        {deal.client_id && <NewClient id={deal.client_id} deal={deal} />}
        {commission > 0 && (
          <li>
            <Coins aria-hidden />
            <p>
              First commission{" "}
              {may("commissions:read") ? (
                <Link className="link" to={`/earn/commissions?deal=${deal.id}`}>
                  <Money cents={commission} currency={deal.currency} />
                </Link>
              ) : (
                <b>
                  <Money cents={commission} currency={deal.currency} />
                </b>
              )}
            </p>
          </li>
        )}
        {may("events:read") && (
          <li>
            <Zap aria-hidden />
            <p aria-live="polite">
              {event ? (
                <>
                  Event <code>deal.won</code> <Id>{event.id}</Id>
                </>
              ) : (
                <span className="muted">
                  Event <code>deal.won</code>
                </span>
              )}
            </p>
          </li>
        )}
        {event && may("webhooks:read") && <Sent deliveries={deliveries} />}
      </ul>
    </div>
  );
}

function NewClient({ id, deal }: { id: string; deal: Deal }) {
  const may = useMay()("clients:read");
  const { data: client } = useClient(id);
  const isNew = client && deal.won_at && Date.parse(client.created_at) >= Date.parse(deal.won_at) - 1_000;
  return (
    <li>
      <Building2 aria-hidden />
      <p>
        {client === undefined ? "Client " : isNew ? "New client " : "Sold to your client "}
        {may ? (
          <Link className="link" to={`/clients/${id}`}>
            {client?.company ?? titleOf(deal)}
          </Link>
        ) : (
          <b>{client?.company ?? titleOf(deal)}</b>
        )}
        {client && <span className="muted">, {client.status}</span>}
      </p>
    </li>
  );
}

const TONES: Record<string, Tone> = { succeeded: "live", failed: "bad", cancelled: "ended" };

function Sent({ deliveries }: { deliveries: ReturnType<typeof useWin>["deliveries"] }) {
  if (deliveries.length === 0) {
    return (
      <li>
        <Webhook aria-hidden />
        <p className="muted">No webhook endpoint of yours takes this event.</p>
      </li>
    );
  }
  return deliveries.map(({ id, status, endpoint }) => (
    <li key={id}>
      <Webhook aria-hidden />
      <p>
        {endpoint.url} <State tone={TONES[status] ?? "wait"}>{status}</State>
      </p>
    </li>
  ));
}

/** A win can be taken back; what followed from it stays. */
function Foot({ deal, pipeline, moves, close }: { deal: Deal } & Pick<Props, "pipeline" | "moves" | "close">) {
  const { data: history = [] } = useHistory(deal.id);
  const from = pipeline?.stages.find(({ id }) => id === deal.stage_id);
  const before = pipeline?.stages.find(({ id }) => id === history[1]?.stage_id);
  const may = useMay()("deals:write");
  const back = () => {
    if (!from || !before) return;
    close();
    moves.move(cardOf(deal), from, before);
  };
  return (
    <>
      {may && before && deal.status === "won" && (
        <Button variant="subtle" leftSection={<Undo2 />} onClick={back} title="The client stays">
          Back to {before.name}
        </Button>
      )}
      <Button onClick={close}>Done</Button>
    </>
  );
}
