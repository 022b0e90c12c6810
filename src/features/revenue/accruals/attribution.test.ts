/** Revenue whose users change after its month was booked (spec 2.5 and 3.11): by booking month, it moves between them. */
import { describe, expect, it } from "vitest";
import { useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();

describe("revenue that only changes its user", () => {
  it("is shown by user in the month in which it is booked, and moves no amount", async () => {
    const one = await studio("2026-04-10");
    const { draft, done, service, bo, newUser, booked, rows, entries, detail } = one;
    const eva = await newUser();
    const line = service(3000, "2026-02-01", "2026-04-30");
    const invoice = await draft([{ ...line, assignees: [{ user_id: bo }] }]);
    await booked("2026-02");
    await done(`PATCH /invoices/${invoice.id}`, {
      lines: [{ ...invoice.lines[0], assignees: [{ user_id: eva }] }],
    });

    expect(await rows("2026-03")).toEqual([["2026-03", 1000, 0]]);
    expect((await detail("2026-03")).original_accrual_month).toBeNull();
    await booked("2026-03");
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", 1000],
      ["revenue", -1000],
    ]);
    const byUser = async (basis: string): Promise<Json[]> =>
      (await done(`GET /recognition?from=2026-02&to=2026-03&group_by=user&basis=${basis}`)).data
        .filter((entry: Json) => entry.earned !== 0)
        .map((entry: Json) => [entry.month, entry.user_id === bo ? "bo" : "eva", entry.earned])
        .sort();
    expect(await byUser("booking_month")).toEqual([
      ["2026-02", "bo", 1000],
      ["2026-03", "bo", -1000],
      ["2026-03", "eva", 2000],
    ]);
    expect(await byUser("work_month")).toEqual([
      ["2026-02", "eva", 1000],
      ["2026-03", "eva", 1000],
    ]);
  });

  it("is carried with work that moves to another user", async () => {
    const one = await studio("2026-04-10");
    const eva = await one.newUser();
    const invoice = await one.draft();
    const { id } = await one.work(invoice, "2026-02-03", 2);
    await one.booked("2026-02");
    await one.done(`PATCH /work-registrations/${id}`, { user_id: eva });

    expect(await one.rows("2026-03")).toEqual([]);
    expect((await one.booked("2026-03")).ledger_voucher_guid).toBeNull();
    const { data } = await one.done(
      "GET /recognition?from=2026-03&to=2026-03&group_by=user&basis=booking_month",
    );
    expect(data.map((row: Json) => [row.user_id, row.earned])).toEqual(
      [
        [one.bo, -2000],
        [eva, 2000],
      ].sort(),
    );
  });

  it("changes nothing further once the change is booked", async () => {
    const one = await studio("2026-05-10");
    const eva = await one.newUser();
    const line = one.service(3000, "2026-02-01", "2026-04-30");
    const invoice = await one.draft([{ ...line, assignees: [{ user_id: one.bo }] }], {
      issue_date: "2026-03-15",
    });
    await one.booked("2026-02");
    await one.done(`PATCH /invoices/${invoice.id}`, {
      lines: [{ ...invoice.lines[0], assignees: [{ user_id: eva }] }],
    });
    await one.done(`POST /invoices/${invoice.id}/issue`);
    await one.booked("2026-03");
    await one.booked("2026-04");

    const { data } = await one.done(
      "GET /recognition?from=2026-02&to=2026-04&group_by=user&basis=booking_month",
    );
    const of = (user: string): number[] =>
      data.filter((row: Json) => row.user_id === user).map((row: Json) => row.earned);
    expect(of(one.bo).filter((amount) => amount !== 0)).toEqual([1000, -1000]);
    expect(of(eva).filter((amount) => amount !== 0)).toEqual([2000, 1000]);
  });

  it("is reversed by a reopening, and attributed again by the next booking", async () => {
    const one = await studio("2026-04-10");
    const eva = await one.newUser();
    const invoice = await one.draft();
    const { id } = await one.work(invoice, "2026-02-03", 2);
    await one.booked("2026-02");
    await one.done(`PATCH /work-registrations/${id}`, { user_id: eva });
    const march = await one.booked("2026-03");
    await one.reopen(march.id);
    await one.booked("2026-03");

    const { data } = await one.done(
      "GET /recognition?from=2026-02&to=2026-03&group_by=user&basis=booking_month",
    );
    const earned = data
      .filter((row: Json) => row.earned !== 0)
      .map((row: Json) => [row.month, row.user_id === eva ? "eva" : "bo", row.earned]);
    expect(earned.sort()).toEqual([
      ["2026-02", "bo", 2000],
      ["2026-03", "bo", -2000],
      ["2026-03", "eva", 2000],
    ]);
  });
});

describe("revenue in a foreign currency that changes its user after the booking", () => {
  it("moves from one user to the other at the rate of the line", async () => {
    const one = await studio("2026-04-10");
    const eva = await one.newUser();
    await one.rate("USD", "2026-01-31", 7);
    const line = one.service(300, "2026-02-01", "2026-04-30");
    const invoice = await one.draft([{ ...line, assignees: [{ user_id: one.bo }] }], {
      currency: "USD",
    });
    await one.booked("2026-02");
    const lines = [{ ...invoice.lines[0], assignees: [{ user_id: eva }] }];
    await one.done(`PATCH /invoices/${invoice.id}`, { lines });

    const byUser = async (): Promise<Json[]> =>
      (
        await one.done("GET /recognition?from=2026-02&to=2026-03&group_by=user&basis=booking_month")
      ).data
        .filter((row: Json) => row.earned !== 0)
        .map((row: Json) => [row.month, row.user_id === eva ? "eva" : "bo", row.earned])
        .sort();
    const expected = [
      ["2026-02", "bo", 700],
      ["2026-03", "bo", -700],
      ["2026-03", "eva", 1400],
    ];
    expect(await byUser()).toEqual(expected);
    await one.booked("2026-03");
    expect(await byUser()).toEqual(expected);
  });

  it("moves also in a month without other earnings", async () => {
    const one = await studio("2026-04-10");
    const eva = await one.newUser();
    await one.rate("USD", "2026-01-31", 7);
    const line = one.service(100, "2026-02-01", "2026-02-28");
    const invoice = await one.draft([{ ...line, assignees: [{ user_id: one.bo }] }], {
      currency: "USD",
    });
    await one.booked("2026-02");
    const lines = [{ ...invoice.lines[0], assignees: [{ user_id: eva }] }];
    await one.done(`PATCH /invoices/${invoice.id}`, { lines });

    const { data } = await one.done(
      "GET /recognition?from=2026-03&to=2026-03&group_by=user&basis=booking_month",
    );
    expect(data.map((row: Json) => [row.user_id, row.earned])).toEqual(
      [
        [one.bo, -700],
        [eva, 700],
      ].sort(),
    );
  });
});
