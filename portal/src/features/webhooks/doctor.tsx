import { Button, Textarea, TextInput } from "@mantine/core";
import { useSession } from "../../api/session.ts";
import { Form, useApiForm } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { day } from "../../ui/when.tsx";
import { type SignatureToVerify, useVerify } from "./data.ts";
import classes from "./webhooks.module.css";

/** "Name: value" per line; a line without a name is the signature itself. */
function headersOf(text: string, signature: string): Record<string, string> {
  const lines = text.split("\n").map((line) => line.trim());
  const named = lines.flatMap((line) => {
    const match = /^([A-Za-z0-9-]+)\s*:\s*(.+)$/.exec(line);
    return match ? [[match[1] ?? "", match[2] ?? ""] as const] : /^t=\d/.test(line) ? [[signature, line] as const] : [];
  });
  return Object.fromEntries(named);
}

const bodyOf = (
  values: { body: string; headers: string; computed: string },
  signature: string,
  endpoint_id?: string,
): SignatureToVerify => ({
  body: values.body,
  headers: headersOf(values.headers, signature),
  ...(values.computed.trim() === "" ? {} : { computed: values.computed.trim() }),
  ...(endpoint_id === undefined ? {} : { endpoint_id }),
});

/** Says why a receiver refuses a signature, and what to do about it. */
export function Doctor({ endpoint_id, close }: { endpoint_id?: string; close(): void }) {
  const verify = useVerify();
  // A programme without a name of its own signs as the service.
  const { name } = useSession().programme;
  const signature = `X-${name === "Tributary" ? "Service" : name}-Signature`;
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { body: "", headers: "", computed: "" },
    send: (values) => verify.mutateAsync(bodyOf(values, signature, endpoint_id)),
  });
  const verdict = verify.data;
  return (
    <Panel
      title="Signature doctor"
      close={close}
      foot={
        <Button type="submit" form="doctor" loading={busy}>
          Examine
        </Button>
      }
    >
      <Form id="doctor" onSubmit={onSubmit} problem={problem}>
        <p className="soft">
          Paste a request as your receiver got it. You learn whether its signature is right and, if not, what went wrong.
        </p>
        <Textarea
          label="Headers, or only the signature"
          placeholder={`${signature}: t=1794700800,v1=5257…`}
          autosize
          minRows={2}
          maxRows={8}
          classNames={{ input: `t-input ${classes.typed}` }}
          data-autofocus
          {...form.getInputProps("headers")}
        />
        <Textarea
          label="Body, byte for byte"
          placeholder='{"id":"evt_…","type":"deal.won",…}'
          autosize
          minRows={6}
          maxRows={16}
          classNames={{ input: `t-input ${classes.typed}` }}
          {...form.getInputProps("body")}
        />
        <TextInput
          label="What your code computed"
          description="If you have it: shows how the computation differs"
          {...form.getInputProps("computed")}
        />
        {verdict && (
          <div className={classes.verdict} data-bad={!verdict.valid || undefined} role="status">
            <State tone={verdict.valid ? "live" : "bad"} strong>
              {verdict.valid ? "The signature is right" : `Refused: ${(verdict.cause ?? "").replaceAll("_", " ")}`}
            </State>
            <p>{verdict.detail}</p>
            <Facts
              rows={[
                ["Secret", verdict.secret && `…${verdict.secret.hint}, of ${day(verdict.secret.created_at)}`],
                ["Signed", verdict.signed_seconds_ago === null ? null : `${verdict.signed_seconds_ago} s before it was received`],
                ["Event", verdict.event_id && <code key="event">{verdict.event_id}</code>],
                ["Endpoint", verdict.endpoint_id && <code key="endpoint">{verdict.endpoint_id}</code>],
              ]}
            />
          </div>
        )}
      </Form>
    </Panel>
  );
}
