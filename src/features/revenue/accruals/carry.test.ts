/** Late changes of a closed month are carried into the first open one (spec 3.6). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();
const ASSET = ROLES.contract_asset;

/** A customer with ten hours in February, which is booked; today is in April. */
async function februaryBooked(): Promise<Studio & { readonly invoice: Json }> {
  const one = await studio("2026-04-10");
  const invoice = await one.draft();
  await one.work(invoice, "2026-02-03", 10);
  await one.booked("2026-02");
  return { ...one, invoice };
}

describe("late changes", () => {
  it("of a booked month are carried, and reports show both views", async () => {
    const { work, invoice, detail, rows, entries, booked, done } = await februaryBooked();
    const february = await detail("2026-02");
    await work(invoice, "2026-02-27", 2);
    await work(invoice, "2026-03-10", 5);

    expect(await detail("2026-02")).toEqual(february);
    expect(await rows("2026-03")).toEqual([
      ["2026-02", 2000, 0, "carried"],
      ["2026-03", 5000, 0],
    ]);
    const march = await booked("2026-03");
    expect(march.original_accrual_month).toBe("2026-02");
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", 7000],
      ["revenue", -7000],
    ]);
    expect((await detail("2026-03")).totals).toMatchObject({
      earned: 7000,
      contract_asset_opening: 10000,
      contract_asset_closing: 17000,
    });
    const earned = async (basis: string): Promise<Json[]> =>
      (
        await done(`GET /recognition?from=2026-02&to=2026-03&group_by=month&basis=${basis}`)
      ).data.map((one: Json) => [one.month, one.earned]);
    expect(await earned("work_month")).toEqual([
      ["2026-02", 12000],
      ["2026-03", 5000],
    ]);
    expect(await earned("booking_month")).toEqual([
      ["2026-02", 10000],
      ["2026-03", 7000],
    ]);
  });

  it("are shown in their own month once both months are reopened", async () => {
    const { draft, service, booked, accrual, reopen, customer, done } = await februaryBooked();
    await draft([service(2800, "2026-02-01", "2026-03-31")]);
    await reopen((await booked("2026-03")).id);
    await reopen((await accrual("2026-02")).id);

    // The months of one customer are read together; those of all are read one by one.
    for (const filter of ["", `&customer=${customer}`]) {
      const { data } = await done(
        `GET /recognition?from=2026-02&to=2026-03&group_by=month&basis=booking_month${filter}`,
      );
      expect(data.map((one: Json) => [one.month, one.earned, one.contract_asset])).toEqual([
        ["2026-02", 11400, 11400],
        ["2026-03", 1400, 12800],
      ]);
    }
  });

  it("are mentioned in the voucher's text", async () => {
    const { work, invoice, booked, vouchers } = await februaryBooked();
    await work(invoice, "2026-02-27", 2);
    await booked("2026-03");

    expect((await vouchers())[1]).toMatchObject({
      date: "2026-03-31",
      text: "Accrual 2026-03 Acme A/S (incl. corrections from 2026-02)",
      postings: [
        [ASSET, 2000, null],
        [1010, -2000, null],
      ],
    });
  });

  it("of two booked months are listed separately, and the accrual names the earlier one", async () => {
    const { draft, work, booked, rows, accrual } = await studio("2026-04-10");
    const invoice = await draft();
    await work(invoice, "2026-01-03", 1);
    await booked("2026-01");
    await work(invoice, "2026-02-03", 1);
    await booked("2026-02");
    await work(invoice, "2026-02-04", 2);
    await work(invoice, "2026-01-04", 3);

    expect((await accrual("2026-03")).original_accrual_month).toBe("2026-01");
    expect(await rows("2026-03")).toEqual([
      ["2026-01", 3000, 0, "carried"],
      ["2026-02", 2000, 0, "carried"],
    ]);
  });

  it("are carried once, and not again in the month after", async () => {
    const { work, invoice, booked, rows, accrual, at } = await februaryBooked();
    await work(invoice, "2026-02-27", 2);
    await booked("2026-03");
    at("2026-05-10");

    expect(await accrual("2026-04")).toMatchObject({ original_accrual_month: null });
    expect(await rows("2026-04")).toEqual([]);
  });

  it("that are undone before the next booking carry nothing", async () => {
    const { work, invoice, rows, accrual, done } = await februaryBooked();
    const { id } = await work(invoice, "2026-02-27", 2);
    expect((await accrual("2026-03")).original_accrual_month).toBe("2026-02");
    await done(`DELETE /work-registrations/${id}`);

    expect((await accrual("2026-03")).original_accrual_month).toBeNull();
    expect(await rows("2026-03")).toEqual([]);
  });

  it("are in the first open month only, whichever month is read", async () => {
    const { work, invoice, rows, accrual, at } = await februaryBooked();
    at("2026-05-10");
    await work(invoice, "2026-02-27", 2);

    expect(await rows("2026-04")).toEqual([]);
    expect((await accrual("2026-04")).original_accrual_month).toBeNull();
    expect((await accrual("2026-03")).original_accrual_month).toBe("2026-02");
  });

  it("move on together when the lock date moves", async () => {
    const { work, invoice, rows, accrual, lock } = await februaryBooked();
    await work(invoice, "2026-02-27", 2);
    await work(invoice, "2026-03-27", 3);
    await work(invoice, "2026-04-02", 4);
    await lock("2026-03-31");

    expect(await rows("2026-04")).toEqual([
      ["2026-02", 2000, 0, "carried"],
      ["2026-03", 3000, 0, "carried"],
      ["2026-04", 4000, 0],
    ]);
    expect((await accrual("2026-03")).accrual_month).toBe("2026-04");
    // February is booked: so it is shown as booked.
    expect(await accrual("2026-02")).toMatchObject({ accrual_month: "2026-02", status: "booked" });
  });

  it("of work that moves to another day show as two rows", async () => {
    const { work, invoice, rows, done, booked, at } = await februaryBooked();
    const { id } = await work(invoice, "2026-03-02", 4);
    await booked("2026-03");
    at("2026-05-10");
    await done(`PATCH /work-registrations/${id}`, { date: "2026-02-16" });

    expect(await rows("2026-04")).toEqual([
      ["2026-02", 4000, 0, "carried"],
      ["2026-03", -4000, 0, "carried"],
    ]);
  });

  it("of an invoice with an issue date in a booked month are carried", async () => {
    const { done, invoice, rows, entries } = await februaryBooked();
    await done(`PATCH /invoices/${invoice.id}`, { issue_date: "2026-02-28" });
    await done(`POST /invoices/${invoice.id}/issue`);

    expect(await rows("2026-03")).toEqual([["2026-02", 0, 10000, "carried"]]);
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", -10000],
      ["revenue", 10000],
    ]);
  });

  it("of a credit note with a date in a booked month are carried", async () => {
    const { issued, booked, rows, done, service } = await studio("2026-04-10");
    const invoice = await issued([service(3000, "2026-02-01", "2026-04-30")], {
      issue_date: "2026-02-02",
    });
    await booked("2026-02");
    await done("POST /credit-notes", {
      external_id: "late",
      invoice: invoice.id,
      kind: "partial",
      credit_date: "2026-02-20",
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 600 }],
    });

    expect(await rows("2026-03")).toEqual([
      ["2026-02", -200, -600, "carried"],
      ["2026-03", 800, 0],
    ]);
  });

  it("of a completion are carried, and so is its removal", async () => {
    const { draft, booked, rows, done, value } = await studio("2026-04-10");
    const invoice = await draft([
      value(5000, { recognition_method: "milestone" }),
      value(1000, { service_from: "2026-02-01", service_to: "2026-02-28" }),
    ]);
    await booked("2026-02");
    const path = `/invoices/${invoice.id}/lines/${invoice.lines[0].id}/complete`;
    await done(`POST ${path}`, { completed_on: "2026-02-20" });
    expect(await rows("2026-03")).toEqual([["2026-02", 5000, 0, "carried"]]);
    await booked("2026-03");
    await done(`DELETE ${path}`);

    expect(await rows("2026-04")).toEqual([["2026-02", -5000, 0, "carried"]]);
  });
});

