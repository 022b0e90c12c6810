/** Bookings, closes and reports in parallel with other changes, and with each other. */

import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { transaction } from "../../../platform/database/transaction.ts";

const { world, studio } = useStudios();

describe("bookings in parallel with a close", () => {
  it("book each accrual once, even with manual bookings", async () => {
    const one = await studio("2026-03-10");
    const ids: Record<string, string> = await one.customersWith("2026-02", "A", "B", "C", "D");
    const accruals: string[] = [];
    for (const id of Object.values(ids)) accruals.push((await one.accrual("2026-02", id)).id);

    const [close, ...books] = await Promise.all([
      one.close("2026-02"),
      ...accruals.map((id) => one.rest(`POST /accruals/${id}/book`)),
    ]);

    for (const reply of books) {
      expect(["200", "409 ACCRUAL_ALREADY_BOOKED", "409 PERIOD_LOCKED"]).toContain(refusal(reply));
    }
    expect(close?.status).toBe(201);
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 4,
    });
    expect(await one.vouchers()).toHaveLength(4);
  });

  it("never deadlock with other changes", async () => {
    const one = await studio("2026-03-10");
    const names = ["A", "B", "C", "D", "E", "F"];
    const ids: Record<string, string> = await one.customersWith("2026-02", ...names);
    const customers = Object.values(ids);
    const invoices = await Promise.all(
      customers.map((customer_id) => one.draft([one.value(10), one.hours()], { customer_id })),
    );
    const accruals = await Promise.all(
      customers.map(async (id) => (await one.accrual("2026-02", id)).id),
    );
    const paid = await one.issued([one.value(100)], { customer_id: customers[0] });

    const replies = await Promise.all([
      one.close("2026-02", { lock: false }),
      one.close("2026-02", { lock: false }),
      ...accruals.flatMap((id) => [
        one.rest(`POST /accruals/${id}/book`),
        one.reopen(id),
        one.rest(`GET /accruals/${id}`),
      ]),
      ...invoices.flatMap((invoice) => [
        one.rest("POST /work-registrations", {
          line_id: invoice.lines[1].id,
          user_id: one.bo,
          date: "2026-02-04",
          hours: 1,
        }),
        one.rest(`POST /invoices/${invoice.id}/issue`),
      ]),
      ...customers.map((id) => one.rest(`PATCH /customers/${id}`, { email: "x@y.example" })),
      one.rest("PATCH /configuration", { period_lock_date: "2026-01-31" }),
      one.rest("POST /credit-notes", {
        external_id: "beside",
        invoice: paid.id,
        kind: "full",
        credit_date: "2026-03-10",
      }),
      one.rest("GET /invoices?updated_since=2020-01-01T00:00:00Z"),
      one.rest("POST /scheduler-runs"),
    ]);

    expect(replies.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
    // The next run books an accrual that a parallel change prevented.
    expect(await one.closed("2026-02", { lock: false })).toMatchObject({ failed: 0 });
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 6,
      period_lock_date: "2026-02-28",
    });
    for (const role of (await one.done("GET /accruals/reconciliation?month=2026-02")).roles) {
      expect(role.difference).toBe(0);
    }
  });
});

describe("a close that is requested twice", () => {
  it("never unlocks a month that the other request has locked in the meantime", async () => {
    const one = await studio("2026-03-10");
    await one.customersWith("2026-02", "A");
    await one.closed("2026-02", { lock: false });
    let late: Promise<Json> | undefined;

    await transaction(world.db, async (db) => {
      // Stops the later request after it has checked the month, until the close of the other one has ended.
      await db.rows(sql`lock table recurring_series in access exclusive mode`);
      late = one.close("2026-02", { lock: false });
      await waiting(db);
      const { account_id } = one.account;
      const run = "locks = true, has_locked = true, begun_at = clock_timestamp()";
      await db.rows(
        sql`update period_closes set ${raw(run)} where account_id = ${account_id} and month = ${"2026-02"}`,
      );
      await db.rows(
        sql`update configurations set period_lock_date = '2026-02-28' where account_id = ${account_id}`,
      );
    });

    expect(refusal(await late)).toBe("200");
    const back = await one.tried("PATCH /configuration", { period_lock_date: null });
    expect(back).toBe("409 PERIOD_CLOSED");
    await one.done("POST /period-closes/2026-02/reopen", { reason: "A mistake" });
    expect((await one.done("GET /configuration")).period_lock_date).toBeNull();
  });
});

/** Waits until a statement waits for a lock on a table. */
async function waiting(db: Reads): Promise<void> {
  for (;;) {
    const held = await db.rows(
      sql`select 1 from pg_locks where not granted and relation = 'recurring_series'::regclass`,
    );
    if (held.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("GET /recognition with many lines", () => {
  it("returns every row when a page ends within a line of two customers", async () => {
    const one = await studio("2026-04-10");
    const service = one.service(10, "2026-02-01", "2026-02-28");
    await one.draft(Array.from({ length: 99 }, () => service));
    const moved = await one.draft([service]);
    await one.booked("2026-02");
    const beta = await one.newCustomer("Beta ApS");
    await one.done(`PATCH /invoices/${moved.id}`, { customer_id: beta });

    const query = "from=2026-02&to=2026-02&basis=booking_month";
    const seen: Json[] = [];
    for (let cursor = ""; ; ) {
      const page = await one.done(`GET /recognition?${query}&limit=100${cursor}`);
      seen.push(...page.data);
      if (!page.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    const of = (customer: string) => seen.filter((row) => row.customer_id === customer).length;
    expect([of(one.customer), of(beta)]).toEqual([100, 1]);
  });
});

describe("reports in parallel with a booking and its reopening", () => {
  it("never see half of a booking", async () => {
    const one = await studio("2026-03-10");
    const ids: Record<string, string> = await one.customersWith("2026-02", "A");
    const [customer] = Object.values(ids);
    const { id } = await one.accrual("2026-02", customer);
    const reads = [
      `GET /recognition/rollforward?from=2026-02&to=2026-03&customer=${customer}`,
      `GET /recognition?from=2026-02&to=2026-03&basis=booking_month&customer=${customer}&group_by=month`,
    ];
    const first = await Promise.all(reads.map((read) => one.done(read)));
    let is_running = true;
    const bookings = (async () => {
      while (is_running) {
        await one.done(`POST /accruals/${id}/book`);
        await one.done(`POST /accruals/${id}/reopen`, { reason: "again" });
      }
    })();

    for (let count = 0; count < 40; count += 1) {
      const now = await Promise.all(reads.map((read) => one.done(read)));
      expect(now).toEqual(first);
      const { roles } = await one.done("GET /accruals/reconciliation?month=2026-02");
      expect(roles.map((role: Json) => role.difference)).toEqual([0, 0, 0]);
    }
    is_running = false;
    await bookings;
  });
});
