/** Opening contracts: what was invoiced elsewhere and is not yet earned. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();

const EQUITY = 6950;

/** 24,000 invoiced for March to February, of which 16,000 was earned through October. */
const licence = (one: Studio, fields: Json = {}): Json => ({
  external_id: "old-1",
  customer: one.customer,
  product: one.product.id,
  invoiced: 24_000,
  earned: 16_000,
  service_from: "2025-03-01",
  service_to: "2026-02-28",
  cutover: "2025-10-31",
  counter_account: EQUITY,
  ...fields,
});

/** The journal of the account as `[date, account, debit - credit]`. */
const journal = async (one: Studio): Promise<Json[]> =>
  (
    await one.world.sql(
      `select e.entry_date::text as date, p.account_number as account, p.amount::float8 / 100 as amount
       from ledger_entries e join ledger_postings p on p.account_id = e.account_id and p.entry_no = e.entry_no
       where e.account_id = $1 order by e.entry_no, p.line_no`,
      [one.account.account_id],
    )
  ).map(({ date, account, amount }) => [date, account, amount]);

const months = async (one: Studio, from: string, to: string): Promise<Json[]> => {
  const { data } = await one.done(`GET /recognition?from=${from}&to=${to}&group_by=month`);
  return data.map((row: Json) => [
    row.month,
    row.earned,
    row.invoiced,
    row.contract_asset,
    row.contract_liability,
  ]);
};

/** Differences between the ledger and the sub-ledger; none where both agree. */
const differences = async (one: Studio, month: string): Promise<Json[]> => {
  const found = await one.done(`GET /accruals/reconciliation?month=${month}`);
  return [...found.roles, ...found.documents, ...found.earnings].filter(
    ({ difference }: Json) => difference !== 0,
  );
};

const verified = async (one: Studio): Promise<Json[]> => {
  const { checks } = await one.done("GET /ledger/verification?fresh=true");
  return checks.filter(({ ok }: Json) => !ok);
};

