/**
 * The common columns of the files of invoices and of credit notes: the document, its customer and its rows. Amounts of rows add
 * up to those of documents. Amounts of the whole document are only on its first row, so that those columns add up too.
 */

import { decimalText, RATE_DECIMALS as EXCHANGE_DECIMALS } from "../../../domain/base/money.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { type FlatRow, flatRows } from "../../../domain/sales/flat-document.ts";
import { HOURS_DECIMALS, PERCENT_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { type Condition, listRows, type PageQuery } from "../../../platform/database/page.ts";
import type { Stored } from "../../../platform/database/resources.ts";
import {
  type CsvColumn,
  number,
  portionsOf,
  priceText,
  text,
} from "../../../platform/http/csv-file.ts";
import { type CustomerLabel, customerLabels } from "../../catalogue/customers/queries.ts";
import { accountNames } from "../../settings/configuration/accounts.ts";
import { lastSendings } from "./include.ts";

/** A row of a document with the fields of its document. */
export interface DocumentRowOfFile {
  readonly document: DocumentSnapshot;
  readonly is_issued: boolean;
  /** The row's amounts; null for a document without lines. */
  readonly flat: FlatRow | null;
  /** Whether this is the first row of its document. */
  readonly is_first: boolean;
  readonly customer: CustomerLabel | undefined;
  readonly account_name: string | undefined;
  readonly delivery_state: string | undefined;
  readonly buyer_answer: string | null | undefined;
}

/** Returns the rows of documents in their order; `issued` has the ids of the issued documents. */
export async function rowsOfDocuments<
  Shown extends { readonly id: string; readonly customer_id: string },
>(
  cx: Reader,
  shown: readonly Shown[],
  documents: ReadonlyMap<string, DocumentSnapshot>,
  isIssued: (one: Shown) => boolean,
): Promise<(DocumentRowOfFile & { readonly of: Shown })[]> {
  const names = await accountNames(cx);
  const ids = shown.map(({ id }) => id);
  const sendings = await lastSendings(cx, ids);
  const customer_ids = shown.map(({ customer_id }) => customer_id);
  const customers = await customerLabels(cx, customer_ids);
  return shown.flatMap((of) => {
    const document = documents.get(of.id);
    if (document === undefined) return [];
    const flat = flatRows(document);
    return (flat.length > 0 ? flat : [null]).map((row, index) => ({
      of,
      document,
      is_issued: isIssued(of),
      flat: row,
      is_first: index === 0,
      customer: customers.get(of.customer_id),
      account_name: row === null ? undefined : names.get(row.line.account_number),
      delivery_state: sendings.get(of.id)?.state,
      buyer_answer: sendings.get(of.id)?.response_code,
    }));
  });
}

/** Yields the stored documents that meet the conditions in portions, newest first, each made in one snapshot. */
export async function* portionsOfDocuments<Resource, Made>(
  cx: Context,
  table: "invoices" | "credit_notes",
  conditions: readonly Condition[],
  query: Omit<PageQuery, "limit" | "cursor">,
  rowsOf: (cx: Reader, resources: readonly Resource[]) => Promise<readonly Made[]>,
): AsyncGenerator<readonly Made[]> {
  const portions = portionsOf((page) =>
    listRows<Stored>(cx, "id, document", table, conditions, { ...query, ...page }),
  );
  for await (const stored of portions) {
    const resources = stored.map(({ document }) => JSON.parse(document) as Resource);
    yield await reading(cx, (inside) => rowsOf(inside, resources));
  }
}

type Row = DocumentRowOfFile;

const money = (row: Row, amount: bigint): `${number}` =>
  decimalText(amount, row.document.currency_digits);
const books = (row: Row, amount: bigint): `${number}` =>
  decimalText(amount, row.document.functional_digits);

export const customerColumns: readonly CsvColumn<Row>[] = [
  text("customer_id", "", (row) => row.document.customer.id),
  text("customer_external_id", "The id that the caller gave.", (row) => row.customer?.external_id),
  text("customer_name", "As it is now.", (row) => row.customer?.name),
  text("customer_country", "As on the document.", (row) => row.document.customer.country_key),
  text("customer_vat_number", "As on the document.", (row) => row.document.customer.vat_number),
];

/** In its place among the columns of each file. */
export const currencyColumn: CsvColumn<Row> = text(
  "currency",
  "ISO 4217, of all amounts that are not called functional.",
  (row) => row.document.currency,
);

export const deliveryColumn: CsvColumn<Row> = text(
  "delivery_state",
  "The state of the last delivery; empty if there was none.",
  (row) => row.delivery_state,
);

export const accountingCostColumn: CsvColumn<Row> = text(
  "accounting_cost",
  "The account, project or cost centre in the buyer's books, as printed.",
  (row) => row.document.accounting_cost,
);

export const answerColumn: CsvColumn<Row> = text(
  "buyer_answer",
  "What the buyer answered to the last e-invoice: `AB`, `IP`, `UQ`, `CA`, `RE`, `AP` or `PD`; empty without an answer.",
  (row) => row.buyer_answer,
);

export const lineColumns: readonly CsvColumn<Row>[] = [
  number("position", "Of the line on the document.", (row) => row.flat?.line.position),
  number(
    "row",
    "Of the line, from 1: a line by hours has a row for each rate.",
    (row) => row.flat?.place,
  ),
  text("description", "As printed.", (row) => row.flat?.line.text),
  text("product_number", "", (row) => row.flat?.line.product_number),
  number("account_number", "The revenue account.", (row) => row.flat?.line.account_number),
  text("account_name", "Its name in the built-in ledger.", (row) => row.account_name),
  text("service_from", "First day of the service.", (row) => row.flat?.line.service_from),
  text("service_to", "Last day of the service.", (row) => row.flat?.line.service_to),
];

export const priceColumns: readonly CsvColumn<Row>[] = [
  number("quantity", "Empty for a line that prints no row.", (row) =>
    row.flat?.row ? priceText(BigInt(row.flat.row.quantity), HOURS_DECIMALS, 0) : null,
  ),
  text("unit", "", (row) => row.flat?.line.unit),
  number("unit_price", "Net of VAT, at most four decimals.", (row) =>
    row.flat?.row
      ? priceText(row.flat.row.unit_price_scaled, RATE_DECIMALS, row.document.currency_digits)
      : null,
  ),
  number("discount", "Percent.", (row) =>
    row.flat?.row ? priceText(BigInt(row.flat.row.discount), PERCENT_DECIMALS, 0) : null,
  ),
];

export const amountColumns: readonly CsvColumn<Row>[] = [
  number("net", "Of the row, in `currency`; adds up to the document's.", (row) =>
    money(row, row.flat?.net ?? 0n),
  ),
  text("vat_code", "Of the line.", (row) => row.flat?.line.vat_code),
  number("vat_rate", "Percent.", (row) =>
    row.flat ? priceText(BigInt(row.flat.line.vat_rate), PERCENT_DECIMALS, 0) : null,
  ),
  number(
    "vat",
    "The row's share of the VAT of its code, which is computed on the document; adds up to the document's.",
    (row) => money(row, row.flat?.vat ?? 0n),
  ),
  number("gross", "Net and VAT.", (row) =>
    money(row, (row.flat?.net ?? 0n) + (row.flat?.vat ?? 0n)),
  ),
  text("functional_currency", "Of the books.", (row) => row.document.functional_currency),
  number("exchange_rate", "Units of the books' currency for one of `currency`.", (row) =>
    row.document.rate_micro === null
      ? null
      : priceText(row.document.rate_micro, EXCHANGE_DECIMALS, 0),
  ),
  number("net_functional", "As booked; empty until then.", (row) =>
    row.is_issued ? books(row, row.flat?.net_functional ?? 0n) : null,
  ),
  number("vat_functional", "As booked; empty until then.", (row) =>
    row.is_issued ? books(row, row.flat?.vat_functional ?? 0n) : null,
  ),
  number("document_net", onFirst("Of the whole document"), (row) =>
    row.is_first ? money(row, row.document.totals.net) : null,
  ),
  number("document_vat", onFirst("Of the whole document"), (row) =>
    row.is_first ? money(row, row.document.totals.vat) : null,
  ),
  number("document_gross", onFirst("Of the whole document"), (row) =>
    row.is_first ? money(row, row.document.totals.gross) : null,
  ),
];

/** Example cells of the only line of a document in the books' currency. */
export function exampleOfLine(net: string, vat: string, gross: string) {
  return {
    customer_name: "Acme A/S",
    currency: "DKK",
    position: "1",
    row: "1",
    description: "Consulting",
    account_number: "1000",
    net,
    vat_code: "DK25",
    vat_rate: "25",
    vat,
    gross,
    functional_currency: "DKK",
    net_functional: net,
    vat_functional: vat,
    document_net: net,
    document_vat: vat,
    document_gross: gross,
  };
}

export function onFirst(what: string): string {
  return `${what}; on the document's first row only, so that the column adds up.`;
}
