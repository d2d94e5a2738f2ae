/** A font of a document: gives letters their codes in the file, which has only the letters that were used. */
export type EmbeddedFont = { id: string; ref(): unknown; encode(text: string): [string[], unknown] };

/** An object of the file that is written when it ends. */
export type Reference = { data: Record<string, unknown>; end(content?: string): void };

/** What pdfkit has and its types do not show. */
export type Internals = {
  _font: EmbeddedFont;
  page: { fonts: Record<string, unknown>; xobjects: Record<string, unknown> };
  ref(data: Record<string, unknown>): Reference;
  addContent(content: string): void;
};

export function internalsOf(document: PDFKit.PDFDocument): Internals {
  return document as unknown as Internals;
}