describe("POST /opening-contracts", () => {
  it("posts what is left, and earns it from the day after the cutover", async () => {
    const one = await studio("2026-03-10");
    const reply = await one.rest("POST /opening-contracts", licence(one));

    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      object: "opening_contract",
      id: expect.any(String),
      external_id: "old-1",
      customer_id: one.customer,
      product_id: one.product.id,
      line_id: expect.any(String),
      currency: "DKK",
      invoiced: 24_000,
      earned: 16_000,
      service_from: "2025-03-01",
      service_to: "2026-02-28",
      cutover: "2025-10-31",
      rate: null,
      counter_account: EQUITY,
      account_number: 1010,
      vat_code: expect.any(String),
      assignees: [],
      status: "running",
      ended_on: null,
      entry_no: 1,
      created_at: expect.any(String),
    });
    expect(await journal(one)).toEqual([
      ["2025-10-31", EQUITY, 8_000],
      ["2025-10-31", ROLES.contract_liability, -8_000],
    ]);
    expect(await months(one, "2025-09", "2026-03")).toEqual([
      ["2025-10", 0, 8_000, 0, 8_000],
      ["2025-11", 2_000, 0, 0, 6_000],
      ["2025-12", 2_000, 0, 0, 4_000],
      ["2026-01", 2_000, 0, 0, 2_000],
      ["2026-02", 2_000, 0, 0, 0],
    ]);
    expect(await one.done("GET /invoices")).toMatchObject({ data: [] });
  });

  it("is closed month by month like any line, and agrees with the books", async () => {
    const one = await studio("2026-03-10");
    await one.done("POST /opening-contracts", licence(one));

    for (const month of ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02"]) {
      expect(await differences(one, month), `before the close of ${month}`).toEqual([]);
      await one.closed(month);
      expect(await differences(one, month), `after the close of ${month}`).toEqual([]);
    }

    const vouchers = await one.vouchers();
    expect(vouchers.map(({ date, postings }) => [date, postings])).toEqual(
      ["2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28"].map((date) => [
        date,
        [
          [ROLES.contract_liability, 2_000, null],
          [1010, -2_000, null],
        ],
      ]),
    );
    expect(await verified(one)).toEqual([]);
  });

  it("counts as booked in its month while earlier months are open", async () => {
    const one = await studio("2026-03-10");
    await one.issued([one.service(3_000, "2025-09-01", "2025-11-30")], {
      issue_date: "2025-09-01",
    });
    await one.done("POST /opening-contracts", licence(one));

    expect(await one.entries("2025-09")).toEqual([
      ["contract_liability", -2_000],
      ["revenue", 2_000],
    ]);
    expect(await one.entries("2025-10")).toEqual([
      ["contract_liability", 1_000],
      ["revenue", -1_000],
    ]);
    expect((await one.detail("2025-10")).totals).toMatchObject({
      contract_liability_opening: 10_000,
      contract_liability_closing: 9_000,
    });
    for (const month of ["2025-09", "2025-10", "2025-11"]) {
      await one.closed(month);
      expect(await differences(one, month)).toEqual([]);
    }
  });

  it("shows a movement of its own in the roll-forward, and its explanation", async () => {
    const one = await studio("2026-03-10");
    const contract = await one.done("POST /opening-contracts", licence(one));

    const { data } = await one.done("GET /recognition/rollforward?from=2025-10&to=2025-11");
    expect(data).toMatchObject([
      {
        invoice_id: null,
        series_id: null,
        opening_contract_id: contract.id,
        opening: 0,
        earned: 2_000,
        invoiced: 0,
        brought_along: 8_000,
        carried: 0,
        closing: -6_000,
        contract_liability_closing: 6_000,
      },
    ]);
    const explained = await one.done(
      `GET /recognition/explain?line_id=${contract.line_id}&month=2025-12`,
    );
    expect(explained).toMatchObject({
      contract: { invoice_id: null, series_id: null, opening_contract_id: contract.id },
      amount: 8_000,
      earned: 2_000,
      earned_to_date: 4_000,
      service_from: "2025-11-01",
      service_to: "2026-02-28",
      sentence:
        "In 2025-12 the line earned 2000.00 DKK: 4000.00 DKK through 2025-12-31, less 2000.00 DKK through 2025-11-30. The total is 8000.00 DKK that was invoiced elsewhere and not yet earned spread over 2025-11-01 to 2026-02-28 by whole months of weight 1: 2.000000 of 4.000000 months.",
    });
    for (const basis of ["work_month", "booking_month"]) {
      const rows = await one.done(`GET /recognition?from=2025-10&to=2025-11&basis=${basis}`);
      expect(rows.data, basis).toMatchObject([
        { opening_contract_id: contract.id, line_id: contract.line_id, invoiced: 8_000, earned: 0 },
        { opening_contract_id: contract.id, invoiced: 0, earned: 2_000, contract_liability: 6_000 },
      ]);
    }
  });

  it("keeps its rate, and balances to the last unit", async () => {
    const one = await studio("2026-03-10");
    await one.rate("EUR", "2025-10-31", 7.4321);
    await one.rate("EUR", "2025-11-30", 8);
    const contract = await one.done(
      "POST /opening-contracts",
      licence(one, { currency: "EUR", invoiced: 100, earned: 0.01 }),
    );

    expect(contract.rate).toBe(7.4321);
    expect(await journal(one)).toEqual([
      ["2025-10-31", EQUITY, 743.14],
      ["2025-10-31", ROLES.contract_liability, -743.14],
    ]);
    for (const month of ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02"]) {
      await one.closed(month);
      expect(await differences(one, month)).toEqual([]);
    }
    expect(await months(one, "2026-02", "2026-02")).toEqual([["2026-02", 185.81, 0, 0, 0]]);
    expect(await verified(one)).toEqual([]);

    const other = await one
      .done(
        "POST /opening-contracts",
        licence(one, {
          external_id: "old-2",
          currency: "EUR",
          rate: 7.5,
          cutover: "2026-02-28",
          service_to: "2026-12-31",
        }),
      )
      .catch(String);
    expect(other).toContain("PERIOD_LOCKED");
  });

  it("shares its revenue among assignees, and answers a repeat with the same contract", async () => {
    const one = await studio("2026-03-10");
    const other = await one.newUser();
    const assignees = [
      { user_id: one.bo, distribution_percentage: 75 },
      { user_id: other, distribution_percentage: 25 },
    ];
    const created = await one.rest("POST /opening-contracts", licence(one, { assignees }));
    const repeated = await one.rest("POST /opening-contracts", licence(one, { assignees }));

    expect([created.status, repeated.status]).toEqual([201, 200]);
    expect(repeated.body).toEqual(created.body);
    expect(refusal(await one.rest("POST /opening-contracts", licence(one)))).toBe(
      "409 EXTERNAL_ID_CONFLICT",
    );
    const { data } = await one.done(`GET /recognition?from=2025-11&to=2025-11&group_by=user`);
    expect(data.map((row: Json) => [row.user_id, row.earned])).toEqual(
      [
        [one.bo, 1_500],
        [other, 500],
      ].sort(),
    );
    const of_user = await one.done(`GET /recognition?from=2025-11&to=2025-11&user=${other}`);
    expect(of_user.data).toMatchObject([{ earned: 500, user_id: other }]);
    expect(await one.done("GET /opening-contracts/ext:old-1")).toEqual(created.body);
    expect((await one.done("GET /opening-contracts?status=running")).data).toEqual([created.body]);
    expect((await one.done("GET /opening-contracts?status=ended")).data).toEqual([]);
  });

  it.each<readonly [string, Json, string]>([
    [
      "an account with a role",
      { counter_account: ROLES.contract_asset },
      "counter_account not_allowed",
    ],
    ["a revenue account", { counter_account: 1010 }, "counter_account not_allowed"],
    ["an unknown account", { counter_account: 99 }, "counter_account unknown_account"],
    ["no counter account", { counter_account: null }, "counter_account required"],
    ["a cutover within a month", { cutover: "2025-10-30" }, "cutover invalid_value"],
    [
      "a month that has not ended",
      { cutover: "2026-03-31", service_to: "2027-01-31" },
      "cutover invalid_value",
    ],
    ["a service that ended before", { service_to: "2025-10-31" }, "service_to invalid_value"],
    [
      "a service that ends before it begins",
      { service_from: "2026-05-01" },
      "service_to too_small",
    ],
    ["nothing left", { earned: 24_000 }, "earned too_large"],
    ["a rate for the currency of the books", { rate: 1 }, "rate not_allowed"],
    ["an unknown customer", { customer: "ext:none" }, "customer unknown_reference"],
    ["an unknown product", { product: "ext:none" }, "product unknown_reference"],
    ["more decimals than the currency has", { invoiced: 24_000.001 }, "invoiced too_many_decimals"],
  ])("refuses %s", async (_case, fields, fault) => {
    const one = await studio("2026-03-10");
    const reply = await one.rest("POST /opening-contracts", licence(one, fields));

    const [error] = reply.body.error.field_errors;
    expect([reply.status, `${error.field} ${error.code}`]).toEqual([422, fault]);
    expect(await journal(one)).toEqual([]);
  });

  it("refuses in a fixed order", async () => {
    const one = await studio("2026-03-10");
    const sent = licence(one, { currency: "EUR" });
    const tried = (): Promise<string> => one.tried("POST /opening-contracts", sent);
    await one.issued([one.value(100)], { issue_date: "2025-12-05" });
    const { id } = await one.booked("2025-12");
    await one.done("PATCH /configuration", { account_roles: { contract_liability: null } });
    await one.lock("2025-10-31");

    expect(await tried()).toBe("409 PERIOD_LOCKED");
    await one.lock(null);
    expect(await tried()).toBe("409 LATER_ACCRUAL_BOOKED");
    await one.reopen(id);
    expect(await tried()).toBe("409 EXCHANGE_RATE_MISSING");
    await one.rate("EUR", "2025-10-31", 7.5);
    expect(await tried()).toBe("409 ACCOUNT_ROLE_MISSING");
    await one.done("PATCH /configuration", { account_roles: ROLES });
    expect(await tried()).toBe("201");
  });

  it("refuses a month before one that is closed without a lock", async () => {
    const one = await studio("2026-03-10");
    await one.issued([one.value(100)], { issue_date: "2025-12-05" });
    await one.closed("2025-12", { lock: false });

    expect(await one.tried("POST /opening-contracts", licence(one))).toBe(
      "409 LATER_PERIOD_CLOSED",
    );
  });
});

