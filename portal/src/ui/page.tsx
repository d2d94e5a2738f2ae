import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { ArrowLeft, Check, ChevronRight, Copy, Plus } from "lucide-react";
import { createContext, useContext, useEffect, useRef } from "react";
import { useCopy } from "./copy.tsx";
import { Link, useGo } from "./link.tsx";
import { BrandContext } from "./mark.tsx";
import classes from "./page.module.css";

/** Whose records a page shows. */
export const PlaceContext = createContext<string | null>(null);

type Props = {
  title: React.ReactNode;
  /** The title of the window, where `title` is more than text. */
  name?: string;
  /** The way here: `[["Clients", "/clients"]]`. */
  trail?: readonly (readonly [string, string])[];
  /** Buttons; one of them filled. */
  actions?: React.ReactNode;
  /** The one action that stays on a phone. */
  phoneAction?: React.ReactNode;
  /** The request that filled the page: "GET /v1/partners/clients?limit=50". A body makes it a POST that can be repeated. */
  api?: string;
  /** What is loaded, and the keys of the page. */
  foot?: React.ReactNode;
  /** The page scrolls inside itself: tables, board, inbox. */
  fill?: boolean;
  children: React.ReactNode;
};

/** "GET /v1/…" as a command, with a placeholder for the key. */
export function curl(request: string, body?: unknown): string {
  const [method = "GET", path = "/"] = request.split(" ");
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const data = body === undefined ? "" : ` \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body, null, 2)}'`;
  return `curl${verb} "${location.origin}${path}" \\\n  -H "Authorization: Bearer $TRIBUTARY_KEY"${data}`;
}

/** A page: its header, its body, and the line that says what is loaded and by which request. */
export function Page({ title, name, trail = [], actions, phoneAction, api, foot, fill, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = name ?? (typeof title === "string" ? title : "");
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const back = trail.at(-1);
  const go = useGo();
  const brand = useContext(BrandContext);
  const place = useContext(PlaceContext);
  useEffect(() => {
    if (text !== "") document.title = `${text} · ${brand.name}`;
  }, [text, brand.name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, so its heading is read out
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest("nav")) heading.current?.focus();
  }, [path]);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        {back ? (
          <ActionIcon
            className={`${classes.back} only-phone`}
            size={44}
            aria-label={`Back to ${back[0]}`}
            onClick={() => go(back[1])}
          >
            <ArrowLeft size={20} />
          </ActionIcon>
        ) : (
          <span className={`${classes.phoneMark} only-phone`}>{brand.mark}</span>
        )}
        {place !== null && (
          <span className={`${classes.step} ${classes.whose} only-desk`}>
            <span className="cut">{place}</span>
            <ChevronRight size={14} aria-hidden />
          </span>
        )}
        {trail.map(([step, to]) => (
          <span key={to} className={`${classes.step} only-desk`}>
            <Link to={to}>{step}</Link>
            <ChevronRight size={14} aria-hidden />
          </span>
        ))}
        <h1 ref={heading} tabIndex={-1} className="cut">
          {title}
        </h1>
        {!back && place !== null && <span className={`${classes.place} cut`}>{place}</span>}
        <div className={classes.actions}>
          <div className={`${classes.deskActions} only-desk`}>{actions}</div>
          <div className="only-phone">{phoneAction}</div>
        </div>
      </header>
      <div className={classes.body} data-fill={fill || undefined}>
        {children}
      </div>
      {(api || foot) && (
        <footer className={`${classes.foot} only-desk`}>
          <span className={classes.footText}>{foot}</span>
          {api && <ApiLine request={api} />}
        </footer>
      )}
    </div>
  );
}

/** The action of a list that makes one more: `<Page {...newAction("New client", writes && create)}>`. Nothing for those who may not. */
export function newAction(name: string, create: (() => void) | false): Pick<Props, "actions" | "phoneAction"> {
  if (create === false) return {};
  return {
    actions: (
      <Button leftSection={<Plus />} onClick={create}>
        {name}
      </Button>
    ),
    phoneAction: (
      <ActionIcon size={44} aria-label={name} onClick={create}>
        <Plus size={20} />
      </ActionIcon>
    ),
  };
}

function ApiLine({ request }: { request: string }) {
  const { copied, copy } = useCopy();
  const [method, ...path] = request.split(" ");
  return (
    <button type="button" className={classes.api} title="Copy as curl" onClick={() => copy(curl(request))}>
      <b>{method}</b> <span>{path.join(" ")}</span>
      {copied ? <Check size={12} aria-label="Copied" /> : <Copy size={12} aria-hidden />}
    </button>
  );
}

/** "50+ loaded": the API counts nothing. */
export function Loaded({
  list,
  keys = true,
  selects = true,
}: {
  list: { rows: readonly unknown[]; first?: number; more: boolean; loading: boolean };
  keys?: boolean;
  /** Whether its rows can be selected. */
  selects?: boolean;
}) {
  return (
    <>
      {list.loading
        ? "Loading"
        : `${((list.first ?? 0) + list.rows.length).toLocaleString("en-US")}${list.more ? "+" : ""} loaded`}
      {keys && list.rows.length > 0 && (
        <span className={classes.keys}>
          <span>
            <Kbd>j</Kbd>
            <Kbd>k</Kbd> move
          </span>
          {selects && (
            <span>
              <Kbd>x</Kbd> select
            </span>
          )}
          <span>
            <Kbd>⏎</Kbd> open
          </span>
        </span>
      )}
    </>
  );
}

/** The buttons of a page that has more than one, on a phone: the header has no room for them. */
export function PhoneActs({ children }: { children: React.ReactNode }) {
  return (
    <div className="only-phone">
      <div className={classes.phoneActs}>{children}</div>
    </div>
  );
}

/** Sections one below the other, at a width that can be read. */
export function Content({ children }: { children: React.ReactNode }) {
  return <div className={classes.content}>{children}</div>;
}

/** What happened, and beside it the facts. */
export function Split({ children, side }: { children: React.ReactNode; side: React.ReactNode }) {
  return (
    <div className={classes.split}>
      <div className={classes.main}>{children}</div>
      <aside className={classes.side}>{side}</aside>
    </div>
  );
}
