/** Accruals of lines in foreign currency (spec 2.7). The books are in DKK. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();

/** A draft of 100 USD an hour with eight hours in January. */
async function dollars(fields: Json = {}): Promise<Studio & { readonly invoice: Json }> {
  const one = await studio();
  const invoice = await one.draft([one.hours({ hourly_rate: 100 })], {
    currency: "USD",
    ...fields,
  });
  await one.work(invoice, "2026-01-12", 8);
  return { ...one, invoice };
}
/** Month, earned amount and its functional counterpart, of an accrual's rows. */
const functionalRows = async ({ detail }: Studio, month: string): Promise<Json[]> =>
  (await detail(month)).lines.flatMap((line: Json) =>
    line.months.map((one: Json) => [
      one.month,
      one.earned,
      one.earned_functional,
      one.invoiced_functional,
      one.exchange_difference_functional,
    ]),
  );

describe("work that is earned at one rate and issued at another", () => {
  it("puts the difference on its account, and leaves nothing on the contract asset", async () => {
    const one = await dollars({ issue_date: "2026-02-14" });
    const { rate, work, invoice, booked, done, entries, detail, vouchers } = one;
    await rate("USD", "2026-01-31", 7.1);
    await rate("USD", "2026-02-14", 7.05);
    await rate("USD", "2026-02-28", 9.99);
    await work(invoice, "2026-02-10", 2);
    await booked("2026-01");
    await done(`POST /invoices/${invoice.id}/issue`);
    await booked("2026-02");

    expect(await functionalRows(one, "2026-01")).toEqual([["2026-01", 800, 5680, 0, 0]]);
    expect(await functionalRows(one, "2026-02")).toEqual([["2026-02", 200, 1410, 7050, -40]]);
    expect(await entries("2026-01")).toEqual([
      ["contract_asset", 5680],
      ["revenue", -5680],
    ]);
    expect(await entries("2026-02")).toEqual([
      ["contract_asset", -5680],
      ["revenue", 5640],
      ["exchange_difference", 40],
    ]);
    expect((await detail("2026-02")).totals).toMatchObject({
      earned: 1410,
      invoiced: 7050,
      exchange_difference: -40,
      contract_asset_opening: 5680,
      contract_asset_movement: -5680,
      contract_asset_closing: 0,
    });
    expect((await vouchers())[1].postings).toEqual([
      [ROLES.contract_asset, -5680, null],
      [1010, 5640, null],
      [ROLES.exchange_difference, 40, null],
    ]);
    const { roles } = await done("GET /accruals/reconciliation?month=2026-02");
    expect(roles.map((role: Json) => [role.sub_ledger, role.ledger, role.difference])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [40, 40, 0],
    ]);
    expect(await ledgerRevenue(one)).toBe(7090);
  });

  it("shows a gain as a credit", async () => {
    const one = await dollars({ issue_date: "2026-02-14" });
    await one.rate("USD", "2026-01-31", 7);
    await one.rate("USD", "2026-02-14", 7.5);
    await one.booked("2026-01");
    await one.done(`POST /invoices/${one.invoice.id}/issue`);

    expect(await one.entries("2026-02")).toEqual([
      ["contract_asset", -5600],
      ["revenue", 6000],
      ["exchange_difference", -400],
    ]);
  });

  it("needs the role of exchange differences only when there is a difference", async () => {
    const one = await dollars({ issue_date: "2026-02-14" });
    await one.done("PATCH /configuration", { account_roles: { exchange_difference: null } });
    await one.rate("USD", "2026-01-31", 7);
    await one.rate("USD", "2026-02-14", 7.5);
    expect(refusal(await one.book("2026-01"))).toBe("200");
    await one.done(`POST /invoices/${one.invoice.id}/issue`);

    const { status, body } = await one.book("2026-02");
    expect([status, body.error.code]).toEqual([409, "ACCOUNT_ROLE_MISSING"]);
    expect(body.error.details).toEqual({ roles: ["exchange_difference"] });
  });
});

/** Revenue on the account of the product: credits less debits, over all entries. */
async function ledgerRevenue({ world, account }: Studio): Promise<number> {
  const [{ sum }] = await world.sql(
    `select sum(-amount)::float8 / 100 as sum from ledger_postings
     where account_id = $1 and account_number = 1010`,
    [account.account_id],
  );
  return sum;
}

