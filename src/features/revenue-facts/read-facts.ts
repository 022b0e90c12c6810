/**
 * Everything that decides what customers' lines have earned, read in ONE statement, so that no change
 * is seen by half: lines, work, completions, credits, series, what was booked, and rates. Amounts cross
 * as text, never as JSON numbers.
 */
import type { LineId, ProductId, UserId } from "../../domain/base/brand.ts";
import type { CalendarDate, Month } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { LineCredit, MeasuredWork, WorkedHours } from "../../domain/revenue/recognition.ts";
import type { Line } from "../../domain/sales/line.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { thaw } from "../../platform/json.ts";
import { Slices } from "../../platform/slices.ts";
import { type HappenedRow, type HeaderRow, type PieceRow, seriesFrom } from "../series/queries.ts";
import type { Series } from "../series/series.ts";
import { type BookedLine, bookedLineFrom } from "./booked-facts.ts";
import { FACTS } from "./facts-statement.ts";

/** A line of an invoice with everything that happened to it. */
export interface InvoicedLine {
  readonly line: Line;
  readonly invoice_id: string;
  readonly series_id: string | null;
  readonly period: string | null;
  readonly currency: string;
  /** Null for a draft. */
  readonly issue_date: CalendarDate | null;
  readonly rate_micro: bigint | null;
  readonly amount: Money | null;
  readonly amount_functional: Money | null;
  readonly completed_on: CalendarDate | null;
  readonly measured: MeasuredWork | null;
  readonly credits: readonly BookedCredit[];
}

interface BookedCredit extends LineCredit {
  readonly credit_note_id: string;
  /** As it was posted; null where the invoice is in functional currency. */
  readonly functional: Money | null;
}

export interface CustomerFacts {
  readonly customer_id: string;
  readonly name: string;
  /** The last month with a standing booking. */
  readonly booked_through: Month | null;
  readonly lines: readonly InvoicedLine[];
  /** Open work by line. */
  readonly worked: ReadonlyMap<string, readonly WorkedHours[]>;
  /** Active series that are not discarded. */
  readonly series: readonly Series[];
  readonly booked: readonly BookedLine[];
  /** Rates of months that are booked, by `<currency> <month>`. */
  readonly booked_rates: ReadonlyMap<string, bigint>;
}

export interface Facts {
  /** Those of the customers that exist, in the order in which they were asked for. */
  readonly customers: readonly CustomerFacts[];
  /** The last known rate of each month that has one, by currency, in order. */
  readonly rates: ReadonlyMap<string, readonly MonthRate[]>;
}

export interface MonthRate {
  readonly month: Month;
  readonly rate_micro: bigint;
}

/** The facts of some customers of the account. */
export async function factsOfCustomers(
  cx: Context,
  customer_ids: readonly string[],
): Promise<Facts> {
  const rows = await query<FactRow>(cx.db, FACTS, [cx.caller.account_id, customer_ids]);
  const rates = new Map<string, MonthRate[]>();
  const customers = new Map(customer_ids.map((id) => [id, new Gathered(id)]));
  const slices = new Slices();
  for (const { kind, customer_id, data, months } of rows) {
    if (slices.isOver) await slices.next();
    if (kind !== "rate") {
      customers.get(customer_id ?? "")?.add(kind, data, months);
      continue;
    }
    const [currency, month, rate] = data as [string, Month, string];
    const known = rates.get(currency) ?? [];
    known.push({ month, rate_micro: BigInt(rate) });
    rates.set(currency, known);
  }
  return {
    customers: [...customers.values()].filter((one) => one.exists).map((one) => one.facts()),
    rates,
  };
}

interface FactRow {
  readonly kind: string;
  readonly customer_id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: an array whose form its kind tells.
  readonly data: any;
  /** Of what stands booked. */
  readonly months: string | null;
}

/** The rows of one customer, as they come. */
class Gathered {
  readonly #id: string;
  #name: string | undefined;
  #booked_through: Month | null = null;
  readonly #lines: InvoicedLine[] = [];
  readonly #credits = new Map<string, BookedCredit[]>();
  readonly #worked = new Map<string, WorkedHours[]>();
  readonly #headers: Omit<HeaderRow, "document">[] = [];
  readonly #pieces = new Map<string, PieceRow[]>();
  readonly #happened = new Map<string, HappenedRow[]>();
  readonly #booked: BookedLine[] = [];
  readonly #booked_rates = new Map<string, bigint>();

  constructor(id: string) {
    this.#id = id;
  }

  get exists(): boolean {
    return this.#name !== undefined;
  }

  add(kind: string, data: FactRow["data"], months: string | null): void {
    switch (kind) {
      case "customer":
        [this.#name, this.#booked_through] = data;
        return;
      case "line":
        this.#lines.push(lineFrom(data, this.#credits));
        return;
      case "credit":
        push(this.#credits, data[0], {
          effective: data[1],
          amount: BigInt(data[2]),
          new_service_to: data[3],
          functional: bigOrNull(data[4]),
          credit_note_id: data[5],
        });
        return;
      case "work":
        push(this.#worked, data[0], {
          user_id: data[1],
          date: data[2],
          hours: data[3],
          billable: data[4],
        });
        return;
      case "series":
        this.#headers.push({ ...data, customer_id: this.#id });
        return;
      case "piece":
        push(this.#pieces, data.series_id, data);
        return;
      case "happened":
        push(this.#happened, data.series_id, data);
        return;
      case "booked":
        this.#booked.push(bookedLineFrom(data, months ?? ""));
        return;
      case "booked_rate":
        this.#booked_rates.set(`${data[0]} ${data[1]}`, BigInt(data[2]));
        return;
      default:
        throw new Error(`there are no facts of the kind ${kind}`);
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
        seriesFrom(header, this.#pieces.get(header.id) ?? [], this.#happened.get(header.id) ?? []),
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

const bigOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

const assigneeFrom = (one: FactRow["data"]): Line["assignees"][number] => ({
  user_id: one.user_id as UserId,
  distribution_percentage: one.distribution_percentage,
  hourly_rate_override: bigOrNull(one.hourly_rate_override),
});

/** Credits come before the lines, so that a line finds its own. */
function lineFrom(
  data: FactRow["data"],
  credits: ReadonlyMap<string, readonly BookedCredit[]>,
): InvoicedLine {
  const [
    id,
    invoice_id,
    series_id,
    period,
    currency,
    issue_date,
    rate,
    product_id,
    product_name,
    product_number,
    account_number,
    unit,
    method,
    agreed_value,
    hourly_rate,
    discount,
    description,
    position,
    assignees,
    service_from,
    service_to,
    budget_hours,
    days,
    of,
    nominal_budget,
    amount,
    amount_functional,
    completed_on,
    measured,
  ] = data;
  return {
    line: {
      id: id as LineId,
      product_id: product_id as ProductId,
      recognition_method: method,
      agreed_value: bigOrNull(agreed_value),
      hourly_rate: bigOrNull(hourly_rate),
      discount,
      description_override: description,
      position,
      assignees: assignees.map(assigneeFrom),
      service_from,
      service_to,
      budget_hours,
      product_name,
      product_number,
      account_number,
      unit,
      ...(days === null ? {} : { share: { days, of } }),
      ...(nominal_budget === null ? {} : { nominal_budget }),
    },
    invoice_id,
    series_id,
    period,
    currency,
    issue_date,
    rate_micro: bigOrNull(rate),
    amount: bigOrNull(amount),
    amount_functional: bigOrNull(amount_functional),
    completed_on,
    measured: measured === null ? null : thaw<MeasuredWork>(measured),
    credits: credits.get(id) ?? [],
  };
}
