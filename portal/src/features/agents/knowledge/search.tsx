import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useState } from "react";
import { Failure } from "../../../ui/failure.tsx";
import type { Account } from "../../crm/records/data.ts";
import { useSearch } from "./data.ts";
import classes from "./knowledge.module.css";

/** A question as a person would ask it, and what agents would find. */
export function TrySearch({ account, open }: { account: Account; open(id: string): void }) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 250);
  const { data, error, refetch } = useSearch(account.id, settled);
  const asked = text.trim() !== "" && settled.trim() !== "";
  return (
    <div className={classes.search}>
      <TextInput
        aria-label="Try a question"
        placeholder="What would an agent find?"
        type="search"
        leftSection={<Search size={14} />}
        maxLength={500}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {asked && error && <Failure small title="The search failed" error={error} retry={refetch} />}
      {asked && data && (
        <ul aria-label="What would be found" aria-live="polite">
          {data.length === 0 && <li className="muted">Nothing: the agent would say that it does not know.</li>}
          {data.map(({ source_id, chunk, title, quote, score }) => (
            <li key={`${source_id} ${chunk}`}>
              <button type="button" onClick={() => open(source_id)}>
                <b>{title}</b> <span className="muted">passage {chunk}</span>
                <span className={classes.score}>{score.toFixed(2)}</span>
                <q>{quote}</q>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
