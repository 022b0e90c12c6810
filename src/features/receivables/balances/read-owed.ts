/** What customers owe on a day as people look at it: the customers who are latest first, the sums of all, and the books beside them. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import type { ReadThrough } from "../ledger-items/queries.ts";
import { isAnyKnown, owedOn, readThrough } from "../open-items/require-begun.ts";
import {
  type Balance,
  balancesFrom,
  type OwedSums,
  type PartOfBalance,
  PLANNED,
  sumOf,
  sumsOn,
  type TotalsOfCurrency,
  totalsFrom,
} from "./find-balances.ts";
import { type ComparedRole, compareWithBooks } from "./find-books.ts";

/** The balance of a customer, with the name that the customer has now. */
export interface NamedBalance extends Balance {
  readonly customer_name: string;
}

/** What customers owe at the end of a day. Sums are of all customers and currencies, whatever rows are shown. */
export interface Owed {
  readonly day: CalendarDate;
  /** Whether anything is known: not before a connected ledger has reported what is paid. */
  readonly is_known: boolean;
  /** How far the connected ledger has reported it; null where payments are recorded here. */
  readonly reported: ReadThrough | null;
  readonly functional_currency: string;
  readonly rows: readonly NamedBalance[];
  readonly has_more: boolean;
  /** How many customers owe something. */
  readonly owing: number;
  readonly totals: readonly TotalsOfCurrency[];
  readonly functional: OwedSums;
  readonly books: readonly ComparedRole[];
}

/** The rows that are read: of one currency or of all, and a page of them or all. */
interface RowsOfOwed {
  readonly currency?: string | undefined;
  readonly offset: number;
  readonly limit: number | null;
}

/** Reads what customers owe at the end of a day, today by default. Throws what `owedOn` throws. */
export function readOwed(
  cx: Reader,
  at: CalendarDate | undefined,
  { currency, offset, limit }: RowsOfOwed,
): Promise<Owed> {
  return reading(cx, async (inside) => {
    const { day, functional_currency, ...sources } = await owedOn(inside, at);
    const reported = await readThrough(inside, sources);
    const found = isAnyKnown(sources)
      ? await inside.rows<FoundRow>(sql`${PLANNED}
          with sums as materialized (${sumsOn(inside, day, { sources })}),
            placed as (
              select s.customer_id, s.currency,
                row_number() over (order by min(s.oldest_due_date), s.customer_id, s.currency)::int as place
              from sums s where ${currency ?? null}::text is null or s.currency = ${currency ?? null}
              group by s.customer_id, s.currency)
          select s.customer_id, s.currency, s.part, s.oldest_due_date, s.open, s.functional, p.place, null::int as owing
          from placed p join sums s on s.customer_id = p.customer_id and s.currency = p.currency
          where p.place > ${offset} and (${limit}::int is null or p.place <= ${offset}::int + ${limit}::int + 1)
          union all
          select null, s.currency, s.part, null, sum(s.open)::bigint, sum(s.functional)::bigint, null,
            (select count(distinct d.customer_id) from sums d where d.part not in ('credit_notes', 'customer_credit'))::int
          from sums s group by s.currency, s.part
          order by place, currency, part`)
      : [];
    const balances = balancesFrom(found.flatMap(rowOf));
    const totals = totalsFrom(found.filter(({ place }) => place === null));
    const functional = sumOf(totals.map((one) => one.functional));
    const shown = limit === null ? balances : balances.slice(0, limit);
    const names = await customerLabels(
      inside,
      shown.map(({ customer_id }) => customer_id),
    );
    return {
      day,
      is_known: sources.is_known || (reported?.as_of ?? null) !== null,
      reported,
      functional_currency,
      rows: shown.map((one) => ({
        ...one,
        customer_name: names.get(one.customer_id)?.name ?? "",
      })),
      has_more: balances.length > shown.length,
      owing: found.find(({ place }) => place === null)?.owing ?? 0,
      totals,
      functional,
      books: await compareWithBooks(inside, day, functional),
    };
  });
}

/** A part of a row of the list, with its place; or of the sums of a currency, without customer and place. */
interface FoundRow extends Omit<PartOfBalance, "customer_id"> {
  readonly customer_id: string | null;
  readonly place: number | null;
  readonly owing: number | null;
}

function rowOf({ customer_id, place: _, owing: __, ...row }: FoundRow): PartOfBalance[] {
  return customer_id === null ? [] : [{ customer_id, ...row }];
}
