import { useParams } from "@tanstack/react-router";
import { useMay, useSession } from "../../api/session.ts";
import { Answer } from "../../ui/answer.tsx";
import { Id } from "../../ui/copy.tsx";
import { useGo } from "../../ui/link.tsx";
import { Page, Split } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import { useUrl } from "../../ui/url.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { When } from "../../ui/when.tsx";
import { usePipeline } from "../pipelines/data.ts";
import { DealActs } from "./acts.tsx";
import { type Deal, useDeal } from "./data.ts";
import classes from "./deals.module.css";
import { Earned } from "./earned.tsx";
import { EditDeal } from "./edit.tsx";
import { DealHistory } from "./history.tsx";
import { titleOf, useMoves } from "./moves.tsx";
import { WriteNote } from "./notes.tsx";
import { Track } from "./track.tsx";
import { DealFacts, Lead, Registration } from "./view.tsx";
import { WonPanel } from "./won.tsx";

const TONES: Record<Deal["status"], Tone> = { open: "wait", won: "live", lost: "ended" };

export default function OneDeal() {
  const { id = "", account } = useParams({ strict: false }) as { id?: string; account?: string };
  const query = useDeal(id);
  const deal = query.data;
  const list = account ? `/crm/${account}/deals` : "/deals";
  if (deal === undefined) return <Waiting title="Deal" trail={[["Deals", list]]} query={query} />;
  return <Shown deal={deal} list={list} />;
}

function Shown({ deal, list }: { deal: Deal; list: string }) {
  const [url, setUrl] = useUrl();
  const go = useGo();
  const may = useMay()("deals:write");
  const { house_account_id } = useSession();
  const { data: pipeline } = usePipeline(deal.pipeline_id);
  const moves = useMoves(pipeline, () => setUrl({ won: deal.id }, true));
  const house = deal.account_id === house_account_id;
  const acts = {
    deal,
    pipeline,
    moves,
    edit: () => setUrl({ edit: "yes" }, true),
    register: () => go(`${list}?new=yes&register=${deal.id}`),
    gone: () => go(list),
  };
  return (
    <Page
      title={
        <>
          <span className="cut">{titleOf(deal)}</span> <State tone={TONES[deal.status]}>{deal.stage}</State>
        </>
      }
      name={titleOf(deal)}
      trail={[["Deals", list]]}
      api={`GET /v1/deals/${deal.id}`}
      foot={
        <span>
          Version {deal.version}, changed <When at={deal.updated_at} as="since" />
        </span>
      }
      actions={<DealActs {...acts} />}
      phoneAction={<DealActs {...acts} phone />}
    >
      <Split
        side={
          <>
            <Section title="Facts">
              <DealFacts deal={deal} house={house} />
            </Section>
            <Registration deal={deal} />
          </>
        }
      >
        <Answer
          sub={
            <>
              <span>
                Created <When at={deal.created_at} as="day" />
              </span>
              <Id>{deal.id}</Id>
            </>
          }
        >
          <Lead deal={deal} pipeline={pipeline} />
        </Answer>
        {pipeline && <Track deal={deal} pipeline={pipeline} />}
        <Earned deal={deal} />
        <Section title="History">
          {may && (
            <div className={classes.write}>
              <WriteNote id={deal.id} />
            </div>
          )}
          <DealHistory deal={deal} />
        </Section>
      </Split>
      {url.edit === "yes" && may && <EditDeal deal={deal} close={() => setUrl({ edit: undefined })} />}
      {url.won && <WonPanel id={deal.id} {...{ pipeline, moves }} close={() => setUrl({ won: undefined })} />}
      {moves.dialogs}
    </Page>
  );
}
