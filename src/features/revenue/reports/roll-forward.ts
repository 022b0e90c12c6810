/**
 * Computes the roll-forward of contract assets and liabilities (IFRS 15.116-118): each contract's position before the
 * months, the accrual movements and the position after. Open months have the amounts that would be booked now.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { firstOpenMonth, openRows } from "../../../domain/revenue/accrual.ts";
import {
  type Contract,
  contractKey,
  contractOf,
  positionOf,
} from "../../../domain/revenue/contract.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { findStored } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { closedThrough, currentMonth } from "../accruals/queries.ts";
import { BROUGHT_MONTHS } from "../revenue-facts/booked-facts.ts";
import { type CustomerPosition, positionsFrom } from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { customersInScope } from "./report-candidates.ts";
import { EVERYTHING } from "./report-groups.ts";
import { RollforwardEntry, type RollforwardQuery } from "./schemas.ts";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const POSITION = new RegExp(`^${UUID} ${UUID}$`);

/** Returns a page of contracts with a position or a movement, by customer and contract. */
export async function listRollforward(cx: Reader, page: RollforwardQuery): Promise<JsonText> {
  const customer =
    page.customer === undefined ? null : await findStored(cx, "customers", page.customer);
  if (customer === undefined) return envelope([], null);
  const after = page.cursor === undefined ? null : positionFrom(page.cursor, POSITION).id;
  const configuration = await getConfiguration(cx);
  const scope = { ...EVERYTHING, customer_id: customer?.id ?? null };
  const found: RolledContract[] = [];
  const first = after === null ? null : after.slice(0, 36);
  for await (const ids of customersInScope(cx, scope, first)) {
    found.push(...(await rolledOf(cx, configuration, ids, page.from, page.to)));
    if (found.filter((one) => after === null || keyOf(one) > after).length > page.limit) break;
  }
  const rest = found.filter((one) => after === null || keyOf(one) > after);
  const shown = rest.slice(0, page.limit);
  const last = rest.length > shown.length ? shown.at(-1) : undefined;
  return envelope(
    shown.map((one) => present(one, configuration.functional_currency)),
    last ? cursorFrom({ id: keyOf(last), horizon: null }) : null,
  );
}

/** Returns the roll-forward of all contracts in one month, in the order of `GET /recognition/rollforward`. */
export async function rollforwardOf(
  cx: Reader,
  configuration: Configuration,
  month: Month,
): Promise<RolledContract[]> {
  const found: RolledContract[] = [];
  for await (const ids of customersInScope(cx, EVERYTHING)) {
    found.push(...(await rolledOf(cx, configuration, ids, month, month)));
  }
  return found;
}

/** Returns what credit notes took off invoices in a month, by the date from which they count, in functional currency. */
export async function creditedIn(cx: Reader, month: Month): Promise<Money> {
  const { account_id } = cx.caller;
  const row = await cx.row<{ credited: bigint }>(sql`
    select coalesce(sum(rtrim(x.line ->> 'net_functional', 'n')::bigint), 0)::bigint as credited
    from credit_notes n
    join invoices i on i.account_id = ${account_id} and i.id = n.invoice_id
    join issued_documents d on d.account_id = ${account_id} and d.document_id = n.id
    cross join lateral json_array_elements(d.snapshot::json -> 'lines') as x (line)
    where n.account_id = ${account_id} and n.status = 'issued'
      and to_char(greatest(n.credit_date, i.issue_date), 'YYYY-MM') = ${month}`);
  return row?.credited ?? 0n;
}

/** The roll-forward of one contract, in functional currency. */
export interface RolledContract {
  readonly customer_id: string;
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly opening_contract_id: string | null;
  opening: Money;
  earned: Money;
  invoiced: Money;
  /** What an opening contract brought along, less what it gave back. */
  brought_along: Money;
  carried: Money;
  exchange_difference: Money;
  /** False when a closing rate is missing. */
  is_known: boolean;
}

function keyOf(one: RolledContract): string {
  return `${one.customer_id} ${contractKey(one)}`;
}

/** A row of an accrual, booked or to be booked. */
interface MovedRow {
  readonly accrual_month: Month;
  readonly is_carried: boolean;
  readonly earned: Money | null;
  readonly invoiced: Money;
  readonly brought_along?: Money;
  readonly exchange_difference: Money | null;
}

