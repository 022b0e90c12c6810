/** What each customer owes on a day, as a list. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { findStored } from "../../../platform/database/resources.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type CustomerLabel, customerLabels } from "../../catalogue/customers/queries.ts";
import { isAnyKnown, owedOn } from "../open-items/require-begun.ts";
import { type Balance, findBalances, type OwedSums, type PageOfBalances } from "./find-balances.ts";
import { findPageToday } from "./find-page-today.ts";
import { type ReceivableQuery, ReceivableResource } from "./schemas.ts";

type BalanceQuery = Omit<ReceivableQuery, "limit" | "cursor">;

/** The balances of a report, and the currency of the books. */
interface BalancesOnDay {
  readonly balances: readonly Balance[];
  readonly functional_currency: string;
}

/** Reads the balances of a report, all or a page of them. An unknown customer has none. Throws what `owedOn` throws. */
export async function readBalances(
  cx: Reader,
  filters: BalanceQuery,
  page: PageOfBalances | null = null,
): Promise<BalancesOnDay> {
  const { day, is_today, functional_currency, ...sources } = await owedOn(cx, filters.at);
  const { customer: ref, currency } = filters;
  const customer = ref === undefined ? undefined : await findStored(cx, "customers", ref);
  if (!isAnyKnown(sources) || (ref !== undefined && customer === undefined)) {
    return { balances: [], functional_currency };
  }
  const of = { sources, customer_ids: customer && [customer.id], currency };
  const is_part =
    page !== null && is_today && customer === undefined && sources.connection_id === null;
  const balances = is_part
    ? await findPageToday(cx, day, of, page)
    : await findBalances(cx, day, of, page);
  return { balances, functional_currency };
}

/** Lists what customers owe. Throws what `owedOn` throws, and VALIDATION_FAILED for a bad cursor. */
export function listReceivables(cx: Reader, page: ReceivableQuery): Promise<JsonText> {
  return reading(cx, async (inside) => {
    const after = page.cursor === undefined ? null : afterOf(page.cursor);
    const rows_of_page = { after, limit: page.limit + 1 };
    const { balances, functional_currency } = await readBalances(inside, page, rows_of_page);
    const shown = balances.slice(0, page.limit);
    const last = balances.length > page.limit ? shown.at(-1) : undefined;
    const names = await customerLabels(
      inside,
      shown.map(({ customer_id }) => customer_id),
    );
    const rows = shown.map((one) =>
      jsonText(presentBalance(one, names.get(one.customer_id), functional_currency)),
    );
    return envelope(rows, last ? cursorFrom({ id: placeOf(last), horizon: null }) : null);
  });
}

/** The place of a row: its customer and its currency. */
const PLACE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Z]{3}$/;

function placeOf({ customer_id, currency }: Balance): string {
  return `${customer_id}.${currency}`;
}

/** Returns the place after which a page begins. Throws VALIDATION_FAILED for a cursor of another list. */
function afterOf(cursor: string): readonly [customer_id: string, currency: string] {
  const [customer_id = "", currency = ""] = positionFrom(cursor, PLACE).id.split(".");
  return [customer_id, currency];
}

function presentBalance(
  { customer_id, currency, oldest_due_date, sums, functional }: Balance,
  customer: CustomerLabel | undefined,
  functional_currency: string,
): ReceivableResource {
  return ReceivableResource.parse({
    object: "receivable",
    customer_id,
    customer_name: customer?.name ?? "",
    currency,
    ...presentSums(sums, currency),
    oldest_due_date,
    functional: presentSums(functional, functional_currency),
  });
}

/** Presents sums in units of their currency. */
export function presentSums(sums: OwedSums, currency: string): Record<keyof OwedSums, number> {
  const digits = currencyDigits(currency);
  return {
    not_due: scaledToNumber(sums.not_due, digits),
    days_1_30: scaledToNumber(sums.days_1_30, digits),
    days_31_60: scaledToNumber(sums.days_31_60, digits),
    days_61_90: scaledToNumber(sums.days_61_90, digits),
    over_90: scaledToNumber(sums.over_90, digits),
    total: scaledToNumber(sums.total, digits),
    credit_notes: scaledToNumber(sums.credit_notes, digits),
    customer_credit: scaledToNumber(sums.customer_credit, digits),
    balance: scaledToNumber(sums.balance, digits),
  };
}
