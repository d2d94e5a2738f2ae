import { Button } from "@mantine/core";
import { ApiError, UnexpectedReply } from "@tributary/sdk";
import { RefreshCw } from "lucide-react";
import { Id } from "./copy.tsx";
import classes from "./empty.module.css";

/** What went wrong, in the API's words. A proxy's own are for nobody here. */
export function reasonOf(error: Error): string {
  if (error instanceof ApiError) return error.errors[0]?.detail ?? error.problem.detail;
  if (error instanceof UnexpectedReply) return `The service does not answer (${error.status}). Try again in a moment.`;
  return error instanceof TypeError ? "The service cannot be reached. Is the network there?" : error.message;
}

type Props = {
  /** What did not happen: "The clients did not load". */
  title: string;
  error: Error;
  retry?: () => void;
  /** Within a page whose other parts did load. */
  small?: boolean;
};

/** A part that failed: what, the code, the request to quote, Retry. The rest of the page stays. */
export function Failure({ title, error, retry, small = false }: Props) {
  const known = error instanceof ApiError ? error : null;
  return (
    <div className={classes.failure} role="alert" data-small={small || undefined}>
      <h2>{title}</h2>
      <p>{reasonOf(error)}</p>
      {known !== null && (
        <dl>
          <div>
            <dt>Reply</dt>
            <dd>
              <code>
                {known.status} {known.code}
              </code>
            </dd>
          </div>
          {known.request_id !== "" && (
            <div>
              <dt>Request</dt>
              <dd>
                <Id keep={26}>{known.request_id}</Id>
              </dd>
            </div>
          )}
        </dl>
      )}
      {retry !== undefined && known?.status !== 403 && known?.status !== 404 && (
        <div className={classes.act}>
          <Button variant="default" leftSection={<RefreshCw />} onClick={retry}>
            Retry
          </Button>
        </div>
      )}
    </div>
  );
}
