/** Reads the rows of datasets whose resources are stored with ids: as their lists show them, in the order of ids. */
import { firstDayOf, lastDayOf } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { occurrencesOf } from "../../recurring/occurrences/list-of-series.ts";
import { presentPriced, pricedWork } from "../../work/registrations/present.ts";
import { findWork } from "../../work/registrations/queries.ts";
import type { ExportRow, MonthRange } from "./schemas.ts";

/** The tables whose ids the rows have; rows of lines and occurrences have those of their documents and series. */
export type StoredTable =
  | "customers"
  | "products"
  | "users"
  | "invoices"
  | "credit_notes"
  | "recurring_series"
  | "opening_contracts"
  | "work_registrations";

/** Yields the rows of resources, in the order of the ids. Unknown ids have none. */
export type ShowRows = (
  cx: Reader,
  table: StoredTable,
  ids: readonly string[],
) => AsyncIterable<readonly ExportRow[]>;

/** The number of resources that are read together. */
const PORTION = 500;

/** Before every id. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/** Yields the rows of all resources of a table, or of those of work whose dates are in the months. */
export async function* storedRows(
  cx: Reader,
  table: StoredTable,
  show: ShowRows,
  months: MonthRange,
): AsyncGenerator<readonly ExportRow[]> {
  for (let after = FIRST, length = PORTION; length === PORTION; ) {
    cx.signal.throwIfAborted();
    const found = await cx.rows<{ id: string }>(
      sql`select id from ${raw(table)} where account_id = ${cx.caller.account_id} and id > ${after}
        ${inMonths(months)} order by id limit ${PORTION}`,
    );
    const ids = found.map(({ id }) => id);
    yield* show(cx, table, ids);
    ({ length } = ids);
    after = ids.at(-1) ?? after;
  }
}

function inMonths({ from, to }: MonthRange): Sql {
  const first = from === null ? sql`` : sql`and date >= ${firstDayOf(from)}`;
  return to === null ? first : sql`${first} and date <= ${lastDayOf(to)}`;
}

/** Shows resources as their lists do. */
export const documentsOf: ShowRows = async function* (cx, table, ids) {
  const rows = await cx.rows<{ document: string }>(
    sql`select document from ${raw(table)} where account_id = ${cx.caller.account_id} and id = any(${ids}) order by id`,
  );
  yield rows.map(({ document }) => JSON.parse(document));
};

/** Shows the lines of documents, each with the id of its document first, and with its currency. */
export function linesOf(owner: "invoice_id" | "credit_note_id"): ShowRows {
  return async function* (cx, table, ids) {
    const credited = owner === "credit_note_id" ? await creditedCurrencies(cx, ids) : undefined;
    for await (const documents of documentsOf(cx, table, ids)) {
      yield documents.flatMap(({ id, currency: own, lines }) => {
        const currency = credited?.get(String(id)) ?? own;
        return (lines as readonly ExportRow[]).map((line) => ({ [owner]: id, ...line, currency }));
      });
    }
  };
}

/** Returns the currencies of credit notes, which are those of their invoices. */
async function creditedCurrencies(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<{
    id: string;
    currency: string;
  }>(sql`select c.id, i.currency from credit_notes c
    join invoices i on i.account_id = ${account_id} and i.id = c.invoice_id
    where c.account_id = ${account_id} and c.id = any(${ids})`);
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

/** Shows registrations, each with the currency of its line. */
export const workOf: ShowRows = async function* (cx, _table, ids) {
  const found = new Map((await findWork(cx, ids)).map((one) => [one.id, one]));
  const priced = await pricedWork(
    cx,
    ids.flatMap((id) => found.get(id) ?? []),
  );
  yield priced.flatMap((one) => {
    if (one === undefined) return [];
    return [{ ...JSON.parse(presentPriced(one)), currency: one.currency }];
  });
};

/** Shows the occurrences of series, each series by period. */
export const occurrencesOfSeries: ShowRows = (cx, _table, ids) => occurrencesOf(cx, ids);
