/** Closing months over REST (spec 3.10). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, studio } = useStudios();

const lockDate = async ({ done }: Studio): Promise<string | null> =>
  (await done("GET /configuration")).period_lock_date;

describe("POST /period-closes", () => {
  it("books every customer in order of name, and locks the month", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Cesar", "Anna", "Bo");
    const silent = await one.newCustomer("Without a voucher");
    await one.issued([one.value(100)], { customer_id: silent, issue_date: "2026-02-10" });

    const { status, body } = await one.close("2026-02");

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "period_close",
      month: "2026-02",
      status: "completed",
      booked_with_voucher: 3,
      booked_without_voucher: 1,
      skipped: 1,
      failed: 0,
      errors: [],
      warnings: [{ code: "UNASSIGNED_REVENUE", count: 1, message: expect.any(String) }],
      period_lock_date: "2026-02-28",
      closed_at: "2026-03-10T09:00:00.000Z",
      closed_by: { kind: "api_key", id: expect.any(String) },
    });
    expect(await lockDate(one)).toBe("2026-02-28");
    expect((await one.vouchers()).map(({ text }) => text)).toEqual([
      "Accrual 2026-02 Anna",
      "Accrual 2026-02 Bo",
      "Accrual 2026-02 Cesar",
    ]);
    expect(await one.done("GET /period-closes/2026-02")).toEqual(body);
    expect((await one.done("GET /period-closes")).data).toEqual([body]);
    expect(await one.events("2026-02")).toEqual(["close_begun", "closed"]);
  });

  it("does nothing when it is repeated", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna");
    const first = await one.closed("2026-02");
    one.at("2026-03-11");

    const { status, body } = await one.close("2026-02");

    expect([status, body]).toEqual([200, first]);
    expect(await one.vouchers()).toHaveLength(1);
    expect(await one.events("2026-02")).toEqual(["close_begun", "closed"]);
  });

  it("is partial and locks nothing while one customer fails, and then books only that customer", async () => {
    const one = await studio();
    const { Bo } = await one.customersWith("2026-02", "Anna", "Bo", "Cesar");
    const dollars = await one.draft(undefined, { customer_id: Bo, currency: "USD" });
    await one.work(dollars, "2026-02-04", 1);

    const partial = await one.close("2026-02");

    expect(partial.status).toBe(201);
    expect(partial.body).toMatchObject({
      status: "partial",
      booked_with_voucher: 2,
      failed: 1,
      errors: [
        {
          customer_id: Bo,
          code: "EXCHANGE_RATE_MISSING",
          message: expect.any(String),
          details: { currency: "USD", month: "2026-02" },
        },
      ],
      period_lock_date: null,
      closed_at: expect.any(String),
    });
    expect(await lockDate(one)).toBeNull();
    await one.rate("USD", "2026-02-28", 7);
    const { status, body } = await one.close("2026-02");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "completed",
      booked_with_voucher: 3,
      failed: 0,
      errors: [],
      period_lock_date: "2026-02-28",
    });
    expect((await one.vouchers()).map(({ text }) => text.slice(16))).toEqual([
      "Anna",
      "Cesar",
      "Bo",
    ]);
  });

  it("does not lock unless it is asked to, and can do so later", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna");

    expect(await one.closed("2026-02", { lock: false })).toMatchObject({
      status: "completed",
      period_lock_date: null,
    });
    expect(await lockDate(one)).toBeNull();
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 1,
      period_lock_date: "2026-02-28",
    });
    expect(await lockDate(one)).toBe("2026-02-28");
    expect(await one.vouchers()).toHaveLength(1);
  });

  it("books what is missing after an accrual was reopened, with or without a lock", async () => {
    const one = await studio();
    const { Anna = "" } = await one.customersWith("2026-02", "Anna");
    for (const lock of [false, true]) {
      await one.closed("2026-02", { lock });
      expect(await one.tried("POST /period-closes/2026-02/reopen", { reason: "Late" })).toBe("200");
      const { id } = await one.accrual("2026-02", Anna);
      expect(refusal(await one.reopen(id))).toBe("200");

      const { status, body } = await one.close("2026-02", { lock });

      expect([status, body]).toMatchObject([
        200,
        {
          status: "completed",
          booked_with_voucher: 1,
          period_lock_date: lock ? "2026-02-28" : null,
        },
      ]);
      expect((await one.accrual("2026-02", Anna)).status).toBe("booked");
    }
    expect(await one.vouchers()).toHaveLength(5);
  });

  it("books once for two parallel calls", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna", "Bo", "Cesar");

    const replies = await Promise.all([one.close("2026-02"), one.close("2026-02")]);

    for (const { status } of replies) expect([200, 201]).toContain(status);
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 3,
    });
    expect(await one.vouchers()).toHaveLength(3);
    expect(await one.events("2026-02")).toEqual(["close_begun", "closed"]);
  });

  it("carries late work of earlier months, and books the months in order", async () => {
    const one = await studio("2026-04-10");
    const { Anna = "" } = await one.customersWith("2026-02", "Anna");
    await one.closed("2026-02");
    const invoice = await one.draft(undefined, { customer_id: Anna });
    await one.work(invoice, "2026-02-20", 3);

    expect(refusal(await one.find("2026-02", Anna))).toBe("200");
    expect((await one.accrual("2026-02", Anna)).status).toBe("booked");
    const march = await one.closed("2026-03");

    expect(march).toMatchObject({ status: "completed", booked_with_voucher: 1 });
    expect(await one.rows("2026-03", Anna)).toEqual([["2026-02", 3000, 0, "carried"]]);
  });

  it("reverses a draft for its old customer and books it for the new one, in the same close", async () => {
    const one = await studio("2026-04-10");
    const [Anna, Bo] = [await one.newCustomer("Anna"), await one.newCustomer("Bo")];
    const invoice = await one.draft(undefined, { customer_id: Bo });
    await one.work(invoice, "2026-02-03", 10);
    await one.closed("2026-02");
    await one.done(`PATCH /invoices/${invoice.id}`, { customer_id: Anna });

    expect(await one.closed("2026-03")).toMatchObject({ booked_with_voucher: 2, failed: 0 });
    expect(await one.rows("2026-03", Bo)).toEqual([["2026-02", -10000, 0, "carried"]]);
    expect(await one.rows("2026-03", Anna)).toEqual([["2026-02", 10000, 0, "carried"]]);
    const { lines } = await one.detail("2026-03", Bo);
    expect(lines).toMatchObject([{ invoice_id: invoice.id, product_id: one.product.id }]);
  });

  it("makes the month refuse documents from then on", async () => {
    const one = await studio();
    await one.closed("2026-02");
    const invoice = await one.draft([one.value(100)], { issue_date: "2026-02-28" });

    expect(await one.tried(`POST /invoices/${invoice.id}/issue`)).toBe("409 PERIOD_LOCKED");
    await one.done(`PATCH /invoices/${invoice.id}`, { issue_date: "2026-03-01" });
    expect(await one.tried(`POST /invoices/${invoice.id}/issue`)).toBe("200");
  });
});

describe("a close refuses", () => {
  it.each<[string, Json, string]>([
    ["no month", {}, "month required"],
    ["an invalid month", { month: "2026-2" }, "month invalid_format"],
    ["a lock that is not a boolean", { month: "2026-02", lock: "yes" }, "lock invalid_type"],
  ])("%s", async (_what, body, fault) => {
    const { tried } = await studio();
    expect(await tried("POST /period-closes", body)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });

  it("a month that has not ended, before any other reason", async () => {
    const one = await studio();
    await one.customersWith("2026-01", "Anna");
    await one.lock("2026-04-30");

    expect(refusal(await one.close("2026-03"))).toBe("409 PERIOD_NOT_ENDED");
  });

  it("a month that was locked manually, before the months before it", async () => {
    const one = await studio();
    await one.customersWith("2026-01", "Anna");
    await one.lock("2026-02-28");

    expect(refusal(await one.close("2026-02"))).toBe("409 PERIOD_LOCKED");
    expect(await one.tried("GET /period-closes/2026-02")).toBe("404 NOT_FOUND");
  });

  it("a month after one in which a customer has something to book", async () => {
    const one = await studio("2026-04-10");
    await one.customersWith("2026-02", "Anna", "Bo");
    await one.customersWith("2026-01", "Cesar");

    const { status, body } = await one.close("2026-03");

    expect([status, body.error.code]).toEqual([409, "EARLIER_PERIOD_OPEN"]);
    expect(body.error.details).toEqual({ month: "2026-01", customers: 3 });
    await one.closed("2026-01");
    await one.closed("2026-02");
    expect(refusal(await one.close("2026-03"))).toBe("201");
  });

  it.each<[string, Json, boolean, string, readonly string[]]>([
    ["asset", { contract_asset: null }, false, "409", ["contract_asset"]],
    ["liability", { contract_liability: null }, false, "409", ["contract_liability"]],
    ["exchange difference in one currency", { exchange_difference: null }, false, "201", []],
    [
      "exchange difference in two",
      { exchange_difference: null },
      true,
      "409",
      ["exchange_difference"],
    ],
  ])(
    "a month while the role of the %s has no account",
    async (_what, account_roles, foreign, given, roles) => {
      const one = await studio();
      await one.customersWith("2026-02", "Anna");
      if (foreign) await one.draft(undefined, { currency: "USD" });
      await one.done("PATCH /configuration", { account_roles });

      const { status, body } = await one.close("2026-02");

      expect(String(status)).toBe(given);
      if (status === 201) return;
      expect([body.error.code, body.error.details]).toEqual(["ACCOUNT_ROLE_MISSING", { roles }]);
      expect(await one.tried("GET /period-closes/2026-02")).toBe("404 NOT_FOUND");
      expect(await one.vouchers()).toEqual([]);
      await one.done("PATCH /configuration", { account_roles: ROLES });
      expect(refusal(await one.close("2026-02"))).toBe("201");
    },
  );

  it("no first month of a new account, whose roles are filled from its chart", async () => {
    const { keys } = await world.openAnother();
    world.clock.set("2026-03-10T09:00:00.000Z");
    const call = (text: string, body?: Json) => world.done(text, body, keys.read_write);
    const { id: customer_id } = await call("POST /customers", { name: "Acme" });
    const { id: product_id } = await call("POST /products", {
      name: "Licence",
      default_price: 300,
    });
    const service = { service_from: "2026-01-01", service_to: "2026-03-31" };
    const lines = [{ product_id, recognition_method: "value", ...service }];
    const draft = { customer_id, lines, issue_date: "2026-01-10", auto_send: false };
    const { id } = await call("POST /invoices", draft);
    await call(`POST /invoices/${id}/issue`);

    expect(await call("POST /period-closes", { month: "2026-01" })).toMatchObject({
      status: "completed",
      booked_with_voucher: 1,
    });
    const [accrual] = (await call(`GET /customers/${customer_id}/accruals`)).data.slice(-1);
    expect((await call(`GET /accruals/${accrual.id}`)).entries).toMatchObject([
      { account_role: "contract_liability", account_number: 8070, credit: 200 },
      { account_role: "revenue", account_number: 1000, debit: 200 },
    ]);
  });

  it("no month after empty ones without a close", async () => {
    const one = await studio("2026-04-10");
    await one.customersWith("2026-03", "Anna");

    expect(refusal(await one.close("2026-03"))).toBe("201");
  });

  it("no month of an account without customers", async () => {
    const one = await studio();

    expect(await one.closed("2020-01")).toMatchObject({ status: "completed", skipped: 1 });
  });

  it.each(["GET /period-closes/2026-02", "GET /period-closes/1999-01"])(
    "%s for a month without a close",
    async (call) => {
      expect(await (await studio()).tried(call)).toBe("404 NOT_FOUND");
    },
  );

  it("an invalid month in the path", async () => {
    const { tried } = await studio();
    expect(await tried("GET /period-closes/2026-13")).toBe("400 MALFORMED_REQUEST");
  });
});
