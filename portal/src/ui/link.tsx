import { useLinkProps, useNavigate } from "@tanstack/react-router";
import { forwardRef } from "react";

/** "/clients?state=active" as the router wants it. */
function parts(to: string): { to: string; search: Record<string, string> } {
  const [path = "", query = ""] = to.split("?");
  return { to: path, search: Object.fromEntries(new URLSearchParams(query)) };
}

type Props = Omit<React.AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target"> & { to: string };

/** A link to a page of the portal, by its address below /portal. Its code is loaded as soon as one points at it. */
export const Link = forwardRef<HTMLAnchorElement, Props>(({ to, "aria-current": current, ...rest }, ref) => {
  const props = useLinkProps({ ...parts(to), preload: "intent", ...rest }, ref as React.ForwardedRef<Element>);
  // The router would mark whatever lies above the open page; which link is current is for the page to say.
  return <a {...props} aria-current={current} />;
});

/** Goes to an address below /portal. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return (to, options = {}) => void navigate({ ...parts(to), ...options });
}
