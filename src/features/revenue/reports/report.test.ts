/** Revenue as a list (spec 3.11): the contents of its rows, by line and by group. */
import { beforeAll, describe, expect, it } from "vitest";
import { groupings, RANGE, sum, useReport } from "../../../../test/support/world/report.ts";
import type { Studio } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { report, list } = useReport();
let one: Studio;
let eva: string;
let beta: string;
let other: Json;
let prepaid: Json;
let open: Json;
let dollars: Json;
let series: Json;
beforeAll(() => {
  ({ one, eva, beta, other, prepaid, open, dollars, series } = report());
});

describe("GET /recognition by line", () => {
  it("has a row for each month, line and user, in the line's currency", async () => {
    const rows = await list(`from=2026-02&to=2026-02&invoice=${prepaid.id}`);

    const row = {
      object: "recognition_entry",
      month: "2026-02",
      customer_id: one.customer,
      invoice_id: prepaid.id,
      series_id: null,
      opening_contract_id: null,
      period: null,
      line_id: prepaid.lines[0].id,
      product_id: one.product.id,
      currency: "DKK",
      contract_asset: 0,
      hours: 0,
      forecast: false,
    };
    const users = [
      { ...row, user_id: one.bo, earned: 600, invoiced: 1800, contract_liability: 1200 },
      { ...row, user_id: eva, earned: 400, invoiced: 1200, contract_liability: 800 },
    ];
    const unknown_one = {
      ...row,
      line_id: prepaid.lines[1].id,
      product_id: other.id,
      user_id: null,
      earned: 33.34,
      invoiced: 100,
      contract_liability: 33.33,
    };
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(expect.arrayContaining([...users, unknown_one]));
    expect(rows.find(({ user_id }) => user_id === null)).toEqual(unknown_one);
  });

  it("shows hours, billable or not, with their users", async () => {
    const rows = await list(`from=2026-02&to=2026-03&invoice=${open.id}`);

    expect(
      rows.map((row) => [row.month, row.user_id === eva ? "eva" : "bo", row.earned, row.hours]),
    ).toEqual(
      expect.arrayContaining([
        ["2026-02", "bo", 2000, 2],
        ["2026-03", "eva", 3000, 3],
        ["2026-03", "bo", 0, 1],
      ]),
    );
    expect(rows).toHaveLength(3);
    expect(sum(rows.slice(1), "contract_asset")).toBe(5000);
  });

  it("shows an occurrence without an invoice, with its series and period", async () => {
    const rows = await list(`from=2026-03&to=2026-03&series=${series.id}`);

    expect(rows).toEqual([
      expect.objectContaining({
        customer_id: beta,
        invoice_id: null,
        series_id: series.id,
        period: "2026-03",
        user_id: eva,
        earned: 500,
        invoiced: 0,
        contract_asset: 500,
        contract_liability: 0,
      }),
    ]);
  });

  it("has the line's currency, and its groups have that of the books", async () => {
    const [row] = await list(`from=2026-02&to=2026-02&invoice=${dollars.id}`);
    const [group] = await list(`from=2026-02&to=2026-02&invoice=${dollars.id}&group_by=customer`);

    expect(row).toMatchObject({ currency: "USD", earned: 800, contract_asset: 800, hours: 8 });
    expect(group).toMatchObject({ currency: "DKK", earned: 5600, contract_asset: 5600, hours: 8 });
  });

  it("continues as a forecast of straight lines and future periods, without hours", async () => {
    const rows = (await list(RANGE)).filter(({ forecast }) => forecast);
    const lineOf = async (period: string): Promise<string> => {
      const path = `/recurring-series/${series.id}/occurrences/${period}/lines`;
      return (await one.done(`GET ${path}`)).data[0].id;
    };

    expect([...new Set(rows.map(({ month }) => month))]).toEqual(["2026-04", "2026-05"]);
    expect(
      rows
        .filter(({ earned }) => earned !== 0)
        .map((row) => [row.month, row.line_id, row.earned])
        .sort(),
    ).toEqual(
      [
        ["2026-04", prepaid.lines[0].id, 600],
        ["2026-04", prepaid.lines[0].id, 400],
        ["2026-04", await lineOf("2026-04"), 500],
        ["2026-05", await lineOf("2026-05"), 500],
      ].sort(),
    );
    expect((await list(RANGE)).filter((row) => row.month <= "2026-03" && row.forecast)).toEqual([]);
  });
});

describe("GET /recognition by groups", () => {
  it("names the group, and no other field of a row", async () => {
    const ids = ["customer_id", "invoice_id", "series_id", "period", "line_id", "product_id"];
    for (const group_by of groupings.slice(1)) {
      for (const row of await list(`${RANGE}&group_by=${group_by}`)) {
        const named = [...ids, "user_id"].filter((id) => row[id] !== null);
        expect(["", `${group_by}_id`]).toContain(named.join());
        expect(row.currency).toBe("DKK");
      }
    }
  });

  it("has one row for each month and group", async () => {
    for (const group_by of groupings.slice(1)) {
      const rows = await list(`${RANGE}&group_by=${group_by}`);
      const keys = rows.map((row) => `${row.month} ${row[`${group_by}_id`] ?? "-"}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect([...keys].sort()).toEqual(keys);
    }
    expect((await list(`${RANGE}&group_by=month`)).map(({ month }) => month)).toEqual([
      "2026-01",
      "2026-02",
      "2026-03",
      "2026-04",
      "2026-05",
    ]);
  });

  it.each(["work_month", "booking_month"])("adds up to the months, by %s", async (basis) => {
    const months = await list(`${RANGE}&group_by=month&basis=${basis}`);
    for (const group_by of ["customer", "user", "product"]) {
      const rows = await list(`${RANGE}&group_by=${group_by}&basis=${basis}`);
      for (const month of months) {
        const parts = rows.filter((row) => row.month === month.month);
        for (const field of ["earned", "invoiced", "hours"]) {
          expect(sum(parts, field)).toBe(month[field]);
        }
        const net = (entries: readonly Json[]): number =>
          Math.round((sum(entries, "contract_asset") - sum(entries, "contract_liability")) * 100);
        expect(net(parts)).toBe(net([month]));
      }
    }
  });

  it("adds users up to lines, and lines to the invoice", async () => {
    const rows = await list(`${RANGE}&invoice=${prepaid.id}`);
    const of = (line: Json): Json[] => rows.filter((row) => row.line_id === line.id);

    expect(sum(of(prepaid.lines[0]), "earned")).toBe(3000);
    expect(sum(of(prepaid.lines[0]), "invoiced")).toBe(3000);
    expect(sum(of(prepaid.lines[1]), "earned")).toBe(100);
    const [total] = await list(`from=2026-02&to=2026-02&invoice=${prepaid.id}&group_by=month`);
    const february = rows.filter(({ month }) => month === "2026-02");
    expect(total).toMatchObject({
      earned: sum(february, "earned"),
      invoiced: 3100,
      contract_liability: 2033.33,
      contract_asset: 0,
    });
  });

  it("nets a series with itself, and not with other contracts", async () => {
    const [march] = await list("from=2026-03&to=2026-03&group_by=month");

    // 5,000 of hours, 5,600 of dollars and 500 of the retainer; and 1,000 in advance.
    expect(march).toMatchObject({ contract_asset: 11100, contract_liability: 1000 });
  });
});
