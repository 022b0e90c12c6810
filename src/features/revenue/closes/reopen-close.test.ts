/** Reopening closes, listing them, and their warnings (spec 3.10). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();

const lockDate = async ({ done }: Studio): Promise<string | null> =>
  (await done("GET /configuration")).period_lock_date;
const reopen = ({ tried }: Studio, month: string): Promise<string> =>
  tried(`POST /period-closes/${month}/reopen`, { reason: "A correction" });

/** Work in January and February. */
async function twoMonths(): Promise<Studio> {
  const one = await studio("2026-04-10");
  const invoice = await one.draft();
  await one.work(invoice, "2026-01-03", 1);
  await one.work(invoice, "2026-02-03", 2);
  return one;
}

describe("POST /period-closes/{month}/reopen", () => {
  it("restores the earlier lock date and reopens no accrual", async () => {
    const one = await twoMonths();
    await one.lock("2025-12-31");
    await one.closed("2026-01");
    await one.closed("2026-02");

    const reopened = await one.done("POST /period-closes/2026-02/reopen", { reason: "A mistake" });

    expect(reopened).toMatchObject({
      month: "2026-02",
      status: "reopened",
      booked_with_voucher: 1,
      period_lock_date: "2026-01-31",
    });
    expect(await lockDate(one)).toBe("2026-01-31");
    expect((await one.accrual("2026-02")).status).toBe("booked");
    expect(await one.done("GET /period-closes/2026-02")).toEqual(reopened);
    const { data } = await one.done("GET /audit-events?resource_id=2026-02");
    expect(data[0]).toMatchObject({
      action: "reopened",
      resource_type: "period_close",
      reason: "A mistake",
      before: { status: "completed" },
      after: reopened,
    });
    expect(await reopen(one, "2026-01")).toBe("200");
    expect(await lockDate(one)).toBe("2025-12-31");
  });

  it("lets the month be corrected and closed again", async () => {
    const one = await twoMonths();
    await one.closed("2026-01");
    await one.closed("2026-02");
    await reopen(one, "2026-02");
    const { id } = await one.accrual("2026-02");
    expect(refusal(await one.reopen(id))).toBe("200");

    const { status, body } = await one.close("2026-02");

    expect([status, body]).toMatchObject([
      200,
      { status: "completed", booked_with_voucher: 1, period_lock_date: "2026-02-28" },
    ]);
    expect(await lockDate(one)).toBe("2026-02-28");
    expect(await reopen(one, "2026-02")).toBe("200");
    expect(await lockDate(one)).toBe("2026-01-31");
  });

  it("forgets the lock of the month when it is closed again without one", async () => {
    const one = await twoMonths();
    await one.closed("2026-01");
    await reopen(one, "2026-01");

    expect(await one.closed("2026-01", { lock: false })).toMatchObject({
      status: "completed",
      period_lock_date: null,
    });
    expect(await one.closed("2026-01")).toMatchObject({ period_lock_date: "2026-01-31" });
    expect(await lockDate(one)).toBe("2026-01-31");
  });

  it("keeps a lock date that was moved back manually before", async () => {
    const one = await twoMonths();
    await one.closed("2026-01");
    await one.world.sql(
      "update configurations set period_lock_date = '2025-06-30' where account_id = $1",
      [one.account.account_id],
    );

    expect(await reopen(one, "2026-01")).toBe("200");
    expect(await lockDate(one)).toBe("2025-06-30");
  });

  it("keeps an earlier month locked by its own close, even if the lock was removed between the two", async () => {
    const one = await twoMonths();
    await one.lock("2025-12-31");
    await one.closed("2026-01");
    await one.world.sql("update configurations set period_lock_date = null where account_id = $1", [
      one.account.account_id,
    ]);
    await one.closed("2026-02");

    expect(await reopen(one, "2026-02")).toBe("200");
    expect(await lockDate(one)).toBe("2026-01-31");
    expect(await reopen(one, "2026-01")).toBe("200");
    expect(await lockDate(one)).toBe("2025-12-31");
  });

  it("keeps the lock date that a close without a lock has not moved", async () => {
    const one = await twoMonths();
    await one.lock("2025-12-31");
    await one.closed("2026-01", { lock: false });

    expect(await reopen(one, "2026-01")).toBe("200");
    expect(await lockDate(one)).toBe("2025-12-31");
  });

  it("reopens only the latest close, and only once", async () => {
    const one = await twoMonths();
    await one.closed("2026-01");
    await one.closed("2026-02");

    expect(await reopen(one, "2026-01")).toBe("409 LATER_PERIOD_CLOSED");
    const both = await Promise.all([reopen(one, "2026-02"), reopen(one, "2026-02")]);
    expect(both.sort()).toEqual(["200", "409 PERIOD_NOT_CLOSED"]);
    expect(await lockDate(one)).toBe("2026-01-31");
    expect(await reopen(one, "2026-01")).toBe("200");
  });

  it("refuses a month without a close, or with a partial one", async () => {
    const one = await twoMonths();
    expect(await reopen(one, "2026-01")).toBe("409 PERIOD_NOT_CLOSED");
    const dollars = await one.draft(undefined, { currency: "USD" });
    await one.work(dollars, "2026-01-04", 1);
    expect(await one.closed("2026-01")).toMatchObject({ status: "partial" });

    expect(await reopen(one, "2026-01")).toBe("409 PERIOD_NOT_CLOSED");
    expect(await one.tried("POST /period-closes/2026-01/reopen", {})).toBe(
      "422 VALIDATION_FAILED reason required",
    );
    expect(await one.tried("POST /period-closes/January/reopen", { reason: "x" })).toBe(
      "400 MALFORMED_REQUEST",
    );
  });
});

