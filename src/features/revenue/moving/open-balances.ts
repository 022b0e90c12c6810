/** The voucher that opens the contract balances in new books: what they lack of the balances of the accruals. */
import {
  addDays,
  type CalendarDate,
  calendarDate,
  monthOf,
} from "../../../domain/base/calendar.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import { type ContractBalances, openingEntries } from "../../../domain/revenue/ledger-move.ts";
import type { VoucherEntry, VoucherSnapshot } from "../../../domain/revenue/voucher.ts";
import type { MappedAccount, VoucherBooking } from "../../../ledger/ledger.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { derivedId } from "../../../platform/runtime/id.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import type { MappingRow } from "../../ledger/connections/queries.ts";
import { ownLedger } from "../../settings/configuration/accounts.ts";
import { type Configuration, roleAccounts } from "../../settings/configuration/queries.ts";
import { bookedTotals } from "../accruals/find-booked-totals.ts";
import { leftBalances, type Target } from "./read-facts.ts";

/** The number of the opening account in a voucher for a ledger outside: our chart has no account for it. */
const OUTSIDE = 0;
/** Every posting of the built-in ledger is dated on or before it. */
const END = calendarDate("2199-12-31") as CalendarDate;

interface Asked {
  readonly configuration: Configuration;
  readonly begins_on: CalendarDate;
  readonly move_id: string;
  /** An account of the new books; null for none, undefined where it was not named. */
  readonly opening: string | null | undefined;
  /** Null for the built-in ledger. */
  readonly target: Target | null;
  readonly mapping: readonly MappingRow[];
}

export interface Opening {
  /** The balances of the accruals at the end of the former books. */
  readonly balances: ContractBalances;
  /** Null when the new books have the balances, or are said to have them. */
  readonly booking: { readonly intent: VoucherBooking; readonly payload: string } | null;
}

/** Returns what opens the new books. Throws VALIDATION_FAILED on `opening` where the account is missing or cannot be used. */
export async function openingOf(tx: Tx, asked: Asked): Promise<Opening> {
  const { configuration, begins_on, opening, target } = asked;
  const { contract_asset, contract_liability } = await bookedTotals(
    tx,
    monthOf(addDays(begins_on, -1)),
  );
  const balances = { contract_asset, contract_liability };
  if (opening === null) return { balances, booking: null };
  const roles = roleAccounts(configuration);
  const known =
    target === null
      ? await ownBalances(tx, roles.contract_asset, roles.contract_liability)
      : await leftBalances(tx, target.tried.id);
  const own_number = target === null ? Number(opening) : OUTSIDE;
  const accounts = { ...roles, opening: own_number };
  const entries = openingEntries(balances, known, accounts);
  if (entries.length === 0) return { balances, booking: null };
  if (opening === undefined) {
    const message =
      "The new books do not have the contract balances: name the account there against which they are opened, or `none`.";
    throw invalidField("opening", "required", message);
  }
  await requireOpening(tx, asked, opening);
  return { balances, booking: bookingOf(tx, asked, opening, entries) };
}

async function ownBalances(
  tx: Tx,
  asset: number | null,
  liability: number | null,
): Promise<ContractBalances> {
  const numbers = [asset, liability].flatMap((number) => number ?? []);
  const books = ownLedger(tx).books(tx, tx.caller.account_id);
  const found = await books.balances(numbers, END);
  return {
    contract_asset: found.get(asset ?? 0) ?? 0n,
    // A liability is the credit balance of its account.
    contract_liability: -(found.get(liability ?? 0) ?? 0n),
  };
}

/** Requires an account of the new books that has no other use. */
async function requireOpening(
  tx: Tx,
  { configuration, target }: Asked,
  opening: string,
): Promise<void> {
  const unknown = `There is no account ${opening} in the new books.`;
  if (target !== null) {
    const { checked } = target.tried;
    const is_known =
      checked.state === "ok" && checked.accounts.some(({ account }) => account === opening);
    if (!is_known) throw invalidField("opening", "unknown_account", unknown);
    return;
  }
  const number = /^\d{1,8}$/.test(opening) ? Number(opening) : 0;
  const found = await tx.row(sql`select number from ledger_accounts
    where account_id = ${tx.caller.account_id} and number = ${number}`);
  if (found === undefined) throw invalidField("opening", "unknown_account", unknown);
  const { receivables, vat } = ownLedger(tx).books(tx, tx.caller.account_id).control_accounts;
  const { default_revenue: _, ...roles } = roleAccounts(configuration);
  if ([receivables, vat, ...Object.values(roles)].includes(number)) {
    throw invalidField("opening", "not_allowed", `Account ${opening} has another use.`);
  }
}

function bookingOf(
  tx: Tx,
  { configuration, begins_on, move_id, target, mapping }: Asked,
  opening: string,
  entries: readonly VoucherEntry[],
): NonNullable<Opening["booking"]> {
  const { actor } = tx.caller;
  const reference = `move:${move_id}`;
  const guid: string = derivedId(move_id, reference);
  const document: VoucherSnapshot = {
    kind: "voucher",
    document_id: guid,
    reference,
    customer: null,
    issue_date: begins_on,
    text: `Opening balances ${begins_on}`,
    currency: configuration.functional_currency,
    entries,
    reverses_guid: null,
  };
  const accounts = target === null ? [] : accountsOf(entries, opening, mapping);
  const payload = freeze(document);
  const requested_by = `${actor.kind}:${actor.id}`;
  const payload_hash = sha256(payload);
  return {
    intent: { kind: "voucher", guid, payload_hash, document, requested_by, accounts },
    payload,
  };
}

/** Returns the accounts of the new ledger for the entries of the voucher. */
function accountsOf(
  entries: readonly VoucherEntry[],
  opening: string,
  mapping: readonly MappingRow[],
): MappedAccount[] {
  return entries.map(({ account_number }): MappedAccount => {
    const none = { account_number, vat_code: null, ledger_vat_code: null };
    if (account_number === OUTSIDE) return { ...none, ledger_account: opening };
    const row = mapping.find((one) => one.account_number === account_number && one.vat_code === "");
    // A pair in use without a row has blocked the move.
    if (row === undefined) throw new Error(`account ${account_number} is not mapped`);
    return { ...none, ledger_account: row.ledger_account };
  });
}
