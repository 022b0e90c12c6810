/**
 * Documents of every printed kind, for tests that compare renderings: languages, currencies, long and unusual texts, logos,
 * specified hours, credit notes and drafts. Every call returns the same documents.
 */
import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import type { DocumentSnapshot } from "../../../src/domain/sales/document.ts";
import { creditNote, danish, line, reverseCharge, vat } from "./documents.ts";
import { jpeg, png, pngOf } from "./pictures.ts";

export interface Printed {
  readonly what: string;
  readonly snapshot: DocumentSnapshot;
  /** Null for a draft. */
  readonly number: bigint | null;
  /** The original bytes; null when the snapshot has no logo. */
  readonly logo: Buffer | null;
}

export function printedDocuments(): Printed[] {
  return [...kinds(), ...texts(), ...pictures(), ...specifications(), ...written(12)];
}

/** A digest of a file's content, independent of its compression. */
export function contentDigest(pdf: Buffer): string {
  const hash = createHash("sha256");
  for (const [, body = ""] of pdf
    .toString("latin1")
    .matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
    const raw = Buffer.from(body, "latin1");
    try {
      hash.update(inflateSync(raw));
    } catch {
      hash.update(raw);
    }
  }
  return hash.digest("hex").slice(0, 16);
}

function printed(what: string, snapshot: DocumentSnapshot, number: bigint | null = 1042n): Printed {
  return { what, snapshot, number, logo: null };
}

const plain = line("Opgave", 100n, [[100, 10000n, 0, 100n]]);

function kinds(): Printed[] {
  const huge = 900719925474099311n;
  const kuwait: DocumentSnapshot = {
    ...danish(),
    currency: "KWD",
    currency_digits: 3,
    rate_micro: 22851234n,
    lines: [line("Anlæg", huge, [[100, huge * 10n, 0, huge]])],
    vat: [vat(huge, 225179981368524828n)],
    totals: { net: huge, vat: 225179981368524828n, gross: 1125899906842624139n },
  };
  const mixed = [plain, { ...plain, vat_rate: 0, vat_code: "DK0" as const, unit: "stk" }];
  return [
    printed("an invoice", danish()),
    printed("one in English without VAT", reverseCharge(), 7n),
    printed("a credit note", creditNote(), 12n),
    printed("a draft", danish(), null),
    printed("a draft of a credit note in English", { ...creditNote(), language: "en" }, null),
    printed("amounts of eighteen digits", kuwait, 1n),
    printed("a currency without decimals", {
      ...reverseCharge(),
      currency: "JPY",
      currency_digits: 0,
    }),
    printed("two rates of VAT", {
      ...danish(),
      lines: mixed,
      vat: [vat(1n, 1n), { ...vat(1n, 0n), rate: 0, vat_code: "DK0" }],
    }),
    printed("no seller", { ...danish(), seller: null }),
    printed("sixty lines", { ...danish(), lines: Array.from({ length: 60 }, () => plain) }, 5n),
    printed("many lines of a draft", { ...danish(), lines: manyLines(170) }, null),
  ];
}

function manyLines(count: number) {
  return Array.from({ length: count }, (_, index) =>
    line(`Opgave nummer ${index + 1}`, 100n, [[100 + index, 10000n, 0, 100n]]),
  );
}

/** Texts with ligatures, and with words that look different next to another word. */
function texts(): Printed[] {
  const of = (what: string, ...lines: string[]) =>
    printed(what, {
      ...danish(),
      title: lines[0] ?? null,
      lines: lines.map((text) => line(text, 100n, plain_rows)),
    });
  return [
    of("a quotation mark", "Bogholderens ’timer’", "ʼOkinaʼ og ’apostrof’"),
    of("a letter that looks the same", "ʼOkinaʼ", "’apostrof’", "It’s ʼnʼ"),
    of("arrows that are typed", "a -> b <- c => d", "→ ← ⇒ --> <--"),
    of("arrows", "→ ← ⇒ ⟶", "a -> b <- c => d --> e"),
    of("other alphabets", "Ωmega Ωhm Δελτα ∆ ιότα ɩ", "Съешь ещё этих булок", "Ƶ ẞ ŉ Ỹ"),
    of(
      "alphabets that the font has not",
      "日本語 한국어 العربية עברית हिन्दी",
      "🎉\ufe0f ❤\ufe0f ☎\ufe0e",
    ),
    of("marks", "a\u0301\u0323 e\u0302\u0301 x\u0305\u0332 \u0301alone", "Z\u0351\u036b\u0343algo"),
    of("sizes", "3x4 10×20 3 x 4 (c) 1⁄2 12⁄345 (A-B) [X:Y] 1:2 @HOME", "A–B a–b +A+ *X* ½ ② ➁"),
    of("spaces", "a\u00a0b  c   d\te\u2009f\u3000g", "  before", "after  "),
    of("words that are too wide", "x".repeat(3000), "Donaudampfschifffahrts".repeat(20)),
    of("a text of pages", "ord ".repeat(6000), "titel ".repeat(80)),
    of("no text", "", " ", "\u0000\u202e"),
  ];
}

