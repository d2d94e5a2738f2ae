import { useState } from "react";

/** The secret of a link stands after the #, which browsers send to nobody. It leaves the address at once. */
export function useToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
