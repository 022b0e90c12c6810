/** Presents registrations as in the API. Customer, rate and amount come from the current line and are not stored. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import {
  HOURS_DECIMALS,
  hoursAmount,
  type Line,
  RATE_DECIMALS,
  rateOfUser,
} from "../../../domain/sales/line.ts";
import { linesById } from "../../../domain/series/line-id.ts";
import { contentAt } from "../../../domain/series/series.ts";
import type { WorkState } from "../../../domain/work/work.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findSeriesLines, type LinesOfSeries } from "../../recurring/series/queries.ts";
import { findLines } from "../../sales/invoices/queries.ts";
import { WorkResource } from "./schemas.ts";

export interface Registration {
  readonly id: string;
  readonly external_id: string | null;
  readonly line_id: string;
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly period_index: number | null;
  readonly period: string | null;
  readonly user_id: string;
  readonly date: CalendarDate;
  /** In 1/100 of an hour. */
  readonly hours: number;
  readonly billable: boolean;
  readonly note: string | null;
  readonly status: WorkState;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** The fields of a registration's line that the registration shows. */
export interface LineOfWork {
  readonly customer_id: string;
  readonly currency: string;
  /** Absent when the line of a dropped occurrence no longer exists. */
  readonly line: Pick<
    Line,
    | "recognition_method"
    | "assignees"
    | "hourly_rate"
    | "discount"
    | "description_override"
    | "product_name"
  > | null;
}

/** A registration with its line, and the price of an hour and of all its hours. */
export interface PricedWork extends LineOfWork {
  readonly row: Registration;
  /** 1/10000 of a currency unit; null unless the line is by hours. */
  readonly rate: bigint | null;
  /** In minor units, rounded for each registration; null unless the line is by hours. */
  readonly amount: Money | null;
}

/**
 * Returns registrations with their lines, in their order; undefined for a registration whose line no longer exists. Without
 * locks this means that the registration was deleted or moved after it was read.
 */
export async function pricedWork(
  cx: Reader,
  rows: readonly Registration[],
): Promise<(PricedWork | undefined)[]> {
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const on_series = rows.filter(({ invoice_id, series_id }) => !invoice_id && series_id);
  const [of_invoices, of_series] = await Promise.all([
    findLines(cx, distinct(rows.flatMap((row) => (row.invoice_id ? [row.line_id] : [])))),
    findSeriesLines(
      cx,
      distinct(on_series.flatMap((row) => row.series_id ?? [])),
      distinct(on_series.map((row) => row.line_id)),
    ),
  ]);
  const occurrenceLineOf = occurrenceLines(of_series);
  return rows.map((row) => {
    const priced = of_invoices.get(row.line_id) ?? occurrenceLineOf(row);
    return priced && { ...priced, row, ...priceOf(row, priced) };
  });
}

/** Returns the texts of registrations, in their order; undefined as in `pricedWork`. */
export async function presentWork(
  cx: Reader,
  rows: readonly Registration[],
): Promise<(JsonText | undefined)[]> {
  return (await pricedWork(cx, rows)).map((priced) => priced && presentPriced(priced));
}

/** As `presentWork`, with the line of each registration. */
export async function presentWithLines(
  cx: Reader,
  rows: readonly Registration[],
): Promise<(JsonText | undefined)[]> {
  return (await pricedWork(cx, rows)).map(
    (priced) => priced && presentPriced(priced, lineShown(priced)),
  );
}

function lineShown({ line, currency }: PricedWork): WorkResource["line"] {
  if (line === null) return null;
  const { product_name, description_override, recognition_method } = line;
  return { currency, product_name, description_override, recognition_method };
}

/** Returns one registration as text, while the locks with which it was read are held. */
export async function presentOne(cx: Reader, row: Registration): Promise<JsonText> {
  const [text] = await presentWork(cx, [row]);
  if (text === undefined) throw new Error(`work registration ${row.id} has no line`);
  return text;
}

/** Returns one registration as text, on a line that its caller has read under its lock. */
export function presentOn(line: LineOfWork, row: Registration): JsonText {
  return presentPriced({ ...line, row, ...priceOf(row, line) });
}

type OfPeriod = Pick<Registration, "line_id" | "series_id" | "period_index" | "period">;

/** Returns the line of work in a series that its caller has read under its lock; undefined for work in no period of it. */
export function lineInSeries(
  series: LinesOfSeries & { readonly id: string },
  work: OfPeriod,
): LineOfWork | undefined {
  const { id, customer_id, currency, lines } = series;
  return occurrenceLines(new Map([[id, { customer_id, currency, lines }]]))(work);
}

function occurrenceLines(
  of_series: ReadonlyMap<string, LinesOfSeries>,
): (row: OfPeriod) => LineOfWork | undefined {
  const finders = new Map([...of_series].map(([id, { lines }]) => [id, linesById(lines)]));
  return ({ series_id, period, period_index, line_id }) => {
    const series = of_series.get(series_id ?? "");
    if (series === undefined || period === null || period_index === null) return undefined;
    const origin = finders.get(series_id ?? "")?.(line_id, period);
    return { ...series, line: origin ? contentAt(origin, period_index) : null };
  };
}

function priceOf(
  row: Registration,
  { currency, line }: LineOfWork,
): Pick<PricedWork, "rate" | "amount"> {
  const by_hours = line?.recognition_method === "hours" ? line : null;
  const rate = by_hours && rateOfUser(by_hours, row.user_id);
  if (by_hours === null || rate === null) return { rate: null, amount: null };
  const billed = row.billable ? BigInt(row.hours) : 0n;
  return {
    rate,
    amount: hoursAmount(billed, rate, by_hours.discount, currencyDigits(currency)),
  };
}

/** Presents a registration with what its line gives. */
export function presentPriced(
  { row, customer_id, currency, rate, amount }: PricedWork,
  line?: WorkResource["line"],
): JsonText {
  const digits = currencyDigits(currency);
  return jsonText(
    WorkResource.parse({
      object: "work_registration",
      id: row.id,
      external_id: row.external_id,
      line_id: row.line_id,
      invoice_id: row.invoice_id,
      series_id: row.series_id,
      period: row.period,
      customer_id,
      user_id: row.user_id,
      date: row.date,
      hours: scaledToNumber(BigInt(row.hours), HOURS_DECIMALS),
      billable: row.billable,
      note: row.note,
      status: row.status,
      hourly_rate: rate === null ? null : scaledToNumber(rate, RATE_DECIMALS),
      amount: amount === null ? null : scaledToNumber(amount, digits),
      created_at: row.created_at,
      updated_at: row.updated_at,
      line,
    }),
  );
}
