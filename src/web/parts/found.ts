/** Presents a search result as a line with a link: on the search page and in the palette. */
import type { Month } from "../../domain/base/calendar.ts";
import type { SearchHit } from "../../features/overview/search/find-all.ts";
import type { IconName } from "../frame/icon.tsx";
import type { PageReader } from "../frame/reader.ts";
import { dayOf, moneyOf, monthOf } from "./format.ts";

/** A result in the form that the browser receives: amounts are decimal text. */
export type FoundRow = Omit<SearchHit, "kind" | "number" | "amount"> & {
  /** An entry of the journal is found on pages alone. */
  readonly kind: SearchHit["kind"] | "ledger_entry";
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

/** Returns the words of a text in lower case; an acute accent is ignored, as people often leave it out. */
export function wordsIn(text: string): string[] {
  return text
    .normalize("NFD")
    .replaceAll("\u0301", "")
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The kinds of results, with the beginning of their addresses and their icon. */
export const PAGES_OF = {
  customer: ["/customers", "building-store"],
  invoice: ["/invoices", "file-invoice"],
  credit_note: ["/credit-notes", "file-invoice"],
  payment: ["/payments", "cash"],
  reminder: ["/reminders", "hourglass-high"],
  product: ["/products", "package"],
  recurring_series: ["/retainers", "repeat"],
  user: ["/people", "users"],
  ledger_account: ["/ledger/entries?account=", "book-2"],
  ledger_entry: ["/ledger/entries", "book-2"],
  bank_line: ["/bank/lines", "building-bank"],
} as const satisfies Record<FoundRow["kind"], readonly [string, string]>;

/** The kinds that show an amount at the end of their line. */
const HAVE_AMOUNTS: readonly FoundRow["kind"][] = [
  "invoice",
  "credit_note",
  "payment",
  "reminder",
  "bank_line",
];

export function rowOf({ number, amount, ...found }: SearchHit): FoundRow {
  return { ...found, number: number?.toString() ?? null, amount: amount?.toString() ?? null };
}

/** Returns the line of a result. */
export function wayTo(row: FoundRow, { words, language }: PageReader): Way {
  const { kind, id, amount, currency } = row;
  const [folder, icon] = PAGES_OF[kind];
  const money =
    amount === null || currency === null ? null : moneyOf(language, BigInt(amount), currency);
  const end = money ?? row.beside ?? "";
  return {
    href: folder.endsWith("=") ? `${folder}${id}` : `${folder}/${id}`,
    text: textOf(row, words.palette, language),
    end: HAVE_AMOUNTS.includes(kind) ? end : words.palette.kinds[kind],
    icon,
  };
}

function textOf(
  row: FoundRow,
  words: PageReader["words"]["palette"],
  language: PageReader["language"],
): string {
  const { kind, name, number, beside, credits } = row;
  if (kind === "ledger_entry") return `${words.entry(number ?? "–")} · ${name ?? ""}`;
  if (kind === "ledger_account") return `${number ?? ""} ${name ?? ""}`;
  if (kind === "credit_note") return words.credit_note(number ?? "–", credits ?? "–");
  if (kind === "payment")
    return `${words[row.is_refund ? "refund" : "payment"](number ?? "–")} · ${beside ?? ""}`;
  if (kind === "reminder") {
    const said =
      number === null
        ? words.reminder_of(name === null ? "–" : dayOf(language, name))
        : words.reminder(number);
    return `${said} · ${beside ?? ""}`;
  }
  if (kind !== "invoice") return name ?? "–";
  const title = number === null ? words.draft(beside ?? "–") : words.invoice(number);
  if (name === null) return number === null ? words.draft(beside ?? "–") : `${title} · ${beside}`;
  return number === null ? `${name} · ${title}` : `${title} · ${name}`;
}

/** Returns the line of a month, which leads to its close. */
export function wayToMonth(month: Month, { words, language }: PageReader): Way {
  const text = words.palette.close_month(monthOf(language, month));
  return { href: `/close/${month}`, text, end: words.nav.close, icon: "lock-check" };
}
