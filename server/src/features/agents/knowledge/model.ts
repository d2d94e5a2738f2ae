export const KINDS = ["text", "url", "file"] as const;
export type Kind = (typeof KINDS)[number];
export const STATUSES = ["ready", "fetching", "failed"] as const;

/** The languages whose words are known, with their configurations in PostgreSQL; `simple` takes words as they are. */
export const LANGUAGES = {
  da: "danish",
  de: "german",
  en: "english",
  es: "spanish",
  fi: "finnish",
  fr: "french",
  hu: "hungarian",
  it: "italian",
  nl: "dutch",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  simple: "simple",
  sv: "swedish",
  tr: "turkish",
} as const;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** How many sources an account has, and how much text in all of them. */
export const SOURCES_MAX = 200;
export const ACCOUNT_BYTES_MAX = 50 * 1_048_576;
/** Of a page or a file. */
export const BYTES_MAX = 5 * 1_048_576;
/** Of a text, in characters. */
export const TEXT_MAX = 200_000;

export const KEY = "^[a-z][a-z0-9_-]{0,63}$";
const SLUG_MAX = 56;

/** A name as a key: letters and digits without accents, the rest as hyphens. */
export function keyOf(name: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const slug = words.join("-").slice(0, SLUG_MAX).replace(/-$/, "");
  const start = /^[a-z]/.test(slug) ? slug : `source${slug === "" ? "" : `-${slug}`}`.slice(0, SLUG_MAX);
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? start : `${start}-${count}`;
    if (!taken.has(key)) return key;
  }
}

/** A passage of a source, under its headings. */
export type Passage = { heading: string; text: string };

const PASSAGE_MAX = 1_200;

/** A text in passages of about 1,200 characters: each heading begins one, then paragraphs fill it. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  const path: string[] = [];
  let paragraphs: string[] = [];
  const close = () => {
    const heading = path.filter((part) => part !== "").join(" › ");
    passages.push(...packed(paragraphs).map((packedText) => ({ heading, text: packedText })));
    paragraphs = [];
  };
  let open = false;
  for (const line of text.split("\n")) {
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    if (heading !== null) {
      close();
      const [, marks = "", title = ""] = heading;
      path.length = Math.min(path.length, marks.length - 1);
      path[marks.length - 1] = title.replaceAll(/#+$/g, "").trim().slice(0, 200);
      open = false;
    } else if (line.trim() === "") open = false;
    else if (open) paragraphs.push(`${paragraphs.pop() ?? ""}\n${line.trimEnd()}`);
    else {
      paragraphs.push(line.trim());
      open = true;
    }
  }
  close();
  return passages;
}

/** Paragraphs in as few texts as their length allows. */
function packed(paragraphs: readonly string[]): string[] {
  const texts: string[] = [];
  for (const piece of paragraphs.flatMap(piecesOf)) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + piece.length + 2 <= PASSAGE_MAX) texts[texts.length - 1] = `${last}\n\n${piece}`;
    else texts.push(piece);
  }
  return texts;
}

/** A paragraph that is too long, cut at the ends of sentences, else of words. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  let rest = paragraph;
  while (rest.length > PASSAGE_MAX) {
    const start = rest.slice(0, PASSAGE_MAX);
    const sentence = Math.max(start.lastIndexOf(". "), start.lastIndexOf("? "), start.lastIndexOf("! "), start.lastIndexOf("\n"));
    const word = start.lastIndexOf(" ");
    const end = sentence > PASSAGE_MAX / 2 ? sentence + 1 : word > 0 ? word : PASSAGE_MAX;
    pieces.push(rest.slice(0, end).trim().toWellFormed());
    rest = rest.slice(end).trim();
  }
  return rest === "" ? pieces : [...pieces, rest.toWellFormed()];
}

const QUOTE_MAX = 500;

/** The part of a passage that fits a question best: from the first sentence with most of its words on, to the end of a sentence. */
export function quoteOf(text: string, question: string): string {
  if (text.length <= QUOTE_MAX) return text;
  const wanted = stemsOf(question);
  const sentences = text.split(/(?<=[.!?]) +|\n+/);
  const counts = sentences.map((sentence) => [...stemsOf(sentence)].filter((stem) => wanted.has(stem)).length);
  let from = counts.indexOf(Math.max(...counts));
  let quote = sentences[from] ?? "";
  // What comes before helps as well, where nothing comes after.
  for (let next = from + 1; next < sentences.length && fits(quote, sentences[next]); next += 1) quote += ` ${sentences[next]}`;
  for (; from > 0 && fits(quote, sentences[from - 1]); from -= 1) quote = `${sentences[from - 1]} ${quote}`;
  return quote.slice(0, QUOTE_MAX).toWellFormed();
}

const fits = (quote: string, more = "") => quote.length + more.length + 1 <= QUOTE_MAX;

/** Words by their beginnings, which is enough to compare sentences of one passage. */
function stemsOf(text: string): Set<string> {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return new Set((plain.match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.slice(0, 5)));
}
