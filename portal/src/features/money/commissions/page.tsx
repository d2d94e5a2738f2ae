import { Answer } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Page, PhoneActs, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import type { CommissionDetail } from "./data.ts";
import { Family, Receipt } from "./receipt.tsx";
import { Way } from "./way.tsx";
import { CommissionState, fromOf, KINDS, standing } from "./words.tsx";

type Props = Pick<React.ComponentProps<typeof Page>, "trail" | "api" | "foot" | "actions"> & {
  row: CommissionDetail;
  /** Who earns how much, in a sentence. */
  answer: React.ReactNode;
  /** Whose the amount is, under the receipt. */
  total: string;
  /** To whom its way leads. */
  reader: string;
  /** Where it comes from, and the terms that it was calculated by. */
  terms: React.ComponentProps<typeof Facts>["rows"];
  /** The page of another commission. */
  to(id: string): string;
  children?: React.ReactNode;
};

/** A commission as its partner and the operator see it: how much, why, what became of it, where it stands. */
export function CommissionPage({ row, answer, total, reader, terms, to, children, ...page }: Props) {
  const name = `${fromOf(row)}, ${KINDS[row.kind].toLowerCase()}`;
  const side = (
    <>
      <Section title={`Its way to ${reader}`}>
        <Way row={row} />
      </Section>
      <Section title="Terms">
        <Facts rows={terms} />
      </Section>
    </>
  );
  return (
    <Page
      {...page}
      title={
        <>
          <span className="cut">{name}</span> <CommissionState row={row} />
        </>
      }
      name={name}
    >
      <Split side={side}>
        <Answer
          sub={
            <>
              <span>{standing(row)}</span>
              <Id>{row.id}</Id>
            </>
          }
        >
          {answer}
        </Answer>
        {page.actions && <PhoneActs>{page.actions}</PhoneActs>}
        <Receipt row={row} total={total} />
        {row.related.length > 0 && <Family row={row} to={to} />}
        {children}
      </Split>
    </Page>
  );
}
