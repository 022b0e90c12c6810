/**
 * The fonts of documents. A file is parsed once for a thread and a word is shaped once, because both cost more than
 * all else of a rendering. What a glyph stands for is state of a document: fontkit keeps it with the first text that
 * used the glyph, and one glyph stands for several characters (an apostrophe and a letter like it, an arrow and `->`).
 * Hence each document has memories of its own, and a shaped word is used only where they agree with it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type Font, type Glyph, type GlyphPosition } from "fontkit";
import { Kept } from "../../platform/kept.ts";
import { packageRoot } from "../../platform/paths.ts";

const FILES = {
  regular: "inter-regular.ttf",
  semibold: "inter-semibold.ttf",
  bold: "inter-bold.ttf",
} as const;

export type FontName = keyof typeof FILES;

/** Glyphs of the words that are kept for each font, about a hundred bytes each, and the characters of the longest one. */
const MOST_KEPT = 60_000;
const LONGEST_KEPT = 60;

/** As much of a glyph as pdfkit reads. */
interface ShapedGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

/** What each glyph stands for, by its id. */
type Memory = Map<number, readonly number[]>;

interface Shaped {
  readonly glyphs: readonly ShapedGlyph[];
  readonly positions: readonly GlyphPosition[];
  /** Of each glyph that was asked for on the way. */
  readonly memory: Memory;
}

/** A run as pdfkit takes it, which scales the positions where they are. */
interface Run extends Pick<Shaped, "glyphs" | "positions"> {
  readonly advanceWidth: number;
}

/** The fonts of all documents of a thread, each read and parsed at its first need. */
export class Fonts {
  private readonly parsed = new Map<FontName, ParsedFont>();

  /** The fonts for one document, by name, as pdfkit takes them. Throws when a file cannot be read. */
  forDocument(): [FontName, Font][] {
    return names.map((name) => [name, this.named(name).forDocument()]);
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

class ParsedFont {
  private readonly font: Font;
  private readonly words = new Kept<string, Shaped>(MOST_KEPT);
  /** Of the layout that is under way. */
  private memory: Memory | null = null;

  constructor(bytes: Buffer) {
    this.font = create(bytes) as Font;
    const glyphOf = this.font.getGlyph.bind(this.font);
    this.font.getGlyph = (id, characters = []) => this.remembered(glyphOf(id), characters);
  }

  /** The font for a document: the tables of all, and a memory of its own. */
  forDocument(): Font {
    const memory = newMemory();
    const agreed = new Set<Shaped>();
    const layout = (text: string, features?: string[]): Run => {
      const shaped = this.word(text, features);
      if (!agreed.has(shaped)) {
        if (!agree(memory, shaped.memory)) return runOf(this.shape(memory, text, features));
        for (const [id, characters] of shaped.memory) memory.set(id, characters);
        agreed.add(shaped);
      }
      return runOf(shaped);
    };
    return Object.create(this.font, { layout: { value: layout } }) as Font;
  }

  /** The text as it is shaped in a document that has nothing else. */
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
      const shown = glyphs.map(({ id, advanceWidth, codePoints }) => {
        return { id, advanceWidth, codePoints };
      });
      return { glyphs: shown, positions, memory };
    } finally {
      this.memory = null;
    }
  }

  /** The glyph with what it stands for in the layout that is under way. */
  private remembered(glyph: Glyph, characters: readonly number[]): Glyph {
    if (this.memory === null) return glyph;
    const known = this.memory.get(glyph.id);
    if (known === undefined) this.memory.set(glyph.id, characters);
    const shown = Object.create(glyph);
    shown.codePoints = known ?? characters;
    return shown;
  }
}

/** The glyph of what the font has not stands for nothing: pdfkit asks for it first. */
function newMemory(): Memory {
  return new Map([[0, []]]);
}

/** Whether no glyph of the one stands for something else in the other. */
function agree(memory: Memory, other: Memory): boolean {
  for (const [id, theirs] of other) {
    const ours = memory.get(id);
    if (ours === undefined || ours === theirs) continue;
    if (ours.length !== theirs.length) return false;
    if (ours.some((character, index) => character !== theirs[index])) return false;
  }
  return true;
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
