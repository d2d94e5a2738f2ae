import { loadFonts } from "./fonts.ts";
import { createPageCount } from "./page-count.ts";
import { createPen, type Style } from "./pen.ts";
import { cleanText, drawLine, fitLine, widthOf } from "./text.ts";

const MARGIN = 48;
const FOOTER_SIZE = 7;
/** The footer's grey, as a colour and as a level: its page count is written apart from the pages. */
const FOOTER = { colour: "#666666", grey: 0.4 };

export const INK = "#1a1a1a";
export const GREY = FOOTER.colour;
export const RULE = "#d4d4d4";
export const RED = "#a31515";

export const STYLES = {
  title: { font: "bold", size: 17, colour: INK },
  strong: { font: "bold", size: 9, colour: INK },
  body: { font: "regular", size: 8.5, colour: INK },
  label: { font: "regular", size: 7.5, colour: GREY },
  note: { font: "regular", size: FOOTER_SIZE, colour: GREY },
} as const satisfies Record<string, Style>;

export type PaperOptions = {
  title: string;
  author: string;
  /** The time that the file says that it was made: equal input gives equal bytes. */
  created_at: Date;
  /** At the bottom of every page, beside its number. */
  footer: string;
  /** A bar at the top of the first page, as #rrggbb. */
  colour?: string | null;
  /** The language of the document, and how it says which page this is, before their number. Default: English. */
  language?: string;
  pageText?: (page: number) => string;
};

export type Paper = Awaited<ReturnType<typeof openPaper>>;

/** A document of A4 pages that is written while it is drawn: `take` returns the bytes of the pages that are finished. */
export async function openPaper(options: PaperOptions) {
  // Imported lazily: with its fonts it takes a fifth of a second.
  const [{ default: PDFDocument }, fonts] = await Promise.all([import("pdfkit"), loadFonts()]);
  const { title, author, created_at, colour, language = "en", pageText = (page) => `Page ${page} of` } = options;
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    lang: language,
    displayTitle: true,
    // It would keep every word of the document.
    fontLayoutCache: false,
    info: { Title: title, Author: author, Creator: "Tributary", CreationDate: created_at },
  });
  for (const [name, font] of Object.entries(fonts)) document.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource);
  const pen = createPen(document, fonts);
  const count = createPageCount(document, FOOTER_SIZE);
  const footer = cleanText(options.footer);
  let pages = 0;

  const paper = {
    document,
    pen,
    left: MARGIN,
    right: 0,
    width: 0,
    /** Where the next thing is drawn, from the top. */
    y: MARGIN,
    addPage(): void {
      document.addPage();
      pen.startPage();
      pages += 1;
      paper.right = document.page.width - MARGIN;
      paper.width = paper.right - MARGIN;
      paper.y = MARGIN;
      drawFooter();
    },
    /** The height that is left on the page. */
    room(): number {
      return document.page.height - MARGIN - 2 * FOOTER_SIZE - paper.y;
    },
    take(): Buffer | null {
      return document.read() as Buffer | null;
    },
    /** Ends the document and returns the rest of its bytes. */
    end(): Buffer {
      document.font(STYLES.note.font);
      count.end(pages, FOOTER.grey);
      document.end();
      return (paper.take() ?? Buffer.alloc(0)) as Buffer;
    },
  };

  function drawFooter(): void {
    const baseline = document.page.height - MARGIN + 2 * FOOTER_SIZE;
    pen.use(STYLES.note);
    const number = pageText(pages);
    drawLine(pen, number, MARGIN, baseline);
    count.draw(MARGIN + widthOf(pen, number), baseline);
    const text = fitLine(pen, footer, paper.width * 0.75);
    drawLine(pen, text, paper.right - widthOf(pen, text), baseline);
  }

  paper.addPage();
  if (colour) document.save().rect(0, 0, document.page.width, 6).fill(colour).restore();
  return paper;
}
