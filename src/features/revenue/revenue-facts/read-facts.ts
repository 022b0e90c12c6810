/**
 * Reads all facts that decide the earnings of customers' lines with ONE query, so that no change is seen in part: lines, work,
 * completions, credits, series, bookings, and rates. Amounts are transferred as text, never as JSON numbers.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import type { WorkedHours } from "../../../domain/revenue/recognition.ts";
import { isHashed, readLineId } from "../../../domain/series/line-id.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { numbered } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import {
  type HeaderRow,
  type LineVersionRow,
  type PeriodEventRow,
  seriesFrom,
} from "../../recurring/series/queries.ts";
import type { Series } from "../../recurring/series/series.ts";
import { type BookedLine, bookedLineFrom } from "./booked-facts.ts";
import { FACTS, FACTS_OF_LINES } from "./facts-statement.ts";
import {
  type BookedCredit,
  creditShape,
  customerShape,
  type InvoicedLine,
  invoicedShape,
  type MonthRate,
  rateShape,
  workShape,
} from "./shapes.ts";

export interface CustomerFacts {
  readonly customer_id: string;
  readonly name: string;
  /** The last month with an effective booking. */
  readonly booked_through: Month | null;
  readonly lines: readonly InvoicedLine[];
  /** Work that is neither invoiced nor dropped, by line. */
  readonly worked: ReadonlyMap<string, readonly WorkedHours[]>;
  /** Active series that are not discarded. */
  readonly series: readonly Series[];
  readonly booked: readonly BookedLine[];
  /** Rates of months that are booked, by `<currency> <month>`. */
  readonly booked_rates: ReadonlyMap<string, bigint>;
}

export interface Facts {
  /** The customers that exist, in the requested order. */
  readonly customers: readonly CustomerFacts[];
  /** The last known rate of each month that has one, by currency, in order. */
  readonly rates: ReadonlyMap<string, readonly MonthRate[]>;
}

/** Reads the facts of customers, or of some lines. Every long computation stops here if its caller has disconnected. */
export async function factsOfCustomers(
  cx: Reader,
  customer_ids: readonly string[],
  only: ReadonlySet<string> | null = null,
): Promise<Facts> {
  if (only !== null) return factsOfLines(cx, customer_ids, [...only], endsOf([...only]));
  cx.signal.throwIfAborted();
  const { account_id } = cx.caller;
  const rows = await cx.rows<FactRow>(numbered(FACTS, [account_id, customer_ids]));
  return collectFacts(cx, customer_ids, rows);
}

/** Reads the complete series of some customers, without other facts. */
export function factsOfSeries(cx: Reader, customer_ids: readonly string[]): Promise<Facts> {
  return factsOfLines(cx, customer_ids, [], null);
}

async function factsOfLines(
  cx: Reader,
  customer_ids: readonly string[],
  line_ids: readonly string[],
  ends: readonly string[] | null,
): Promise<Facts> {
  cx.signal.throwIfAborted();
  const { account_id } = cx.caller;
  const rows = await cx.rows<FactRow>(
    numbered(FACTS_OF_LINES, [account_id, customer_ids, line_ids, ends]),
  );
  return collectFacts(cx, customer_ids, rows);
}

async function collectFacts(
  cx: Reader,
  customer_ids: readonly string[],
  rows: readonly FactRow[],
): Promise<Facts> {
  const rates = new Map<string, MonthRate[]>();
  const customers = new Map(customer_ids.map((id) => [id, new FactsBuilder(id)]));
  const slices = new Slices(cx.signal);
  for (const row of rows) {
    if (slices.isOver) await slices.next();
    if (row.kind === "rate") {
      const { currency, ...rate } = rateShape.parse(row.data);
      push(rates, currency, rate);
    } else {
      customers.get(row.customer_id)?.add(row);
    }
  }
  return {
    customers: [...customers.values()].filter((one) => one.exists).map((one) => one.facts()),
    rates,
  };
}

/** Returns the last digits of series line ids, from occurrence line ids. Null if an id does not contain them. */
function endsOf(line_ids: readonly string[]): string[] | null {
  if (line_ids.some(isHashed)) return null;
  return [...new Set(line_ids.flatMap((line_id) => readLineId(line_id)?.line_bits ?? []))];
}

