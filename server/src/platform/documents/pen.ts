import type { Run } from "./bidi.ts";
import type { FontName, Fonts } from "./fonts.ts";
import { internalsOf } from "./pdfkit-internals.ts";

export type Style = { font: FontName; size: number; colour: string };

export type Pen = ReturnType<typeof createPen>;

/** Measures and draws text of one direction. */
export function createPen(document: PDFKit.PDFDocument, fonts: Fonts) {
  const internals = internalsOf(document);
  let style: Style = { font: "regular", size: 10, colour: "#000000" };
  /** The colour in use on the page, to set it only when it changes. */
  let colour: string | null = null;

  return {
    use(other: Style): void {
      style = other;
    },
    /** On a new page nothing is set. */
    startPage(): void {
      colour = null;
    },
    widthOf({ text }: Run): number {
      return fonts[style.font].widthOf(text) * style.size;
    },
    /** Draws at a baseline, which is measured from the top, as all positions are. */
    draw({ text }: Run, left: number, baseline: number): void {
      document.font(style.font).fontSize(style.size);
      if (colour !== style.colour) document.fillColor(style.colour);
      colour = style.colour;
      if (fonts[style.font].isPlain(text)) drawPlain(text, left, baseline);
      // With a list of features, if empty, the layout engine sees the whole text, and not word by word from the left.
      else document.text(text, left, baseline, { lineBreak: false, baseline: "alphabetic", features: [] });
    },
  };

  /** What `document.text` would write, which measures every text twice for what is not used here. */
  function drawPlain(text: string, left: number, baseline: number): void {
    const { _font: font, page } = internals;
    page.fonts[font.id] ??= font.ref();
    const [codes] = font.encode(text);
    const place = `1 0 0 -1 ${left.toFixed(2)} ${baseline.toFixed(2)} Tm`;
    internals.addContent(`BT ${place} /${font.id} ${style.size.toFixed(2)} Tf <${codes.join("")}> Tj ET`);
  }
}
