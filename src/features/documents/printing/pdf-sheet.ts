/**
 * A tagged A4 document with a cursor: fonts, wrapped text, artifacts and page breaks. All text is
 * placed by its baseline and all wrapping is done here, because pdfkit's own flow would open pages
 * and move the cursor where a table needs neither. Everything drawn is either inside a structure
 * element or an artifact; screen readers skip artifacts.
 */
import PDFDocument from "pdfkit";
import type { FontName, Fonts } from "./pdf-fonts.ts";
import type { PaperView } from "./view-parts.ts";

export interface Style {
  readonly font: FontName;
  readonly size: number;
  readonly color: string;
  /** Digits of equal width. Only for numbers: it turns off pdfkit's cache of words. */
  readonly tabular?: boolean;
}

export type Element = PDFKit.PDFStructureElement;

/** The printable area: points from the left and the top edge of the page. */
export const frame = { left: 54, right: 541.28, top: 56, bottom: 772 } as const;
const pageSize = { width: 595.28, height: 841.89 } as const;

export const colors = {
  text: "#16191f",
  muted: "#5b626d",
  rule: "#d5d9df",
  tint: "#f4f5f7",
  draft: "#b3261e",
  watermark: "#f7e3e1",
} as const;

/** Distance between two baselines, as a factor of the font size. */
const leading = 1.42;

