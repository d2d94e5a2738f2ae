import type { Chat } from "./chat.ts";
import { element, icon } from "./elements.ts";
import { createQuestion } from "./question.ts";
import { STYLE, wordsOn } from "./style.ts";
import { awayText } from "./team.ts";
import { TEXTS } from "./texts.ts";
import type { State } from "./thread.ts";

const TEXT_MAX = "4000";
const BUBBLE = "M4 5h16v11H9l-5 4z";
const CROSS = "M6 6l12 12M18 6L6 18";

type Parts = ReturnType<typeof build>;

/** The button and the panel of the chat, in a shadow of the page. */
export function createView() {
  const host = element("div", {});
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  // No style element, which the policy of a page could forbid.
  shadow.adoptedStyleSheets = [sheet];
  const parts = build();
  shadow.append(parts.root);
  let shown: State | null = null;

  return {
    show(state: State): void {
      if (state.refused) {
        host.remove();
        return;
      }
      if (!host.isConnected) document.body.append(host);
      const at_end = isAtEnd(parts);
      brand(host, parts, state);
      showUnread(parts, state);
      parts.away.textContent = awayText(state.branding.team, new Date());
      parts.question.show(state);
      const kept = shown;
      shown = state;
      if (kept === null || changesLog(kept, state)) showLog(parts, state);
      if (at_end) scrollDown(parts);
      parts.state.textContent = state.waiting.length > 0 && !navigator.onLine ? TEXTS.offline : "";
    },
    connect(chat: Chat): void {
      const setOpen = (open: boolean) => {
        parts.panel.hidden = !open;
        parts.launcher.hidden = open;
        parts.root.classList.toggle("open", open);
        parts.launcher.setAttribute("aria-expanded", String(open));
        if (open) scrollDown(parts);
        (open ? parts.input : parts.launcher).focus();
        chat.setOpen(open);
      };
      parts.launcher.addEventListener("click", () => setOpen(true));
      parts.close.addEventListener("click", () => setOpen(false));
      parts.panel.addEventListener("keydown", ({ key }) => key === "Escape" && setOpen(false));
      parts.question.connect(chat, () => parts.input.focus());
      parts.earlier.addEventListener("click", () => void chat.loadEarlier());
      parts.form.addEventListener("submit", (event) => {
        event.preventDefault();
        const text = parts.input.value.trim();
        parts.input.value = "";
        parts.input.focus();
        if (text !== "") chat.send(text);
      });
      parts.input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        parts.form.requestSubmit();
      });
    },
  };
}

function build() {
  const badge = element("span", { class: "badge", "aria-hidden": "true" });
  const launcher = element(
    "button",
    { class: "launcher", type: "button", "aria-expanded": "false", "aria-controls": "panel", "aria-label": TEXTS.open },
    icon(BUBBLE),
    badge,
  );
  const title = element("h2", { id: "title" }, TEXTS.title);
  const close = element("button", { class: "close", type: "button", "aria-label": TEXTS.close }, icon(CROSS));
  const earlier = element("button", { class: "earlier", type: "button" }, TEXTS.earlier);
  const log = element("div", { class: "log", role: "log", "aria-live": "polite", "aria-label": TEXTS.messages, tabindex: "0" });
  const input = element("textarea", {
    id: "input",
    rows: "1",
    maxlength: TEXT_MAX,
    placeholder: TEXTS.placeholder,
    "aria-label": TEXTS.message,
    enterkeyhint: "send",
  });
  const send = element("button", { class: "send", type: "submit" }, TEXTS.send);
  const form = element("form", { class: "write" }, input, send);
  const question = createQuestion();
  const state = element("p", { class: "state", role: "status" });
  const header = element("header", {}, title, close);
  const away = element("p", { class: "away", role: "status" });
  const panel = element(
    "section",
    { id: "panel", class: "panel", role: "dialog", "aria-labelledby": "title" },
    header,
    away,
    log,
    question.root,
    state,
    form,
  );
  panel.hidden = true;
  const root = element("div", { class: "root" }, launcher, panel);
  return { root, launcher, badge, panel, title, close, away, earlier, log, question, input, form, state };
}

function brand(host: HTMLElement, { root, title }: Parts, { branding }: State): void {
  title.textContent = branding.title ?? TEXTS.title;
  root.classList.toggle("left", branding.position === "left");
  if (branding.color === null) return;
  host.style.setProperty("--accent", branding.color);
  host.style.setProperty("--on-accent", wordsOn(branding.color));
}

function showUnread({ launcher, badge }: Parts, { unread }: State): void {
  badge.hidden = unread === 0;
  badge.textContent = String(unread);
  launcher.setAttribute("aria-label", unread === 0 ? TEXTS.open : TEXTS.openUnread(unread));
}

function changesLog(before: State, after: State): boolean {
  const ids = ({ messages, waiting, failed, has_more, branding }: State) =>
    JSON.stringify([messages.map(({ id }) => id), waiting, failed, has_more, branding]);
  return ids(before) !== ids(after);
}

/** Entries that are there stay as they are, so that a screen reader says the new ones only. */
function showLog(parts: Parts, { branding, messages, waiting, failed, has_more }: State): void {
  const { log, earlier } = parts;
  const team = branding.title ?? TEXTS.title;
  const known = new Map([...log.children].map((child) => [child.getAttribute("data-id"), child]));
  const entry = (id: string, kind: string, author: string, text: string) => {
    const found = known.get(id) ?? bubble(id, author, text);
    found.className = kind;
    return found;
  };
  const note = (id: string, text: string) => known.get(id) ?? element("small", { "data-id": id }, text);
  const wanted: Element[] = [
    ...(has_more ? [earlier] : []),
    ...(branding.greeting === null || has_more ? [] : [entry("greeting", "team", team, branding.greeting)]),
    // The same entry while it waits and once it is stored.
    ...messages.map(({ id, client_message_id, from, text }) =>
      entry(client_message_id ?? id, from, from === "team" ? team : TEXTS.you, text),
    ),
    ...failed.flatMap((text, index) => [
      entry(`failed ${index}`, "visitor failed", TEXTS.you, text),
      note(`failed note ${index}`, TEXTS.failed),
    ]),
    ...waiting.map(({ client_message_id, text }) => entry(client_message_id, "visitor waiting", TEXTS.you, text)),
    ...(waiting.length === 0 ? [] : [note("sending", TEXTS.waiting)]),
  ];
  for (const child of [...log.children]) if (!wanted.includes(child)) child.remove();
  for (const [index, child] of wanted.entries())
    if (log.children[index] !== child) log.insertBefore(child, log.children[index] ?? null);
}

function bubble(id: string, author: string, text: string): HTMLElement {
  return element("p", { "data-id": id }, element("span", { class: "hidden" }, `${author}: `), element("span", {}, text));
}

/** Whether the end of the thread is what is read. */
function isAtEnd({ log }: Parts): boolean {
  return log.scrollHeight - log.scrollTop - log.clientHeight < 60;
}

function scrollDown({ log }: Parts): void {
  log.scrollTop = log.scrollHeight;
}