describe("the lock date, while a completed close holds it", () => {
  const move = async ({ rest }: Studio, period_lock_date: string | null): Promise<string> => {
    const { status, body } = await rest("PATCH /configuration", { period_lock_date });
    if (status === 200) return `200 ${body.period_lock_date}`;
    return `${status} ${body.error.code} ${body.error.details.month}`;
  };

  it("moves back only with a reopening", async () => {
    const one = await twoMonths();
    await one.lock("2025-12-31");
    await one.closed("2026-01");
    await one.closed("2026-02");

    for (const day of [null, "2026-02-27", "2025-12-31"]) {
      expect(await move(one, day)).toBe("409 PERIOD_CLOSED 2026-02");
    }
    expect(await move(one, "2026-02-28")).toBe("200 2026-02-28");
    expect(await move(one, "2026-04-30")).toBe("200 2026-04-30");
    expect(await move(one, "2026-03-31")).toBe("200 2026-03-31");
    expect(await move(one, "2026-02-28")).toBe("200 2026-02-28");
    expect(await reopen(one, "2026-02")).toBe("200");
    expect(await lockDate(one)).toBe("2026-01-31");
    expect(await move(one, null)).toBe("409 PERIOD_CLOSED 2026-01");
    expect(await reopen(one, "2026-01")).toBe("200");
    expect(await move(one, null)).toBe("200 null");
  });

  it("refuses the whole request that would move it back", async () => {
    const one = await twoMonths();
    await one.closed("2026-01");

    const both = { period_lock_date: null, time_zone: "UTC" };
    expect(await one.tried("PATCH /configuration", both)).toBe("409 PERIOD_CLOSED");
    expect(await one.done("GET /configuration")).toMatchObject({
      period_lock_date: "2026-01-31",
      time_zone: "Europe/Copenhagen",
    });
    expect(await one.done("PATCH /configuration", { time_zone: "UTC" })).toMatchObject({
      period_lock_date: "2026-01-31",
      time_zone: "UTC",
    });
  });

  it("is not held by a close without a lock, or by a partial one", async () => {
    const one = await twoMonths();
    await one.lock("2025-12-31");
    await one.closed("2026-01", { lock: false });
    expect(await move(one, null)).toBe("200 null");
    const dollars = await one.draft(undefined, { currency: "USD" });
    await one.work(dollars, "2026-02-04", 1);
    expect(await one.closed("2026-02")).toMatchObject({ status: "partial" });
    await one.lock("2025-12-31");
    expect(await move(one, null)).toBe("200 null");
  });

  it("is held by a close that ends at the same moment", async () => {
    for (let count = 0; count < 6; count += 1) {
      const one = await twoMonths();
      const moving = async (): Promise<string[]> => {
        const reported: string[] = [];
        for (let turn = 0; turn < 12; turn += 1) reported.push(await move(one, null));
        return reported;
      };
      const [close, reported] = await Promise.all([one.closed("2026-01"), moving()]);

      expect(close).toMatchObject({ status: "completed", period_lock_date: "2026-01-31" });
      expect(await lockDate(one)).toBe("2026-01-31");
      for (const answer of reported) {
        expect(["200 null", "409 PERIOD_CLOSED 2026-01"]).toContain(answer);
      }
      expect(await move(one, null)).toBe("409 PERIOD_CLOSED 2026-01");
    }
  });
});

