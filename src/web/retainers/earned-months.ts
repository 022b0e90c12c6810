/** The revenue of a retainer by month and line, through the current month. Its island asks for it after the page has loaded. */
import * as z from "zod";
import { addToMonth, type Month } from "../../domain/base/calendar.ts";
import { productNames } from "../../features/catalogue/products/queries.ts";
import { ownLines } from "../../features/overview/views/find-own-lines.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { pageOfRecognition } from "../../features/revenue/reports/report.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { isAdmin, requireSeen } from "../frame/seen.ts";
import type { MonthShown } from "../invoices/invoice-months.tsx";

const MONTHS_BEFORE = 11;
const MOST_ROWS = 2_000;

/** The months of a retainer as work that may be long: its customer may have many lines. Throws NOT_FOUND. */
export const retainerMonths = defineLongWork({
  name: "pages.retainer_months",
  is_read: true,
  on_replica: true,
  async work(cx: PersonContext, id: string): Promise<readonly MonthShown[]> {
    await requireSeen(cx, "recurring_series", id);
    const to = currentMonth(cx, await getConfiguration(cx));
    // A standard user sees what they earn.
    const whose = isAdmin(cx) ? {} : { user: cx.caller.person.user_id };
    const { rows } = await reading(cx, (inside) =>
      pageOfRecognition(inside, {
        group_by: "line",
        basis: "work_month",
        series: id,
        from: addToMonth(to, -MONTHS_BEFORE),
        to,
        limit: MOST_ROWS,
        ...whose,
      }),
    );
    const product_ids = rows.flatMap(({ ids }) => ids.product_id ?? []);
    const names = await productNames(cx, product_ids);
    if (isAdmin(cx)) return monthsOf(rows, names, null);
    return monthsOf(
      rows,
      names,
      await ownLines(
        cx,
        rows.flatMap(({ ids }) => ids.line_id ?? []),
      ),
    );
  },
});

export const earnedActions: readonly Action[] = [
  defineAction("/app/retainers/months", "person", z.object({ id: Uuid }), (_cx, { id }, room) =>
    room.runLong(retainerMonths, id),
  ),
];

type Row = Awaited<ReturnType<typeof pageOfRecognition>>["rows"][number];

/**
 * Sums the rows, of which a line has one for each of its people, by month and line, the largest first. `names` are those of
 * products, `explained` the lines whose explanation the reader may open; null for all.
 */
function monthsOf(
  rows: readonly Row[],
  names: ReadonlyMap<string, string>,
  explained: ReadonlySet<string> | null,
): readonly MonthShown[] {
  const months = new Map<Month, Map<string, { earned: bigint; text: string | null }>>();
  for (const { month, ids, earned } of rows) {
    const { line_id } = ids;
    if (line_id === null || earned === null || earned === 0n) continue;
    const lines = months.get(month) ?? new Map();
    months.set(month, lines);
    const known = lines.get(line_id)?.earned ?? 0n;
    lines.set(line_id, { earned: known + earned, text: names.get(ids.product_id ?? "") ?? null });
  }
  return [...months]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, lines]) => ({
      month,
      earned: `${[...lines.values()].reduce((sum, { earned }) => sum + earned, 0n)}`,
      lines: [...lines]
        .sort(([, a], [, b]) => Number(b.earned > a.earned) - Number(a.earned > b.earned))
        .map(([line_id, { earned, text }]) => ({
          line_id,
          earned: `${earned}`,
          ...(text !== null && { text }),
          ...(explained !== null && !explained.has(line_id) && { is_unexplained: true as const }),
        })),
    }));
}
