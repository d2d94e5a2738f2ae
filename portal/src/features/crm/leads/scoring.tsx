import { ActionIcon, Button, NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Problem } from "../../../ui/form.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Content, Page } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { InAccount, ReadOnly } from "../records/account.tsx";
import { type Account, useCustomFields } from "../records/data.ts";
import { type Rule, type Scoring, useScoring, useSetScoring } from "./data.ts";
import classes from "./scoring.module.css";

type Choice = { value: string; label: string };

const FIELDS: readonly Choice[] = [
  { value: "status", label: "State" },
  { value: "name", label: "Name" },
  { value: "phone", label: "Phone" },
  { value: "email", label: "Email" },
  { value: "company", label: "Company" },
  { value: "title", label: "Title" },
  { value: "country", label: "Country" },
  { value: "owner_id", label: "Owner" },
  { value: "tags", label: "Tags" },
  { value: "source.kind", label: "Kind of source" },
  { value: "source.name", label: "Name of source" },
  { value: "source.url", label: "Page they came to" },
  { value: "source.referrer", label: "Page they came from" },
  { value: "source.click_id", label: "Click on an ad" },
  { value: "source.utm.source", label: "UTM source" },
  { value: "source.utm.medium", label: "UTM medium" },
  { value: "source.utm.campaign", label: "UTM campaign" },
  { value: "activity_count", label: "Activities" },
  { value: "age_days", label: "Days since created" },
  { value: "idle_days", label: "Days without activity" },
];
const OPS: readonly { value: Rule["op"]; label: string }[] = [
  { value: "exists", label: "is there" },
  { value: "missing", label: "is missing" },
  { value: "is", label: "is" },
  { value: "is_not", label: "is not" },
  { value: "in", label: "is one of" },
  { value: "contains", label: "contains" },
  { value: "gt", label: "is more than" },
  { value: "lt", label: "is less than" },
];

export default function ScoringPage() {
  return <InAccount title="Scoring">{(account) => <ScoringOf account={account} />}</InAccount>;
}

function ScoringOf({ account }: { account: Account }) {
  const { data, error, refetch } = useScoring(account.id);
  const may = useMay();
  const writes = may("leads:write") && account.readOnly === null;
  return (
    <Page
      title="Scoring"
      trail={[["Leads", `/crm/${account.id}/leads`]]}
      api={`GET /v1/leads/scoring?account_id=${account.id}`}
      foot={
        data && <span>{data.updated_at === null ? "The rules that every account starts with" : `Version ${data.version}`}</span>
      }
    >
      <ReadOnly account={account} />
      <Content>
        {error && <Failure title="The rules did not load" error={error} retry={refetch} />}
        {!data && !error && <Loading />}
        {data && <Rules key={data.version} account={account} scoring={data} writes={writes} />}
      </Content>
    </Page>
  );
}

type Edited = Rule & { key: string };
const withKey = (rule: Rule): Edited => ({ ...rule, key: crypto.randomUUID() });

/** As the API wants a rule: a number for more and less, a list for "one of", nothing for "is there". */
function ruleOf({ key: _, value, ...rule }: Edited): Rule {
  if (rule.op === "exists" || rule.op === "missing") return rule;
  if (rule.op === "gt" || rule.op === "lt") return { ...rule, value: Number(value ?? 0) };
  if (rule.op === "in") return { ...rule, value: Array.isArray(value) ? value : value === undefined ? [] : [value] };
  return { ...rule, value: Array.isArray(value) ? (value[0] ?? "") : (value ?? "") };
}

