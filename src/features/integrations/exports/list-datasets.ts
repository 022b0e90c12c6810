/**
 * The datasets of exports (spec 15.4). Each reads its rows in portions, so that a file of any length takes little memory.
 */
import * as z from "zod";
import type { Reader } from "../../../platform/commands/context.ts";
import { columnsOf } from "../../../platform/http/csv.ts";
import { UserResource } from "../../access/people/schemas.ts";
import { CustomerResource } from "../../catalogue/customers/schemas.ts";
import { ProductResource } from "../../catalogue/products/schemas.ts";
import { LedgerEntry } from "../../ledger/reports/schemas.ts";
import { OccurrenceRow } from "../../recurring/occurrences/schemas.ts";
import { SeriesResource } from "../../recurring/series/schemas.ts";
import { AccrualResource } from "../../revenue/accruals/schemas.ts";
import { OpeningContract } from "../../revenue/opening-contracts/schemas.ts";
import { RecognitionEntry } from "../../revenue/reports/schemas.ts";
import { CreditNoteResource } from "../../sales/credit-notes/schemas.ts";
import { InvoiceResource } from "../../sales/invoices/schemas.ts";
import { WorkResource } from "../../work/registrations/schemas.ts";
import { changedRows, type Owner } from "./read-changed.ts";
import { accrualRows, entryRows, postingRows, revenueRows } from "./read-computed.ts";
import {
  documentsOf,
  linesOf,
  occurrencesOfSeries,
  type ShowRows,
  type StoredTable,
  storedRows,
  workOf,
} from "./read-stored.ts";
import type { DatasetName, ExportRow, Later, MonthRange } from "./schemas.ts";

export interface Dataset {
  readonly name: DatasetName;
  readonly description: string;
  /** The fields of a row; in a CSV, objects are flattened as `a.b`, and lists are JSON. */
  readonly row: z.ZodObject;
  readonly columns: readonly string[];
  /** Whether `from` and `to` select rows. */
  readonly has_months: boolean;
  /** Yields the rows that changed after a sequence up to the head, in portions; null for a dataset that is loaded by month. */
  readonly changed:
    | ((cx: Reader, after: bigint, head: bigint) => AsyncIterable<readonly ExportRow[]>)
    | null;
  /** Yields all rows that the reader sees, in portions. */
  rows(cx: Reader, months: MonthRange, later: Later): AsyncIterable<readonly ExportRow[]>;
}

export const datasets: readonly Dataset[] = [
  stored("customers", "A customer, active or not.", CustomerResource),
  stored("products", "A product, active or not.", ProductResource),
  stored("users", "A user, active or not.", UserResource),
  stored("invoices", "An invoice or a draft, with its lines as a list.", InvoiceResource),
  stored(
    "invoice_lines",
    "A line of an invoice or a draft.",
    lineOf("invoice_id", InvoiceResource),
    "invoices",
    linesOf("invoice_id"),
    "invoice_id",
  ),
  stored("credit_notes", "A credit note, with its lines as a list.", CreditNoteResource),
  stored(
    "credit_note_lines",
    "A line of a credit note.",
    lineOf("credit_note_id", CreditNoteResource),
    "credit_notes",
    linesOf("credit_note_id"),
    "credit_note_id",
  ),
  stored("recurring_series", "A series.", SeriesResource),
  stored(
    "occurrences",
    "A period of a series, from its start through a year from today.",
    OccurrenceRow,
    "recurring_series",
    occurrencesOfSeries,
    "series_id",
  ),
  stored("opening_contracts", "A contract that was brought along.", OpeningContract),
  {
    ...stored(
      "work_registrations",
      "Hours of a user on a line on a day.",
      WorkResource.omit({ line: true }).extend({ currency: z.string() }),
      "work_registrations",
      workOf,
    ),
    has_months: true,
  },
  byMonth(
    "accruals",
    "An accrual of a customer and a month, booked or a draft.",
    AccrualResource,
    accrualRows,
  ),
  byMonth(
    "ledger_entries",
    "An entry of the built-in ledger, with its postings as a list.",
    LedgerEntry,
    entryRows,
  ),
  byMonth("ledger_postings", "A posting of an entry.", postingOf(LedgerEntry), postingRows),
  byMonth("revenue", "What a line earned in a month for a user.", RecognitionEntry, revenueRows),
];

/** Returns a dataset by its name. */
export function getDataset(name: DatasetName): Dataset {
  const dataset = datasets.find((one) => one.name === name);
  if (dataset === undefined) throw new Error(`there is no dataset ${name}`);
  return dataset;
}

/** A dataset of resources of a table, by default each as its list shows it. */
function stored(
  name: DatasetName,
  description: string,
  row: z.ZodObject,
  table = name as StoredTable,
  show: ShowRows = documentsOf,
  owner: Owner = "id",
): Dataset {
  return {
    name,
    description,
    row,
    columns: columnsOf(row),
    has_months: false,
    changed: (cx, after, head) => changedRows(cx, { table, owner, show }, after, head),
    rows: (cx, months) => storedRows(cx, table, show, months),
  };
}

/** A dataset that is loaded by month. */
function byMonth(
  name: DatasetName,
  description: string,
  row: z.ZodObject,
  rows: Dataset["rows"],
): Dataset {
  return { name, description, row, columns: columnsOf(row), has_months: true, changed: null, rows };
}

/** The row of a line: the id of its document first, and the document's currency last. */
function lineOf(owner: string, document: z.ZodObject): z.ZodObject {
  const { element } = document.shape.lines as z.ZodArray<z.ZodObject>;
  return z.object({ [owner]: z.string(), ...element.shape, currency: z.string() });
}

/** The row of a posting: the number and the day of its entry, its place in it, and the currencies of its amounts. */
function postingOf({ shape }: typeof LedgerEntry): z.ZodObject {
  const { entry_no, date, currency, postings } = shape;
  return z.object({
    entry_no,
    line: z.int(),
    date,
    ...postings.element.shape,
    currency,
    functional_currency: z.string(),
  });
}
