import { ApiError } from "@tributary/sdk";
import { useCallback, useRef, useState } from "react";
import { toast, toastError } from "../../ui/toast.tsx";
import { ago } from "../../ui/when.tsx";
import type { Pipeline, Stage } from "../pipelines/data.ts";
import { AskFields, AskReason } from "./ask.tsx";
import { type BoardDeal, type Deal, lastMove, useMoveDeal } from "./data.ts";

type Request = { deal: BoardDeal; from: Stage; to: Stage; lost_reason?: string };
type Asked = Request & ({ needs: "reason" } | { needs: "fields"; fields: readonly string[] });
type Violation = { rule: string; fields?: string[]; detail: string };

export type Moves = {
  move(deal: BoardDeal, from: Stage, to: Stage): void;
  /** What was said last, for people who hear the page. */
  said: string;
  dialogs: React.ReactNode;
};

/** A deal as a card of the board. */
export const cardOf = (deal: Deal): BoardDeal => ({ ...deal, days_over: 0, owner: null });

export const titleOf = ({ company, name }: Pick<BoardDeal, "company" | "name">) => company ?? name;

/**
 * Moves deals and talks about it: asks for the reason of a loss and for what a stage needs, says who was quicker, and offers to take
 * a move back. A win is shown by whoever asks for it.
 */
export function useMoves(pipeline: Pipeline | undefined, won: (deal: Deal) => void): Moves {
  const { mutateAsync } = useMoveDeal();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, say] = useState("");
  const perform = async (request: Request): Promise<void> => {
    const { deal, from, to, lost_reason } = request;
    const name = titleOf(deal);
    try {
      const body = { deal, pipeline: pipeline?.id ?? "", from: from.id, to: to.id };
      const saved = await mutateAsync({ ...body, ...(lost_reason ? { lost_reason } : {}) });
      say(`${name} moved from ${from.name} to ${to.name}`);
      if (to.type === "won" && saved.sale) return won(saved);
      toast(
        <>
          <b>{name}</b> is in {to.name}
        </>,
        () =>
          void perform({
            deal: cardOf(saved),
            from: to,
            to: from,
            ...(deal.lost_reason ? { lost_reason: deal.lost_reason } : {}),
          }),
      );
    } catch (error) {
      const question = error instanceof ApiError ? questionOf(error, request) : null;
      if (question !== null) return setAsked(question);
      const reason = error instanceof ApiError && error.code === "stage_conflict" ? await whoMoved(deal.id) : null;
      say(`${name} was not moved. ${reason?.message ?? (error as Error).message}`);
      toastError(`${name} was not moved`, reason ?? (error as Error));
    }
  };
  const latest = useRef(perform);
  latest.current = perform;
  const move = useCallback((deal: BoardDeal, from: Stage, to: Stage) => {
    if (from.id === to.id) return;
    if (to.type === "lost") setAsked({ deal, from, to, needs: "reason" });
    else void latest.current({ deal, from, to });
  }, []);
  return { move, said, dialogs: <Questions asked={asked} pipeline={pipeline} close={() => setAsked(null)} perform={perform} /> };
}

type QuestionsProps = {
  asked: Asked | null;
  pipeline: Pipeline | undefined;
  close(): void;
  perform(request: Request): Promise<void>;
};

function Questions({ asked, pipeline, close, perform }: QuestionsProps) {
  if (asked === null) return null;
  const { deal, from, to, lost_reason } = asked;
  const request: Request = { deal, from, to, ...(lost_reason ? { lost_reason } : {}) };
  if (asked.needs === "fields") {
    const done = () => {
      close();
      void perform(request);
    };
    return <AskFields id={deal.id} to={to} fields={asked.fields} close={close} done={done} />;
  }
  const lose = (reason: string) => {
    close();
    void perform({ ...request, ...(reason ? { lost_reason: reason } : {}) });
  };
  return (
    <AskReason name={titleOf(deal)} to={to} required={pipeline?.rules.require_lost_reason ?? false} close={close} lose={lose} />
  );
}

/** What to ask so that the move can be repeated; null where nothing that one could type would help. */
function questionOf(error: ApiError, request: Request): Asked | null {
  if (error.code !== "stage_rule_violation") return null;
  const violations = (error.problem.violations ?? []) as Violation[];
  if (violations.some(({ fields }) => fields === undefined)) return null;
  const fields = violations.flatMap((violation) => violation.fields ?? []);
  if (fields.includes("lost_reason")) return { ...request, needs: "reason" };
  return { ...request, needs: "fields", fields };
}

/** "Tom Maas moved it to Proposal, 4 min ago." */
async function whoMoved(id: string): Promise<Error | null> {
  const last = await lastMove(id).catch(() => undefined);
  if (last === undefined) return null;
  const who = last.moved_by_name ?? (last.moved_by === "system" ? "The service" : "Somebody");
  const when = ago(last.entered_at);
  return new Error(`${who} moved it to ${last.stage}${when === "now" ? " just now" : `, ${when} ago`}.`);
}
