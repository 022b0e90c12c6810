/**
 * Random histories of receivables: invoices in three currencies, credits, payments of every kind, refunds, allocations, reversals,
 * opening items, reminders and closes, back-dated and in any order. After every step, every day is what an oracle of its own worked out: open items,
 * books, nothing below 0, and no day changed before the first date of what the step made. hledger adds up the books at the end.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkHledger, hledgerBalances } from "../../../../test/ledger/checkers.ts";
import { isInstalled, isSkippedWithout } from "../../../../test/support/run/needs.ts";
import { LAST_DAY } from "../../../../test/support/world/receivables-oracle.ts";
import {
  anyStep,
  dayOf,
  KINDS,
  type Step,
} from "../../../../test/support/world/receivables-play.ts";
import { RandomReceivables } from "../../../../test/support/world/receivables-steps.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { journalText } from "../../ledger/reports/export.ts";

const HISTORIES = Number(process.env.TEST_HISTORIES ?? 2);
const STEPS = 40;
/** Histories of which one has each kind of step. */
const MANY = 40;
const ACCOUNTS = [1550, 2390, 2720, 3490, 3610, 6190, 6480, 6950, 7410];

const world = useWorld();
const has_hledger = isInstalled("hledger");
let done = 0;
const kinds = new Set<string>();

/** What is open on each day as a text, and the balance of each account. */
async function daysOf(account_id: string): Promise<string[]> {
  const rows = await world.sql(
    `with days as (select d::date as day from generate_series($2::date, $3::date, '1 day') d),
     takes as (
       select debit_id as id, amount + rounding as amount, debit_functional as functional, date, reversed_on from allocations where account_id = $1
       union all select credit_id, amount, credit_functional, date, reversed_on from allocations where account_id = $1),
     items as (
       select d.day, i.id, case when i.ended_on <= d.day then 0 else i.amount - coalesce(sum(t.amount), 0) end as open,
         case when i.ended_on <= d.day then 0 else i.functional - coalesce(sum(t.functional), 0) end as functional
       from days d join open_items i on i.account_id = $1 and i.date <= d.day
       left join takes t on t.id = i.id and t.date <= d.day and (t.reversed_on is null or t.reversed_on > d.day)
       group by d.day, i.account_id, i.id),
     books as (
       select e.entry_date as date, p.account_number, sum(p.amount) as amount from ledger_postings p
       join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
       where p.account_id = $1 and p.account_number = any($4::integer[]) group by 1, 2),
     balances as (
       select d.day, a.number, coalesce(sum(b.amount), 0) as amount from days d cross join unnest($4::integer[]) as a (number)
       left join books b on b.account_number = a.number and b.date <= d.day group by 1, 2)
     select (select coalesce(string_agg(i.id || ' ' || i.open || ' ' || i.functional, ',' order by i.id::text), '') from items i
         where i.day = d.day and (i.open <> 0 or i.functional <> 0)) || ' | ' ||
       (select string_agg(b.number || ' ' || b.amount, ',' order by b.number) from balances b where b.day = d.day) as state
     from days d order by d.day`,
    [account_id, dayOf(0), dayOf(LAST_DAY), ACCOUNTS],
  );
  return rows.map(({ state }) => state);
}

/** The same as the oracle has it. */
function daysOfOracle({ oracle }: RandomReceivables): string[] {
  return Array.from({ length: LAST_DAY + 1 }, (_, day) => {
    const items = oracle.items
      .map((item) => ({ id: item.id, ...oracle.openOn(item, day) }))
      .filter(({ open, functional }) => open !== 0n || functional !== 0n)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const open = items.map((item) => `${item.id} ${item.open} ${item.functional}`);
    const balances = ACCOUNTS.map((account) => `${account} ${oracle.balance(account, day)}`);
    return `${open.join(",")} | ${balances.join(",")}`;
  });
}

/** Σ open = 6190, Σ unapplied = 7410, and nothing below 0, on every day. */
function requireSums({ oracle }: RandomReceivables, said: string): void {
  for (let day = 0; day <= LAST_DAY; day += 1) {
    let [receivables, credit] = [0n, 0n];
    for (const item of oracle.items) {
      const { open, functional } = oracle.openOn(item, day);
      expect(open >= 0n && functional >= 0n, `${dayOf(day)} ${said}`).toBe(true);
      const signed = item.is_credit ? -functional : functional;
      if (item.kind === "payment" || item.kind === "refund") credit += signed;
      else receivables += signed;
    }
    const books = [oracle.balance(6190, day), oracle.balance(7410, day)];
    expect([receivables, credit], `${dayOf(day)} ${said}`).toEqual(books);
  }
}

