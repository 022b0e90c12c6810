/** Reads what decides whether the books of an account may move to another ledger now. */
import { addToMonth, type Month, monthOf } from "../../../domain/base/calendar.ts";
import type {
  ContractBalances,
  MoveFacts,
  TargetFacts,
} from "../../../domain/revenue/ledger-move.ts";
import type { VatSettings } from "../../../domain/sales/vat.ts";
import type { ConnectionSettings } from "../../../ledger/connector.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { OPEN } from "../../ledger/booking/intents.ts";
import { refusalOf, type TriedConnection } from "../../ledger/connections/attempt-connection.ts";
import { keyOf, openOf, proposeMapping } from "../../ledger/connections/mapping.ts";
import { listMappingOf, listWanted, type MappingRow } from "../../ledger/connections/queries.ts";
import { type Configuration, vatSettings } from "../../settings/configuration/queries.ts";
import { todayOf } from "../accruals/queries.ts";

/** The new ledger outside, as it was tried, with the rows that its operator named. */
export interface Target {
  readonly tried: TriedConnection;
  /** Whether settings of this kind lead to the same books. */
  leadsTo(settings: ConnectionSettings): boolean;
  /** Whether the account has booked there before, by a connection with the same id. */
  readonly is_return: boolean;
  readonly pairs: readonly MappingRow[];
}

interface FoundFacts {
  readonly last_month: Month | null;
  readonly last_locks: boolean | null;
  readonly running_close: Month | null;
  readonly booked_later: Month | null;
  readonly open_intents: number;
  readonly queued_credit_notes: number;
  readonly queued_links: number;
}

/** Reads the facts of the account; `target` is null for the built-in ledger. */
export async function readMoveFacts(
  cx: Reader,
  configuration: Configuration,
  target: TargetFacts | null,
): Promise<MoveFacts> {
  const { account_id } = cx.caller;
  const found = await cx.row<FoundFacts>(sql`with last as (
      select month, locks from period_closes where account_id = ${account_id} and status = 'completed' order by month desc limit 1)
    select (select month from last) as last_month, (select locks from last) as last_locks,
      (select min(month) from period_closes where account_id = ${account_id} and status = 'running') as running_close,
      (select min(month) from accruals where account_id = ${account_id} and status = 'booked'
        and month > (select month from last)) as booked_later,
      (select count(*)::int from intents where account_id = ${account_id} and state in ${OPEN}) as open_intents,
      (select count(*)::int from credit_notes where account_id = ${account_id} and queue_state is not null) as queued_credit_notes,
      (select count(*)::int from ledger_links l
        join ledger_connections c on c.account_id = ${account_id} and c.id = l.connection_id and c.is_current
        where l.account_id = ${account_id} and l.state = 'queued') as queued_links`);
  if (found === undefined) throw new Error("a count has no row");
  const { last_month, last_locks, ...rest } = found;
  return {
    ...rest,
    last_close: last_month === null ? null : { month: last_month, locks: last_locks ?? false },
    last_ended: addToMonth(monthOf(todayOf(cx, configuration)), -1),
    lock_date: configuration.own_lock_date,
    target,
    functional_currency: configuration.functional_currency,
  };
}

/** Returns the rows of the new connection: those that were named, those of an earlier connection, and those proposed. */
export async function mappingFor(
  cx: Reader,
  { tried, is_return, pairs }: Target,
  configuration: Configuration,
): Promise<MappingRow[]> {
  const { checked, id } = tried;
  if (checked.state !== "ok") return [];
  const there = new Set(checked.accounts.map(({ account }) => account));
  const before = is_return ? await listMappingOf(cx, id) : [];
  const proposed = proposeMapping(await listWanted(cx), checked, vatSettings(configuration));
  const kept = before.filter(({ ledger_account }) => there.has(ledger_account));
  return [...new Map([...proposed, ...kept, ...pairs].map((row) => [keyOf(row), row])).values()];
}

/** Returns what the check of the new ledger found, and the pairs in use that it cannot book. */
export async function targetFacts(
  cx: Reader,
  { tried }: Target,
  mapping: readonly MappingRow[],
  configuration: Configuration,
): Promise<TargetFacts> {
  const { checked } = tried;
  if (checked.state !== "ok") {
    const fault = refusalOf(checked).message;
    return { fault, currency: null, locked_through: null, unmapped: [] };
  }
  const { currency, locked_through, faults } = checked;
  // The currency has a block of its own.
  const others = faults.filter(({ code }) => code !== "OTHER_CURRENCY");
  const fault = others.map(({ code, message }) => `${code}: ${message}`).join(" ") || null;
  const used = await listUsed(cx);
  const vat: VatSettings = vatSettings(configuration);
  return { fault, currency, locked_through, unmapped: openOf(used, mapping, checked, vat) };
}

/** Returns the accounts and VAT codes of issued lines and opening contracts, and the accounts of the roles of accruals with ''. */
function listUsed(cx: Reader): Promise<{ account_number: number; vat_code: string }[]> {
  const { account_id } = cx.caller;
  return cx.rows<{ account_number: number; vat_code: string }>(sql`
    select distinct l.account_number, l.vat_code from invoice_lines l
    join invoices i on i.account_id = ${account_id} and i.id = l.invoice_id and i.status = 'issued'
    where l.account_id = ${account_id} and l.vat_code is not null
    union
    select distinct account_number, vat_code from opening_contracts where account_id = ${account_id} and vat_code is not null
    union
    select r.number, '' from configurations k cross join lateral unnest(array[
        case when exists (select from accrual_rows x where x.account_id = ${account_id}) then k.contract_asset_account end,
        case when exists (select from accrual_rows x where x.account_id = ${account_id})
            or exists (select from opening_contracts o where o.account_id = ${account_id})
          then k.contract_liability_account end,
        case when exists (select from accrual_rows x where x.account_id = ${account_id} and x.exchange_difference <> 0)
          then k.exchange_difference_account end]) as r (number)
    where k.account_id = ${account_id} and r.number is not null
    order by 1, 2`);
}

/** Returns the contract balances with which the account left the books of a connection; 0 where it has never left them. */
export async function leftBalances(cx: Reader, connection_id: string): Promise<ContractBalances> {
  const left = await cx.row<ContractBalances>(sql`
    select contract_asset, contract_liability from ledger_moves
    where account_id = ${cx.caller.account_id} and from_connection_id = ${connection_id} and state = 'completed'
    order by id desc limit 1`);
  return left ?? { contract_asset: 0n, contract_liability: 0n };
}
