import { useMay } from "../../../api/session.ts";
import { useClient } from "../../clients/data.ts";
import { usePipeline } from "../../pipelines/data.ts";
import { type PaymentLink, useDealOf } from "./data.ts";
import classes from "./links.module.css";

type Planned = Pick<PaymentLink, "deal_id" | "on_paid" | "charge">;

/** What a payment sets off, in words. */
function useSetOff({ deal_id, on_paid, charge }: Planned): string[] {
  const may = useMay();
  const stage = on_paid?.move_deal?.stage;
  const deal = useDealOf(deal_id, may("deals:read") && stage !== undefined).data;
  const stages = usePipeline(deal?.pipeline_id).data?.stages ?? [];
  const client_id = charge?.client_id ?? "";
  const client = useClient(client_id, client_id !== "").data;
  const tags = on_paid?.add_tags ?? [];
  const words: string[] = [];
  if (stage !== undefined)
    words.push(`${deal?.name ?? "The deal"} moves to ${stages.find(({ id }) => id === stage)?.name ?? "its next stage"}`);
  if (tags.length > 0) words.push(`The customer is tagged ${tags.join(", ")}`);
  if (on_paid?.send_message) words.push(`The customer reads “${on_paid.send_message.text}”`);
  if (charge)
    words.push(`${client_id === "" ? "The client of the deal" : (client?.company ?? "The client")} is charged, and you earn`);
  return words;
}

type Props = { planned: Planned; children(list: React.ReactNode): React.ReactNode };

/** What happens once a link is paid; nothing where nothing does. */
export function SetOff({ planned, children }: Props) {
  const words = useSetOff(planned);
  if (words.length === 0) return null;
  return children(
    <ul className={classes.then}>
      {words.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>,
  );
}