describe("POST /opening-contracts/preview", () => {
  it("answers the contract and stores nothing", async () => {
    const one = await studio("2026-03-10");
    const preview = await one.done("POST /opening-contracts/preview", licence(one));

    expect(preview).toMatchObject({ status: "running", entry_no: 1, earned: 16_000 });
    expect(await journal(one)).toEqual([]);
    expect((await one.done("GET /opening-contracts")).data).toEqual([]);
  });
});

describe("POST /opening-contracts/{ref}/end", () => {
  it("gives back the rest, and earns nothing after the day", async () => {
    const one = await studio("2026-03-10");
    const contract = await one.done("POST /opening-contracts", licence(one));
    const ended = await one.done("POST /opening-contracts/ext:old-1/end", {
      date: "2025-12-31",
      reason: "The customer left",
    });

    expect(ended).toEqual({ ...contract, status: "ended", ended_on: "2025-12-31" });
    expect((await journal(one)).slice(2)).toEqual([
      ["2025-12-31", EQUITY, -4_000],
      ["2025-12-31", ROLES.contract_liability, 4_000],
    ]);
    expect(await months(one, "2025-10", "2026-03")).toEqual([
      ["2025-10", 0, 8_000, 0, 8_000],
      ["2025-11", 2_000, 0, 0, 6_000],
      ["2025-12", 2_000, -4_000, 0, 0],
    ]);
    for (const month of ["2025-10", "2025-11", "2025-12", "2026-01"]) {
      expect(await differences(one, month)).toEqual([]);
      await one.closed(month);
      expect(await differences(one, month)).toEqual([]);
    }
    expect(await verified(one)).toEqual([]);
    const { data } = await one.done("GET /recognition/rollforward?from=2025-10&to=2025-12");
    expect(data).toMatchObject([{ earned: 4_000, brought_along: 4_000, closing: 0 }]);
    expect(await one.events(contract.id)).toEqual(["created", "ended"]);
  });

  it("undoes all at the cutover", async () => {
    const one = await studio("2026-03-10");
    const { id } = await one.done("POST /opening-contracts", licence(one));
    await one.done(`POST /opening-contracts/${id}/end`, { date: "2025-10-31", reason: "Twice" });

    expect((await journal(one)).slice(2)).toEqual([
      ["2025-10-31", EQUITY, -8_000],
      ["2025-10-31", ROLES.contract_liability, 8_000],
    ]);
    expect(await months(one, "2025-10", "2026-03")).toEqual([]);
    expect(await differences(one, "2026-02")).toEqual([]);
    expect(await verified(one)).toEqual([]);
  });

  it("gives back what is left in the currency of the books", async () => {
    const one = await studio("2026-03-10");
    const sent = licence(one, { currency: "EUR", rate: 7.4321, invoiced: 100, earned: 0 });
    const { id } = await one.done("POST /opening-contracts", sent);
    await one.closed("2025-10");
    await one.closed("2025-11");
    await one.done(`POST /opening-contracts/${id}/end`, { date: "2025-12-31", reason: "Left" });

    for (const month of ["2025-12", "2026-01"]) {
      expect(await differences(one, month)).toEqual([]);
      await one.closed(month);
      expect(await differences(one, month)).toEqual([]);
    }
    expect(await months(one, "2025-12", "2026-02")).toEqual([["2025-12", 185.81, -371.6, 0, 0]]);
    expect(await verified(one)).toEqual([]);
  });

  it.each<readonly [string, string, string]>([
    ["a day within a month", "2025-12-30", "422 VALIDATION_FAILED date invalid_value"],
    ["a day before the cutover", "2025-09-30", "422 VALIDATION_FAILED date invalid_value"],
    ["a locked day", "2025-11-30", "409 PERIOD_LOCKED"],
    ["a month before a booked one", "2025-12-31", "409 LATER_ACCRUAL_BOOKED"],
  ])("refuses %s", async (_case, date, answer) => {
    const one = await studio("2026-03-10");
    const { id } = await one.done("POST /opening-contracts", licence(one));
    for (const month of ["2025-10", "2025-11"]) await one.closed(month);
    for (const month of ["2025-12", "2026-01"]) await one.booked(month);

    const end = () => one.tried(`POST /opening-contracts/${id}/end`, { date, reason: "Left" });
    expect(await end()).toBe(answer);
  });

  it("ends a contract once", async () => {
    const one = await studio("2026-03-10");
    const { id } = await one.done("POST /opening-contracts", licence(one));
    const end = () =>
      one.tried(`POST /opening-contracts/${id}/end`, { date: "2026-01-31", reason: "Left" });

    expect([await end(), await end()]).toEqual(["200", "409 OPENING_CONTRACT_ENDED"]);
  });
});
