/** Lines are counted before revenue is computed: the count equals the number of lines processed, without creating one. */
import { describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { type CalendarDate, type Month, monthOf } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { todayOf } from "../../recurring/series/activate.ts";
import { countWaiting, estimatedWaiting } from "../../recurring/series/count-waiting.ts";
import { areTooMany, type EstimatedLines, estimatedLines, isAddedUpAfter } from "./count-lines.ts";
import { waitingLines } from "./list-waiting.ts";
import { factsOfSeries } from "./read-facts.ts";

const {
  world,
  customer,
  line,
  draft,
  active,
  add,
  edit,
  remove,
  lineIds,
  cancel,
  change,
  issue,
  skip,
  at,
} = useSeries();

const many = (count: number): Json[] => Array.from({ length: count }, () => line());
const context = () => schedulerContext(world.services, world.account.account_id);

/** The waiting lines of the customer's series, counted by creating them. */
async function made(cx: Reader, customer_id: string): Promise<number> {
  const { customers } = await factsOfSeries(cx, [customer_id]);
  const begun = monthOf(await todayOf(cx));
  return customers.reduce((sum, one) => sum + [...waitingLines(one, begun, null)].length, 0);
}

describe("the lines of waiting periods", () => {
  /** One series after the other: each is added, and remains for the next. */
  const histories: readonly [string, () => Promise<unknown>][] = [
    ["none", async () => {}],
    ["a draft", () => draft({ start_date: "2026-01-01", lines: many(7) })],
    ["monthly from the middle of a month", () => active({ start_date: "2025-12-16" })],
    [
      "that begin today, and that begin tomorrow",
      async () => {
        await active({ start_date: "2026-03-10", frequency: "yearly" });
        await active({ start_date: "2026-03-11", frequency: "weekly" });
      },
    ],
    [
      "calendar quarters and half years",
      async () => {
        const calendar = { alignment: "calendar", start_date: "2025-05-20", lines: many(3) };
        await active({ ...calendar, frequency: "quarterly" });
        await active({ ...calendar, frequency: "half_yearly", end_date: "2025-11-02" });
      },
    ],
    [
      "calendar weeks of a series that has ended",
      () =>
        active({
          frequency: "weekly",
          alignment: "calendar",
          start_date: "2025-12-31",
          end_date: "2026-02-03",
        }),
    ],
    [
      "lines that were added, removed, or exist in one period only",
      async () => {
        const { id } = await active({ start_date: "2025-08-01", lines: many(3) });
        const [first = "", second = ""] = await lineIds(id);
        const changes = [
          await add(id, "this_and_following", 1, { period: "2025-11" }),
          await add(id, "this_only", 1, { period: "2026-01" }),
          await remove(id, first, "this_and_following", "2026-02"),
          await remove(id, second, "this_only", "2025-10"),
          await edit(id, second, "this_and_following", { agreed_value: 5 }, "2025-12"),
        ];
        expect(changes.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200]);
      },
    ],
    [
      "issued, skipped and failed periods",
      async () => {
        const { id } = await active({ start_date: "2025-08-01", lines: many(2) });
        await issue(id, "2025-09");
        await skip(id, "2025-10");
        await skip(id, "2025-08");
        await skip(id, "2025-08", "unskip");
      },
    ],
    [
      "a series that was cancelled, and one that was discarded",
      async () => {
        const { id } = await active({ start_date: "2025-08-01", lines: many(2) });
        await issue(id, "2025-08");
        await cancel(id, { end_date: "2025-12-15" });
        const { id: discarded } = await active({ start_date: "2025-08-01" });
        await cancel(discarded, { end_date: "2025-07-31" });
      },
    ],
    [
      "a series that was moved to an earlier start",
      async () => {
        const { id } = await active({ start_date: "2026-02-01" });
        await change(id, { start_date: "2025-10-01" });
      },
    ],
  ];

  it.each(histories)("are counted without creating them: %s", async (_, history) => {
    at("2026-03-10");
    await history();
    const cx = await context();
    const counted = { through: "2026-03-31" as CalendarDate, customer_id: customer.id };
    const expected = await made(cx, customer.id);

    const series = await countWaiting(cx, counted, Number.POSITIVE_INFINITY);
    expect(series.reduce((sum, { lines }) => sum + lines, 0)).toBe(expected);
    const estimated = await cx.row<{ lines: number }>(
      sql`select ${estimatedWaiting(cx, counted)} as lines`,
    );
    expect(estimated?.lines).toBeGreaterThanOrEqual(expected);
  });
});

describe("an account or a customer with more than 10,000 lines", () => {
  const hasMany = async (customer_id?: string): Promise<boolean> => {
    const cx = await context();
    const month = "2026-03" as Month;
    const row = await cx.row<{ lines: EstimatedLines }>(
      sql`select ${estimatedLines(cx, month, customer_id)} as lines`,
    );
    return areTooMany(cx, month, row?.lines ?? { documents: 0, waiting: 0 }, customer_id);
  };

  it("is recognised from invoices, drafts, credit notes and waiting periods together", async () => {
    at("2026-03-10");
    expect([await hasMany(), await hasMany(customer.id)]).toEqual([false, false]);
    const other = await world.done("POST /customers", { name: "Other A/S" });
    const weekly = { frequency: "weekly", issue_timing: { mode: "manual" }, lines: many(500) };
    // Eighteen weeks through the end of March.
    await active({ customer_id: other.id, start_date: "2025-12-01", ...weekly });
    const invoice = (count: number): Promise<Json> =>
      world.done("POST /invoices", { customer_id: other.id, lines: many(count) });
    const { id } = await invoice(499);
    const issued = await world.done(`POST /invoices/${id}/issue`);
    await invoice(500);
    const credit = async (external_id: string): Promise<unknown> =>
      world.done("POST /credit-notes", {
        external_id,
        invoice: id,
        kind: "partial",
        credit_date: "2026-03-10",
        lines: [{ invoice_line_id: issued.lines[0].id, amount: 1 }],
      });
    await credit("first");
    expect([await hasMany(), await hasMany(other.id)]).toEqual([true, false]);
    await credit("second");
    expect([await hasMany(other.id), await hasMany(customer.id)]).toEqual([true, false]);
  });
});

describe("the revenue of a page", () => {
  it("is added up after it above a thousand lines, of the account or of one customer", async () => {
    const cx = await context();
    const { id } = await world.done("POST /customers", { name: "Many lines A/S" });
    const { id: other } = await world.done("POST /customers", { name: "No line A/S" });
    const today = monthOf(await todayOf(cx));
    const added = (count: number) =>
      world.done("POST /invoices", { customer_id: id, auto_send: false, lines: many(count) });
    await added(500);
    await added(500);
    expect(await isAddedUpAfter(cx, today, id)).toBe(false);
    await added(1);
    expect(await isAddedUpAfter(cx, today, id)).toBe(true);
    expect(await isAddedUpAfter(cx, today)).toBe(true);
    expect(await isAddedUpAfter(cx, today, other)).toBe(false);
  });
});
