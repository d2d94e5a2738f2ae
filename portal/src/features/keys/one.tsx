import { Button } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Id } from "../../ui/copy.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { day, When } from "../../ui/when.tsx";
import { useActors } from "../audit-log/data.ts";
import { useClientNames } from "../clients/data.ts";
import { RevokeKey, RotateKey } from "./acts.tsx";
import type { Key, KeyWithSecret } from "./data.ts";
import classes from "./keys.module.css";
import { isUsable, stateOf } from "./model.ts";

type Props = { shown: Key; close(): void; edit(): void; rotated(key: KeyWithSecret): void };

/** A key beside the list: what it may, for whom, until when. */
export function OneKey({ shown, close, edit, rotated }: Props) {
  const [doing, setDoing] = useState<"rotate" | "revoke" | null>(null);
  const may = useMay();
  const actors = useActors();
  const chosen = shown.clients === "all" ? [] : shown.clients;
  const names = useClientNames(chosen.slice(0, 20));
  const state = stateOf(shown);
  const done = () => setDoing(null);
  return (
    <Panel
      title={shown.name}
      close={close}
      foot={
        may("keys:write") &&
        isUsable(shown) && (
          <>
            <Button variant="danger" onClick={() => setDoing("revoke")}>
              Revoke…
            </Button>
            <Button variant="default" onClick={() => setDoing("rotate")}>
              Rotate…
            </Button>
            <Button onClick={edit}>Edit</Button>
          </>
        )
      }
    >
      <div className={classes.parts}>
        <Facts
          rows={[
            [
              "State",
              <State key="state" tone={state.tone}>
                {state.name}
              </State>,
            ],
            ["Key", <code key="hint">trb_…{shown.hint}</code>],
            ["Id", <Id key="id">{shown.id}</Id>],
            ["Last used", shown.last_used_at === null ? "never" : <When key="used" at={shown.last_used_at} />],
            ["Expires", shown.expires_at === null ? "never" : day(shown.expires_at)],
            [
              "Old secret",
              shown.previous_valid_until && `works until ${new Date(shown.previous_valid_until).toLocaleString("en-GB")}`,
            ],
            ["Revoked", shown.revoked_at && <When key="revoked" at={shown.revoked_at} as="day" />],
            ["Clients", shown.clients === "all" ? "all, also later ones" : chosen.map((id) => names.get(id) ?? id).join(", ")],
            ["Networks", shown.allowed_cidrs === null ? "any" : <code key="cidrs">{shown.allowed_cidrs.join(" ")}</code>],
            ["Created", `${day(shown.created_at)} by ${actors.get(shown.created_by) ?? shown.created_by}`],
          ]}
        />
        <Section title="Scopes" aside={String(shown.scopes.length)}>
          <ul className={classes.scopes}>
            {shown.scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <RevokeKey shown={shown} opened={doing === "revoke"} close={done} />
      <RotateKey shown={shown} opened={doing === "rotate"} close={done} rotated={rotated} />
    </Panel>
  );
}
