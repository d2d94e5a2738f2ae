import { createContext, useContext } from "react";
import type { Session } from "../../api/session.ts";

export type Enter = (session: Session | null) => Promise<void>;
export const EnterContext = createContext<Enter>(async () => {});

/** Shows the portal of a session, or the sign-in page for null. */
export const useEnter = () => useContext(EnterContext);
