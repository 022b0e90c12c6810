/**
 * Begins the receivables of an account with documents from before (spec 13.4): from now on the books say what is paid. Documents through
 * the date that are not named as open were settled elsewhere; one entry moves them from receivables, customer by customer.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { type FieldError, Problem, requireValid } from "../../../domain/base/problem.ts";
import { requireRecordable } from "../../../domain/receivables/record-payment.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { booksOf } from "../../settings/configuration/accounts.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import { bookEntries, type PostedEntry } from "../allocations/book-entries.ts";
import { requireCounter } from "./require-counter.ts";
import { ReceivablesBegin, ReceivablesBeginInput } from "./schemas.ts";

interface BeginPlan {
  readonly date: CalendarDate;
  readonly functional_currency: string;
  readonly settled: readonly SettledItem[];
  readonly posted: PostedEntry;
  /** In minor units of the functional currency. */
  readonly amount: Money;
}

/** A document that was settled elsewhere, with what is left of it at the end of the date. */
interface SettledItem {
  readonly id: string;
  readonly is_credit: boolean;
  readonly customer_id: string;
  readonly functional: Money;
}

/**
 * Takes the body of POST /receivables/begin. Throws VALIDATION_FAILED, PAYMENTS_IN_LEDGER, RECEIVABLES_BEGUN,
 * PAYMENT_DATE_IN_FUTURE or PERIOD_LOCKED.
 */
export const beginReceivables = defineCommand({
  name: "begin_receivables",
  access: "issue",
  input: ReceivablesBeginInput,

  async plan(tx, sent): Promise<BeginPlan> {
    const { account_id } = tx.caller;
    tx.lock(sql`select from open_items where account_id = ${account_id} and date <= ${sent.date} and ended_on is null
      order by id for no key update`);
    holdConfiguration(tx);
    const configuration = await getConfiguration(tx);
    const open = await idsOf(tx, sent.open);
    if (!tx.ledger?.transactional) throw new Problem("PAYMENTS_IN_LEDGER");
    await requireCounter(tx, sent.counter_account, configuration);
    if (configuration.receivables_begun_on !== null) throw new Problem("RECEIVABLES_BEGUN");
    const today = todayIn(tx.clock, configuration.time_zone);
    requireRecordable(sent.date, { today, lock: configuration });
    const settled = open === "all" ? [] : await settledItems(tx, sent.date, open);
    const receivables = booksOf(tx)?.control_accounts.receivables ?? 0;
    const { postings, amount } = postingsOf(settled, receivables, sent.counter_account);
    const posted = { date: sent.date, postings };
    const { functional_currency } = configuration;
    return { date: sent.date, functional_currency, settled, posted, amount };
  },

  async commit(tx, { date, functional_currency, settled, posted, amount }): Promise<JsonText> {
    const { account_id } = tx.caller;
    const guid = newId<string>();
    const text = "Settled before receivables were begun";
    const entry = { kind: "opening", guid, text, currency: functional_currency, posted } as const;
    const booked = await bookEntries(tx, [{ ...entry, reverses_guid: null }]);
    const begun =
      await tx.row(sql`insert into receivables_begins (account_id, begun_on) values (${account_id}, ${date})
      on conflict do nothing returning begun_on`);
    if (begun === undefined) throw new Problem("RECEIVABLES_BEGUN");
    settle(
      tx,
      settled.map(({ id }) => id),
      date,
    );
    const document = jsonText(
      ReceivablesBegin.parse({
        object: "receivables_begin",
        begun_on: date,
        settled: settled.length,
        settled_amount: scaledToNumber(amount, currencyDigits(functional_currency)),
        entry_no: entryNoOf(booked.get(guid)),
      }),
    );
    tx.audit("receivables", account_id, "begun", { before: null, after: document });
    return document;
  },
});

/** Returns what beginning receivables would do; nothing is stored. Throws the refusals of beginning them. */
export function previewBegin(cx: Context, sent: ReceivablesBeginInput): Promise<JsonText> {
  return dryRun(cx, async (tx) =>
    beginReceivables.commit(tx, await beginReceivables.plan(tx, sent)),
  );
}

function entryNoOf(booked: { readonly entry_no: bigint } | undefined): number | null {
  return booked === undefined ? null : Number(booked.entry_no);
}

