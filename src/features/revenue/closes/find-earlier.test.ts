/** The check for open earlier months reads little (spec 3.10). */
import { describe, expect, it } from "vitest";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Month } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { requireEarlierClosed } from "./find-earlier.ts";

const { world, studio } = useStudios();

/** `2026-01 of 2`, or nothing; with the number of reads of customers' facts, and of lines processed. */
async function earlier(one: Studio, month: string): Promise<[string, number]> {
  const cx = await schedulerContext(world.services, one.account.account_id);
  let reads = 0;
  const counting = {
    ...cx,
    rows: (statement: Parameters<Reader["rows"]>[0]) => {
      if (statement.text.includes("wanted as materialized")) reads += 1;
      return cx.rows(statement);
    },
  } as Reader;
  try {
    await requireEarlierClosed(counting, month as Month);
    return ["", reads];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { month: open, customers } = error.extras.details ?? {};
    return [`${open} of ${customers}`, reads];
  }
}

describe("an earlier open month", () => {
  it("reads no facts of customers without early dates", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna", "Bo");
    await one.issued([one.service(1_200, "2026-02-01", "2027-01-31")]);
    expect(await earlier(one, "2026-02")).toEqual(["", 0]);
    expect(await earlier(one, "2026-03")).toEqual(["2026-02 of 3", 1]);
  });

  it.each<[string, string, (one: Studio) => Promise<unknown>]>([
    [
      "a service before its invoice",
      "2025-11",
      (one) => one.draft([one.service(300, "2025-11-15", "2026-05-14")]),
    ],
    ["hours", "2025-12", (one) => one.customersWith("2025-12", "Anna")],
    [
      "hours on a future period",
      "2026-01",
      async (one) => {
        const { id } = await one.done("POST /recurring-series", {
          customer_id: one.customer,
          frequency: "monthly",
          start_date: "2026-03-01",
          issue_timing: { mode: "manual" },
          lines: [one.hours()],
        });
        await one.done(`POST /recurring-series/${id}/activate`);
        const [line] = (await one.done(`GET /recurring-series/${id}/occurrences/2026-03/lines`))
          .data;
        await one.done("POST /work-registrations", {
          line_id: line.id,
          user_id: one.bo,
          date: "2026-01-20",
          hours: 2,
        });
      },
    ],
    [
      "a milestone",
      "2026-01",
      async (one) => {
        const line = one.value(500, { recognition_method: "milestone" });
        const invoice = await one.draft([line]);
        const at = { completed_on: "2026-01-31" };
        await one.done(`POST /invoices/${invoice.id}/lines/${invoice.lines[0].id}/complete`, at);
      },
    ],
  ])("is found by %s", async (_what, open, make) => {
    const one = await studio();
    await make(one);
    expect(await earlier(one, "2026-03")).toEqual([`${open} of 1`, 1]);
    expect((await earlier(one, open))[0]).toBe("");
  });

  it("is found after months in which lines earn nothing", async () => {
    const one = await studio();
    const free = one.service(0, "2024-01-01", "2025-12-31");
    await one.draft([free, one.service(100, "2025-08-01", "2025-08-31")]);
    expect(await earlier(one, "2026-03")).toEqual(["2025-08 of 1", 1]);
  });

  it("is the first one after the last booking, also for late facts", async () => {
    const one = await studio();
    const { Anna } = await one.customersWith("2026-01", "Anna");
    await one.booked("2026-01", Anna);
    expect(await earlier(one, "2026-03")).toEqual(["", 1]);
    await one.draft([one.service(100, "2025-06-01", "2025-06-30")], { customer_id: Anna });
    expect(await earlier(one, "2026-03")).toEqual(["2026-02 of 1", 1]);
    await one.lock("2026-02-28");
    expect(await earlier(one, "2026-03")).toEqual(["", 0]);
  });
});
