/** Accruals of series: periods without an invoice, periods ahead of time, and the effect of a cancellation (spec 3.2 and 3.4). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();

const drafted = (one: Studio, fields: Json = {}): Promise<Json> =>
  one.done("POST /recurring-series", {
    customer_id: one.customer,
    frequency: "monthly",
    start_date: "2026-02-01",
    lines: [one.value(31000)],
    issue_timing: { mode: "manual" },
    ...fields,
  });
async function active(one: Studio, fields: Json = {}): Promise<string> {
  const { id } = await drafted(one, fields);
  await one.done(`POST /recurring-series/${id}/activate`);
  return id;
}
const occurrence = ({ done }: Studio, id: string, period: string, verb: string): Promise<Json> =>
  done(`POST /recurring-series/${id}/occurrences/${period}/${verb}`);

describe("the accruals of a series", () => {
  it("earn periods without an invoice, and clear them with it", async () => {
    const one = await studio("2026-04-10");
    const id = await active(one);

    await one.booked("2026-02");
    expect(await one.entries("2026-02")).toEqual([
      ["contract_asset", 31000],
      ["revenue", -31000],
    ]);
    const [before] = (await one.detail("2026-02")).lines;
    expect(before).toMatchObject({ series_id: id, period: "2026-02", invoice_id: null });
    one.at("2026-03-10");
    const invoice = await occurrence(one, id, "2026-02", "issue");
    one.at("2026-04-10");

    const lines = (await one.detail("2026-03")).lines;
    const same = lines.find((line: Json) => line.line_id === before.line_id);
    expect(same).toMatchObject({ invoice_id: invoice.id, movement: -31000 });
    // March is earned and February invoiced: the position of the contract is unchanged.
    expect(await one.entries("2026-03")).toEqual([]);
    expect((await one.detail("2026-03")).contracts).toMatchObject([
      {
        series_id: id,
        invoice_id: null,
        contract_asset_before: 31000,
        contract_asset_after: 31000,
      },
    ]);
  });

  it("net a period without an invoice with one that is invoiced ahead", async () => {
    const one = await studio("2026-03-28");
    const id = await active(one, { start_date: "2026-03-01" });
    await occurrence(one, id, "2026-04", "issue");
    one.at("2026-04-10");

    await one.booked("2026-03");

    expect((await one.detail("2026-03")).totals).toMatchObject({
      earned: 31000,
      invoiced: 31000,
      contract_asset_closing: 0,
      contract_liability_closing: 0,
    });
    expect((await one.detail("2026-03")).lines.map((line: Json) => line.balance_after)).toEqual(
      expect.arrayContaining([31000, -31000]),
    );
    expect((await one.accrual("2026-03")).ledger_voucher_guid).toBeNull();
  });

  it("exclude drafts, skipped periods and future ones", async () => {
    const one = await studio("2026-03-10");
    const draft = await drafted(one);
    const later = await active(one, { start_date: "2026-04-01" });
    const skipped = await active(one, { end_date: "2026-02-28" });
    await occurrence(one, skipped, "2026-02", "skip");

    expect(refusal(await one.find("2026-03"))).toBe("404 NOT_FOUND");
    await occurrence(one, skipped, "2026-02", "unskip");
    expect(await one.rows("2026-02")).toEqual([["2026-02", 31000, 0]]);
    expect([draft.id, later]).not.toContain(skipped);
  });

  it("reverse the booking of a period that is skipped afterwards", async () => {
    const one = await studio("2026-04-10");
    const id = await active(one, { end_date: "2026-02-28" });
    await one.booked("2026-02");
    await occurrence(one, id, "2026-02", "skip");

    expect(await one.rows("2026-03")).toEqual([["2026-02", -31000, 0, "carried"]]);
    await one.booked("2026-03");
    const { roles } = await one.done("GET /accruals/reconciliation?month=2026-03");
    expect(roles[0]).toMatchObject({ sub_ledger: 0, ledger: 0 });
  });

  it("reverse the booking of periods that a cancellation drops", async () => {
    const one = await studio("2026-04-10");
    const id = await active(one);
    await one.booked("2026-02");
    await one.booked("2026-03");
    await one.done(`POST /recurring-series/${id}/cancel`, { end_date: "2026-02-14" });

    const rows = await one.rows("2026-04");
    expect(rows).toEqual([
      ["2026-02", -15500, 0, "carried"],
      ["2026-03", -31000, 0, "carried"],
    ]);
  });

  it("shorten a prepaid period that is cancelled, without revenue for the part that was not delivered", async () => {
    const one = await studio("2026-03-01");
    const id = await active(one, { start_date: "2026-03-01" });
    await occurrence(one, id, "2026-03", "issue");
    one.at("2026-03-10");
    await one.done(`POST /recurring-series/${id}/cancel`, {});
    await one.done("POST /scheduler-runs");
    one.at("2026-04-10");

    expect(await one.rows("2026-03")).toEqual([["2026-03", 10000, 10000]]);
    expect((await one.booked("2026-03")).ledger_voucher_guid).toBeNull();
  });

  it("earn the hours of a period on the days of the work, early or late", async () => {
    const one = await studio("2026-04-10");
    const id = await active(one, { lines: [one.hours()], issue_timing: { mode: "end-of-period" } });
    const { data } = await one.done(`GET /recurring-series/${id}/occurrences/2026-02/lines`);
    await one.work({ lines: data }, "2026-02-03", 2);
    await one.booked("2026-02");
    await one.work({ lines: data }, "2026-02-04", 3);
    one.at("2026-04-11");
    await one.done(`POST /recurring-series/${id}/occurrences/2026-02/issue`);

    expect(await one.rows("2026-03")).toEqual([["2026-02", 3000, 0, "carried"]]);
    expect(await one.rows("2026-04")).toEqual([["2026-04", 0, 5000]]);
  });
});