describe("a draft that changes after its month was booked", () => {
  const linesWith = (invoice: Json, fields: Json): Json => ({
    lines: invoice.lines.map((line: Json) => ({ ...line, ...fields })),
  });

  it.each<[string, Json, number]>([
    ["a higher rate", { hourly_rate: 1200 }, 2000],
    ["a discount", { discount: 25 }, -2500],
  ])("carries %s", async (_what, fields, difference) => {
    const { done, invoice, rows, accrual } = await februaryBooked();
    await done(`PATCH /invoices/${invoice.id}`, linesWith(invoice, fields));

    expect(await rows("2026-03")).toEqual([["2026-02", difference, 0, "carried"]]);
    expect((await accrual("2026-03")).original_accrual_month).toBe("2026-02");
  });

  it("and moves to another customer is reversed for the old one and earned by the new one", async () => {
    const { done, invoice, newCustomer, rows, find, booked, entries } = await februaryBooked();
    const other = await newCustomer("Beta ApS");
    await done(`PATCH /invoices/${invoice.id}`, { customer_id: other });

    expect(await rows("2026-03")).toEqual([["2026-02", -10000, 0, "carried"]]);
    expect(await rows("2026-02", other)).toEqual([["2026-02", 10000, 0]]);
    await booked("2026-03");
    await booked("2026-02", other);
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", -10000],
      ["revenue", 10000],
    ]);
    expect(refusal(await find("2026-03", other))).toBe("200");
    const { roles } = await done("GET /accruals/reconciliation?month=2026-03");
    expect(roles[0]).toMatchObject({ sub_ledger: 10000, difference: 0 });
  });

  it("and moves to another customer and back carries nothing", async () => {
    const { done, invoice, newCustomer, rows, customer } = await februaryBooked();
    const other = await newCustomer("Beta ApS");
    await done(`PATCH /invoices/${invoice.id}`, { customer_id: other });
    await done(`PATCH /invoices/${invoice.id}`, { customer_id: customer });

    expect(await rows("2026-03")).toEqual([]);
  });

  it("and is deleted is reversed", async () => {
    const { done, draft, work, booked, rows, entries } = await studio("2026-04-10");
    const invoice = await draft();
    const { id } = await work(invoice, "2026-02-03", 10);
    await booked("2026-02");
    await done(`DELETE /work-registrations/${id}`);
    await done(`DELETE /invoices/${invoice.id}`);

    expect(await rows("2026-03")).toEqual([["2026-02", -10000, 0, "carried"]]);
    await booked("2026-03");
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", -10000],
      ["revenue", 10000],
    ]);
  });

  it("keeps its revenue account when only the product's account changes", async () => {
    const { done, product, work, invoice, rows, entries } = await februaryBooked();
    await done(`PATCH /products/${product.id}`, { account_number: 1020 });
    await work(invoice, "2026-03-03", 1);

    expect(await rows("2026-03")).toEqual([["2026-03", 1000, 0]]);
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", 1000],
      ["revenue", -1000],
    ]);
  });

  it("and changes its product moves the revenue to the new account, with the same balance", async () => {
    const { done, invoice, rows, detail, booked, vouchers } = await februaryBooked();
    const other = await done("POST /products", { name: "Support", account_number: 1020 });
    await done(`PATCH /invoices/${invoice.id}`, linesWith(invoice, { product_id: other.id }));

    expect((await rows("2026-03")).sort()).toEqual([
      ["2026-02", -10000, 0, "carried"],
      ["2026-02", 10000, 0, "carried"],
    ]);
    await booked("2026-03");
    expect((await vouchers())[1].postings).toEqual([
      [1010, 10000, null],
      [1020, -10000, null],
    ]);
    expect((await detail("2026-03")).totals).toMatchObject({
      contract_asset_opening: 10000,
      contract_asset_movement: 0,
      contract_asset_closing: 10000,
    });
  });

  it("and changes its currency reverses the old amounts and earns the new ones", async () => {
    const { done, invoice, rate, detail, booked, entries } = await februaryBooked();
    await rate("USD", "2026-02-28", 7);
    await done(`PATCH /invoices/${invoice.id}`, { currency: "USD" });

    const lines = (await detail("2026-03")).lines.map((line: Json) => [
      line.currency,
      line.movement,
      ...line.months.map((one: Json) => [one.month, one.earned, one.earned_functional ?? null]),
    ]);
    expect(lines.sort()).toEqual([
      ["DKK", -10000, ["2026-02", -10000, null]],
      ["USD", 70000, ["2026-02", 10000, 70000]],
    ]);
    await booked("2026-03");
    expect(await entries("2026-03")).toEqual([
      ["contract_asset", 60000],
      ["revenue", -60000],
    ]);
  });
});
