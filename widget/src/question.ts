import type { Chat } from "./chat.ts";
import type { Profile } from "./client.ts";
import { element } from "./elements.ts";
import { TEXTS } from "./texts.ts";
import type { State } from "./thread.ts";

/** Asks a stranger who has written for a name and an e-mail address. Nobody has to answer. */
export function createQuestion() {
  const name = element("input", { type: "text", autocomplete: "name", maxlength: "200" });
  const email = element("input", { type: "email", autocomplete: "email", maxlength: "254" });
  const save = element("button", { type: "submit", class: "save" }, TEXTS.save);
  const decline = element("button", { type: "button" }, TEXTS.decline);
  const form = element(
    "form",
    { novalidate: "", "aria-label": TEXTS.ask },
    element("p", {}, TEXTS.ask),
    element("label", {}, TEXTS.name, name),
    element("label", {}, TEXTS.email, email),
    save,
    decline,
  );
  const told = element("p", { role: "status" });
  form.hidden = true;

  async function answer(chat: Chat, leave: () => void, profile: Profile | null): Promise<void> {
    save.disabled = true;
    const taken = await chat.introduce(profile);
    save.disabled = false;
    email.setAttribute("aria-invalid", String(!taken));
    told.textContent = taken ? (profile === null ? "" : TEXTS.thanks) : TEXTS.refused;
    if (taken) leave();
    else email.focus();
  }

  return {
    root: element("div", { class: "question" }, form, told),
    show({ asks }: State): void {
      form.hidden = !asks;
    },
    connect(chat: Chat, leave: () => void): void {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const [given_name, given_email] = [name.value.trim(), email.value.trim()];
        const profile = {
          ...(given_name === "" ? {} : { name: given_name }),
          ...(given_email === "" ? {} : { email: given_email }),
        };
        void answer(chat, leave, Object.keys(profile).length === 0 ? null : profile);
      });
      decline.addEventListener("click", () => void answer(chat, leave, null));
    },
  };
}