/** The first day of what an account has got since a moment; after all days without anything. */
async function firstDaySince(account_id: string, moment: string): Promise<string> {
  const [row] = await world.sql(
    `select least(
       (select min(date) from open_items where account_id = $1 and updated_at > $2 and not exists (
          select from allocations a where a.account_id = $1 and id in (a.debit_id, a.credit_id))),
       (select min(date) from allocations where account_id = $1 and created_at > $2),
       (select min(entry_date) from ledger_entries where account_id = $1 and registered_at > $2),
       (select min(reversed_on) from allocations where account_id = $1 and updated_at > $2 and reversed_on is not null))::text as day`,
    [account_id, moment],
  );
  return row?.day ?? "9999-12-31";
}

const REFUSED = new Set([
  ...["PAYMENT_EXCEEDS_OPEN", "CREDIT_EXCEEDS_OPEN", "PAYMENT_REVERSED", "PAYMENT_REFUNDED"],
  ...["ALLOCATION_REVERSED", "INVOICE_FULLY_CREDITED", "CREDIT_EXCEEDS_LINE", "PERIOD_LOCKED"],
  ...["VALIDATION_FAILED", "REMINDER_PAID", "REMINDER_CANCELLED"],
]);

async function playStep(
  history: RandomReceivables,
  step: Step,
  before: string[],
): Promise<string[]> {
  const { account_id } = history;
  const [{ moment } = {}] = await world.sql("select clock_timestamp()::text as moment");
  const outcome = await history.act(step);
  if (outcome === null) return before;
  const { reply, is_foretold, expected = {} } = outcome;
  const body = reply?.body ?? {};
  const said = `${JSON.stringify(step)} ${reply?.status} ${JSON.stringify(body.error ?? {})}`;
  expect((reply?.status ?? 0) < 300, `foretold: ${is_foretold}, ${said}`).toBe(is_foretold);
  if (!is_foretold) expect(REFUSED.has(body.error.code), said).toBe(true);
  if (is_foretold) {
    done += 1;
    kinds.add(step.what);
  }
  const { allocations, ...fields } = expected;
  expect(body, said).toMatchObject(fields);
  if (allocations !== undefined) {
    const amounts = body.allocations.map(({ amount }: { amount: number }) => amount);
    expect(amounts.sort(), said).toEqual(allocations);
  }
  const after = await daysOf(account_id);
  expect(after, said).toEqual(daysOfOracle(history));
  requireSums(history, said);
  const first = await firstDaySince(account_id, moment);
  for (const [day, state] of after.entries()) {
    if (dayOf(day) < first) expect(state, `${dayOf(day)} changed by ${said}`).toBe(before[day]);
  }
  return after;
}

async function play(steps: readonly Step[]): Promise<void> {
  const history = await RandomReceivables.begin(world);
  let state = await daysOf(history.account_id);
  for (const step of steps) state = await playStep(history, step, state);
  const found = await history.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  const { ledger } = await history.done("GET /receivables/summary").catch(() => ({ ledger: [] }));
  for (const { difference } of ledger) expect(difference).toBe(0);
  if (has_hledger) await checkBooks(history);
}

/** hledger adds up the exported journal to what the oracle has. */
async function checkBooks({ account_id, oracle }: RandomReceivables): Promise<void> {
  const cx = await operatorContext(world.services, account_id);
  let text = "";
  for await (const chunk of journalText(cx, "hledger")) text += chunk;
  expect(await checkHledger(text)).toEqual({ passed: true, output: "" });
  const balances = await hledgerBalances(text);
  for (const account of ACCOUNTS) {
    expect([account, balances.get(account) ?? 0n]).toEqual([
      account,
      oracle.balance(account, LAST_DAY),
    ]);
  }
}

describe("a random history", () => {
  it("is on every day what an oracle works out", async () => {
    const seed = Number(process.env.TEST_HISTORY_SEED ?? Date.now() % 1_000_000);
    const histories = fc.sample(fc.array(anyStep, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: HISTORIES,
      seed,
    });
    for (const [at, steps] of histories.entries()) {
      await play(steps).catch((error) => {
        throw new Error(`TEST_HISTORY_SEED=${seed}, history ${at}: ${error.message}`, {
          cause: error,
        });
      });
    }
  }, 3_600_000);

  it("contained steps that succeed", () => {
    expect(done).toBeGreaterThan(HISTORIES * 8);
    const silent = ["days", "close"];
    const absent = KINDS.filter((kind) => !kinds.has(kind) && !silent.includes(kind));
    if (HISTORIES >= MANY) expect(absent).toEqual([]);
  });

  it.skipIf(isSkippedWithout(has_hledger))("was added up (needs hledger)", () => {
    expect(has_hledger).toBe(true);
  });
});
