import { useEffect, useRef, useState } from "react";
import { signInByLink } from "../../api/session.ts";
import { reasonOf } from "../../ui/failure.tsx";
import { Link, useGo } from "../../ui/link.tsx";
import { useEnter } from "./enter.ts";
import { Frame } from "./frame.tsx";
import { useToken } from "./token.ts";

/** Signs in by a link that works once. */
export default function SignInLink() {
  const token = useToken();
  const enter = useEnter();
  const go = useGo();
  const used = useRef(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (used.current) return;
    used.current = true;
    signInByLink(token).then(
      (session) => {
        go("/", { replace: true });
        return enter(session);
      },
      (reason: Error) => setError(reason),
    );
  });
  if (error === null) return <Frame title="Signing you in" />;
  return (
    <Frame title="This link does not work" lead={reasonOf(error)}>
      <Link to="/sign-in" className="link">
        Sign in with your password
      </Link>
    </Frame>
  );
}
