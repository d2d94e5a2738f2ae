import { useMay, useSession } from "../../api/session.ts";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { Pipeline } from "../pipelines/data.ts";
import { DealActs } from "./acts.tsx";
import { useDeal } from "./data.ts";
import classes from "./deals.module.css";
import { EditDeal } from "./edit.tsx";
import type { Moves } from "./moves.tsx";
import { WriteNote } from "./notes.tsx";
import { DealView } from "./view.tsx";

type Props = {
  id: string;
  pipelines: readonly Pipeline[];
  moves: Moves;
  /** The page that shows the same at full width. */
  full: string;
  edits: boolean;
  setEdits(edits: boolean): void;
  register(): void;
  close(): void;
};

/** A deal beside the board or the table. */
export function DealPanel({ id, pipelines, moves, full, edits, setEdits, register, close }: Props) {
  const { data: deal, error, refetch } = useDeal(id);
  const { house_account_id } = useSession();
  const may = useMay()("deals:write");
  const pipeline = pipelines.find((one) => one.id === deal?.pipeline_id);
  if (edits && deal && may) return <EditDeal deal={deal} close={() => setEdits(false)} />;
  return (
    <Panel
      title={<Id>{id}</Id>}
      close={close}
      full={full}
      foot={
        deal &&
        may && (
          <div className={classes.foot}>
            <WriteNote id={id} />
            <DealActs deal={deal} {...{ pipeline, moves, register }} edit={() => setEdits(true)} gone={close} />
          </div>
        )
      }
    >
      {deal ? (
        <DealView deal={deal} pipeline={pipeline} house={deal.account_id === house_account_id} />
      ) : error ? (
        <Failure small title="The deal did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}