/** The columns of a row, by kind of fact. */
interface DataOfKind {
  readonly customer: DataOf<typeof customerShape>;
  readonly credit: DataOf<typeof creditShape>;
  readonly line: DataOf<typeof invoicedShape>;
  readonly work: DataOf<typeof workShape>;
  readonly series: Omit<HeaderRow, "document" | "customer_id">;
  readonly version: LineVersionRow & { readonly series_id: string };
  readonly period_event: PeriodEventRow & { readonly series_id: string };
  readonly booked: Parameters<typeof bookedLineFrom>[0];
  readonly booked_rate: DataOf<typeof rateShape>;
}

type DataOf<Shape extends { parse(values: never): unknown }> = Parameters<Shape["parse"]>[0];

/** A row with a fact of one customer. */
type CustomerRow = {
  [Kind in keyof DataOfKind]: {
    readonly kind: Kind;
    readonly customer_id: string;
    readonly data: DataOfKind[Kind];
    /** For `booked` rows. */
    readonly months: string | null;
  };
}[keyof DataOfKind];

type FactRow = CustomerRow | { readonly kind: "rate"; readonly data: DataOf<typeof rateShape> };

/** Collects the rows of one customer, in the order of their arrival. */
class FactsBuilder {
  readonly #id: string;
  #name: string | undefined;
  #booked_through: Month | null = null;
  readonly #lines: InvoicedLine[] = [];
  readonly #credits = new Map<string, BookedCredit[]>();
  readonly #worked = new Map<string, WorkedHours[]>();
  readonly #headers: Omit<HeaderRow, "document">[] = [];
  readonly #line_versions = new Map<string, LineVersionRow[]>();
  readonly #period_events = new Map<string, PeriodEventRow[]>();
  readonly #booked: BookedLine[] = [];
  readonly #booked_rates = new Map<string, bigint>();

  constructor(id: string) {
    this.#id = id;
  }

  get exists(): boolean {
    return this.#name !== undefined;
  }

  add(row: CustomerRow): void {
    switch (row.kind) {
      case "customer": {
        const { name, booked_through } = customerShape.parse(row.data);
        this.#name = name;
        this.#booked_through = booked_through;
        return;
      }
      case "line": {
        const line = invoicedShape.parse(row.data);
        // Credits come before the lines, so that each line finds its credits.
        this.#lines.push({ ...line, credits: this.#credits.get(line.line.id) ?? [] });
        return;
      }
      case "credit": {
        const { line_id, ...credit } = creditShape.parse(row.data);
        push(this.#credits, line_id, credit);
        return;
      }
      case "work": {
        const { line_id, ...work } = workShape.parse(row.data);
        push(this.#worked, line_id, work);
        return;
      }
      case "series":
        this.#headers.push({ ...row.data, customer_id: this.#id });
        return;
      case "version":
        push(this.#line_versions, row.data.series_id, row.data);
        return;
      case "period_event":
        push(this.#period_events, row.data.series_id, row.data);
        return;
      case "booked":
        this.#booked.push(bookedLineFrom(row.data, row.months ?? ""));
        return;
      case "booked_rate": {
        const { currency, month, rate_micro } = rateShape.parse(row.data);
        this.#booked_rates.set(`${currency} ${month}`, rate_micro);
      }
    }
  }

  facts(): CustomerFacts {
    return {
      customer_id: this.#id,
      name: this.#name ?? "",
      booked_through: this.#booked_through,
      lines: this.#lines,
      worked: this.#worked,
      series: this.#headers.map((header) =>
        seriesFrom(
          header,
          this.#line_versions.get(header.id) ?? [],
          this.#period_events.get(header.id) ?? [],
        ),
      ),
      booked: this.#booked,
      booked_rates: this.#booked_rates,
    };
  }
}

function push<Value>(values: Map<string, Value[]>, key: string, value: Value): void {
  const known = values.get(key);
  if (known === undefined) values.set(key, [value]);
  else known.push(value);
}
