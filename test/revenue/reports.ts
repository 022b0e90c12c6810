/**
 * The reports after each step: earned, invoiced and balance of every line, by month and user, in
 * agreement with each other, with the books and with the oracle; and the drafts of accruals, computed again.
 */
import { expect } from "vitest";
import type { Json } from "../support/world/world.ts";
import { type Row, sumOf, sums } from "./books.ts";
import { checkOpenings } from "./openings.ts";
import { amountOf, earnedThrough, type OracleLine } from "./oracle.ts";
import { addMonths, FUNCTIONAL, lastDay, minor, type Studio } from "./studio.ts";

const FIRST = "2025-10";

/** A line as the reports currently show it. */
export interface Line {
  readonly line_id: string;
  readonly customer_id: string;
  readonly account_number: number;
  readonly currency: string;
  readonly earned: ReadonlyMap<string, bigint>;
  readonly invoiced: ReadonlyMap<string, bigint>;
}

/** Throws for a violated invariant; returns the current lines, by id. */
export async function checkReports(
  studio: Studio,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Line>> {
  const to = addMonths(studio.month, 1);
  const path = `/recognition?from=${FIRST}&to=${to}`;
  const entries = await studio.all(path);
  const lines = await linesFrom(studio, entries, to);
  const invoices = await studio.all("/invoices");
  await checkSchedules(studio, invoices, lines, to);
  await checkOpenings(studio, lines, FIRST, to);
  await checkDrafts(studio, lines, rows);
  return lines;
}

async function linesFrom(
  studio: Studio,
  entries: readonly Json[],
  to: string,
): Promise<Map<string, Line>> {
  const accounts = new Map<string, number>();
  const stored = await studio.sql(
    `select id, account_number from invoice_lines where account_id = $1
     union all select line_id, account_number from opening_contracts where account_id = $1`,
  );
  for (const { id, account_number } of stored) accounts.set(id, account_number);
  const products = new Map(studio.products.map((one) => [one.id, one.account_number]));
  const by_line = new Map<string, Json[]>();
  for (const entry of entries) {
    by_line.set(entry.line_id, [...(by_line.get(entry.line_id) ?? []), entry]);
  }
  const lines = new Map<string, Line>();
  for (const [line_id, some] of by_line) {
    const [{ currency, customer_id, product_id }] = some as [Json];
    const of = (field: string): Map<string, bigint> =>
      sums(
        some,
        (one) => one.month,
        (one) => minor(one[field], currency),
      );
    const [earned, invoiced] = [of("earned"), of("invoiced")];
    const [asset, liability] = [of("contract_asset"), of("contract_liability")];
    let balance = 0n;
    for (let month = FIRST; month <= to; month = addMonths(month, 1)) {
      balance += (earned.get(month) ?? 0n) - (invoiced.get(month) ?? 0n);
      const shown = (asset.get(month) ?? 0n) - (liability.get(month) ?? 0n);
      expect(shown, `balance of line ${line_id} at the end of ${month}`).toBe(balance);
    }
    const account_number = accounts.get(line_id) ?? products.get(product_id);
    lines.set(line_id, { line_id, customer_id, account_number, currency, earned, invoiced });
  }
  return lines;
}

/**
 * The same revenue in every grouping, and on both bases when nothing is left to book; the positions of
 * contracts compared with those of the books.
 */
export async function checkGroups(studio: Studio, last: string): Promise<void> {
  const money = (amount: number): bigint => minor(amount, FUNCTIONAL);
  const range = `from=${FIRST}&to=${last}`;
  const totals = new Map<string, readonly bigint[]>();
  for (const grouping of ["month", "customer", "user", "product"]) {
    for (const basis of ["work_month", "booking_month"]) {
      const path = `/recognition?${range}&group_by=${grouping}&basis=${basis}`;
      const entries = await studio.all(path);
      const of = (field: string): bigint => sumOf(entries.map((one) => money(one[field])));
      totals.set(`${grouping} ${basis}`, [of("earned"), of("invoiced")]);
      expect(await studio.all(path), `${path} again`).toEqual(entries);
    }
  }
  const [first] = totals.values();
  expect(totals).toEqual(new Map([...totals.keys()].map((key) => [key, first])));
  const contracts = await studio.all(`/recognition/rollforward?${range}`);
  const of = (field: string): bigint => sumOf(contracts.map((one) => money(one[field])));
  const { roles } = await studio.done(`GET /accruals/reconciliation?month=${last}`);
  const [asset, liability] = roles.map((one: Json) => money(one.sub_ledger));
  expect(
    [
      of("contract_asset_closing"),
      of("contract_liability_closing"),
      of("earned"),
      of("invoiced") + of("brought_along"),
    ],
    "contracts of the rollforward, and its movement",
  ).toEqual([asset, liability, ...(first ?? [])]);
}

/** Invariants 1 to 3 for the lines of invoices, compared with the oracle. */
async function checkSchedules(
  studio: Studio,
  invoices: readonly Json[],
  lines: ReadonlyMap<string, Line>,
  to: string,
): Promise<void> {
  const known = await oracleLines(studio, invoices);
  for (const invoice of invoices) {
    const schedule = await studio.done(`GET /invoices/${invoice.id}/recognition`);
    for (const line of schedule.lines) {
      const reported = `line ${line.line_id} of invoice ${invoice.id}`;
      const { currency } = schedule;
      const amount = minor(line.amount, currency);
      const oracle = known.get(line.line_id);
      if (oracle === undefined) throw new Error(`${reported} is unknown`);
      // Work may be moved away after a full credit; the issue froze its earnings.
      const is_frozen =
        ["hours", "progress"].includes(oracle.line.recognition_method) &&
        amount === sumOf(oracle.credits.map((credit) => credit.amount));
      if (!is_frozen) expect(amount, `amount of ${reported}`).toBe(amountOf(oracle));
      const months: Json[] = line.months;
      for (const { month, earned, users } of months) {
        const parts = sumOf(users.map((one: Json) => minor(one.earned, currency)));
        expect(parts, `users of ${reported} in ${month}`).toBe(minor(earned, currency));
      }
      let [earned, invoiced] = [0n, 0n];
      for (let month = FIRST; month <= to; month = addMonths(month, 1)) {
        const one = months.find((entry) => entry.month === month);
        earned += minor(one?.earned ?? 0, currency);
        invoiced += minor(one?.invoiced ?? 0, currency);
        const when = `${reported} through ${month}`;
        const credits = oracle.credits.filter((credit) => credit.effective <= lastDay(month));
        const rest = amount - sumOf(credits.map((credit) => credit.amount));
        const is_issued = oracle.issue_date !== null && oracle.issue_date <= lastDay(month);
        expect(invoiced, `invoiced of ${when}`).toBe(is_issued ? rest : 0n);
        expect(0n <= earned && earned <= rest && rest <= amount, `bounds of ${when}`).toBe(true);
        if (!is_frozen) {
          expect(earned, `earned of ${when}`).toBe(earnedThrough(oracle, month));
        }
        const listed = lines.get(line.line_id);
        const reported_too = `the list and the schedule of ${reported} in ${month}`;
        expect(listed?.earned.get(month) ?? 0n, reported_too).toBe(
          minor(one?.earned ?? 0, currency),
        );
      }
    }
  }
}

/** The lines of all invoices with everything that affects them. */
async function oracleLines(
  studio: Studio,
  invoices: readonly Json[],
): Promise<Map<string, OracleLine>> {
  const { recognition_convention: convention } = await studio.done("GET /configuration");
  const work = await studio.all("/work-registrations");
  const completions = await studio.sql(
    "select line_id, completed_on::text from line_completions where account_id = $1",
  );
  const credits = await studio.sql(CREDITS);
  const amounts = await studio.sql(
    `select l.id, case when l.share_days is not null then l.amount end::bigint as amount,
       l.nominal_budget::bigint * l.share_days as budget, l.share_of::bigint as budget_of
     from invoice_lines l where l.account_id = $1`,
  );
  const found = new Map<string, OracleLine>();
  for (const invoice of invoices) {
    const is_issued = invoice.status === "issued";
    for (const line of invoice.lines) {
      const frozen = amounts.find((one) => one.id === line.id);
      const of_line = (one: Json): boolean => one.line_id === line.id;
      found.set(line.id, {
        line,
        currency: invoice.currency,
        issue_date: is_issued ? invoice.issue_date : null,
        amount: frozen?.amount ?? null,
        budget: (frozen?.budget ?? null) === null ? null : [frozen?.budget, frozen?.budget_of],
        completed_on: completions.find(of_line)?.completed_on ?? null,
        work: work.filter(of_line),
        credits: credits.filter(of_line) as never,
        convention,
      });
    }
  }
  return found;
}

const CREDITS = `
  select l.invoice_line_id as line_id, greatest(n.credit_date, i.issue_date)::text as effective,
    l.amount::bigint, l.new_service_to::text
  from credit_notes n join invoices i on i.account_id = $1 and i.id = n.invoice_id
  join credit_note_lines l on l.account_id = $1 and l.credit_note_id = n.id
  where n.account_id = $1 and n.status = 'issued'`;

/** Every draft of an accrual has the current rows that are not booked; its entries balance. */
async function checkDrafts(
  studio: Studio,
  lines: ReadonlyMap<string, Line>,
  rows: readonly Row[],
): Promise<void> {
  const { period_lock_date } = await studio.done("GET /configuration");
  for (const { id } of studio.customers) {
    const accruals = await studio.all(`/customers/${id}/accruals`);
    const booked_through = accruals.find((one) => one.status === "booked")?.accrual_month ?? null;
    const closed = later(booked_through, lockedThrough(period_lock_date));
    const own = rows.filter((row) => row.customer_id === id);
    const left = differences(id, lines, own);
    const months = [...left.keys()].map((key) => key.slice(0, 7)).sort();
    const first = closed === null ? (months[0] ?? null) : addMonths(closed, 1);
    for (let month = first; month !== null && month <= studio.month; month = addMonths(month, 1)) {
      const expected = new Map(
        [...left].filter(
          ([key]) => key.slice(0, 7) === month || (month === first && key.slice(0, 7) < month),
        ),
      );
      const draft = accruals.find((one) => one.accrual_month === month && one.status === "draft");
      if (expected.size > 0) expect(draft, `a draft of ${month} of ${id}`).toBeDefined();
      if (draft === undefined) continue;
      const detail = await studio.done(`GET /accruals/${draft.id}`);
      expect(rowsOf(detail), `rows of the draft of ${month}`).toEqual(expected);
      checkFigures(detail);
      const again = await studio.done(`GET /accruals/${draft.id}`);
      expect(again, "the same draft again").toEqual(detail);
    }
  }
}

/** `<month> <line> <account> <currency> earned`: current less booked, when they differ. */
function differences(
  customer_id: string,
  lines: ReadonlyMap<string, Line>,
  rows: readonly Row[],
): Map<string, bigint> {
  const parts: { key: string; amount: bigint }[] = [];
  for (const line of lines.values()) {
    if (line.customer_id !== customer_id) continue;
    const key = `${line.line_id} ${line.account_number} ${line.currency}`;
    for (const [month, amount] of line.earned)
      parts.push({ key: `${month} ${key} earned`, amount });
    for (const [month, amount] of line.invoiced) {
      parts.push({ key: `${month} ${key} invoiced`, amount });
    }
  }
  for (const row of rows) {
    const key = `${row.month} ${row.line_id} ${row.account_number} ${row.currency}`;
    parts.push({ key: `${key} earned`, amount: -row.earned });
    parts.push({ key: `${key} invoiced`, amount: -row.invoiced });
  }
  return sums(parts, (part) => part.key);
}

function rowsOf(detail: Json): Map<string, bigint> {
  const parts = detail.lines.flatMap((line: Json) =>
    line.months.flatMap((one: Json) => {
      const key = `${one.month} ${line.line_id} ${line.account_number} ${line.currency}`;
      return [
        { key: `${key} earned`, amount: minor(one.earned, line.currency) },
        { key: `${key} invoiced`, amount: minor(one.invoiced, line.currency) },
      ];
    }),
  );
  return sums(parts as { key: string; amount: bigint }[], (part) => part.key);
}

/** Invariants 1, 5 and 8 in functional currency. */
function checkFigures(detail: Json): void {
  const reported = `accrual ${detail.accrual_month} of ${detail.customer_id}`;
  const money = (amount: number): bigint => minor(amount, FUNCTIONAL);
  if (detail.totals === null) {
    expect([detail.contracts, detail.entries], reported).toEqual([null, null]);
    return;
  }
  const debits = sumOf(detail.entries.map((one: Json) => money(one.debit)));
  const credits = sumOf(detail.entries.map((one: Json) => money(one.credit)));
  expect(debits, `debits and credits of ${reported}`).toBe(credits);
  const { totals } = detail;
  const sumBy = (field: string): bigint =>
    sumOf(detail.contracts.map((one: Json) => money(one[field])));
  for (const side of ["contract_asset", "contract_liability"]) {
    expect(sumBy(`${side}_before`), reported).toBe(money(totals[`${side}_opening`]));
    expect(sumBy(`${side}_after`), reported).toBe(money(totals[`${side}_closing`]));
  }
  const movement =
    money(totals.contract_asset_movement) - money(totals.contract_liability_movement);
  const { earned, invoiced, exchange_difference } = totals;
  expect(movement, `movement of ${reported}`).toBe(
    money(earned) - money(invoiced) + money(exchange_difference),
  );
  for (const line of detail.lines) {
    if (line.earned_to_date !== line.invoiced_to_date) continue;
    expect(line.balance_after, `what is settled of line ${line.line_id} in ${reported}`).toBe(0);
  }
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function lockedThrough(day: string | null): string | null {
  if (day === null) return null;
  const month = day.slice(0, 7);
  return day === lastDay(month) ? month : addMonths(month, -1);
}
