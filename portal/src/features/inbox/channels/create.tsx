import { Select } from "@mantine/core";
import type { ApiError } from "@tributary/sdk";
import { useSession } from "../../../api/session.ts";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type ChannelKind, useCreateChannel } from "./data.ts";
import { ChannelFields } from "./fields.tsx";
import { hoursMembersOf } from "./hours.ts";
import { FIELDS, KINDS } from "./kinds.ts";
import { membersOf, type Values, valuesOf } from "./values.ts";

/** A name that is taken is about the name. */
export const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "duplicate_channel" ? { name: problem.detail } : {};

/** A new channel, by its kind. The simulator reaches nobody, and is there for demos. */
export function CreateChannel({ account, close }: { account: Account; close(): void }) {
  const { demo } = useSession();
  const create = useCreateChannel();
  const go = useGo();
  const kinds = (Object.keys(FIELDS) as ChannelKind[]).filter((kind) => kind !== "simulator" || demo);
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: valuesOf(demo ? "simulator" : "sms"),
    faultsOf,
    async send({ kind, name, per_minute, config, secrets, ...hours }, key) {
      const given = membersOf(kind, "secrets", secrets);
      const channel = await create.mutateAsync({
        body: {
          account_id: account.id,
          kind: kind as "sms",
          name,
          per_minute: Number(per_minute),
          ...hoursMembersOf(hours),
          config: membersOf(kind, "config", config),
          ...(Object.keys(given).length === 0 ? {} : { secrets: given }),
        },
        key,
      });
      toast(`${channel.name} is created: test it now`);
      go(`/crm/${account.id}/channels?open=${channel.id}`);
    },
  });
  const { kind } = form.values;
  const { onChange: _, ...kindProps } = form.getInputProps("kind");
  return (
    <Panel
      title="New channel"
      close={close}
      foot={<FormFoot form="new-channel" action="Create channel" busy={busy} close={close} />}
    >
      <Form id="new-channel" onSubmit={onSubmit} problem={problem}>
        <Select
          label="Kind"
          data-autofocus
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: KINDS[value].name }))}
          {...kindProps}
          onChange={(value) => {
            const { name, per_minute, limited, timezone, hours } = form.values;
            form.setValues({ ...valuesOf(value as ChannelKind), name, per_minute, limited, timezone, hours });
          }}
        />
        <ChannelFields form={form} kind={kind} />
      </Form>
    </Panel>
  );
}
