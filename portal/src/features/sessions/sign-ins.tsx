import { Button } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { day, When } from "../../ui/when.tsx";
import { type SignIn, useEndSession, useSignIns } from "./data.ts";
import { browserOf } from "./model.ts";
import classes from "./sessions.module.css";

/** Where this person is signed in. */
export function SignIns() {
  const { data, error, refetch } = useSignIns();
  const end = useEndSession();
  const [all, setAll] = useState(false);
  const others = data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title="Sessions"
      aside={
        others > 0 && (
          <Button variant="default" size="xs" onClick={() => setAll(true)}>
            End all others…
          </Button>
        )
      }
    >
      {error && data === undefined ? (
        <Failure small title="The sessions did not load" error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading rows={3} />
      ) : (
        <ul className={classes.sessions}>
          {data.map((session) => (
            <OneSession key={session.id} session={session} end={() => end.mutateAsync(session.id)} />
          ))}
        </ul>
      )}
      <Confirm
        opened={all}
        close={() => setAll(false)}
        title="End all other sessions?"
        action="End them"
        onConfirm={async () => {
          await end.mutateAsync("others");
          toast("All other sessions have ended");
        }}
      >
        <p>
          You are signed out in <b>{others}</b> other {others === 1 ? "browser" : "browsers"} at once. What is typed there and not
          sent is kept until you sign in again.
        </p>
      </Confirm>
    </Section>
  );
}

function OneSession({ session, end }: { session: SignIn; end(): Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const { agent, ip, current, created_at, last_seen_at } = session;
  const run = () => {
    setBusy(true);
    end().then(
      () => toast(`The session in ${browserOf(agent)} has ended`),
      (error: Error) => {
        setBusy(false);
        toastError("The session goes on", error);
      },
    );
  };
  return (
    <li>
      <span>
        <b title={agent}>{browserOf(agent)}</b> {current && <span className={classes.this}>this one</span>}
        <span className="muted">
          {ip}, since {day(created_at)}
        </span>
      </span>
      <span className="muted">{current ? "now" : <When at={last_seen_at} />}</span>
      {current ? (
        <span />
      ) : (
        <Button variant="default" size="xs" loading={busy} onClick={run} aria-label={`End the session in ${browserOf(agent)}`}>
          End
        </Button>
      )}
    </li>
  );
}
