/**
 * Compares revenue and VAT in the ledger with documents and accruals, and receivables with open items (spec 3.9, invariant 7). The
 * date of a document comes from the document and from the rule, never from the ledger entry: an entry with another date, or one booked
 * into a month after the close of that month, must make a difference.
 */
import { lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { ReceivableSums } from "../../receivables/allocations/find-sums.ts";
import { booksOf } from "../../settings/configuration/accounts.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";

interface Beside {
  readonly sub_ledger: Money;
  /** The ledger's amount, with the sign of a sale; null for an external ledger. */
  readonly ledger: Money | null;
}

interface DocumentsBesideLedger {
  readonly documents: readonly (Beside & {
    readonly of: "revenue" | "vat" | "receivables";
    readonly account_number: number | null;
  })[];
  /** The earnings of booked accruals, by revenue account. */
  readonly earnings: readonly (Beside & { readonly account_number: number })[];
}

/** Compares sums through the end of a month, in minor units of the functional currency. `paid` are the sums of receivables. */
export async function documentsBesideLedger(
  cx: Reader,
  month: Month,
  paid: ReceivableSums,
): Promise<DocumentsBesideLedger> {
  const through = lastDayOf(month);
  const ledger = booksOf(cx);
  const control = ledger?.control_accounts;
  const controls = control && [control.receivables, control.vat];
  const income = await ledger?.balancesOf("income", through);
  const balances = controls && (await ledger?.balances(controls, through));
  const { net, vat } = await documentSums(cx, through);
  const { accrued, exchange } = await accruedSums(cx, month);
  const { exchange_difference_account, rounding_account } = await getConfiguration(cx);
  // Exchange differences and roundings may be on income accounts: their balance is then neither a sale nor a difference to report.
  const exchangeOn = (number: number): Money =>
    (number === exchange_difference_account ? exchange + paid.exchange : 0n) -
    (number === rounding_account ? paid.rounding : 0n);
  const gross = [...net.values()].reduce((sum, amount) => sum + amount, vat);
  // What an external ledger booked is paid there, and has no open items.
  const owed = ledger === undefined ? gross : paid.owed;
  const of = (number: number): Money | null =>
    income === undefined ? null : -(income.get(number) ?? 0n);
  const controlled = (number: number | undefined, sign: bigint): Money | null =>
    number === undefined ? null : sign * (balances?.get(number) ?? 0n);
  const numbers = new Set([...net.keys(), ...accrued.keys(), ...(income?.keys() ?? [])]);
  const revenue = [...numbers].sort((a, b) => a - b);
  return {
    documents: [
      ...revenue.map((account_number) => ({
        of: "revenue" as const,
        account_number,
        sub_ledger:
          (net.get(account_number) ?? 0n) +
          (accrued.get(account_number)?.moved ?? 0n) +
          exchangeOn(account_number),
        ledger: of(account_number),
      })),
      {
        of: "vat",
        account_number: control?.vat ?? null,
        sub_ledger: vat,
        ledger: controlled(control?.vat, -1n),
      },
      {
        of: "receivables",
        account_number: control?.receivables ?? null,
        sub_ledger: owed,
        ledger: controlled(control?.receivables, 1n),
      },
    ],
    earnings: revenue.map((account_number) => ({
      account_number,
      sub_ledger: (accrued.get(account_number)?.earned ?? 0n) + exchangeOn(account_number),
      ledger: of(account_number),
    })),
  };
}

/** Adds up the net amounts of documents by revenue account, and their VAT; credit notes reduce both. */
async function documentSums(
  cx: Reader,
  through: string,
): Promise<{ readonly net: ReadonlyMap<number, Money>; readonly vat: Money }> {
  const rows = await cx.rows<{ account_number: number | null; amount: bigint }>(sql`
    with documents as (
       select d.snapshot::json as snapshot, 1 as sign from invoices i
       join issued_documents d on d.account_id = ${cx.caller.account_id} and d.document_id = i.id
       where i.account_id = ${cx.caller.account_id} and i.status = 'issued' and i.issue_date <= ${through}
       union all
       select d.snapshot::json, -1 from credit_notes n
       join invoices i on i.account_id = ${cx.caller.account_id} and i.id = n.invoice_id
       join issued_documents d on d.account_id = ${cx.caller.account_id} and d.document_id = n.id
       where n.account_id = ${cx.caller.account_id} and n.status = 'issued' and greatest(n.credit_date, i.issue_date) <= ${through})
     select x.account_number, sum(d.sign * x.amount)::bigint as amount
     from documents d
     cross join lateral (
       select (l ->> 'account_number')::int as account_number,
         rtrim(l ->> 'net_functional', 'n')::bigint as amount
       from json_array_elements(d.snapshot -> 'lines') l
       union all
       select null, rtrim(v ->> 'vat_functional', 'n')::bigint
       from json_array_elements(d.snapshot -> 'vat') v) x
     group by x.account_number`);
  const net = new Map<number, Money>();
  let vat = 0n;
  for (const { account_number, amount } of rows) {
    if (account_number === null) vat = amount;
    else net.set(account_number, amount);
  }
  return { net, vat };
}

/**
 * Adds up the earnings and movements of the effective bookings of accrual months through `month`, by revenue account, and
 * their exchange differences, with a gain above 0.
 */
async function accruedSums(
  cx: Reader,
  month: Month,
): Promise<{
  readonly accrued: ReadonlyMap<number, { readonly earned: Money; readonly moved: Money }>;
  readonly exchange: Money;
}> {
  const rows = await cx.rows<{
    account_number: number;
    earned: bigint;
    moved: bigint;
    exchange: bigint;
  }>(sql`select r.account_number, sum(r.earned_functional)::bigint as earned,
       sum(r.earned_functional - r.invoiced_functional)::bigint as moved,
       sum(r.exchange_difference)::bigint as exchange
     from accrual_rows r
     join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.month <= ${month}
     where r.account_id = ${cx.caller.account_id} group by r.account_number`);
  return {
    accrued: new Map(
      rows.map(({ account_number, earned, moved }) => [account_number, { earned, moved }]),
    ),
    exchange: rows.reduce((sum, row) => sum + row.exchange, 0n),
  };
}
