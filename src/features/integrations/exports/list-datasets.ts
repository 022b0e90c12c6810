/**
 * The datasets of exports (spec 15.4). Each reads its rows in portions, in the order of their ids, so that a file of any length takes
 * little memory.
 */
import type * as z from "zod";
import type { Reader } from "../../../platform/commands/context.ts";
import type { ListedTable } from "../../../platform/database/page.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { columnsOf } from "../../../platform/http/csv.ts";
import { UserResource } from "../../access/people/schemas.ts";
import { CustomerResource } from "../../catalogue/customers/schemas.ts";
import { ProductResource } from "../../catalogue/products/schemas.ts";
import { SeriesResource } from "../../recurring/series/schemas.ts";
import { CreditNoteResource } from "../../sales/credit-notes/schemas.ts";
import { InvoiceResource } from "../../sales/invoices/schemas.ts";
import { presentWork } from "../../work/registrations/present.ts";
import { findWork } from "../../work/registrations/queries.ts";
import { WorkResource } from "../../work/registrations/schemas.ts";
import type { DatasetName } from "./schemas.ts";

/** A row as the API shows it. */
export type ExportRow = Readonly<Record<string, unknown>>;

export interface Dataset {
  readonly name: DatasetName;
  readonly description: string;
  /** The columns of the CSV; objects are flattened as `a.b`, lists are JSON. */
  readonly columns: readonly string[];
  /** Yields all rows that the reader sees, in portions. */
  rows(cx: Reader): AsyncIterable<readonly ExportRow[]>;
}

const PORTION = 500;

export const datasets: readonly Dataset[] = [
  resources("customers", "A customer, active or not.", CustomerResource),
  resources("products", "A product, active or not.", ProductResource),
  resources("users", "A user, active or not.", UserResource),
  resources("invoices", "An invoice or a draft, with its lines as a list.", InvoiceResource),
  lines("invoice_lines", "A line of an invoice or a draft.", "invoices", InvoiceResource),
  resources("credit_notes", "A credit note, with its lines as a list.", CreditNoteResource),
  lines("credit_note_lines", "A line of a credit note.", "credit_notes", CreditNoteResource),
  resources("recurring_series", "A series.", SeriesResource),
  {
    name: "work_registrations",
    description: "Hours of a user on a line on a day.",
    columns: columnsOf(WorkResource),
    rows: workRows,
  },
];

/** Returns a dataset by its name. */
export function getDataset(name: DatasetName): Dataset {
  const dataset = datasets.find((one) => one.name === name);
  if (dataset === undefined) throw new Error(`there is no dataset ${name}`);
  return dataset;
}

/** A dataset of stored resources, each as its list shows it. */
function resources(
  table: ListedTable & DatasetName,
  description: string,
  resource: z.ZodObject,
): Dataset {
  return {
    name: table,
    description,
    columns: columnsOf(resource),
    rows: (cx) => documentsOf(cx, table),
  };
}

/** A dataset of the lines of documents, each with the id of its document first. */
function lines(
  name: DatasetName,
  description: string,
  table: "invoices" | "credit_notes",
  resource: z.ZodObject,
): Dataset {
  const owner = table === "invoices" ? "invoice_id" : "credit_note_id";
  const { element } = resource.shape.lines as z.ZodArray<z.ZodObject>;
  return {
    name,
    description,
    columns: [owner, ...columnsOf(element)],
    async *rows(cx) {
      for await (const documents of documentsOf(cx, table)) {
        yield documents.flatMap(({ id, lines: own }) =>
          (own as readonly ExportRow[]).map((line) => ({ [owner]: id, ...line })),
        );
      }
    },
  };
}

async function* documentsOf(cx: Reader, table: ListedTable): AsyncGenerator<readonly ExportRow[]> {
  for (let after = FIRST, length = PORTION; length === PORTION; ) {
    cx.signal.throwIfAborted();
    const rows = await cx.rows<{ id: string; document: string }>(
      sql`select id, document from ${raw(table)} where account_id = ${cx.caller.account_id} and id > ${after}
        order by id limit ${PORTION}`,
    );
    yield rows.map(({ document }) => JSON.parse(document));
    ({ length } = rows);
    after = rows.at(-1)?.id ?? after;
  }
}

async function* workRows(cx: Reader): AsyncGenerator<readonly ExportRow[]> {
  for (let after = FIRST, length = PORTION; length === PORTION; ) {
    cx.signal.throwIfAborted();
    const named = await cx.rows<{ id: string }>(
      sql`select id from work_registrations where account_id = ${cx.caller.account_id} and id > ${after}
        order by id limit ${PORTION}`,
    );
    const ids = named.map(({ id }) => id);
    const found = new Map((await findWork(cx, ids)).map((one) => [one.id, one]));
    const shown = await presentWork(
      cx,
      ids.flatMap((id) => found.get(id) ?? []),
    );
    yield shown.flatMap((text) => (text === undefined ? [] : [JSON.parse(text)]));
    ({ length } = ids);
    after = ids.at(-1) ?? after;
  }
}

/** Before every id. */
const FIRST = "00000000-0000-0000-0000-000000000000";
