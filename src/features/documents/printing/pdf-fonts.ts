/**
 * The fonts of documents. A file is parsed once for a thread and a word is shaped once, because both cost more than
 * all else of a rendering. What a glyph stands for is state of a document: fontkit keeps it with the first text that
 * used the glyph, and one glyph stands for several characters (an apostrophe and a letter like it, an arrow and `->`).
 * Hence each document has memories of its own, and a shaped word is used only where they agree with it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type Font, type Glyph, type GlyphPosition } from "fontkit";
import { Kept } from "../../../platform/runtime/kept.ts";
import { packageRoot } from "../../../platform/runtime/paths.ts";

const FILES = {
  regular: "inter-regular.ttf",
  semibold: "inter-semibold.ttf",
  bold: "inter-bold.ttf",
} as const;

export type FontName = keyof typeof FILES;

/** Glyphs of the words that are kept for each font, about 200 bytes each, and the characters of the longest one. */
const MOST_KEPT = 40_000;
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
  /** What each glyph stood for that was asked for on the way. */
  readonly asked: readonly (readonly [id: number, characters: readonly number[]])[];
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
  /** Each glyph as it was used first, so that words which are kept share it. No bytes depend on which that was. */
  private readonly usual = new Map<number, ShapedGlyph>();
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
        if (!agree(memory, shaped)) return runOf(this.shape(memory, text, features));
        for (const [id, characters] of shaped.asked) memory.set(id, characters);
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
      return { glyphs: glyphs.map((glyph) => this.shown(glyph)), positions, asked: [...memory] };
    } finally {
      this.memory = null;
    }
  }

  /** The glyph with what it stands for in the layout that is under way. */
  private remembered(glyph: Glyph, characters: readonly number[]): Glyph {
    if (this.memory === null) return glyph;
    const known = this.memory.get(glyph.id);
    const stands_for = known ?? this.usually(glyph, characters);
    if (known === undefined) this.memory.set(glyph.id, stands_for);
    const shown = Object.create(glyph);
    shown.codePoints = stands_for;
    return shown;
  }

  /** As pdfkit reads it: the same object in all words in which the glyph stands for what it usually does. */
  private shown(glyph: Glyph): ShapedGlyph {
    const { id, advanceWidth, codePoints } = glyph;
    const usual = this.usual.get(id);
    return usual?.codePoints === codePoints ? usual : { id, advanceWidth, codePoints };
  }

  /** The characters, as those that are kept where the glyph stands for the same there. */
  private usually({ id, advanceWidth }: Glyph, characters: readonly number[]): readonly number[] {
    const usual = this.usual.get(id);
    if (usual === undefined) this.usual.set(id, { id, advanceWidth, codePoints: characters });
    return usual !== undefined && areSame(usual.codePoints, characters)
      ? usual.codePoints
      : characters;
  }
}

/** The glyph of what the font has not stands for nothing: pdfkit asks for it first. */
function newMemory(): Memory {
  return new Map([[0, []]]);
}

/** Whether no glyph stands for something else in the word than in the document. */
function agree(memory: Memory, { asked }: Shaped): boolean {
  return asked.every(([id, theirs]) => {
    const ours = memory.get(id);
    return ours === undefined || areSame(ours, theirs);
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
