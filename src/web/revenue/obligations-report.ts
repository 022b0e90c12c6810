/** Computes deferred revenue and remaining obligations for their pages and files, as work that may be long. */
import * as z from "zod";
import { addToMonth, type Month, monthsFrom } from "../../domain/base/calendar.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { MonthText } from "../../features/revenue/accruals/schemas.ts";
import {
  type ObligationRow,
  readObligations,
} from "../../features/revenue/reports/report-obligations.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext, PersonReader } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineSheet, type SheetReader } from "../frame/define-sheet.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { amountCell, textCell } from "../frame/sheet.ts";
import {
  type ObligationKind,
  type ObligationsAsked,
  type ObligationsShown,
  ROWS_OF_OBLIGATIONS,
} from "./obligations-shown.ts";

const [MONTHS, YEARS] = [12, 5];

/** Computes a page of rows. A large account moves to another thread. */
export const obligationsReport = defineLongWork({
  name: "pages.obligations",
  is_read: true,
  on_replica: true,
  async work(cx: PersonContext, asked: ObligationsAsked): Promise<ObligationsShown> {
    const configuration = await getConfiguration(cx);
    const is_long =
      cx.leaves_if_long && (await hasTooManyLines(cx, currentMonth(cx, configuration)));
    if (is_long) throw new TakesLong();
    const all = await reading(cx, (inside) => allRows(inside, asked.kind, asked.month));
    const at = (asked.page - 1) * ROWS_OF_OBLIGATIONS;
    return { ...all, rows: all.rows.slice(at, at + ROWS_OF_OBLIGATIONS), page: asked.page };
  },
});

export const obligationsActions: readonly Action[] = [
  defineAction(
    "/app/revenue/obligations",
    "hidden",
    z.object({
      kind: z.enum(["deferred", "remaining"]),
      month: MonthText,
      page: z.int().min(1).max(10_000),
    }),
    (_cx, asked, { runLong }) => runLong(obligationsReport, asked),
  ),
];

/** Returns the columns of time: the months after the month's end, or the years from the next month on. */
function columnsOf(kind: ObligationKind, month: Month): string[] {
  const next = addToMonth(month, 1);
  if (kind === "deferred") return monthsFrom(next, addToMonth(month, MONTHS));
  const first = Number(next.slice(0, 4));
  return Array.from({ length: YEARS }, (_, at) => `${first + at}`);
}

async function allRows(cx: PersonReader, kind: ObligationKind, month: Month) {
  const configuration = await getConfiguration(cx);
  const found = await readObligations(cx, configuration, month);
  const columns = columnsOf(kind, month);
  const rows = found[kind].map((row) => rowShown(row, columns));
  const sum = (of: (row: (typeof rows)[number]) => string) =>
    `${rows.reduce((total, row) => total + BigInt(of(row)), 0n)}`;
  return {
    kind,
    month,
    currency: configuration.functional_currency,
    columns,
    rows,
    row_count: rows.length,
    sums: {
      cells: columns.map((_, at) => sum(({ cells }) => cells[at] ?? "0")),
      later: sum(({ later }) => later),
      undated: sum(({ undated }) => undated),
      total: sum(({ total }) => total),
    },
    without_rate: found.without_rate,
  };
}

function rowShown(
  { customer_id, name, total, by_time, undated }: ObligationRow,
  columns: string[],
) {
  const known = new Set(columns);
  const later = [...by_time].reduce(
    (sum, [time, amount]) => (known.has(time) ? sum : sum + amount),
    0n,
  );
  return {
    customer_id,
    name,
    cells: columns.map((time) => `${by_time.get(time) ?? 0n}`),
    later: `${later}`,
    undated: `${undated}`,
    total: `${total}`,
  };
}

const sheetOf = (kind: ObligationKind) =>
  defineSheet(
    `pages.${kind}_file`,
    async (cx: PersonContext, named: Month | null, { words: all }: SheetReader) => {
      const month = named ?? currentMonth(cx, await getConfiguration(cx));
      const { columns, rows, currency } = await reading(cx, (inside) =>
        allRows(inside, kind, month),
      );
      const words = all.balances;
      type SheetRow = (typeof rows)[number];
      const amount = (head: string, of: (row: SheetRow) => string) => ({
        head,
        file: amountCell<SheetRow>((row) => ({ amount: BigInt(of(row)), currency })),
      });
      return {
        filename: `${all.files.names[kind]}-${month}`,
        columns: [
          {
            head: all.revenue.groupings.customer,
            file: textCell<SheetRow>(({ name }) => name),
          },
          ...columns.map((time, at) => amount(time, ({ cells }) => cells[at] ?? "0")),
          amount(words.later, ({ later }) => later),
          amount(words.undated, ({ undated }) => undated),
          amount(words.total, ({ total }) => total),
        ],
        rows: portions(rows),
      };
    },
  );

export const deferredSheet = sheetOf("deferred");
export const remainingSheet = sheetOf("remaining");

async function* portions<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  if (rows.length > 0) yield rows;
}
