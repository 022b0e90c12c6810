/** The explanations of the API: every cent of each line and month has its accruals, booked or future. */
import { expect } from "vitest";
import type { Json } from "../support/world/world.ts";
import { type Row, sumOf } from "./books.ts";
import type { Line } from "./reports.ts";
import { minor, type Studio } from "./studio.ts";

/** The number requested after a history, unless `TEST_EXPLANATIONS` is set. */
const MOST = Number(process.env.TEST_EXPLANATIONS ?? 16);

/** Explains lines and months of the books and of the reports, first those that are only in the books. */
export async function checkExplanations(
  studio: Studio,
  rows: readonly Row[],
  lines: ReadonlyMap<string, Line>,
): Promise<void> {
  const keys = new Set<string>();
  for (const { line_id, month } of rows) {
    if (lines.get(line_id)?.earned.has(month) !== true) keys.add(`${line_id} ${month}`);
  }
  for (const { line_id, earned } of lines.values()) {
    for (const month of earned.keys()) keys.add(`${line_id} ${month}`);
  }
  for (const key of [...keys].slice(0, MOST)) {
    const [line_id = "", month = ""] = key.split(" ");
    await checkExplanation(studio, line_id, month, lines.get(line_id));
  }
}

async function checkExplanation(
  studio: Studio,
  line_id: string,
  month: string,
  line: Line | undefined,
): Promise<void> {
  const path = `/recognition/explain?line_id=${line_id}&month=${month}`;
  const { earned, currency, forecast, accruals } = await studio.done(`GET ${path}`);
  expect(minor(earned, currency), `earned of ${path}`).toBe(line?.earned.get(month) ?? 0n);
  if (forecast) return;
  for (const one of new Set<string>([currency, ...accruals.map((row: Json) => row.currency)])) {
    const amounts = accruals
      .filter((row: Json) => row.currency === one)
      .map((row: Json) => minor(row.earned, one));
    const expected = one === currency ? minor(earned, currency) : 0n;
    expect(sumOf(amounts), `${one} of the accruals of ${path}`).toBe(expected);
  }
}
