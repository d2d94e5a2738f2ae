import { Button, Menu, TextInput } from "@mantine/core";
import { Link } from "../../../ui/link.tsx";
import { usePreview, useTemplates } from "../../crm/templates/data.ts";
import type { Conversation } from "./data.ts";
import { type Draft, varsOf } from "./drafts.ts";
import classes from "./inbox.module.css";

type Chosen = NonNullable<Draft["template"]>;

/** The templates that fit the channel of a conversation. */
export function TemplateChoice({ conversation, choose }: { conversation: Conversation; choose(template: Chosen): void }) {
  const { account_id, channel_kind } = conversation;
  const kind = channel_kind === "simulator" ? "sms" : channel_kind;
  const fitting = useTemplates(account_id, false).data?.filter(({ channel }) => channel === "any" || channel === kind) ?? [];
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button variant="subtle" size="xs">
          Template
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices}>
        {fitting.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => choose({ id, name, vars: {} })}>
            {name}
          </Menu.Item>
        ))}
        {fitting.length === 0 && <Menu.Label>No template fits this channel</Menu.Label>}
        <Menu.Divider />
        <Menu.Item component={Link} to={`/crm/${account_id}/templates`}>
          All templates
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** What a template says to this person, with fields for what the writer has to give. */
export function TemplateText({
  conversation: { contact_id, lead_id },
  template,
  change,
}: {
  conversation: Conversation;
  template: Chosen;
  change(values: Partial<Draft>): void;
}) {
  const person: Parameters<typeof usePreview>[1] = contact_id !== null ? { contact_id } : lead_id !== null ? { lead_id } : {};
  const vars = varsOf(template);
  const { data, error } = usePreview(template.id, { ...person, ...(Object.keys(vars).length === 0 ? {} : { vars }) });
  const asked = (name: string) => name.replace(/^vars\./, "");
  const names = new Set([
    ...Object.keys(template.vars),
    ...(data?.missing.filter((name) => name.startsWith("vars.")).map(asked) ?? []),
  ]);
  const lacking = data?.missing.filter((name) => !name.startsWith("vars.")) ?? [];
  return (
    <div className={classes.template}>
      <header>
        <b className="cut">{template.name}</b>
        <Button
          variant="subtle"
          size="xs"
          disabled={data === undefined}
          onClick={() => change({ template: null, text: data?.text ?? "" })}
        >
          Edit as text
        </Button>
        <Button variant="subtle" size="xs" onClick={() => change({ template: null })}>
          Remove
        </Button>
      </header>
      {data?.subject && <strong>{data.subject}</strong>}
      <p aria-live="polite">{error ? error.message : data?.text}</p>
      {[...names].map((name) => (
        <TextInput
          key={name}
          label={name.replaceAll("_", " ")}
          value={template.vars[name] ?? ""}
          onChange={({ currentTarget }) =>
            change({ template: { ...template, vars: { ...template.vars, [name]: currentTarget.value } } })
          }
        />
      ))}
      {lacking.length > 0 && (
        <p className={classes.bad}>Nothing is known for {lacking.join(", ")}: it cannot be sent like this.</p>
      )}
    </div>
  );
}
