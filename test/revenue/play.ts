/**
 * Plays a history: step by step with the checks after each, then books everything bookable, and checks the
 * exported journal with the independent programs. A violated invariant is reported with the steps so far.
 */
import { expect } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { type JournalFormat, journalText } from "../../src/features/ledger/reports/export.ts";
import { checkBeancount, checkHledger, hledgerBalances } from "../ledger/checkers.ts";
import type { Json, World } from "../support/world/world.ts";
import { Books, type Row, requireRevenue, sumOf, sums } from "./books.ts";
import { checkDifferences } from "./differences.ts";
import { checkExplanations } from "./explanations.ts";
import { checkPages } from "./pages.ts";
import { checkGroups, checkReports, type Line } from "./reports.ts";
import { type StepName, steps } from "./steps.ts";
import { addMonths, Draw, FUNCTIONAL, minor, Studio } from "./studio.ts";

interface Played {
  readonly name: StepName;
  readonly seed: number;
}

export interface Judges {
  readonly hledger: boolean;
  readonly beancount: boolean;
}

/** The number of times each step got each answer, by `<step> <status>`. */
export const tally = new Map<string, number>();

/** Throws with the whole history for the first violated invariant. */
export async function play(
  world: World,
  opening: number,
  played: readonly Played[],
  judges: Judges,
): Promise<void> {
  const studio = await Studio.open(world, new Draw(opening));
  try {
    const books = new Books(studio);
    for (const { name, seed } of played) {
      const from = studio.history.push(`-- ${name}, ${studio.today}`);
      const done = await steps[name](studio, new Draw(seed));
      count(name, studio.history.slice(from));
      const { rows, postings } = await books.check();
      const lines = await checkReports(studio, rows);
      for (const id of done?.booked ?? []) {
        const { customer_id, accrual_month } = await studio.done(`GET /accruals/${id}`);
        requireBookedRows(rows, lines, customer_id, accrual_month);
        const is_last = !rows.some(
          (row) =>
            !row.is_brought && row.customer_id === customer_id && row.accrual_month > accrual_month,
        );
        if (is_last) requireRevenue(rows, postings, customer_id, accrual_month);
      }
      await requireReconciled(studio);
    }
    const { rows } = await books.check();
    await checkExplanations(studio, rows, await checkReports(studio, rows));
    await checkPages(studio);
    await checkDifferences(studio);
    await settle(studio, books);
    await checkOutcome(studio, judges);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    error.message += `\n\n${studio.history.slice(15).join("\n")}\n`;
    throw error;
  }
}

/** Counts the codes of a step's answers. */
function count(name: StepName, given: readonly string[]): void {
  const answers = given.map((one) => one.replace(/.* -> /, ""));
  for (const answer of answers.length > 0 ? answers : ["nothing"]) {
    const key = `${name} ${answer}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  }
}

/** Invariant 4, in the currency of each line. */
function requireBookedRows(
  rows: readonly Row[],
  lines: ReadonlyMap<string, Line>,
  customer_id: string,
  month: string,
): void {
  const through = (amounts: ReadonlyMap<string, bigint>): bigint =>
    sumOf([...amounts].filter(([at]) => at <= month).map(([, amount]) => amount));
  const now = sums(
    [...lines.values()].filter((line) => line.customer_id === customer_id),
    (line) => line.line_id,
    (line) => through(line.earned) - through(line.invoiced),
  );
  const booked = sums(
    rows.filter(
      (row) => row.customer_id === customer_id && (!row.is_brought || row.accrual_month <= month),
    ),
    (row) => row.line_id,
    (row) => row.earned - row.invoiced,
  );
  expect(booked, `booked rows of ${customer_id} right after ${month}`).toEqual(now);
}

async function requireReconciled(studio: Studio): Promise<void> {
  for (const month of [addMonths(studio.month, -2), studio.month]) {
    const { roles, documents } = await studio.done(`GET /accruals/reconciliation?month=${month}`);
    const differences = [...roles, ...documents].filter((one: Json) => one.difference !== 0);
    expect(differences, `reconciliation of ${month}`).toEqual([]);
  }
}

/** Books everything through the month before the last day: nothing is left open, every role agrees. */
async function settle(studio: Studio, books: Books): Promise<void> {
  studio.history.push("-- settle");
  for (const { month, status } of await studio.all("/period-closes")) {
    if (status !== "completed") continue;
    await studio.done(`POST /period-closes/${month}/reopen`, { reason: "To settle" });
  }
  await studio.done("PATCH /configuration", { period_lock_date: null });
  await studio.done(`PUT /exchange-rates/${studio.foreign}/2025-01-01`, { rate: 3.3 });
  await books.check();
  await studio.moveTo(`${addMonths(studio.month, 5)}-01`);
  const last = addMonths(studio.month, -1);
  for (let month = "2025-09"; month <= last; month = addMonths(month, 1)) {
    const close = { month, lock: false };
    const { body } = await studio.ask("POST /period-closes", close);
    expect([body.status, body.errors], `close of ${month}`).toEqual(["completed", []]);
  }
  const { rows, postings } = await books.check();
  await checkExplanations(studio, rows, await checkReports(studio, rows));
  await checkGroups(studio, last);
  for (const { id } of studio.customers) requireRevenue(rows, postings, id, last);
  await requireReconciled(studio);
  const { earnings } = await studio.done(`GET /accruals/reconciliation?month=${last}`);
  expect(earnings.filter((one: Json) => one.difference !== 0)).toEqual([]);
}

/** The exported journal passes, and hledger computes the balances of the ledger. */
async function checkOutcome(studio: Studio, judges: Judges): Promise<void> {
  const cx = await operatorContext(studio.world.services, studio.account.account_id);
  const textOf = async (format: JournalFormat): Promise<string> => {
    let text = "";
    for await (const chunk of journalText(cx, format)) text += chunk;
    return text;
  };
  if (judges.hledger) {
    const text = await textOf("hledger");
    expect(await checkHledger(text)).toEqual({ passed: true, output: "" });
    const { accounts } = await studio.done("GET /ledger/trial-balance");
    const closing = accounts.map((one: Json) => [one.number, minor(one.closing, FUNCTIONAL)]);
    const balances = new Map(closing.filter(([, amount]: [number, bigint]) => amount !== 0n));
    expect(await hledgerBalances(text)).toEqual(balances);
  }
  if (judges.beancount) {
    expect(await checkBeancount(await textOf("beancount"))).toEqual({ passed: true, output: "" });
  }
}
