import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type LayoutFont, withQuickLayout } from "./quick-layout.ts";

export type FontName = "regular" | "bold";
export type Fonts = Record<FontName, LayoutFont>;

/** Condensed, because a table of amounts needs the width. Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian. */
const FILES: Record<FontName, string> = { regular: "DejaVuSansCondensed.ttf", bold: "DejaVuSansCondensed-Bold.ttf" };

let fonts: Promise<Fonts> | null = null;

/** The fonts, read once for all documents of the process. */
export function loadFonts(): Promise<Fonts> {
  fonts ??= openFonts();
  return fonts;
}

async function openFonts(): Promise<Fonts> {
  const { create } = await import("fontkit");
  const { resolve } = createRequire(import.meta.url);
  const open = async (name: FontName) => {
    const font = create(await readFile(resolve(`dejavu-fonts-ttf/ttf/${FILES[name]}`)));
    if (!("layout" in font)) throw new Error(`${FILES[name]} is a collection of fonts.`);
    return font;
  };
  // Text in bold is large and rare: it keeps its kerning.
  return { regular: withQuickLayout(await open("regular"), false), bold: withQuickLayout(await open("bold"), true) };
}
