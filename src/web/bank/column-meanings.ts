/** What each column of a bank's CSV file means: from a stored or guessed profile to choices, and from choices to a profile. */
import type { CsvColumns, CsvProfile } from "../../domain/receivables/csv-profile.ts";
import type { CsvForm, SampleRows } from "./sample-rows.ts";

/** The meaning of a column; empty for one that is not read. */
export type Meaning = keyof CsvColumns | "";

/** The meanings in the order in which they are offered. */
export const MEANINGS = [
  "date",
  "amount",
  "credit",
  "debit",
  "text",
  "counterparty",
  "counterparty_account",
  "reference",
  "balance",
  "currency",
  "value_date",
  "id",
] as const satisfies readonly (keyof CsvColumns)[];

/** Why choices make no profile. */
type MeaningFault = "date" | "text" | "amount" | "both" | "twice";

/** Returns the meaning of each column by a profile. */
export function meaningsOf(columns: CsvColumns | null, { heads, width }: SampleRows): Meaning[] {
  const meanings: Meaning[] = Array.from({ length: width }, () => "");
  if (columns === null) return meanings;
  for (const meaning of MEANINGS) {
    const named = columns[meaning];
    for (const column of Array.isArray(named) ? named : [named]) {
      const at = typeof column === "number" ? column - 1 : (heads?.indexOf(column ?? "") ?? -1);
      if (at >= 0 && at < width) meanings[at] = meaning;
    }
  }
  return meanings;
}

/** Returns the profile of a file whose columns mean this; a fault where a day, a text or amounts are missing, or one is chosen twice. */
export function profileFrom(
  form: CsvForm,
  meanings: readonly Meaning[],
  { heads }: Pick<SampleRows, "heads">,
): { readonly profile: CsvProfile } | { readonly fault: MeaningFault } {
  const columnsOf = (meaning: Meaning) =>
    meanings.flatMap((one, at) => (one === meaning ? [nameOf(at, heads)] : []));
  const single = MEANINGS.filter((meaning) => meaning !== "text");
  const fault = faultOf(new Set(meanings), (meaning) => columnsOf(meaning).length > 1);
  if (fault !== null) return { fault };
  const columns = Object.fromEntries(
    single.flatMap((meaning) => columnsOf(meaning).map((column) => [meaning, column])),
  );
  const date = columnsOf("date")[0] ?? 1;
  return { profile: { ...form, columns: { ...columns, date, text: columnsOf("text") } } };
}

function faultOf(
  chosen: ReadonlySet<Meaning>,
  isTwice: (meaning: Meaning) => boolean,
): MeaningFault | null {
  if (MEANINGS.some((meaning) => meaning !== "text" && isTwice(meaning))) return "twice";
  if (!chosen.has("date")) return "date";
  if (!chosen.has("text")) return "text";
  const parts = [chosen.has("credit"), chosen.has("debit")].filter(Boolean).length;
  if (chosen.has("amount")) return parts === 0 ? null : "both";
  return parts === 2 ? null : "amount";
}

/** A column is named by its head, which stays when the bank adds others; by its number where the head names no column alone. */
function nameOf(at: number, heads: SampleRows["heads"]): string | number {
  const head = heads?.[at] ?? "";
  const is_name = head !== "" && !/^\d+$/.test(head) && !head.endsWith("…");
  return is_name && heads?.indexOf(head) === heads?.lastIndexOf(head) ? head : at + 1;
}
