import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { Form, useApiForm } from "../../ui/form.tsx";
import { Page, Split } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { day, When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Rule, useRule, useUpdateRule } from "./data.ts";
import { Conditions, Earnings, Handling } from "./fields.tsx";
import { useNames } from "./names.ts";
import { Simulate } from "./simulate.tsx";
import { termsOf, valuesOf } from "./values.ts";
import { Versions } from "./versions.tsx";
import { conditionsText, subjectText, termsText } from "./words.ts";

const TRAIL = [["Rules", "/programme/rules"]] as const;

export default function OneRule() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useRule(id);
  const rule = query.data;
  if (rule === undefined) return <Waiting title="Rule" trail={TRAIL} query={query} />;
  return <Shown key={rule.version} rule={rule} />;
}

function Shown({ rule }: { rule: Rule }) {
  const update = useUpdateRule();
  const names = useNames([rule.partner_id]);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(rule),
    async send(values) {
      const saved = await update.mutateAsync({ rule, body: termsOf(values) });
      toast(`${saved.name} is version ${saved.version}`, () => {
        const before = termsOf(valuesOf(rule));
        update.mutateAsync({ rule: saved, body: before }).catch((error: Error) => toastError("Not undone", error));
      });
    },
  });
  const only = conditionsText(rule);
  return (
    <Page
      title={
        <>
          <span className="cut">{rule.name}</span> <RuleState rule={rule} />
        </>
      }
      name={rule.name}
      trail={TRAIL}
      api={`GET /v1/admin/rules/${rule.id}`}
      foot={
        <span>
          Version {rule.version}, made <When at={rule.created_at} as="since" />
        </span>
      }
      actions={<Switching rule={rule} />}
      phoneAction={<Switching rule={rule} />}
    >
      <Split
        side={
          <>
            <Simulate values={form.values} rule_id={rule.id} />
            <Versions rule={rule} />
          </>
        }
      >
        <Answer
          sub={
            <>
              <span>{only ? `Only sales of ${only}` : "Sales of anything"}</span>
              <span>
                version {rule.version} since {day(rule.created_at)}
              </span>
              <Id>{rule.id}</Id>
            </>
          }
        >
          {subjectText(rule, names)} {rule.scope === "partner" ? "earns" : "earn"} <strong>{termsText(rule)}</strong>
        </Answer>
        <div className={classes.form}>
          <Form onSubmit={onSubmit} problem={problem}>
            <Earnings form={form} />
            <Conditions form={form} />
            <Handling form={form} />
            <div className={classes.save}>
              <Button type="submit" loading={busy} disabled={!form.isDirty()}>
                Save as version {rule.version + 1}
              </Button>
            </div>
          </Form>
        </div>
      </Split>
    </Page>
  );
}

function RuleState({ rule }: { rule: Rule }) {
  return <State tone={rule.active ? "live" : "ended"}>{rule.active ? "in force" : "switched off"}</State>;
}

/** Takes a rule out of force, or back. */
function Switching({ rule }: { rule: Rule }) {
  const [asks, setAsks] = useState(false);
  const update = useUpdateRule();
  const switchTo = async (from: Rule, active: boolean) => {
    const saved = await update.mutateAsync({ rule: from, body: { active } });
    const back = () => {
      switchTo(saved, !active).catch((error: Error) => toastError("Not undone", error));
    };
    toast(`${saved.name} is ${active ? "in force" : "switched off"}`, active === rule.active ? undefined : back);
  };
  if (!rule.active)
    return (
      <Button
        variant="default"
        loading={update.isPending}
        onClick={() => void switchTo(rule, true).catch((error: Error) => toastError("Not in force", error))}
      >
        Put in force
      </Button>
    );
  return (
    <>
      <Button variant="default" onClick={() => setAsks(true)}>
        Switch off…
      </Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Switch off ${rule.name}?`}
        action="Switch off"
        danger
        onConfirm={() => switchTo(rule, false)}
      >
        <p>
          From now on the next rule that matches decides, and where there is none, a won sale earns nothing.{" "}
          {rule.applies_to === "new_deals"
            ? "Sales that were won under it keep its terms."
            : "Sales that were won under it earn their further charges by another rule."}
        </p>
      </Confirm>
    </>
  );
}