const plain_rows = [[2750, 12000000n, 500, 3135000n] as const];

function pictures(): Printed[] {
  const { seller } = danish();
  if (seller === null) throw new Error("no seller");
  const of = (what: string, logo: Buffer, width: number, height: number): Printed => {
    const content_type = logo === jpeg ? ("image/jpeg" as const) : ("image/png" as const);
    const named = {
      ...seller,
      accent_color: "#0b5b49",
      logo: { sha256: what, content_type, width, height },
    };
    return { what, snapshot: { ...danish(), seller: named }, number: 1n, logo };
  };
  const palette = [0, 0, 0, 200, 30, 90];
  const frame = { width: 9, height: 2, depth: 1, kind: 3, palette, transparency: [0] } as const;
  return [
    of("a transparent logo", png(80, 60), 80, 60),
    of("a logo without transparency", png(90, 60, { kind: 2 }), 90, 60),
    of(
      "a logo of two colours",
      pngOf(frame, deflateSync(Buffer.from([0, 0xaa, 0x80, 0, 0x55, 0]))),
      9,
      2,
    ),
    of("a photograph", jpeg, 48, 24),
  ];
}

function specifications(): Printed[] {
  const [first, ...others] = danish().lines;
  if (first === undefined) throw new Error("no line");
  const entries = (count: number, note: string | null) =>
    Array.from({ length: count }, (_, index) => ({
      date: `2026-11-${String(1 + (index % 28)).padStart(2, "0")}`,
      user_name: index % 2 === 0 ? "Anna Holm" : "Bo Friis-Christensen af Nordborg",
      hours: 25 + index,
      note,
    }));
  const worked = { from: "2026-10-28", to: "2026-11-17" };
  const specified = (count: number, note: string | null): DocumentSnapshot => ({
    ...danish(),
    lines: [{ ...first, line_id: "first", worked }, ...others],
    hours: [{ line_id: "first", entries: entries(count, note) }],
    footer: `Tak.\n\n${"Vi tager forbehold for trykfejl. ".repeat(30)}Slut.`,
    order_reference: "PO 4711",
  });
  return [
    printed(
      "hours",
      specified(90, "Gennemgang af bilag, møde med revisor og opfølgning. ".repeat(4)),
    ),
    printed("sums of hours", { ...specified(50, null), language: "en", hours_are_summed: true }),
    printed("hours of a draft", specified(3, "Møde"), null),
  ];
}

/** Texts made from words by a fixed rule: each document has other neighbouring words. */
function written(count: number): Printed[] {
  const words =
    "Rådgivning om drift, 12,5 % rabat – Til-Fra 3x3 AVA To. (VAT) W.A. fi fl ffi Æble ØL år ’n’ ʼn -> → 1⁄2 % kr. #4 «citat» “quote” É/È Ž".split(
      " ",
    );
  let state = 42;
  const next = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  const sentence = (length: number) =>
    Array.from({ length }, () => words[next(words.length)]).join(next(9) === 0 ? "\u00a0" : " ");
  return Array.from({ length: count }, (_, index) => {
    const base = index % 3 === 0 ? reverseCharge() : index % 3 === 1 ? danish() : creditNote();
    const lines = Array.from({ length: 1 + next(12) }, () => {
      const rows = [
        [next(100000), BigInt(next(2000000000)), next(9) * 100, BigInt(next(1000000000))] as const,
      ];
      return line(sentence(1 + next(40)), BigInt(1 + next(1000000000)), rows);
    });
    return printed(
      `texts, number ${index + 1}`,
      { ...base, title: sentence(3), lines },
      index % 4 === 0 ? null : BigInt(index),
    );
  });
}
