import { Button, Textarea } from "@mantine/core";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Blocker } from "../../ui/answer.tsx";
import { Form, useApiForm } from "../../ui/form.tsx";
import { day } from "../../ui/when.tsx";
import { useAccess, useRequestAccess } from "../partners/data.ts";
import classes from "./keys.module.css";

function useOpenAccess() {
  const session = useSession();
  return useAccess(isPartnerWide(session) && session.partner?.api_access === false).data;
}

/** Whether calls with a key are refused, because the partner has no access to the API. */
export const useIsApiClosed = () => useOpenAccess()?.api_access === false;

/** Where the partner has no access to the API: how to get it, and what became of the request. Nothing otherwise. */
export function AccessToApi() {
  const session = useSession();
  const access = useOpenAccess();
  if (access === undefined || access.api_access) return null;
  const { request } = access;
  if (request?.status === "open") {
    return (
      <div className={classes.lead}>
        <Blocker title={`API access was requested on ${day(request.created_at)}`}>
          {session.programme.name} decides. Keys can be prepared meanwhile; calls with them are refused until then.
        </Blocker>
      </div>
    );
  }
  return (
    <div className={classes.lead}>
      <Blocker title={request === null ? "The API is not open to you yet" : "The request for API access was declined"}>
        {request?.reason ?? "Calls with a key are refused until access is granted."}
      </Blocker>
      <RequestForm />
    </div>
  );
}

function RequestForm() {
  const may = useMay();
  const request = useRequestAccess();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { message: "" },
    send: ({ message }) => request.mutateAsync(message),
  });
  if (!may("account:write")) return <p className="muted">An owner or administrator of your company can request it.</p>;
  return (
    <div className={classes.request}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Textarea
          label="What will you use it for?"
          placeholder="We sync our clients from our own CRM."
          autosize
          minRows={3}
          {...form.getInputProps("message")}
        />
        <div>
          <Button type="submit" loading={busy}>
            Request access
          </Button>
        </div>
      </Form>
    </div>
  );
}
