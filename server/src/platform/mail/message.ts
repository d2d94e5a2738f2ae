/** An e-mail, ready to be sent. */
export type Message = { to: string; subject: string; text: string; html: string };

export type MailContent = {
  /** What the programme is called: the name over the text. */
  programme: string;
  subject: string;
  paragraphs: readonly string[];
  action: { label: string; url: string };
  /** The small print. */
  note: string;
};

const SUBJECT_MAX = 150;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Names are other people's words: they get no line of their own, and no markup. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

const asMarkup = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/** Renders an e-mail as plain text and as simple HTML: no image, no script, nothing that is loaded. */
export function renderMail(to: string, { programme, subject, paragraphs, action, note }: MailContent): Message {
  const lines = paragraphs.map(oneLine);
  const paragraph = (html: string, style: string) => `<p style="margin:0 0 16px;${style}">${html}</p>`;
  const html = [
    '<!doctype html><html lang="en"><body style="margin:0;padding:24px;background:#f4f5f7;font-family:sans-serif;color:#1a1f26">',
    '<div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">',
    paragraph(asMarkup(programme), "font-size:16px;font-weight:600"),
    ...lines.map((line) => paragraph(asMarkup(line), "font-size:14px;line-height:1.5")),
    paragraph(
      `<a href="${asMarkup(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#0b7285;color:#ffffff;text-decoration:none">${asMarkup(action.label)}</a>`,
      "font-size:14px",
    ),
    paragraph(asMarkup(note), "font-size:12px;line-height:1.5;color:#5b6672"),
    "</div></body></html>",
  ].join("\n");
  const text = [...lines, `${action.label}:\n${action.url}`, note, `-- \n${programme}`].join("\n\n");
  return { to, subject: oneLine(subject).slice(0, SUBJECT_MAX), text: `${text}\n`, html };
}
