import { Button, Checkbox, MultiSelect, Progress, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Form, Pair, useApiForm } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { type Endpoint, useEventTypes } from "../data.ts";
import classes from "../webhooks.module.css";
import { type Replay, type ReplayBody, useCancelReplay, useReplay, useReplayCount, useReplays } from "./data.ts";

const DAY_MS = 86_400_000;

type Values = { since: string; until: string; types: string[]; only_failed: boolean };

/** A time as the field wants it: local, to the minute. */
const local = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function bodyOf({ since, until, types, only_failed }: Values): ReplayBody | null {
  if (since === "") return null;
  return {
    since: new Date(since).toISOString(),
    ...(until === "" ? {} : { until: new Date(until).toISOString() }),
    ...(types.length === 0 ? {} : { types: types as NonNullable<ReplayBody["types"]> }),
    only_failed,
  };
}

/** Sends past events again: which, how many that is, and how far it got. */
export function ReplayPanel({ endpoint, close }: { endpoint: Endpoint; close(): void }) {
  const types = useEventTypes().data ?? [];
  const replay = useReplay(endpoint.id);
  const replays = useReplays(endpoint.id).data ?? [];
  const running = replays.find(({ state }) => state === "running");
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { since: local(new Date(Date.now() - DAY_MS)), until: "", types: [], only_failed: true },
    async send(values, key) {
      const body = bodyOf(values);
      if (body === null) return;
      const { total } = await replay.mutateAsync({ body, key });
      toast(`${total} ${total === 1 ? "event is" : "events are"} sent again`);
    },
  });
  const [settled] = useDebouncedValue(form.values, 300);
  const count = useReplayCount(endpoint.id, bodyOf(settled));
  const total = count.data;
  return (
    <Panel
      title="Replay"
      close={close}
      foot={
        <Button type="submit" form="replay" loading={busy} disabled={running !== undefined || total === 0}>
          {total === undefined
            ? "Replay"
            : `Replay ${total === 100_000 ? "100,000+" : total} ${total === 1 ? "event" : "events"}`}
        </Button>
      }
    >
      <Form id="replay" onSubmit={onSubmit} problem={problem ?? count.error}>
        <p className="soft">
          Events are sent again with their own ids, so a receiver that remembers ids can skip those it has. New events do not wait
          behind them.
        </p>
        <Pair>
          <TextInput type="datetime-local" label="From" {...form.getInputProps("since")} />
          <TextInput
            type="datetime-local"
            label="Until"
            description="Empty: now"
            inputWrapperOrder={["label", "input", "description", "error"]}
            {...form.getInputProps("until")}
          />
        </Pair>
        <MultiSelect
          label="Types"
          placeholder={form.values.types.length === 0 ? "All of the endpoint" : ""}
          data={types
            .map(({ type }) => type)
            .filter((type) => endpoint.event_types[0] === "*" || (endpoint.event_types as string[]).includes(type))}
          {...form.getInputProps("types")}
        />
        <Checkbox
          label="Only those that failed and did not arrive since"
          {...form.getInputProps("only_failed", { type: "checkbox" })}
        />
        <p role="status" className="strong">
          {total === undefined
            ? " "
            : total === 0
              ? "Nothing matches: there is nothing to send."
              : `${total === 100_000 ? "100,000 or more" : total} ${total === 1 ? "event" : "events"} would be sent.`}
        </p>
        {replays.length > 0 && (
          <Section title="Replays">
            <ul className={classes.replays}>
              {replays.map((one) => (
                <OneReplay key={one.id} replay={one} />
              ))}
            </ul>
          </Section>
        )}
      </Form>
    </Panel>
  );
}

const TONES = { running: "wait", done: "live", cancelled: "ended", dry_run: "ended" } as const;

function OneReplay({ replay }: { replay: Replay }) {
  const cancel = useCancelReplay(replay.endpoint_id);
  const { id } = replay;
  return (
    <li>
      <span className={classes.replay}>
        <State tone={TONES[replay.state]}>{replay.state}</State>
        <span className="muted">
          {replay.queued} of {replay.total} queued
        </span>
        <When at={replay.created_at} />
        {replay.state === "running" && id !== null && (
          <Button
            size="xs"
            variant="default"
            onClick={() => cancel.mutateAsync(id).catch((error: Error) => toastError("Not cancelled", error))}
          >
            Cancel
          </Button>
        )}
      </span>
      {replay.state === "running" && (
        <Progress
          value={replay.total === 0 ? 100 : (100 * replay.queued) / replay.total}
          size={6}
          aria-label="Progress of the replay"
        />
      )}
    </li>
  );
}
