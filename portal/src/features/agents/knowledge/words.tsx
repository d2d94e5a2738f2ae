import { State, type Tone } from "../../../ui/state.tsx";
import type { Language, Source } from "./data.ts";

export const KINDS: Record<Source["kind"], string> = { text: "Text", url: "Page", file: "File" };

const TONES: Record<Source["status"], Tone> = { ready: "live", fetching: "wait", failed: "bad" };

export function SourceState({ source: { status } }: { source: Source }) {
  return <State tone={TONES[status]}>{status}</State>;
}

const names = new Intl.DisplayNames("en", { type: "language" });
const LANGUAGES: readonly Language[] = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pt",
  "da",
  "fi",
  "hu",
  "no",
  "ro",
  "ru",
  "sv",
  "tr",
  "simple",
];
export const languageName = (language: Language) => (language === "simple" ? "Another one" : (names.of(language) ?? language));
export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: languageName(value) }));

export const size = (bytes: number) =>
  bytes < 1_024 ? `${bytes} bytes` : `${Math.round(bytes / 1_024).toLocaleString("en-US")} KB`;
