import { lazy } from "react";
import { useSession } from "../../api/session.ts";
import { Monogram } from "../../ui/monogram.tsx";
import { Dot } from "../../ui/state.tsx";
import type { LiveState } from "../live.ts";
import { LazyMenu } from "./lazy-menu.tsx";
import classes from "./shell.module.css";

const YouList = lazy(() => import("./you-list.tsx"));

/** Who is signed in, and whether the page is live. */
export function YouMenu({ live }: { live: LiveState }) {
  const { user } = useSession();
  return (
    <LazyMenu menu={YouList}>
      <button type="button" className={classes.you} aria-label={`${user.name}, you and your settings`}>
        <Monogram name={user.name} person size={24} />
        <span className="cut">{user.name}</span>
        {live !== "off" && (
          <span className={classes.live} title={live === "live" ? "Changes appear by themselves" : "Read again every 10 seconds"}>
            <Dot tone={live === "live" ? "live" : "wait"} size={7} />
            {live === "live" ? "Live" : "Polling"}
          </span>
        )}
      </button>
    </LazyMenu>
  );
}
