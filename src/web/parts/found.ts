/** Presents a search result as a line with a link: on the search page and in the palette. */
import type { SearchHit } from "../../features/overview/search/find-all.ts";
import type { IconName } from "../frame/icon.tsx";
import type { PageReader } from "../frame/reader.ts";
import { moneyOf } from "./format.ts";

/** A result in the form that the browser receives: amounts are decimal text. */
export type FoundRow = Omit<SearchHit, "number" | "amount"> & {
  readonly number: string | null;
  readonly amount: string | null;
};

/** A line: its address, its text, and at its end its kind or amount. */
export interface Way {
  readonly href: string;
  readonly text: string;
  readonly end: string;
  readonly icon: IconName;
}

/** Whether each word of `text` begins a word of `name`, in any case. */
export function beginsIn(text: string, name: string): boolean {
  const words = wordsIn(name);
  return wordsIn(text).every((asked) => words.some((word) => word.startsWith(asked)));
}

function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The kinds that have a page, with the folder of their addresses and their icon. */
export const PAGES_OF = {
  customer: ["/customers", "building-store"],
  invoice: ["/invoices", "file-invoice"],
  credit_note: ["/credit-notes", "file-invoice"],
  product: ["/products", "package"],
  recurring_series: ["/retainers", "repeat"],
} as const satisfies Partial<Record<SearchHit["kind"], readonly [string, string]>>;

type PagedKind = keyof typeof PAGES_OF;

export function hasPage(kind: SearchHit["kind"]): kind is PagedKind {
  return kind in PAGES_OF;
}

export function rowOf({ number, amount, ...found }: SearchHit): FoundRow {
  return { ...found, number: number?.toString() ?? null, amount: amount?.toString() ?? null };
}

/** Returns the line of a result; null where it has no page. */
export function wayTo(row: FoundRow, { words, language }: PageReader): Way | null {
  const { kind, id, amount, currency } = row;
  if (!hasPage(kind)) return null;
  const [folder, icon] = PAGES_OF[kind];
  const money =
    amount === null || currency === null ? null : moneyOf(language, BigInt(amount), currency);
  const end = money ?? row.beside ?? "";
  return {
    href: `${folder}/${id}`,
    text: textOf(row, words.palette),
    end: kind === "invoice" || kind === "credit_note" ? end : words.palette.kinds[kind],
    icon,
  };
}

function textOf(row: FoundRow, words: PageReader["words"]["palette"]): string {
  const { kind, name, number, beside, credits } = row;
  if (kind === "credit_note") return words.credit_note(number ?? "–", credits ?? "–");
  if (kind !== "invoice") return name ?? "–";
  const title = number === null ? words.draft(beside ?? "–") : words.invoice(number);
  if (name === null) return number === null ? words.draft(beside ?? "–") : `${title} · ${beside}`;
  return number === null ? `${name} · ${title}` : `${title} · ${name}`;
}
