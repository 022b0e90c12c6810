/** A retainer from creation to cancellation (spec 4). */
import { describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, product } = useSeries();

describe("a monthly retainer invoiced in advance", () => {
  it("is issued month by month, edited, and cancelled with a prorated credit", async () => {
    world.clock.set("2024-12-15T09:00:00+01:00");
    const series = await world.done("POST /recurring-series", {
      customer_id: customer.id,
      currency: "DKK",
      frequency: "monthly",
      start_date: "2025-01-01",
      issue_timing: { mode: "start-of-period" },
      external_id: "a",
      lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 31000 }],
    });
    expect(series).toMatchObject({ status: "draft", end_date: null, cancelled_at: null });
    await world.done("POST /recurring-series/ext:a/activate", {});
    world.clock.set("2025-01-01T06:05:00+01:00");
    const run = await world.rest("POST /scheduler-runs");
    expect(run).toMatchObject({
      status: 201,
      body: { issued: [{ period: "2025-01" }], failed: [], remaining: 0 },
    });
    expect((await world.done("POST /scheduler-runs")).issued).toEqual([]);
    world.clock.set("2025-02-01T06:05:00+01:00");
    await world.done("POST /scheduler-runs");
    world.clock.set("2025-03-01T06:05:00+01:00");
    const march = (await world.done("POST /scheduler-runs")).issued[0];
    expect(await world.done(`GET /invoices/${march.invoice_id}`)).toMatchObject({
      status: "issued",
      issue_date: "2025-03-01",
      lines: [{ agreed_value: 31000, service_from: "2025-03-01", service_to: "2025-03-31" }],
    });
    expect((await world.done("GET /invoices")).data).toEqual([]);
    world.clock.set("2025-03-10T09:00:00+01:00");
    const cancelled = await world.done("POST /recurring-series/ext:a/cancel", {});
    expect(cancelled).toMatchObject({
      end_date: "2025-03-10",
      status: "active",
      cancelled_at: "2025-03-10T08:00:00.000Z",
      discarded: false,
      credit_notes: [
        { kind: "partial", amount: 21000, status: "queued", invoice_id: march.invoice_id },
      ],
    });
    expect(cancelled.dropped_occurrences).toHaveLength(12);
    expect(cancelled.dropped_occurrences[0]).toEqual({
      period: "2025-04",
      period_from: "2025-04-01",
      period_to: "2025-04-30",
      work_registrations: 0,
    });
    const queue = await world.done("POST /scheduler-runs");
    expect(queue.credit_notes_issued).toEqual([cancelled.credit_notes[0].id]);
    expect(await world.done(`GET /credit-notes/${cancelled.credit_notes[0].id}`)).toMatchObject({
      status: "issued",
    });
    expect(await world.done("GET /recurring-series/ext:a/occurrences/2025-04")).toMatchObject({
      status: "dropped",
    });
    expect(
      await world.rest("POST /recurring-series/ext:a/occurrences/2025-04/issue"),
    ).toMatchObject({
      status: 409,
      body: { error: { code: "OCCURRENCE_DROPPED" } },
    });
    const { accounts } = await world.done("GET /ledger/trial-balance");
    expect(accounts.map((account: Json) => [account.number, account.closing])).toEqual([
      [1010, -72000],
      [6190, 90000],
      [7680, -18000],
    ]);
  });
});