function Rules({ account, scoring, writes }: { account: Account; scoring: Scoring; writes: boolean }) {
  const [rules, setRules] = useState<readonly Edited[]>(() => scoring.rules.map(withKey));
  const custom = useCustomFields(account.id, "lead").data ?? [];
  const save = useSetScoring();
  const fields = [...FIELDS, ...custom.map(({ key, label }) => ({ value: `custom.${key}`, label }))];
  const change = (key: string, part: Partial<Rule>) =>
    setRules(rules.map((rule) => (rule.key === key ? ({ ...rule, ...part } as Edited) : rule)));
  const textOf = (all: readonly Edited[]) => JSON.stringify(all.map(ruleOf));
  const changed = textOf(rules) !== textOf(scoring.rules.map(withKey));
  const high = rules.reduce((sum, { points }) => sum + Math.max(0, points), 0);
  const send = async () => {
    const saved = await save.mutateAsync({ scoring, rules: rules.map(ruleOf) });
    toast(saved.rescoring ? "Saved. The scores follow within minutes." : "Saved, and every lead is scored anew", () => {
      save.mutateAsync({ scoring: saved, rules: scoring.rules }).catch((error: Error) => toastError("Not undone", error));
    });
  };
  return (
    <>
      <Answer sub={`All matching rules together give up to ${high} points; a score stays within 0 and 100.`}>
        <b>{rules.length}</b> rules say who comes first
      </Answer>
      {scoring.rescoring && (
        <Blocker title="Leads are being scored anew">Some still have their score by the earlier rules.</Blocker>
      )}
      <Section title="Rules" aside="A lead gets the points of each that matches">
        <ul className={classes.rules}>
          {rules.map((rule) => (
            <RuleRow
              key={rule.key}
              rule={rule}
              fields={fields}
              writes={writes}
              change={(part) => change(rule.key, part)}
              remove={() => setRules(rules.filter(({ key }) => key !== rule.key))}
            />
          ))}
        </ul>
        {writes && (
          <Button
            variant="subtle"
            leftSection={<Plus />}
            onClick={() => setRules([...rules, withKey({ name: "", field: "phone", op: "exists", points: 10 })])}
          >
            Add a rule
          </Button>
        )}
      </Section>
      <Problem error={save.error} />
      {writes && (
        <div className={classes.acts}>
          <Button disabled={!changed} loading={save.isPending} onClick={() => void send().catch(() => {})}>
            Save
          </Button>
          <span className="muted">
            {changed
              ? "Every lead that is not converted is scored anew: 500 at once, the others within minutes."
              : "Nothing is changed."}
          </span>
        </div>
      )}
    </>
  );
}

type RowProps = { rule: Edited; fields: readonly Choice[]; writes: boolean; change(part: Partial<Rule>): void; remove(): void };

function RuleRow({ rule, fields, writes, change, remove }: RowProps) {
  const name = rule.name || "New rule";
  const common = { disabled: !writes, size: "sm" } as const;
  const number = rule.op === "gt" || rule.op === "lt";
  return (
    <li className={classes.rule}>
      <TextInput
        aria-label={`Name of ${name}`}
        placeholder="What it says"
        value={rule.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        {...common}
      />
      <Select
        aria-label={`Field of ${name}`}
        data={[...fields]}
        value={rule.field}
        searchable
        onChange={(field) => field && change({ field })}
        {...common}
      />
      <Select
        aria-label={`Condition of ${name}`}
        data={[...OPS]}
        value={rule.op}
        onChange={(op) => op && change({ op: op as Rule["op"] })}
        {...common}
      />
      {rule.op === "exists" || rule.op === "missing" ? (
        <span className="only-desk" />
      ) : rule.op === "in" ? (
        <TagsInput
          aria-label={`Values of ${name}`}
          value={Array.isArray(rule.value) ? rule.value.map(String) : []}
          onChange={(value) => change({ value })}
          {...common}
        />
      ) : (
        <TextInput
          aria-label={`Value of ${name}`}
          inputMode={number ? "numeric" : "text"}
          value={String(rule.value ?? "")}
          onChange={({ currentTarget }) => change({ value: currentTarget.value })}
          {...common}
        />
      )}
      <NumberInput
        aria-label={`Points of ${name}`}
        min={-100}
        max={100}
        suffix=" points"
        hideControls
        value={rule.points}
        onChange={(points) => change({ points: Number(points) || 0 })}
        {...common}
      />
      {writes && (
        <ActionIcon aria-label={`Remove ${name}`} onClick={remove}>
          <X size={14} />
        </ActionIcon>
      )}
    </li>
  );
}
