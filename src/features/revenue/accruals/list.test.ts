/** Lists of accruals, and their comparison with the ledger (spec 3.9 and 3.11). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();
const NOT_FOUND = "404 NOT_FOUND";

describe("GET /customers/{ref}/accruals", () => {
  const list = async ({ done, customer }: Studio, limit: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await done(`GET /customers/${customer}/accruals?limit=${limit}${cursor}`);
      seen.push(...page.data.map((one: Json) => `${one.accrual_month} ${one.status}`));
      if (!page.has_more) return seen;
      cursor = `&cursor=${page.next_cursor}`;
    }
  };

  it("lists booked accruals and drafts of open months, the newest first, in pages", async () => {
    const one = await studio("2026-05-10");
    const invoice = await one.draft();
    await one.work(invoice, "2026-01-03", 2);
    await one.booked("2026-01");
    await one.work(invoice, "2026-03-03", 2);
    await one.booked("2026-03");

    const all = ["2026-05 draft", "2026-04 draft", "2026-03 booked", "2026-01 booked"];
    for (const limit of [1, 2, 3, 4, 100]) expect(await list(one, limit)).toEqual(all);
  });

  it("begins with the customer's first row, however old the lock date is", async () => {
    const one = await studio("2026-05-10");
    await one.lock("2025-06-30");
    expect(await list(one, 100)).toEqual([]);
    await one.work(await one.draft(), "2026-04-03", 2);

    expect(await list(one, 100)).toEqual(["2026-05 draft", "2026-04 draft"]);
    expect(refusal(await one.find("2026-03"))).toBe(NOT_FOUND);
  });

  it("shows each accrual like GET /accruals", async () => {
    const one = await studio("2026-04-10");
    const invoice = await one.draft();
    await one.work(invoice, "2026-02-03", 2);
    await one.booked("2026-02");
    await one.work(invoice, "2026-02-04", 2);

    const { data } = await one.done(`GET /customers/${one.customer}/accruals`);

    expect(data).toEqual([
      await one.accrual("2026-04"),
      await one.accrual("2026-03"),
      await one.accrual("2026-02"),
    ]);
    expect(data[1].original_accrual_month).toBe("2026-02");
  });

  it.each(["cursor=strange", "limit=0", "limit=101"])("refuses %s", async (query) => {
    const { tried, customer } = await studio();

    expect(await tried(`GET /customers/${customer}/accruals?${query}`)).toMatch(
      /^422 VALIDATION_FAILED (cursor|limit)/,
    );
  });
});

describe("GET /accruals of a month", () => {
  const list = async ({ done }: Studio, month: string, limit: number): Promise<Json[]> => {
    const seen: Json[] = [];
    for (let cursor = ""; ; ) {
      const page = await done(`GET /accruals?month=${month}&limit=${limit}${cursor}`);
      seen.push(...page.data);
      if (!page.has_more) return seen;
      cursor = `&cursor=${page.next_cursor}`;
    }
  };

  it("lists the accruals of all customers, booked and drafts, the newest customer first, in pages", async () => {
    const one = await studio("2026-04-10");
    const { Anna, Bo, Cesar } = await one.customersWith("2026-02", "Anna", "Bo", "Cesar");
    await one.newCustomer("Idle");
    await one.booked("2026-02", Bo);
    await one.work(await one.draft(undefined, { customer_id: Bo }), "2026-02-20", 1);

    const expected = [];
    for (const id of [Cesar, Bo, Anna]) expected.push(await one.accrual("2026-02", id));
    expect(expected.map(({ status }) => status)).toEqual(["draft", "booked", "draft"]);
    for (const limit of [1, 2, 3, 100]) expect(await list(one, "2026-02", limit)).toEqual(expected);
    const march = [];
    for (const id of [Cesar, Bo, Anna]) march.push(await one.accrual("2026-03", id));
    expect(march[1].original_accrual_month).toBe("2026-02");
    expect(await list(one, "2026-03", 2)).toEqual(march);
    expect(await list(one, "2026-01", 100)).toEqual([]);
    expect(await list(one, "2026-05", 100)).toEqual([]);
  });

  it("has none of an open month in which the customer is closed, and none of another account", async () => {
    const one = await studio("2026-04-10");
    const { Anna } = await one.customersWith("2026-02", "Anna");
    await one.lock("2026-02-28");

    expect(await list(one, "2026-02", 100)).toEqual([]);
    expect(await list(one, "2026-03", 100)).toEqual([await one.accrual("2026-03", Anna)]);
    expect(await list(await studio("2026-04-10"), "2026-03", 100)).toEqual([]);
  });

  it("accepts a cursor only without a customer", async () => {
    const one = await studio("2026-04-10");
    const { Anna } = await one.customersWith("2026-02", "Anna", "Bo");
    const { next_cursor } = await one.done("GET /accruals?month=2026-02&limit=1");
    const query = `month=2026-02&customer=${Anna}`;

    for (const cursor of [next_cursor, "anything"]) {
      expect(await one.tried(`GET /accruals?${query}&cursor=${cursor}`)).toBe(
        "422 VALIDATION_FAILED cursor not_allowed",
      );
    }
    expect(await one.tried(`GET /accruals?${query}&limit=1`)).toBe("200");
  });

  it.each([
    ["month=2026-03&cursor=strange", "cursor invalid_value"],
    ["month=2026-03&limit=0", "limit too_small"],
    ["month=March", "month invalid_format"],
    ["", "month required"],
  ])("refuses %s", async (query, fault) => {
    const { tried } = await studio();

    expect(await tried(`GET /accruals?${query}`)).toMatch(/^422 VALIDATION_FAILED /);
    expect(await tried(`GET /accruals?${query}`)).toContain(fault.split(" ")[0]);
  });
});

describe("GET /accruals/reconciliation", () => {
  it("compares the bookings with the accounts of the roles, month by month", async () => {
    const { draft, work, issued, service, booked, done } = await studio("2026-04-10");
    await issued([service(3000, "2026-02-01", "2026-04-30")], { issue_date: "2026-02-10" });
    await work(await draft(), "2026-02-03", 2);
    await booked("2026-02");
    await booked("2026-03");

    const of = async (month: string): Promise<Json[]> =>
      (await done(`GET /accruals/reconciliation?month=${month}`)).roles.map((role: Json) => [
        role.account_role,
        role.sub_ledger,
        role.ledger,
        role.difference,
      ]);

    expect(await of("2026-01")).toEqual([
      ["contract_asset", 0, 0, 0],
      ["contract_liability", 0, 0, 0],
      ["exchange_difference", 0, 0, 0],
    ]);
    expect(await of("2026-02")).toEqual([
      ["contract_asset", 2000, 2000, 0],
      ["contract_liability", 2000, 2000, 0],
      ["exchange_difference", 0, 0, 0],
    ]);
    expect(await of("2026-03")).toEqual([
      ["contract_asset", 2000, 2000, 0],
      ["contract_liability", 1000, 1000, 0],
      ["exchange_difference", 0, 0, 0],
    ]);
  });

  it("shows a difference when a role gets another account after its booking", async () => {
    const { draft, work, booked, done } = await studio("2026-04-10");
    await work(await draft(), "2026-02-03", 2);
    await booked("2026-02");
    await done("PATCH /configuration", { account_roles: { contract_asset: 5999 } });

    const { roles } = await done("GET /accruals/reconciliation?month=2026-02");

    expect(roles[0]).toMatchObject({
      account_number: 5999,
      sub_ledger: 2000,
      ledger: 0,
      difference: -2000,
    });
  });

  it("refuses an invalid month", async () => {
    const { tried } = await studio();

    expect(await tried("GET /accruals/reconciliation?month=2026")).toBe(
      "422 VALIDATION_FAILED month invalid_format",
    );
  });
});