describe("a missing closing rate", () => {
  it("refuses the booking and hides the figures, but does not prevent an issue", async () => {
    const one = await dollars({ issue_date: "2026-02-14" });
    await one.rate("USD", "2026-02-14", 7.05);

    const shown = await one.detail("2026-01");
    expect(shown).toMatchObject({ totals: null, contracts: null, entries: null });
    expect(shown.lines).toMatchObject([
      {
        earned_to_date: 800,
        balance_before: 0,
        balance_after: null,
        movement: null,
        months: [{ month: "2026-01", earned: 800, earned_functional: null }],
      },
    ]);
    expect(refusal(await one.book("2026-01"))).toBe("409 EXCHANGE_RATE_MISSING");
    expect(await one.tried(`POST /invoices/${one.invoice.id}/issue`)).toBe("200");
    expect(refusal(await one.book("2026-01"))).toBe("409 EXCHANGE_RATE_MISSING");

    await one.rate("USD", "2026-01-20", 7.1);
    expect(refusal(await one.book("2026-01"))).toBe("200");
    expect(refusal(await one.book("2026-02"))).toBe("200");
    expect(await one.entries("2026-02")).toContainEqual(["exchange_difference", 40]);
  });

  it("is that of the latest day before the end of the month", async () => {
    const one = await dollars();
    await one.rate("USD", "2025-06-01", 6);
    await one.rate("USD", "2026-02-01", 8);

    expect(await functionalRows(one, "2026-01")).toEqual([["2026-01", 800, 4800, 0, 0]]);
    await one.rate("USD", "2026-01-31", 7);
    expect(await functionalRows(one, "2026-01")).toEqual([["2026-01", 800, 5600, 0, 0]]);
  });

  it("of one customer does not prevent the booking of another", async () => {
    const one = await dollars();
    const { Beta = "" } = await one.customersWith("2026-01", "Beta");

    expect(refusal(await one.book("2026-01", Beta))).toBe("200");
  });

  it("makes sums of groups unknown, but not amounts of lines", async () => {
    const one = await dollars();
    const list = async (group_by: string): Promise<Json[]> =>
      (await one.done(`GET /recognition?from=2026-01&to=2026-01&group_by=${group_by}`)).data;

    expect(await list("line")).toMatchObject([{ currency: "USD", earned: 800, hours: 8 }]);
    for (const group_by of ["customer", "user", "product", "month"]) {
      expect(await list(group_by)).toMatchObject([
        { currency: "DKK", earned: null, invoiced: null, contract_asset: null, hours: 8 },
      ]);
    }
  });
});

describe("a rate that changes after it was used", () => {
  it("changes nothing that is booked and carries nothing, and late hours use the old rate", async () => {
    const one = await dollars();
    await one.rate("USD", "2026-01-31", 7.1);
    await one.booked("2026-01");
    const booked = await one.detail("2026-01");
    await one.rate("USD", "2026-01-31", 7.9);

    expect(await one.detail("2026-01")).toEqual(booked);
    expect(await one.rows("2026-02")).toEqual([]);
    await one.work(one.invoice, "2026-01-13", 1);
    await one.work(one.invoice, "2026-02-13", 1);
    expect(await functionalRows(one, "2026-02")).toEqual([
      ["2026-01", 100, 710, 0, 0],
      ["2026-02", 100, 790, 0, 0],
    ]);
    await one.booked("2026-02");
    const { roles } = await one.done("GET /accruals/reconciliation?month=2026-02");
    expect(roles[0]).toMatchObject({ sub_ledger: 7180, ledger: 7180 });
  });

  it("is used after the booking is reopened", async () => {
    const one = await dollars();
    await one.rate("USD", "2026-01-31", 7.1);
    const { id } = await one.booked("2026-01");
    await one.rate("USD", "2026-01-31", 7.9);
    await one.reopen(id);

    await one.booked("2026-01");

    expect(await functionalRows(one, "2026-01")).toEqual([["2026-01", 800, 6320, 0, 0]]);
    const { roles } = await one.done("GET /accruals/reconciliation?month=2026-01");
    expect(roles[0]).toMatchObject({ sub_ledger: 6320, ledger: 6320 });
  });

  it("of the day of an issue changes no issued line", async () => {
    const one = await studio();
    await one.rate("USD", "2026-02-01", 7);
    await one.issued([one.service(300, "2026-02-01", "2026-04-30")], {
      currency: "USD",
      issue_date: "2026-02-02",
    });
    await one.rate("USD", "2026-02-01", 8);
    await one.rate("USD", "2026-02-02", 9);

    expect(await functionalRows(one, "2026-02")).toEqual([["2026-02", 100, 700, 2100, 0]]);
  });
});

