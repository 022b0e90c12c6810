/** Converts the rows of a file to the form that the server takes, and finds their faults before the server gets them. */
import { csvLine, guarded, unguarded } from "../../domain/base/csv-text.ts";
import { vatNumberWithCountry } from "../../domain/sales/vat-prefix.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import { readCell, signOf } from "./import-cells.ts";
import {
  type Assigned,
  columnsFor,
  columnsOf,
  type ImportColumn,
  type ImportKind,
} from "./import-columns.ts";
import type { FileTable } from "./import-file.ts";

type Sent = Readonly<Record<string, unknown>>;

/** The fault of a row: of one of its columns, or of the whole row where `field` is empty. */
interface RowFault {
  readonly field: string;
  readonly refusal: Refusal;
}

interface ImportRow {
  readonly at: number;
  readonly cells: readonly string[];
  readonly sent: Sent;
  readonly fault: RowFault | null;
  /** The number of an earlier row with the same content. */
  readonly same_as: number | null;
}

export interface ImportFile {
  readonly kind: ImportKind;
  readonly table: FileTable;
  /** The columns in the order of the heads; null for a column that is not read. */
  readonly columns: readonly (ImportColumn | null)[];
  readonly ignored: readonly string[];
  /** Required columns that the file lacks; without them no row can be created. */
  readonly missing: readonly ImportColumn[];
  readonly rows: readonly ImportRow[];
}

interface Around {
  readonly language: Language;
  readonly functional_currency: string;
  /** The values of columns that a person has given for the whole file; a cell of a row comes before. */
  readonly given?: Sent;
}

/** Returns the content of a file. Numbers and dates are read as the reader writes them. */
export function fileOf(
  kind: ImportKind,
  table: FileTable,
  around: Around,
  assigned: Assigned = {},
): ImportFile {
  const columns = columnsFor(kind, table.heads, assigned);
  const known = columns.map((column, index) => {
    if (column === null) return null;
    const head = table.heads[index] ?? "";
    const cells = table.rows.map((row) => row.cells[index] ?? "");
    return {
      column,
      index,
      reading: { ...around, sign: signOf(column, head, cells, around.language) },
    };
  });
  const there = new Set(columns.flatMap((column) => column?.field ?? []));
  const first = new Map<string, number>();
  const rows = table.rows.map(({ at, cells }): ImportRow => {
    const sent: Record<string, unknown> = { ...around.given };
    let fault: RowFault | null = null;
    for (const one of known) {
      const cell = one === null ? "" : unguarded(cells[one.index] ?? "");
      if (one === null || cell === "") continue;
      const read = readCell(one.column, cell, one.reading);
      if (read === undefined) continue;
      if ("fault" in read) fault ??= { field: one.column.field, refusal: read.fault };
      // Terms are two fields; a column of days that follows is read for itself.
      else if (one.column.kind === "terms") Object.assign(sent, read.value);
      else sent[one.column.field] = read.value;
    }
    fault ??= requiredFault(kind, sent);
    const key = fault === null ? keyOf(kind, sent) : null;
    const same_as = key === null ? null : (first.get(key) ?? null);
    if (key !== null && same_as === null) first.set(key, at);
    return { at, cells, sent, fault, same_as };
  });
  const missing = columnsOf(kind).filter(
    ({ field, is_required }) =>
      is_required && !there.has(field) && around.given?.[field] === undefined,
  );
  const ignored = table.heads.filter((head, index) => head !== "" && columns[index] === null);
  return { kind, table, columns, ignored, missing, rows };
}

/** Returns the table with another text in one cell. `row` is the index of the row. */
export function withCell(table: FileTable, row: number, column: number, text: string): FileTable {
  const rows = table.rows.map((one, index) =>
    index === row
      ? { ...one, cells: one.cells.map((cell, at) => (at === column ? text : cell)) }
      : one,
  );
  return { ...table, rows };
}

function requiredFault(kind: ImportKind, sent: Sent): RowFault | null {
  const needed = columnsOf(kind).filter(({ is_required }) => is_required);
  const lacks_line = kind === "hours" && sent.line_id === undefined && sent.customer === undefined;
  const field =
    needed.find((one) => sent[one.field] === undefined)?.field ?? (lacks_line ? "customer" : null);
  return field === null ? null : { field, refusal: { code: "required", message: "Is required." } };
}

/** Returns the key by which two rows are the same; the server finds existing entries by the same key. */
function keyOf(kind: ImportKind, sent: Sent): string {
  const { name, external_id, product_number, vat_number } = sent;
  switch (kind) {
    case "customers": {
      if (external_id !== undefined) return JSON.stringify([external_id]);
      const country = typeof sent.country_key === "string" ? sent.country_key : "DK";
      const number =
        typeof vat_number === "string" ? vatNumberWithCountry(vat_number, country) : "";
      return JSON.stringify([name, number]);
    }
    case "products":
      return JSON.stringify(product_number ?? external_id ?? [name]);
    case "opening-items": {
      const { customer, number, amount, is_credit = false } = sent;
      const is_below = typeof amount === "number" && amount < 0;
      return JSON.stringify(
        external_id === undefined ? [customer, number, is_below !== is_credit] : [external_id],
      );
    }
    case "hours": {
      const { user_id, user, line_id, customer, title, line, date, note = "" } = sent;
      const { project, task } = sent;
      return JSON.stringify([
        ...[user_id, user, line_id, customer, title, line, date, note],
        ...[project, task],
      ]);
    }
  }
}

/** The most rows in one portion, and the most characters of JSON. */
const MOST_SENT: Readonly<Record<ImportKind, number>> = {
  customers: 100,
  products: 100,
  hours: 25,
  "opening-items": 25,
};
const MOST_CHARACTERS = 28_000;

/** Returns the indexes of the rows to send, in portions that are short work. */
export function portionsOf({ kind, rows }: ImportFile): readonly (readonly number[])[] {
  const portions: number[][] = [];
  let characters = 0;
  for (const [index, { fault, same_as, sent }] of rows.entries()) {
    if (fault !== null || same_as !== null) continue;
    const length = JSON.stringify(sent).length;
    const last = portions.at(-1);
    if (
      last === undefined ||
      last.length === MOST_SENT[kind] ||
      characters + length > MOST_CHARACTERS
    ) {
      portions.push([index]);
      characters = length;
    } else {
      last.push(index);
      characters += length;
    }
  }
  return portions;
}

/** Returns the rows left out, with reasons, as a file to fix and import again. Begins with a byte order mark. */
export function fileToFix(
  { table: { heads, separator } }: ImportFile,
  head: string,
  rows: readonly { readonly cells: readonly string[]; readonly reason: string }[],
): string {
  const known = heads.at(-1) === head ? heads.slice(0, -1) : heads;
  const lines = rows.map(({ cells, reason }) =>
    csvLine([...known.map((_, index) => guarded(cells[index] ?? "")), guarded(reason)], separator),
  );
  return `\ufeff${csvLine([...known, head], separator)}${lines.join("")}`;
}
