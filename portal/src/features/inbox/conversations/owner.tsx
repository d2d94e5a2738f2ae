import { Button, Menu } from "@mantine/core";
import { ChevronDown, Sparkles, UserRound } from "lucide-react";
import { useSession } from "../../../api/session.ts";
import { toastError } from "../../../ui/toast.tsx";
import { usePeople } from "../../crm/records/data.ts";
import { type Conversation, useConversationAct } from "./data.ts";
import classes from "./inbox.module.css";
import { ownerOf } from "./words.tsx";

/** Who answers here, and how that changes. Nobody answers over somebody else: each change names the owner that was seen. */
export function Owner({ conversation }: { conversation: Conversation }) {
  const { user } = useSession();
  const act = useConversationAct();
  const people = usePeople();
  const { owner_kind, owner_id, return_at, status } = conversation;
  const own = owner_id === user.id;
  const failed = (error: Error) => toastError("The owner is not changed", error);
  const run = (change: { act: "takeover" | "return" } | { act: "assign"; owner_id: string | null }) =>
    void act.mutateAsync({ conversation, ...change }).catch(failed);
  const Icon = owner_kind === "agent" ? Sparkles : UserRound;
  return (
    <div className={classes.owner}>
      <span>
        <Icon size={13} aria-hidden />
        <span>
          {sentence(ownerOf(conversation, user.id), conversation, own)}
          {return_at !== null && <span className="only-desk"> It goes back to the agent by itself.</span>}
        </span>
      </span>
      {status !== "closed" && (
        <span>
          {!own && (
            <Button variant="default" size="xs" loading={act.isPending} onClick={() => run({ act: "takeover" })}>
              Take over
            </Button>
          )}
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="subtle" size="xs" rightSection={<ChevronDown size={13} />}>
                Assign
              </Button>
            </Menu.Target>
            <Menu.Dropdown className={classes.choices}>
              {own && <Menu.Item onClick={() => run({ act: "return" })}>Give it back</Menu.Item>}
              {owner_kind !== "none" && <Menu.Item onClick={() => run({ act: "assign", owner_id: null })}>To nobody</Menu.Item>}
              {people
                .filter(({ id }) => id !== owner_id)
                .map(({ id, name }) => (
                  <Menu.Item key={id} onClick={() => run({ act: "assign", owner_id: id })}>
                    To {id === user.id ? "yourself" : name}
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        </span>
      )}
    </div>
  );
}

function sentence(owner: string, { owner_kind, owner_id, status }: Conversation, own: boolean): string {
  if (status === "closed") return "It is closed. An answer reopens it.";
  if (own) return "You answer here.";
  if (owner_kind === "none") return "Nobody answers here yet. Sending makes it yours.";
  if (owner_kind === "agent") return `${owner} answers here. Sending takes over.`;
  return owner_id === null ? "It waits for a person. Sending makes it yours." : `${owner} answers here.`;
}
