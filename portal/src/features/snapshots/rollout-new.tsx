import { Checkbox, Modal, NumberInput, Radio, Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { Form, FormFoot, Pair, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Policy, type Snapshot, useVersions } from "./data.ts";
import { type RolloutBody, useStartRollout } from "./rollouts.data.ts";
import { POLICIES } from "./words.tsx";

type Target = "all" | "installed";

const CANARIES = [
  { value: "default", label: "One of a hundred", note: "1 to 50 clients, and nobody where there are fewer than ten" },
  { value: "count", label: "So many clients", note: "They are chosen at random" },
  { value: "percent", label: "So many percent", note: "They are chosen at random" },
  { value: "none", label: "Nobody", note: "Everybody gets it at once" },
] as const;
type Canary = (typeof CANARIES)[number]["value"];

/** As the API wants it: left out for the default, null for none. */
function canaryOf(canary: Canary, size: number | string): Pick<RolloutBody, "canary"> {
  if (canary === "default") return {};
  if (canary === "none") return { canary: null };
  return { canary: canary === "count" ? { count: Number(size) } : { percent: Number(size) } };
}

type Values = {
  version: string;
  conflict_policy: Policy;
  canary: Canary;
  canary_size: number | string;
  max_failure_percent: number | string;
  dry_run: boolean;
};

const NEW: Omit<Values, "version"> = {
  conflict_policy: "merge",
  canary: "default",
  canary_size: 5,
  max_failure_percent: 5,
  dry_run: false,
};

/** The canary: by its size, by default, or none. */
function WhoFirst({ form }: { form: UseFormReturnType<Values> }) {
  const { canary } = form.values;
  const counted = canary === "count";
  return (
    <Pair>
      <Select
        label="Who comes first"
        description={CANARIES.find(({ value }) => value === canary)?.note}
        allowDeselect={false}
        data={CANARIES.map(({ value, label }) => ({ value, label }))}
        {...form.getInputProps("canary")}
      />
      {(counted || canary === "percent") && (
        <NumberInput
          label={counted ? "Clients" : "Percent"}
          description="Before everybody else"
          min={1}
          max={counted ? 100_000 : 100}
          allowDecimal={false}
          {...form.getInputProps("canary_size")}
        />
      )}
    </Pair>
  );
}

/** A version for many clients: a few first, everybody when they went well. */
export function StartRollout({ snapshot, close }: { snapshot: Snapshot; close(): void }) {
  const start = useStartRollout();
  const go = useGo();
  const versions = useVersions(snapshot.id).rows;
  const [target, setTarget] = useState<Target>("installed");
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { ...NEW, version: String(snapshot.latest_version ?? "") },
    faultsOf: ({ errors }) => {
      const fault = errors.find(({ pointer }) => pointer.startsWith("#/canary"));
      return fault === undefined ? {} : { canary_size: fault.detail };
    },
    async send({ version, conflict_policy, canary, canary_size, max_failure_percent, dry_run }, key) {
      const body = {
        version: Number(version),
        target,
        ...canaryOf(canary, canary_size),
        conflict_policy,
        dry_run,
        max_failure_percent: Number(max_failure_percent),
      };
      const rollout = await start.mutateAsync({ snapshot_id: snapshot.id, body, key });
      toast(dry_run ? "The dry run has begun" : "The rollout has begun");
      go(`/snapshots/rollouts/${rollout.id}`);
    },
  });
  return (
    <Modal opened onClose={close} title={`Roll out ${snapshot.name}`} size={520}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Radio.Group label="For" value={target} onChange={(value) => setTarget(value as Target)}>
          <Radio value="installed" label="Every client that runs it" mt={8} data-autofocus />
          <Radio value="all" label="Every active client" mt={8} />
        </Radio.Group>
        <Pair>
          <Select
            label="Version"
            allowDeselect={false}
            data={versions.map(({ version }) => ({ value: String(version), label: `v${version}` }))}
            {...form.getInputProps("version")}
          />
          <NumberInput label="Halts above" min={0} max={100} suffix="% failed" {...form.getInputProps("max_failure_percent")} />
        </Pair>
        <WhoFirst form={form} />
        <Select
          label="Where a client changed something"
          description={POLICIES.find(({ value }) => value === form.values.conflict_policy)?.note}
          allowDeselect={false}
          data={POLICIES.map(({ value, label }) => ({ value, label }))}
          {...form.getInputProps("conflict_policy")}
        />
        <Checkbox
          label="Dry run: plan for all of them, change nothing"
          checked={form.values.dry_run}
          onChange={({ currentTarget }) => form.setFieldValue("dry_run", currentTarget.checked)}
        />
        <p className="muted">Everybody follows only if those who come first go well. You can pause and roll back at any time.</p>
        <FormFoot action={form.values.dry_run ? "Start dry run" : "Start rollout"} busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
