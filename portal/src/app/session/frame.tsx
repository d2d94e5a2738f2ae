import { useEffect } from "react";
import { Confluence, Wordmark } from "../../ui/mark.tsx";
import classes from "./session.module.css";

/** A page for people who are not signed in. */
export function Frame({ title, lead, children }: { title: string; lead?: React.ReactNode; children?: React.ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tributary`;
  }, [title]);
  return (
    <div className={classes.page}>
      <main className={classes.side}>
        <Wordmark size={24} />
        <div className={classes.form}>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
          {children}
        </div>
        <footer>Sessions end after 12 hours without use.</footer>
      </main>
      <div className={classes.aside} aria-hidden="true">
        <Confluence {...(classes.river ? { className: classes.river } : {})} />
      </div>
    </div>
  );
}
