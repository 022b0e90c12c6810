/** What people see of a customer's account: the statement of a period beside what is open today, and the PDF before it is kept. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { getCustomer } from "../../catalogue/customers/queries.ts";
import { renderPaper } from "../../documents/issued/render-document.ts";
import { statementName } from "../../documents/letters/statement-view.ts";
import { type Balance, findBalances } from "../balances/find-balances.ts";
import type { ReadThrough } from "../ledger-items/queries.ts";
import type { ItemOnDay } from "../open-items/find-open.ts";
import { hasPayable } from "../open-items/find-own.ts";
import { readItems } from "../open-items/list-items.ts";
import { isAnyKnown, isPaidInLedger, owedOn, readThrough } from "../open-items/require-begun.ts";
import { makeStatement } from "./queries.ts";
import type { StatementQuery } from "./schemas.ts";

/** A statement that is only read, and the currencies in which the customer has one: that of the books first. */
interface ShownStatement {
  readonly statement: StatementSnapshot;
  readonly currencies: readonly string[];
  /** How far the connected ledger has reported what is paid; null where payments are recorded here. */
  readonly reported: ReadThrough | null;
}

/** Reads the statement of a customer for a page, by default in the first of the currencies. Throws what `makeStatement` throws. */
export function readStatementOf(
  cx: Reader,
  customer: CustomerRow,
  asked: StatementQuery,
): Promise<ShownStatement> {
  return reading(cx, async (inside) => {
    const { account_id } = inside.caller;
    const found = await inside.rows<{ currency: string }>(sql`
      select i.currency from (
        select currency from open_items where account_id = ${account_id} and customer_id = ${customer.id}
        union
        select currency from ledger_items where account_id = ${account_id} and customer_id = ${customer.id}) i
      join configurations k on k.account_id = ${account_id}
      order by i.currency = k.functional_currency desc, i.currency`);
    const currencies = found.map(({ currency }) => currency);
    const currency = asked.currency ?? currencies[0];
    const statement = await makeStatement(inside, customer, { ...asked, currency }, "");
    const reported = isPaidInLedger(inside)
      ? await readThrough(inside, await owedOn(inside, undefined), customer.id)
      : null;
    return { statement, currencies, reported };
  });
}

/** What is open of a customer today. */
interface CustomerAccount {
  readonly day: CalendarDate;
  /** Whether anything is known: not before a connected ledger has reported what is paid. */
  readonly is_known: boolean;
  /** How far the connected ledger has reported it; null where payments are recorded here. */
  readonly reported: ReadThrough | null;
  readonly balances: readonly Balance[];
  readonly items: readonly ItemOnDay[];
  /** The ids of the items that were booked here; payments of the others are recorded in the connected ledger. */
  readonly own_ids: ReadonlySet<string>;
  /** Whether a payment of the customer may be recorded. */
  readonly has_payable: boolean;
  readonly next_cursor: string | null;
  /** This year's statement in the first currency; null where none can be made. */
  readonly statement: StatementSnapshot | null;
}

/** Reads a customer's account. Throws RECEIVABLES_NOT_BEGUN, and VALIDATION_FAILED for a bad cursor. */
export function readAccount(
  cx: Reader,
  customer: CustomerRow,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<CustomerAccount> {
  return reading(cx, async (inside) => {
    const filters = { customer: customer.id, state: "open" } as const;
    const { rows, next_cursor, ...owed } = await readItems(inside, filters, page);
    const { day, sources, functional_currency, own_ids } = owed;
    const reported = await readThrough(inside, sources, customer.id);
    const is_known = sources.is_known || (reported?.as_of ?? null) !== null;
    const own = { sources, customer_ids: [customer.id] };
    const balances = isAnyKnown(sources) ? await findBalances(inside, day, own) : [];
    const is_usual = balances.some(({ currency }) => currency === functional_currency);
    const currency = is_usual ? functional_currency : balances[0]?.currency;
    const statement = await makeStatement(inside, customer, { currency }, "").catch(unlessReported);
    const has_payable = await hasPayable(inside, customer.id);
    const shown = { day, is_known, reported, balances, items: rows, own_ids, has_payable };
    return { ...shown, next_cursor, statement };
  });
}

/** Returns null where a connected ledger does not report payments. Throws everything else. */
function unlessReported(thrown: unknown): null {
  if (thrown instanceof Problem && thrown.code === "PAYMENTS_IN_LEDGER") return null;
  throw thrown;
}

/** The customer and the period of a statement. */
export interface StatementAsked extends StatementQuery {
  readonly ref: string;
}

/** Returns the PDF of a statement that is not kept. Throws NOT_FOUND, and what `makeStatement` throws. */
export async function statementPreview(
  cx: Reader,
  { ref, ...asked }: StatementAsked,
): Promise<ReplyFile> {
  const snapshot = await makeStatement(cx, await getCustomer(cx, ref), asked, "");
  const content = await renderPaper(cx, { snapshot, number: null });
  return { content_type: "application/pdf", filename: statementName(snapshot), content };
}