describe("GET /period-closes", () => {
  it("lists the newest month first, in pages", async () => {
    const one = await twoMonths();
    for (const month of ["2026-01", "2026-02", "2026-03"]) await one.closed(month);

    for (const limit of [1, 2, 3, 100]) {
      const seen: string[] = [];
      for (let cursor = ""; ; ) {
        const page = await one.done(`GET /period-closes?limit=${limit}${cursor}`);
        seen.push(...page.data.map((close: Json) => close.month));
        if (!page.has_more) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect(seen).toEqual(["2026-03", "2026-02", "2026-01"]);
    }
    expect(await one.tried("GET /period-closes?cursor=strange")).toMatch(/^422 .* cursor/);
    const other = await studio();
    expect((await other.done("GET /period-closes")).data).toEqual([]);
    expect(await other.tried("GET /period-closes/2026-01")).toBe("404 NOT_FOUND");
  });
});

describe("the warnings of a close", () => {
  const series = (one: Studio, fields: Json = {}): Promise<Json> =>
    one.done("POST /recurring-series", {
      customer_id: one.customer,
      frequency: "monthly",
      start_date: "2026-02-01",
      lines: [{ ...one.value(1000), assignees: [{ user_id: one.bo }] }],
      ...fields,
    });
  const active = async (one: Studio, fields: Json = {}): Promise<Json> => {
    const { id } = await series(one, fields);
    return one.done(`POST /recurring-series/${id}/activate`);
  };
  const warnings = async (one: Studio, month = "2026-02"): Promise<[string, number][]> =>
    (await one.closed(month)).warnings.map((warning: Json) => [warning.code, warning.count]);

  it("are none where there is nothing to warn of", async () => {
    const one = await studio("2026-03-01");
    const { id } = await active(one);
    await one.done(`POST /recurring-series/${id}/occurrences/2026-02/issue`);

    expect(await warnings(one)).toEqual([]);
  });

  it("count occurrences that were due and are not issued, except manual ones", async () => {
    const one = await studio("2026-02-01");
    await active(one);
    await active(one, { issue_timing: { mode: "end-of-period" } });
    await active(one, { issue_timing: { mode: "manual" } });
    one.at("2026-03-10");

    expect(await warnings(one)).toEqual([["UNISSUED_OVERDUE", 2]]);
  });

  it("count occurrences that failed", async () => {
    const one = await studio("2026-02-01");
    await active(one, { currency: "USD" });
    await one.done("POST /scheduler-runs");
    one.at("2026-03-10");
    await one.rate("USD", "2026-02-10", 7);

    expect(await warnings(one)).toEqual([["FAILED_OCCURRENCES", 1]]);
  });

  it("count credit notes that wait for their issue", async () => {
    const one = await studio("2026-02-01");
    const { id } = await active(one);
    await one.done(`POST /recurring-series/${id}/occurrences/2026-02/issue`);
    one.at("2026-02-10");
    await one.done(`POST /recurring-series/${id}/cancel`, {});
    one.at("2026-03-10");

    expect(await warnings(one)).toEqual([["QUEUED_CREDIT_NOTES", 1]]);
  });

  it("count started series that are still drafts", async () => {
    const one = await studio();
    await series(one);
    await series(one, { start_date: "2026-03-01" });

    expect(await warnings(one)).toEqual([["DRAFT_SERIES_STARTED", 1]]);
  });

  it("count lines whose revenue is unassigned", async () => {
    const one = await studio();
    await one.issued([one.service(100, "2026-02-01", "2026-02-28"), one.value(1)], {
      issue_date: "2026-02-10",
    });
    await one.work(await one.draft(), "2026-02-03", 2);

    expect(await warnings(one)).toEqual([["UNASSIGNED_REVENUE", 2]]);
  });
});
