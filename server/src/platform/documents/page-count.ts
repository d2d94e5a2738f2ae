import { internalsOf } from "./pdfkit-internals.ts";

/**
 * The number of pages, which every page shows and nobody knows before the last one. It is a form of its own, that the pages refer to and
 * that is written at the end, so no page has to be kept in memory for it.
 */
export function createPageCount(document: PDFKit.PDFDocument, size: number) {
  const internals = internalsOf(document);
  const form = internals.ref({
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, -size, 10 * size, 2 * size],
    Resources: { Font: {} },
  });

  return {
    /** Shows the number on the present page; `baseline` is measured from the top, as all positions are. */
    draw(left: number, baseline: number): void {
      internals.page.xobjects.PageCount = form;
      document.save();
      // The page is drawn from its top, a form from its bottom.
      internals.addContent(`1 0 0 -1 ${left.toFixed(2)} ${baseline.toFixed(2)} cm /PageCount Do`);
      document.restore();
    },
    /** Writes the number after a space, in the font in use. */
    end(pages: number, grey: number): void {
      const { _font: font } = internals;
      const [codes] = font.encode(` ${pages}`);
      form.data.Resources = { Font: { [font.id]: font.ref() } };
      form.end(`${grey} g BT /${font.id} ${size} Tf <${codes.join("")}> Tj ET`);
    },
  };
}