export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly root: Element;
  readonly view: PaperView;
  /** The top of the next content, in points from the top of the page. */
  y: number = frame.top;
  private readonly chunks: Buffer[] = [];
  private readonly widths = new Map<string, number>();
  /** Returns a text as it is drawn. */
  private readonly drawn: (text: string) => string;

  /** @param is_archived whether the file is PDF/A-3a, which may carry other files. */
  constructor(view: PaperView, fonts: Fonts, is_archived = false) {
    this.view = view;
    this.drawn = is_archived ? (text) => fonts.drawable(text) : (text) => text;
    const dated = new Date(`${view.dated}T00:00:00Z`);
    this.doc = new PDFDocument({
      size: [pageSize.width, pageSize.height],
      margin: 0,
      pdfVersion: "1.7",
      ...(is_archived ? { subset: "PDF/A-3a" as const } : {}),
      tagged: true,
      lang: view.language,
      displayTitle: true,
      bufferPages: true,
      autoFirstPage: false,
      info: {
        Title: view.file_title,
        Author: view.author,
        Creator: "Matchbook",
        Producer: "Matchbook",
        CreationDate: dated,
        ModDate: dated,
      },
    });
    this.doc.on("data", (chunk: Buffer) => this.chunks.push(chunk));
    for (const [name, font] of fonts.forDocument()) {
      // The library takes a parsed font; its types do not include it.
      this.doc.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource);
    }
    this.root = this.doc.struct("Document");
    this.doc.addStructure(this.root);
  }

  /** Starts a page; a draft gets its mark across it before any other content. */
  addPage(): void {
    this.doc.addPage();
    this.y = frame.top;
    const mark = this.view.draft_mark;
    if (mark === null) return;
    this.artifact("Pagination", () => {
      const style: Style = { font: "bold", size: 150, color: colors.watermark };
      this.doc.save();
      this.doc.rotate(-52, { origin: [pageSize.width / 2, pageSize.height / 2] });
      const x = (pageSize.width - this.width(mark, style)) / 2;
      this.put(mark, x, pageSize.height / 2 + 54, style);
      this.doc.restore();
    });
  }

  /** Whether this height still fits above the foot of the page. */
  fits(height: number): boolean {
    return this.y + height <= frame.bottom;
  }

  /** Writes one line of text with its baseline at the given height. */
  put(text: string, x: number, baseline: number, style: Style): void {
    if (text === "") return;
    this.use(style);
    this.doc.text(this.drawn(text), x, baseline, {
      lineBreak: false,
      baseline: "alphabetic",
      ...(style.tabular === true ? { features: ["tnum"] } : {}),
    });
  }

  /** Like `put`, but the text ends at `right`. */
  putRight(text: string, right: number, baseline: number, style: Style): void {
    this.put(text, right - this.width(text, style), baseline, style);
  }

  /** Writes lines from the left edge, over pages as needed. A space after each separates words for screen readers. */
  flow(element: Element, lines: readonly string[], style: Style): void {
    for (const line of lines) {
      if (!this.fits(heightOf(1, style))) this.addPage();
      const baseline = this.y + style.size;
      element.add(() => this.put(`${line} `, frame.left, baseline, style));
      this.y += heightOf(1, style);
    }
  }

  /** The width of one line of text in points. */
  width(text: string, style: Style): number {
    const key = `${style.font}${style.size}${style.tabular === true}${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    this.use(style);
    const width = this.doc.widthOfString(
      this.drawn(text),
      style.tabular ? { features: ["tnum"] } : {},
    );
    this.widths.set(key, width);
    return width;
  }

  /** The lines of a text within a width; a word that is too wide is broken between characters. */
  wrap(text: string, width: number, style: Style): string[] {
    return text.split("\n").flatMap((paragraph) => this.wrapParagraph(paragraph, width, style));
  }

  /** The colour of headings and strong rules: the seller's own, or the text colour. */
  get accent(): string {
    return this.view.accent ?? colors.text;
  }

  /** Adds an element to a parent and draws its content. */
  element(parent: Element, type: string, draw?: () => void, scope?: "Column" | "Row"): Element {
    const options = scope === undefined ? {} : { scope };
    return this.describedElement(parent, type, options, draw);
  }

  /** As `element`; with a text that describes a picture. */
  describedElement(
    parent: Element,
    type: string,
    options: { readonly scope?: string; readonly alt?: string },
    draw?: () => void,
  ): Element {
    const element = this.doc.struct(type, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    if (draw !== undefined) element.add(draw);
    return element;
  }

  /** Draws content without information: rules, backgrounds, repeated heads, page numbers. */
  artifact(type: "Layout" | "Pagination", draw: () => void): void {
    this.doc.markContent("Artifact", { type });
    draw();
    this.doc.endMarkedContent();
  }

  rule(left: number, right: number, y: number, color: string, thickness: number): void {
    this.artifact("Layout", () => {
      this.doc.moveTo(left, y).lineTo(right, y).lineWidth(thickness).strokeColor(color).stroke();
    });
  }

  /** Ends the document. Resolves with its bytes when all of them are written. */
  finish(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.doc.on("end", () => resolve(Buffer.concat(this.chunks)));
      this.doc.on("error", reject);
      this.root.end();
      this.doc.end();
    });
  }

  private use(style: Style): void {
    this.doc.font(style.font).fontSize(style.size).fillColor(style.color);
  }

  private wrapParagraph(paragraph: string, width: number, style: Style): string[] {
    if (this.width(paragraph, style) <= width) return [paragraph];
    const lines: string[] = [];
    let line = "";
    let used = 0;
    const space = this.width(" ", style);
    for (const word of paragraph.split(" ")) {
      for (const word_part of this.splitWord(word, width, style)) {
        // Measured with the space after it, because pdfkit lays out and caches the word with it.
        const wide = this.width(`${word_part} `, style);
        if (line !== "" && used + wide - space <= width) {
          line += ` ${word_part}`;
          used += wide;
        } else {
          if (line !== "") lines.push(line);
          line = word_part;
          used = wide;
        }
      }
    }
    return [...lines, line];
  }

  private splitWord(word: string, width: number, style: Style): string[] {
    if (this.width(`${word} `, style) <= width) return [word];
    const word_parts: string[] = [];
    let word_part = "";
    let used = 0;
    for (const character of word) {
      const wide = this.width(character, style);
      if (word_part !== "" && used + wide > width) {
        word_parts.push(word_part);
        word_part = "";
        used = 0;
      }
      word_part += character;
      used += wide;
    }
    return [...word_parts, word_part];
  }
}

/** The height of a number of lines in a style. */
export function heightOf(lines: number, style: Style): number {
  return lines * style.size * leading;
}
