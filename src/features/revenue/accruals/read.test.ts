/** Reading accruals over REST (spec 3.7 and 3.11). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, studio } = useStudios();
const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const NOT_FOUND = "404 NOT_FOUND";

describe("GET /accruals", () => {
  it.each([
    ["a customer without facts", `customer={customer}&month=2026-03`, NOT_FOUND],
    ["a customer who does not exist", `customer=${UNKNOWN_ID}&month=2026-03`, NOT_FOUND],
    ["an unknown external id", "customer=ext:unknown&month=2026-03", NOT_FOUND],
    ["a month to come", "customer={customer}&month=2026-04", NOT_FOUND],
    ["no month", "customer={customer}", "422 VALIDATION_FAILED month required"],
    [
      "an invalid month",
      "customer={customer}&month=2026-13",
      "422 VALIDATION_FAILED month invalid_format",
    ],
    ["a day", "customer={customer}&month=2026-03-01", "422 VALIDATION_FAILED month invalid_format"],
  ])("refuses %s", async (_what, query, refused) => {
    const { tried, customer } = await studio();

    expect(await tried(`GET /accruals?${query.replace("{customer}", customer)}`)).toBe(refused);
  });

  it("has none for a customer whose draft has neither earned nor invoiced", async () => {
    const { draft, find, value, hours, service } = await studio();
    await draft([hours(), value(1000), service(1000, "2026-04-01", "2026-04-30")]);

    expect(refusal(await find("2026-03"))).toBe(NOT_FOUND);
  });

  it("has none before the first row, and one for each month from then on", async () => {
    const { draft, work, find } = await studio();
    await work(await draft(), "2026-01-31", 2);

    expect(refusal(await find("2025-12"))).toBe(NOT_FOUND);
    expect(refusal(await find("2026-01"))).toBe("200");
    expect(refusal(await find("2026-02"))).toBe("200");
    expect(refusal(await find("2026-03"))).toBe("200");
    expect(refusal(await find("2026-04"))).toBe(NOT_FOUND);
  });

  it("shows a draft under the same id on each reading and after its booking", async () => {
    const { draft, work, accrual, booked, customer, at } = await studio();
    await work(await draft(), "2026-02-03", 2);

    const first = await accrual("2026-02");
    expect(first).toEqual({
      object: "accrual",
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[58]/),
      customer_id: customer,
      accrual_month: "2026-02",
      original_accrual_month: null,
      status: "draft",
      ledger_voucher_guid: null,
      ledger_voucher_number: null,
      booked_at: null,
    });
    expect(await accrual("2026-02")).toEqual(first);
    at("2026-03-11");
    const after = await booked("2026-02");
    expect(after).toEqual({
      ...first,
      status: "booked",
      ledger_voucher_guid: expect.any(String),
      ledger_voucher_number: 1,
      booked_at: "2026-03-11T09:00:00.000Z",
    });
    expect(await accrual("2026-02")).toEqual(after);
  });

  it("accepts an external id for the customer, and a key that only reads", async () => {
    const { done, draft, work, account, customer } = await studio();
    await done(`PATCH /customers/${customer}`, { external_id: "acme/1" });
    await work(await draft(), "2026-02-03", 2);

    const call = `GET /accruals?customer=ext:${encodeURIComponent("acme/1")}&month=2026-02`;
    const { status, body } = await world.rest(call, undefined, account.keys.read);

    expect([status, body.customer_id]).toEqual([200, customer]);
  });

  it("of a locked month answers with the accrual that carries its rows", async () => {
    const { draft, work, accrual, find, lock, rows } = await studio();
    const invoice = await draft();
    await work(invoice, "2026-01-05", 1);
    await work(invoice, "2026-03-05", 3);
    await lock("2026-02-28");

    const carrying = await accrual("2026-01");

    expect(carrying).toEqual(await accrual("2026-03"));
    expect(carrying).toMatchObject({
      accrual_month: "2026-03",
      original_accrual_month: "2026-01",
      status: "draft",
    });
    expect(refusal(await find("2026-02"))).toBe(NOT_FOUND);
    expect(await rows("2026-03")).toEqual([
      ["2026-01", 1000, 0, "carried"],
      ["2026-03", 3000, 0],
    ]);
  });

  it("has none for a closed month whose carrying month is in the future", async () => {
    const { draft, work, find, lock } = await studio();
    await work(await draft(), "2026-01-05", 1);
    await lock("2026-03-31");

    expect(refusal(await find("2026-01"))).toBe(NOT_FOUND);
    expect(refusal(await find("2026-03"))).toBe(NOT_FOUND);
  });

  it("carries a month that was passed over while it was empty into the first open one", async () => {
    const { draft, work, booked, accrual, find, at } = await studio("2026-04-10");
    const invoice = await draft();
    await work(invoice, "2026-01-05", 1);
    await booked("2026-01");
    await work(invoice, "2026-03-05", 3);
    await booked("2026-03");
    expect(refusal(await find("2026-02"))).toBe(NOT_FOUND);

    await work(invoice, "2026-02-05", 2);
    at("2026-04-11");

    expect(await accrual("2026-02")).toMatchObject({
      accrual_month: "2026-04",
      original_accrual_month: "2026-02",
    });
  });

  it("still shows booked accruals of a customer whose lines are all gone", async () => {
    const { draft, work, booked, accrual, done } = await studio("2026-04-10");
    const invoice = await draft();
    const registration = await work(invoice, "2026-02-05", 2);
    const february = await booked("2026-02");
    await done(`DELETE /work-registrations/${registration.id}`);
    await done(`DELETE /invoices/${invoice.id}`);
    const march = await booked("2026-03");

    expect(march.original_accrual_month).toBe("2026-02");
    expect(await accrual("2026-02")).toEqual(february);
    expect(await accrual("2026-03")).toEqual(march);
  });
});

describe("GET /accruals/{id}", () => {
  it("shows totals, contracts, lines and the voucher that would be booked", async () => {
    const { detail, issued, service, draft, work, customer, product } = await studio();
    const paid = await issued([service(3000, "2026-02-01", "2026-04-30")], {
      issue_date: "2026-02-10",
    });
    const open = await draft();
    await work(open, "2026-02-03", 2);

    const { id: _, ...shown } = await detail("2026-02");

    const none = { contract_asset_before: 0, contract_liability_before: 0 };
    expect(shown).toEqual({
      object: "accrual",
      customer_id: customer,
      accrual_month: "2026-02",
      original_accrual_month: null,
      status: "draft",
      ledger_voucher_guid: null,
      ledger_voucher_number: null,
      booked_at: null,
      functional_currency: "DKK",
      totals: {
        earned: 3000,
        invoiced: 3000,
        exchange_difference: 0,
        contract_asset_opening: 0,
        contract_asset_movement: 2000,
        contract_asset_closing: 2000,
        contract_liability_opening: 0,
        contract_liability_movement: 2000,
        contract_liability_closing: 2000,
      },
      contracts: [
        {
          ...none,
          invoice_id: paid.id,
          series_id: null,
          opening_contract_id: null,
          contract_asset_after: 0,
          contract_asset_movement: 0,
          contract_liability_after: 2000,
          contract_liability_movement: 2000,
        },
        {
          ...none,
          invoice_id: open.id,
          series_id: null,
          opening_contract_id: null,
          contract_asset_after: 2000,
          contract_asset_movement: 2000,
          contract_liability_after: 0,
          contract_liability_movement: 0,
        },
      ],
      lines: [
        lineOf(paid, [1000, 3000], [0, -2000], [["2026-02", 1000, 3000]]),
        lineOf(open, [2000, 0], [0, 2000], [["2026-02", 2000, 0]]),
      ],
      entries: [
        { account_role: "contract_asset", account_number: 5600, debit: 2000, credit: 0 },
        { account_role: "contract_liability", account_number: 6900, debit: 0, credit: 2000 },
      ],
      revision: 0,
      pending: false,
    });

    function lineOf(
      invoice: Json,
      [earned_to_date, invoiced_to_date]: number[],
      [balance_before, balance_after]: [number, number],
      months: [string, number, number][],
    ) {
      return {
        line_id: invoice.lines[0].id,
        invoice_id: invoice.id,
        series_id: null,
        opening_contract_id: null,
        period: null,
        product_id: product.id,
        account_number: 1010,
        currency: "DKK",
        earned_to_date,
        invoiced_to_date,
        balance_before,
        balance_after,
        movement: balance_after - balance_before,
        months: months.map(([month, earned, invoiced]) => ({
          month,
          earned,
          invoiced,
          carried: false,
        })),
      };
    }
  });

  it("continues to show a booked accrual unchanged, whatever happens later", async () => {
    const { detail, booked, draft, work, done, customer, at } = await studio("2026-04-10");
    const invoice = await draft();
    await work(invoice, "2026-02-03", 2);
    await booked("2026-02");
    const before = await detail("2026-02");

    await work(invoice, "2026-02-04", 3);
    await done(`PATCH /customers/${customer}`, { name: "Acme Holding" });
    await done(`PATCH /invoices/${invoice.id}`, {
      lines: [{ ...invoice.lines[0], hourly_rate: 1300 }],
    });
    at("2026-04-11");

    expect(before).toMatchObject({ status: "booked", revision: 1, pending: false });
    expect(await detail("2026-02")).toEqual(before);
  });

  it.each([
    ["an unknown id", UNKNOWN_ID, NOT_FOUND],
    ["a malformed id", "2026-02", "400 MALFORMED_REQUEST"],
  ])("refuses %s", async (_what, id, refused) => {
    const { tried } = await studio();

    for (const path of ["", "/history"]) {
      expect(await tried(`GET /accruals/${id}${path}`)).toBe(refused);
    }
  });

  it("does not show an accrual to another account", async () => {
    const { draft, work, booked } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const { id, customer_id } = await booked("2026-02");
    const other = await studio();

    expect(await other.tried(`GET /accruals/${id}`)).toBe(NOT_FOUND);
    expect(await other.tried(`GET /accruals/${id}/history`)).toBe(NOT_FOUND);
    expect(await other.tried(`POST /accruals/${id}/book`)).toBe(NOT_FOUND);
    expect(await other.tried(`POST /accruals/${id}/reopen`, { reason: "x" })).toBe(NOT_FOUND);
    expect(await other.tried(`GET /customers/${customer_id}/accruals`)).toBe(NOT_FOUND);
    expect(refusal(await other.find("2026-02", customer_id))).toBe(NOT_FOUND);
  });

  it("is not found while its draft belongs to a closed month", async () => {
    const { draft, work, accrual, tried, lock } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const { id } = await accrual("2026-02");
    await lock("2026-02-28");
    expect(await tried(`GET /accruals/${id}`)).toBe(NOT_FOUND);
    await lock(null);
    expect(await tried(`GET /accruals/${id}`)).toBe("200");
  });
});
