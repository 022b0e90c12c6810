/**
 * The fonts of documents. A file is parsed once for a thread and a word is shaped once, because both cost more than
 * the rest of a rendering. The characters of a glyph are state of a document: fontkit keeps them from the first text that
 * used the glyph, and one glyph represents several characters (an apostrophe and a similar letter, an arrow and `->`).
 * Therefore each document has its own memory of them, and a cached word is used only where it agrees with that memory.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type Font, type Glyph, type GlyphPosition } from "fontkit";
import { LruCache } from "../../../platform/runtime/lru-cache.ts";
import { packageRoot } from "../../../platform/runtime/paths.ts";

const FILES = {
  regular: "inter-regular.ttf",
  semibold: "inter-semibold.ttf",
  bold: "inter-bold.ttf",
} as const;

export type FontName = keyof typeof FILES;

/** The most glyphs of cached words for each font, about 200 bytes each; and the most characters of a cached word. */
const MOST_KEPT = 40_000;
const LONGEST_KEPT = 60;

/** The part of a glyph that pdfkit reads. */
interface ShapedGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

/** The characters of each glyph, by its id. */
type Memory = Map<number, readonly number[]>;

interface Shaped {
  readonly glyphs: readonly ShapedGlyph[];
  readonly positions: readonly GlyphPosition[];
  /** The characters of each glyph used in the layout. */
  readonly asked: readonly (readonly [id: number, characters: readonly number[]])[];
}

/** A run as pdfkit takes it, which scales the positions in place. */
interface Run extends Pick<Shaped, "glyphs" | "positions"> {
  readonly advanceWidth: number;
}

/** The fonts of all documents of a thread, each read and parsed when first needed. */
export class Fonts {
  private readonly parsed = new Map<FontName, ParsedFont>();

  /** The fonts for one document, by name, as pdfkit takes them. Throws when a file cannot be read. */
  forDocument(): [FontName, Font][] {
    return names.map((name) => [name, this.named(name).forDocument()]);
  }

  /** Returns the text with a box for each character that the fonts lack: PDF/A refuses the sign that a font has for these. */
  drawable(text: string): string {
    return text.replace(NOT_LATIN, (character) =>
      this.named("regular").has(character.codePointAt(0) ?? 0) ? character : BOX,
    );
  }

  private named(name: FontName): ParsedFont {
    const known = this.parsed.get(name);
    if (known !== undefined) return known;
    const font = new ParsedFont(readFileSync(join(packageRoot, "assets", "fonts", FILES[name])));
    this.parsed.set(name, font);
    return font;
  }
}

const names = Object.keys(FILES) as FontName[];

/** What may be missing: the three files have the same characters, and all of the Latin ones. */
const NOT_LATIN = /[^\n\u0020-\u017e]/gu;
const BOX = "□";

class ParsedFont {
  private readonly font: Font;
  private readonly words = new LruCache<string, Shaped>(MOST_KEPT);
  /** Each glyph as it was first used, shared by cached words. The bytes do not depend on which use was first. */
  private readonly usual = new Map<number, ShapedGlyph>();
  /** The memory of the current layout. */
  private memory: Memory | null = null;

  constructor(bytes: Buffer) {
    this.font = create(bytes) as Font;
    const glyphOf = this.font.getGlyph.bind(this.font);
    this.font.getGlyph = (id, characters = []) => this.remembered(glyphOf(id), characters);
  }

  has(code_point: number): boolean {
    return this.font.hasGlyphForCodePoint(code_point);
  }

  /** The font for a document: with shared tables, and its own memory. */
  forDocument(): Font {
    const memory = newMemory();
    const compared = new Set<Shaped>();
    const layout = (text: string, features?: string[]): Run => {
      const shaped = this.word(text, features);
      if (!compared.has(shaped)) {
        if (!agree(memory, shaped)) return runOf(this.shape(memory, text, features));
        for (const [id, characters] of shaped.asked) memory.set(id, characters);
        compared.add(shaped);
      }
      return runOf(shaped);
    };
    return Object.create(this.font, { layout: { value: layout } }) as Font;
  }

  /** The text as it is shaped in an otherwise empty document. */
  private word(text: string, features: string[] | undefined): Shaped {
    const key = features === undefined ? text : `${features.join()}\n${text}`;
    const known = this.words.get(key);
    if (known !== undefined) return known;
    const shaped = this.shape(newMemory(), text, features);
    if (text.length <= LONGEST_KEPT) this.words.set(key, shaped, shaped.glyphs.length + 1);
    return shaped;
  }

  private shape(memory: Memory, text: string, features: string[] | undefined): Shaped {
    this.memory = memory;
    try {
      const { glyphs, positions } = this.font.layout(text, features);
      return { glyphs: glyphs.map((glyph) => this.shown(glyph)), positions, asked: [...memory] };
    } finally {
      this.memory = null;
    }
  }

  /** The glyph with its characters in the current layout. */
  private remembered(glyph: Glyph, characters: readonly number[]): Glyph {
    if (this.memory === null) return glyph;
    const known = this.memory.get(glyph.id);
    const stands_for = known ?? this.usually(glyph, characters);
    if (known === undefined) this.memory.set(glyph.id, stands_for);
    const shown = Object.create(glyph);
    shown.codePoints = stands_for;
    return shown;
  }

  /** The glyph as pdfkit reads it: one shared object for all words in which it has its usual characters. */
  private shown(glyph: Glyph): ShapedGlyph {
    const { id, advanceWidth, codePoints } = glyph;
    const usual = this.usual.get(id);
    return usual?.codePoints === codePoints ? usual : { id, advanceWidth, codePoints };
  }

  /** The characters; the stored array when the usual characters are the same. */
  private usually({ id, advanceWidth }: Glyph, characters: readonly number[]): readonly number[] {
    const usual = this.usual.get(id);
    if (usual === undefined) this.usual.set(id, { id, advanceWidth, codePoints: characters });
    return usual !== undefined && areSame(usual.codePoints, characters)
      ? usual.codePoints
      : characters;
  }
}

/** The glyph for missing characters has none: pdfkit requests it first. */
function newMemory(): Memory {
  return new Map([[0, []]]);
}

/** Whether every glyph has the same characters in the word and in the document. */
function agree(memory: Memory, { asked }: Shaped): boolean {
  return asked.every(([id, version]) => {
    const remembered = memory.get(id);
    return remembered === undefined || areSame(remembered, version);
  });
}

function areSame(some: readonly number[], others: readonly number[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function runOf({ glyphs, positions }: Shaped): Run {
  const copied = positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => {
    return { xAdvance, yAdvance, xOffset, yOffset };
  });
  return {
    glyphs,
    positions: copied,
    get advanceWidth() {
      return copied.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  };
}

/** The cached fonts of this process; no byte of a PDF depends on the state of the cache. */
export const KNOWN_FONTS = new Fonts();
