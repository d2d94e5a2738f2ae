import { Button } from "@mantine/core";
import { Form, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { Page, Split } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import classes from "../operator.module.css";
import { useCreateRule } from "./data.ts";
import { Conditions, Earnings, Handling, Subject } from "./fields.tsx";
import { InWords } from "./in-words.tsx";
import { Simulate } from "./simulate.tsx";
import { bodyOf, valuesOf } from "./values.ts";

export default function NewRule() {
  const [url] = useUrl();
  const create = useCreateRule();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(null, url.partner ?? null),
    async send(values, key) {
      const rule = await create.mutateAsync({ body: bodyOf(values), key });
      toast(`${rule.name} is in force`);
      go(`/programme/rules/${rule.id}`, { replace: true });
    },
  });
  return (
    <Page title="New rule" trail={[["Rules", "/programme/rules"]]} api="POST /v1/admin/rules">
      <Split
        side={
          <>
            <InWords values={form.values} />
            <Simulate values={form.values} />
          </>
        }
      >
        <div className={classes.form}>
          <Form onSubmit={onSubmit} problem={problem}>
            <Subject form={form} />
            <Earnings form={form} />
            <Conditions form={form} />
            <Handling form={form} />
            <div className={classes.save}>
              <Button type="submit" loading={busy}>
                Create rule
              </Button>
            </div>
          </Form>
        </div>
      </Split>
    </Page>
  );
}