/** Returns the ids of the documents that are named as open. Throws VALIDATION_FAILED for one that has no open item. */
async function idsOf(tx: Tx, open: ReceivablesBeginInput["open"]): Promise<"all" | string[]> {
  if (open === "all") return open;
  const { account_id } = tx.caller;
  const [invoices, notes] = await Promise.all([
    tx.rows<Named>(sql`select i.id, i.external_id from invoices i
      join open_items o on o.account_id = ${account_id} and o.id = i.id
      where i.account_id = ${account_id} and (i.id = any(${idsIn(open.invoices)}) or i.external_id = any(${externalIn(open.invoices)}))`),
    tx.rows<Named>(sql`select n.id, n.external_id from credit_notes n
      join open_items o on o.account_id = ${account_id} and o.id = n.id
      where n.account_id = ${account_id} and (n.id = any(${idsIn(open.credit_notes)}) or n.external_id = any(${externalIn(open.credit_notes)}))`),
  ]);
  requireValid([
    ...unknownIn("open.invoices", open.invoices, invoices),
    ...unknownIn("open.credit_notes", open.credit_notes, notes),
  ]);
  return [...invoices, ...notes].map(({ id }) => id);
}

interface Named {
  readonly id: string;
  readonly external_id: string | null;
}

const idsIn = (refs: readonly string[]): string[] => refs.filter((ref) => !ref.startsWith("ext:"));
const externalIn = (refs: readonly string[]): string[] =>
  refs.flatMap((ref) => (ref.startsWith("ext:") ? [ref.slice(4)] : []));

function unknownIn(field: string, refs: readonly string[], found: readonly Named[]): FieldError[] {
  const known = new Set(found.flatMap(({ id, external_id }) => [id, `ext:${external_id}`]));
  return refs.flatMap((ref, at): FieldError[] => {
    if (known.has(ref)) return [];
    const message = "There is no such issued document in these books.";
    return [{ field: `${field}[${at}]`, code: "unknown_reference", message }];
  });
}

/** Returns the documents through a date that are not named, and of which something is left at its end. */
function settledItems(tx: Tx, date: CalendarDate, open: readonly string[]): Promise<SettledItem[]> {
  const { account_id } = tx.caller;
  return tx.rows<SettledItem>(sql`
    select i.id, i.is_credit, i.customer_id, (i.functional - t.functional)::bigint as functional
    from open_items i cross join lateral (
      select coalesce(sum(case when i.is_credit then a.amount else a.amount + a.rounding end), 0)::bigint as amount,
        coalesce(sum(case when i.is_credit then a.credit_functional else a.debit_functional end), 0)::bigint as functional
      from allocations a where a.account_id = ${account_id} and (a.debit_id = i.id or a.credit_id = i.id)
        and a.date <= ${date} and (a.reversed_on is null or a.reversed_on > ${date})) as t
    where i.account_id = ${account_id} and i.kind in ('invoice', 'credit_note') and i.date <= ${date} and i.ended_on is null
      and i.amount > t.amount and not (i.id = any(${open}))
    order by i.id`);
}

/** Returns the postings of settled documents: one for each customer, and the sum on the counter account. */
function postingsOf(settled: readonly SettledItem[], receivables: number, counter: number) {
  const sums = new Map<string, Money>();
  for (const { customer_id, is_credit, functional } of settled) {
    const sum = sums.get(customer_id) ?? 0n;
    sums.set(customer_id, is_credit ? sum - functional : sum + functional);
  }
  const amount = [...sums.values()].reduce((all, sum) => all + sum, 0n);
  const postings = [
    ...[...sums].map(([customer_id, sum]) => postingOf(receivables, -sum, customer_id)),
    postingOf(counter, amount, null),
  ].filter((posting) => posting.amount !== 0n);
  return { postings, amount };
}

function postingOf(account_number: number, amount: Money, customer_id: string | null) {
  return { account_number, amount, currency_amount: amount, customer_id };
}

/**
 * Ends the items on the date. A credit note that is dated later was matched with its settled invoice: it is a credit again, from its
 * own day, because nothing of the invoice was open any more.
 */
function settle(tx: Tx, ids: readonly string[], date: CalendarDate): void {
  if (ids.length === 0) return;
  const { account_id } = tx.caller;
  const reason = "Settled before receivables were begun";
  tx.write(sql`with released as (
      update allocations set reversed_on = date, reversal_reason = ${reason}, updated_at = ${stampedAnew(account_id)}
      where account_id = ${account_id} and debit_id = any(${ids}) and date > ${date} and reversed_on is null
      returning credit_id, amount, credit_functional)
    update open_items i set open = i.open + r.amount, functional_open = i.functional_open + r.functional,
      updated_at = ${stampedAnew(account_id)}
    from (select credit_id, sum(amount)::bigint as amount, sum(credit_functional)::bigint as functional from released group by credit_id) as r
    where i.account_id = ${account_id} and i.id = r.credit_id`);
  tx.write(sql`update open_items set ended_on = ${date}, open = 0, functional_open = 0, updated_at = ${stampedAnew(account_id)}
    where account_id = ${account_id} and id = any(${ids})`);
}