async function rolledOf(
  cx: Reader,
  configuration: Configuration,
  customer_ids: readonly string[],
  from: Month,
  to: Month,
): Promise<RolledContract[]> {
  const current = currentMonth(cx, configuration);
  const through = to < current ? to : current;
  const rolled = new Map<string, RolledContract>();
  const add = (customer_id: string, contract: Contract, row: MovedRow): void => {
    const key = `${customer_id} ${contractKey(contract)}`;
    const one = rolled.get(key) ?? { customer_id, ...contract, ...nothing() };
    rolled.set(key, one);
    move(one, row, from);
  };
  for (const row of await bookedRows(cx, customer_ids, to)) {
    add(row.customer_id, contractOf(row), row);
  }
  const facts = await factsOfCustomers(cx, customer_ids);
  const slices = new Slices(cx.signal);
  for await (const position of positionsFrom(cx, configuration, facts, through)) {
    for (const { contract, row } of draftRows(position, configuration, through)) {
      if (slices.isOver) await slices.next();
      add(position.customer_id, contract, row);
    }
  }
  return [...rolled.values()].filter(isShown).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const nothing = () => ({
  opening: 0n,
  earned: 0n,
  invoiced: 0n,
  brought_along: 0n,
  carried: 0n,
  exchange_difference: 0n,
  is_known: true,
});

function move(one: RolledContract, row: MovedRow, from: Month): void {
  if (row.earned === null || row.exchange_difference === null) {
    one.is_known = false;
    return;
  }
  const brought_along = row.brought_along ?? 0n;
  const moved = row.earned - row.invoiced - brought_along + row.exchange_difference;
  if (row.accrual_month < from) {
    one.opening += moved;
    return;
  }
  one.earned += row.earned;
  one.invoiced += row.invoiced;
  one.brought_along += brought_along;
  one.exchange_difference += row.exchange_difference;
  if (row.is_carried) one.carried += moved;
}

function isShown(one: RolledContract): boolean {
  return (
    !one.is_known ||
    one.opening !== 0n ||
    one.earned !== 0n ||
    one.invoiced !== 0n ||
    one.brought_along !== 0n ||
    one.exchange_difference !== 0n
  );
}

type BookedRow = MovedRow &
  Contract & { readonly customer_id: string; readonly brought_along: Money };

function bookedRows(cx: Reader, customer_ids: readonly string[], to: Month): Promise<BookedRow[]> {
  return cx.rows<BookedRow>(sql`select r.customer_id, r.series_id, r.invoice_id, r.opening_contract_id,
       a.month as accrual_month, r.month < a.month as is_carried, sum(r.earned_functional)::bigint as earned,
       sum(r.invoiced_functional)::bigint as invoiced, 0::bigint as brought_along,
       sum(r.exchange_difference)::bigint as exchange_difference
     from accrual_rows r
     join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.month <= ${to}
     where r.account_id = ${cx.caller.account_id} and r.customer_id = any(${customer_ids})
     group by 1, 2, 3, 4, 5, 6
     union all
     select o.customer_id, null, null, o.id, m.month, false, 0, 0, m.functional, 0
     from opening_contracts o cross join lateral ${raw(BROUGHT_MONTHS)} m
     where o.account_id = ${cx.caller.account_id} and o.customer_id = any(${customer_ids}) and m.month <= ${to}`);
}

function* draftRows(
  position: CustomerPosition,
  configuration: Configuration,
  through: Month,
): Generator<{ readonly contract: ReturnType<typeof contractOf>; readonly row: MovedRow }> {
  const closed_through = closedThrough(configuration, position.booked_through);
  const first_open = firstOpenMonth(position.line_balances, closed_through);
  for (const line_balance of position.line_balances) {
    for (const row of openRows(line_balance, first_open, through)) {
      yield {
        contract: contractOf(line_balance),
        row: {
          accrual_month: row.accrual_month,
          is_carried: row.carried,
          earned: row.earned_functional,
          invoiced: row.invoiced_functional,
          exchange_difference: row.exchange_difference,
        },
      };
    }
  }
}

function present(one: RolledContract, currency: string): JsonText {
  const digits = currencyDigits(currency);
  const money = (amount: Money): number | null =>
    one.is_known ? scaledToNumber(amount, digits) : null;
  const closing =
    one.opening + one.earned - one.invoiced - one.brought_along + one.exchange_difference;
  const [before, after] = [positionOf(one.opening), positionOf(closing)];
  return jsonText(
    RollforwardEntry.parse({
      object: "rollforward_entry",
      customer_id: one.customer_id,
      invoice_id: one.invoice_id,
      series_id: one.series_id,
      opening_contract_id: one.opening_contract_id,
      currency,
      opening: money(one.opening),
      earned: money(one.earned),
      invoiced: money(one.invoiced),
      brought_along: money(one.brought_along),
      carried: money(one.carried),
      exchange_difference: money(one.exchange_difference),
      closing: money(closing),
      contract_asset_opening: money(before.asset),
      contract_asset_closing: money(after.asset),
      contract_liability_opening: money(before.liability),
      contract_liability_closing: money(after.liability),
    }),
  );
}
