/** Finds the letters of a day: one for each customer and currency, with the digest by which a run knows that it is the same letter. */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledFromChecked } from "../../../domain/base/money.ts";
import { yearlyRates } from "../../../domain/receivables/late-interest.ts";
import {
  type Letter,
  letterOn,
  type ReminderRules,
} from "../../../domain/receivables/reminder-letter.ts";
import type { ListedItem } from "../../../domain/receivables/reminder-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { contentHash } from "../../../platform/runtime/json.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { findCustomers } from "../../catalogue/customers/queries.ts";
import { isPaidInLedger, owedOn, readThrough } from "../../receivables/open-items/require-begun.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { findReminded } from "./find-reminded.ts";

/** A letter to a customer, before it is sent. */
export interface FoundLetter extends Omit<Letter, "items"> {
  readonly customer: CustomerRow;
  readonly currency: string;
  readonly items: readonly ListedItem[];
  /** The last day whose interest is charged, by item; absent where none is. */
  readonly charged_through: ReadonlyMap<string, CalendarDate>;
  /** The digest of the content. */
  readonly agreed: Buffer;
}

interface Asked {
  readonly day: CalendarDate;
  /** Only these customers; null for all. */
  readonly customer_ids: readonly string[] | null;
  /** The customers to whom open bank lines may belong. */
  readonly payers: ReadonlySet<string>;
}

/** Whether interest is charged at all. */
export function hasInterest({ reminders }: Configuration): boolean {
  return reminders.interest !== "none";
}

/** Returns the letters of a day, also those that are left out, by the names of the customers. */
export async function findLetters(
  cx: Reader,
  { day, customer_ids, payers }: Asked,
  configuration: Configuration,
): Promise<FoundLetter[]> {
  const has_interest = hasInterest(configuration);
  const groups = await findReminded(cx, { day, has_interest, customer_ids });
  const [customers, rates] = await Promise.all([
    findCustomers(
      cx,
      groups.map(({ customer_id }) => customer_id),
    ),
    referenceRates(cx),
  ]);
  const rateOn = yearlyRates(configuration.reminders, rates);
  const letters = groups.flatMap(({ customer_id, currency, items, credit }) => {
    const customer = customers.get(customer_id);
    if (customer === undefined) throw new Error("the customer of an item is missing");
    const facts = {
      is_person: customer.is_person,
      takes_reminders: customer.reminders,
      credit,
      has_unmatched_payment: payers.has(customer_id),
      is_functional: currency === configuration.functional_currency,
    };
    const letter = letterOn(day, facts, items, rulesIn(currency, configuration, rateOn));
    if (letter === null) return [];
    const known = new Map(items.map(({ item }) => [item.id, item]));
    const listed = letter.items.map(({ charged_through: _, ...shown }): ListedItem => {
      const item = known.get(shown.id);
      return {
        ...shown,
        kind: item?.kind === "opening" ? "opening" : "invoice",
        number: item?.number ?? "",
      };
    });
    const charged_through = new Map(
      letter.items.flatMap((one) =>
        one.charged_through === null ? [] : [[one.id, one.charged_through] as const],
      ),
    );
    const { left_out: _, is_rate_missing: __, ...content } = letter;
    const agreed = contentHash({ day, customer_id, currency, ...content });
    return [{ ...letter, customer, currency, items: listed, charged_through, agreed }];
  });
  return letters.sort((a, b) => byName(a, b));
}

/** The rules of letters in a currency, in its minor units. */
function rulesIn(
  currency: string,
  { reminders, functional_currency }: Configuration,
  rateOn: ReminderRules["rateOn"],
): ReminderRules {
  const compensation = reminders.compensation.find((one) => one.currency === currency);
  return {
    levels: reminders.levels.map(({ days_after_due, fee, compensation: is_compensating }) => ({
      days_after_due,
      fee: minorUnits(fee, functional_currency),
      compensation: is_compensating,
    })),
    minimum_days: reminders.minimum_days,
    compensation: compensation === undefined ? 0n : minorUnits(compensation.amount, currency),
    minimum_amount: minorUnits(reminders.minimum_amount, currency),
    is_danish: reminders.rules === "danish",
    rateOn,
  };
}

/** Amounts of settings have at most four decimals; those that a currency does not have are left out. */
const DECIMALS = 4;

function minorUnits(value: number, currency: string): Money {
  return scaledFromChecked(value, DECIMALS) / 10n ** BigInt(DECIMALS - currencyDigits(currency));
}

async function referenceRates(cx: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await cx.rows<{ date: CalendarDate; rate: number }>(
    sql`select date, rate from reference_rates where account_id = ${cx.caller.account_id}`,
  );
  return new Map(rows.map(({ date, rate }) => [date, rate]));
}

function byName(a: FoundLetter, b: FoundLetter): number {
  const keyOf = ({ customer, currency }: FoundLetter) =>
    `${customer.name.toLowerCase()} ${customer.id} ${currency}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

/**
 * Returns the day through which the statements of every bank account that has any are known, and whether that is recent enough for
 * letters of a day. Where a connected ledger records payments, it is the day of its oldest answer about what is open.
 */
export async function bankThrough(
  cx: Reader,
  day: CalendarDate,
  configuration: Configuration,
): Promise<{ readonly through: CalendarDate | null; readonly is_recent: boolean }> {
  const through = isPaidInLedger(cx)
    ? await reportedThrough(cx, configuration)
    : await statementsThrough(cx);
  const { bank_within_days } = configuration.reminders;
  return { through, is_recent: through !== null && addDays(through, bank_within_days) >= day };
}

const DAY_MS = 86_400_000;

/** Returns today by the account's clock, less the whole days since the oldest answer; null before the first one. */
async function reportedThrough(
  cx: Reader,
  { time_zone }: Configuration,
): Promise<CalendarDate | null> {
  const known = await readThrough(cx, await owedOn(cx, undefined));
  if (known === null || known.as_of === null) return null;
  const age = Math.trunc((Date.now() - Date.parse(known.as_of)) / DAY_MS);
  return addDays(todayIn(cx.clock, time_zone), -age);
}

async function statementsThrough(cx: Reader): Promise<CalendarDate | null> {
  const row = await cx.row<{ through: CalendarDate | null }>(sql`
    select min(statements_through) as through from bank_accounts
    where account_id = ${cx.caller.account_id} and active`);
  return row?.through ?? null;
}
