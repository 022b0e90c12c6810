/**
 * Compares revenue and VAT in the ledger with documents and accruals, and receivables with open items (spec 3.9, invariant 7). The
 * date of a document comes from the document and from the rule, never from the ledger entry: an entry with another date, or one booked
 * into a month after the close of that month, must make a difference.
 */
import { lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Books } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isOwnOn } from "../../ledger/moves/find-keeper.ts";
import type { ReceivableSums } from "../../receivables/allocations/find-sums.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";

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

/**
 * Compares sums through the end of a month, in minor units of the functional currency. `paid` are the sums of receivables. With the
 * books of the built-in ledger, `ledger`, only what it booked is added up.
 */
export async function documentsBesideLedger(
  cx: Reader,
  { exchange_difference_account, rounding_account }: Configuration,
  month: Month,
  paid: ReceivableSums,
  ledger: Books | undefined,
): Promise<DocumentsBesideLedger> {
  const through = lastDayOf(month);
  const is_own = ledger !== undefined;
  const control = ledger?.control_accounts;
  const controls = control && [control.receivables, control.vat];
  const income = await ledger?.balancesOf("income", through);
  const balances = controls && (await ledger?.balances(controls, through));
  const { net, vat, between } = await documentSums(cx, through, is_own);
  const { accrued, exchange } = await accruedSums(cx, month, is_own);
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
      sub_ledger:
        (accrued.get(account_number)?.earned ?? 0n) +
        (between.get(account_number) ?? 0n) +
        exchangeOn(account_number),
      ledger: of(account_number),
    })),
  };
}

interface DocumentSums {
  readonly net: ReadonlyMap<number, Money>;
  readonly vat: Money;
  /**
   * Documents that the ledger booked and whose month another ledger accrued, less those of the other kind: after a move within
   * an open month, revenue is earned in other books than those that have the document.
   */
  readonly between: ReadonlyMap<number, Money>;
}

/**
 * Adds up the net amounts of documents by revenue account, and their VAT; credit notes reduce both. With `is_own` only those that
 * the built-in ledger booked.
 */
async function documentSums(cx: Reader, through: string, is_own: boolean): Promise<DocumentSums> {
  const own_month = isOwnOn(
    cx,
    sql`date_trunc('month', d.day) + interval '1 month' - interval '1 day'`,
  );
  const rows = await cx.rows<{
    account_number: number | null;
    amount: bigint;
    between: bigint;
  }>(sql`
    with documents as (
       select d.snapshot::json as snapshot, 1 as sign, i.issue_date as day, d.ledger_connection_id is null as is_own from invoices i
       join issued_documents d on d.account_id = ${cx.caller.account_id} and d.document_id = i.id
       where i.account_id = ${cx.caller.account_id} and i.status = 'issued' and i.issue_date <= ${through}
       union all
       select d.snapshot::json, -1, greatest(n.credit_date, i.issue_date), d.ledger_connection_id is null from credit_notes n
       join invoices i on i.account_id = ${cx.caller.account_id} and i.id = n.invoice_id
       join issued_documents d on d.account_id = ${cx.caller.account_id} and d.document_id = n.id
       where n.account_id = ${cx.caller.account_id} and n.status = 'issued' and greatest(n.credit_date, i.issue_date) <= ${through})
     select x.account_number,
       coalesce(sum(d.sign * x.amount) filter (where d.is_own or not ${is_own}), 0)::bigint as amount,
       coalesce(sum(d.sign * x.amount * (d.is_own::int - d.is_own_month::int)) filter (where ${is_own}), 0)::bigint as between
     from (select d.*, ${own_month} as is_own_month from documents d) d
     cross join lateral (
       select (l ->> 'account_number')::int as account_number,
         rtrim(l ->> 'net_functional', 'n')::bigint as amount
       from json_array_elements(d.snapshot -> 'lines') l
       union all
       select null, rtrim(v ->> 'vat_functional', 'n')::bigint
       from json_array_elements(d.snapshot -> 'vat') v) x
     group by x.account_number`);
  const [net, between] = [new Map<number, Money>(), new Map<number, Money>()];
  let vat = 0n;
  for (const row of rows) {
    const { account_number, amount } = row;
    if (account_number === null) vat = amount;
    else {
      net.set(account_number, amount);
      between.set(account_number, row.between);
    }
  }
  return { net, vat, between };
}

/**
 * Adds up the earnings and movements of the effective bookings of accrual months through `month`, by revenue account, and
 * their exchange differences, with a gain above 0. With `is_own` only those of months in which the built-in ledger had the books.
 */
async function accruedSums(
  cx: Reader,
  month: Month,
  is_own: boolean,
): Promise<{
  readonly accrued: ReadonlyMap<number, { readonly earned: Money; readonly moved: Money }>;
  readonly exchange: Money;
}> {
  const own_month = isOwnOn(
    cx,
    sql`(a.month || '-01')::date + interval '1 month' - interval '1 day'`,
  );
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
     where r.account_id = ${cx.caller.account_id} and (not ${is_own} or ${own_month}) group by r.account_number`);
  return {
    accrued: new Map(
      rows.map(({ account_number, earned, moved }) => [account_number, { earned, moved }]),
    ),
    exchange: rows.reduce((sum, row) => sum + row.exchange, 0n),
  };
}