describe("an invoice in advance", () => {
  it.each([
    ["300 USD at 7", "USD", 300, 7],
    ["100 USD at 7.123457", "USD", 100, 7.123457],
    ["0.05 USD at 6.999999", "USD", 0.05, 6.999999],
    ["1000 JPY at 0.046789", "JPY", 1000, 0.046789],
    ["10.001 KWD at 22.5", "KWD", 10.001, 22.5],
  ])("is earned at its own rate and cleared to 0: %s", async (_what, currency, amount, rate) => {
    const one = await studio("2026-05-10");
    await one.rate(currency, "2026-01-05", rate);
    for (const [month, other] of [
      ["01-31", 1.3],
      ["02-28", 0.7],
      ["03-31", 1.1],
    ] as const) {
      await one.rate(currency, `2026-${month}`, Math.round(rate * other * 1e6) / 1e6);
    }
    await one.issued([one.service(amount, "2026-01-01", "2026-03-31")], {
      currency,
      issue_date: "2026-01-05",
    });
    const functional = await ledgerRevenue(one);

    const earned: number[] = [];
    for (const month of ["2026-01", "2026-02", "2026-03"]) {
      await one.booked(month);
      const { totals } = await one.detail(month);
      expect(totals.exchange_difference).toBe(0);
      earned.push(totals.earned);
    }

    const { totals } = await one.detail("2026-03");
    expect([totals.contract_asset_closing, totals.contract_liability_closing]).toEqual([0, 0]);
    expect(Math.round(earned.reduce((sum, one) => sum + one, 0) * 100)).toBe(
      Math.round(functional * 100),
    );
    expect(await ledgerRevenue(one)).toBe(functional);
    const { roles } = await one.done("GET /accruals/reconciliation?month=2026-03");
    expect(roles.map((role: Json) => [role.ledger, role.difference])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it("is credited at its own rate, whatever the rate of the credit's day", async () => {
    const one = await studio("2026-04-10");
    await one.rate("USD", "2026-02-01", 7);
    const invoice = await one.issued([one.service(300, "2026-02-01", "2026-04-30")], {
      currency: "USD",
      issue_date: "2026-02-02",
    });
    await one.booked("2026-02");
    await one.rate("USD", "2026-03-01", 8);
    await one.done("POST /credit-notes", {
      external_id: "less",
      invoice: invoice.id,
      kind: "partial",
      credit_date: "2026-03-10",
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 60 }],
    });

    // 240 over three months: 80 each, so that March earns the remaining 60 of the 160 through it.
    expect(await functionalRows(one, "2026-03")).toEqual([["2026-03", 60, 420, -420, 0]]);
    expect(await one.entries("2026-03")).toEqual([
      ["contract_liability", 840],
      ["revenue", -840],
    ]);
  });

  it("that is credited in full leaves no revenue and no position, to the last unit", async () => {
    const one = await studio("2026-04-10");
    await one.rate("USD", "2026-02-01", 7.123457);
    const invoice = await one.issued([one.service(100.01, "2026-02-01", "2026-04-30")], {
      currency: "USD",
      issue_date: "2026-02-02",
    });
    await one.booked("2026-02");
    for (const [external_id, amount] of [
      ["a", 33.33],
      ["b", 33.33],
    ] as const) {
      await one.done("POST /credit-notes", {
        external_id,
        invoice: invoice.id,
        kind: "partial",
        credit_date: "2026-03-10",
        lines: [{ invoice_line_id: invoice.lines[0].id, amount }],
      });
    }
    await one.done("POST /credit-notes", {
      external_id: "c",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-11",
    });
    await one.booked("2026-03");

    const { totals } = await one.detail("2026-03");
    expect([totals.contract_asset_closing, totals.contract_liability_closing]).toEqual([0, 0]);
    expect(await ledgerRevenue(one)).toBe(0);
  });
});
