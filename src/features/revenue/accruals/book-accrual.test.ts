/** Booking an accrual over REST (spec 3.5 and 3.8). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, type Studio, useStudios } from "../../../../test/support/world/studio.ts";

const { world, studio } = useStudios();
const ASSET = ROLES.contract_asset;
const LIABILITY = ROLES.contract_liability;

describe("POST /accruals/{id}/book", () => {
  it("books a voucher without VAT, dated the last day of the month", async () => {
    const { draft, work, booked, vouchers, account } = await studio();
    await work(await draft(), "2026-02-03", 2);

    const { id, ledger_voucher_guid, ledger_voucher_number } = await booked("2026-02");

    expect(await vouchers()).toEqual([
      {
        guid: ledger_voucher_guid,
        number: ledger_voucher_number,
        date: "2026-02-28",
        text: "Accrual 2026-02 Acme A/S",
        reverses_guid: null,
        postings: [
          [ASSET, 2000, null],
          [1010, -2000, null],
        ],
      },
    ]);
    const [{ snapshot }] = await world.sql(
      "select snapshot from accrual_bookings where account_id = $1",
      [account.account_id],
    );
    expect(JSON.parse(snapshot)).toMatchObject({ convention: "monthly", engine_version: 2 });
    const [entry] = await world.sql(
      "select registered_by from ledger_entries where account_id = $1",
      [account.account_id],
    );
    expect(entry.registered_by).toMatch(/^api_key:/);
    expect(id).not.toBe(ledger_voucher_guid);
  });

  it("moves revenue between invoiced and earned, account by account", async () => {
    const { done, issued, draft, hours, service, work, booked, entries, vouchers } = await studio();
    const other = await done("POST /products", { name: "Support", account_number: 1020 });
    await issued(
      [
        service(12000, "2026-01-01", "2026-12-31"),
        { ...service(600, "2026-01-01", "2026-03-31"), product_id: other.id },
      ],
      { issue_date: "2026-01-02" },
    );
    await work(await draft([hours()]), "2026-01-03", 3);

    await booked("2026-01");

    expect(await entries("2026-01")).toEqual([
      ["contract_asset", 3000],
      ["contract_liability", -11400],
      ["revenue", 8000],
      ["revenue", 400],
    ]);
    expect((await vouchers())[0].postings).toEqual([
      [ASSET, 3000, null],
      [LIABILITY, -11400, null],
      [1010, 8000, null],
      [1020, 400, null],
    ]);
  });

  it("books without a voucher a line that is issued and earned in the same month", async () => {
    const { issued, value, booked, vouchers, history, detail, events } = await studio();
    await issued([value(1000)], { issue_date: "2026-02-10" });

    const accrual = await booked("2026-02");

    expect(accrual).toMatchObject({
      status: "booked",
      booked_at: "2026-03-10T09:00:00.000Z",
      ledger_voucher_guid: null,
      ledger_voucher_number: null,
    });
    expect(await vouchers()).toEqual([]);
    expect((await detail("2026-02")).entries).toEqual([]);
    expect(await history(accrual.id)).toMatchObject([{ action: "booked", voucher: null }]);
    expect(await events(accrual.id)).toEqual(["booked"]);
  });

  it("clears the contract asset in the month in which the work is invoiced", async () => {
    const { draft, work, booked, done, entries } = await studio("2026-04-10");
    const invoice = await draft(undefined, { issue_date: "2026-03-05" });
    await work(invoice, "2026-02-03", 2);
    await booked("2026-02");
    await done(`POST /invoices/${invoice.id}/issue`);
    await booked("2026-03");

    expect(await entries("2026-03")).toEqual([
      ["contract_asset", -2000],
      ["revenue", 2000],
    ]);
  });

  it("is refused on the last day of the month and accepted on the first of the next", async () => {
    const { draft, work, book, at } = await studio("2026-02-27");
    await work(await draft(), "2026-02-03", 2);

    // Half an hour before midnight in Copenhagen.
    at("2026-02-28T22:30:00.000Z");
    expect(refusal(await book("2026-02"))).toBe("409 PERIOD_NOT_ENDED");
    // In Copenhagen the next month has begun.
    at("2026-02-28T23:30:00.000Z");
    expect(refusal(await book("2026-02"))).toBe("200");
  });

  it("passes over empty months, which are closed by the booking", async () => {
    const { draft, work, booked, accrual, tried } = await studio("2026-05-10");
    const invoice = await draft();
    await work(invoice, "2026-01-03", 2);
    await booked("2026-01");
    await work(invoice, "2026-04-03", 2);
    const empty = await accrual("2026-02");

    await booked("2026-04");

    expect(await tried(`POST /accruals/${empty.id}/book`)).toBe("409 LATER_ACCRUAL_BOOKED");
  });

  it("books an empty month on request", async () => {
    const { draft, work, booked } = await studio("2026-05-10");
    await work(await draft(), "2026-01-03", 2);
    await booked("2026-01");

    expect(await booked("2026-02")).toMatchObject({
      status: "booked",
      ledger_voucher_guid: null,
      original_accrual_month: null,
    });
  });

  it("books once for parallel calls", async () => {
    const { draft, work, accrual, rest, vouchers, events } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const { id } = await accrual("2026-02");

    const replies = await Promise.all([1, 2, 3, 4].map(() => rest(`POST /accruals/${id}/book`)));

    expect(replies.map(refusal).sort()).toEqual([
      "200",
      "409 ACCRUAL_ALREADY_BOOKED",
      "409 ACCRUAL_ALREADY_BOOKED",
      "409 ACCRUAL_ALREADY_BOOKED",
    ]);
    expect(await vouchers()).toHaveLength(1);
    expect(await events(id)).toEqual(["booked"]);
  });

  it("books two months in order when both are booked in parallel, or only the earlier one", async () => {
    const { draft, work, accrual, rest, vouchers } = await studio("2026-04-10");
    const invoice = await draft();
    await work(invoice, "2026-02-03", 2);
    await work(invoice, "2026-03-03", 2);
    const ids = [(await accrual("2026-03")).id, (await accrual("2026-02")).id];

    const [march, february] = (
      await Promise.all(ids.map((id) => rest(`POST /accruals/${id}/book`)))
    ).map(refusal);

    expect(february).toBe("200");
    expect(["200", "409 EARLIER_ACCRUAL_OPEN"]).toContain(march);
    expect(await vouchers()).toHaveLength(march === "200" ? 2 : 1);
  });

  it("writes the customer's name unchanged into the voucher's text", async () => {
    const { draft, work, booked, newCustomer, vouchers } = await studio();
    const customer = await newCustomer("Ærø & Søn <ApS> 'x'");
    await work(await draft(undefined, { customer_id: customer }), "2026-02-03", 2);

    await booked("2026-02", customer);

    expect((await vouchers())[0].text).toBe("Accrual 2026-02 Ærø & Søn <ApS> 'x'");
  });

  it("does not need the role of exchange differences for a voucher without them", async () => {
    const { draft, work, book, done } = await studio();
    await done("PATCH /configuration", {
      account_roles: { contract_liability: null, exchange_difference: null },
    });
    await work(await draft(), "2026-02-03", 2);

    expect(refusal(await book("2026-02"))).toBe("200");
  });

  it("books nothing while a role has no account, and everything afterwards", async () => {
    const { draft, work, book, detail, done, vouchers, history } = await studio();
    await done("PATCH /configuration", { account_roles: { contract_asset: null } });
    await work(await draft(), "2026-02-03", 2);

    const { status, body } = await book("2026-02");

    expect([status, body.error.code]).toEqual([409, "ACCOUNT_ROLE_MISSING"]);
    expect(body.error.details).toEqual({ roles: ["contract_asset"] });
    expect(await vouchers()).toEqual([]);
    const shown = await detail("2026-02");
    expect(shown).toMatchObject({ status: "draft", revision: 0 });
    expect(shown.entries[0]).toMatchObject({ account_number: null, debit: 2000 });
    expect(await history(shown.id)).toEqual([]);
    await done("PATCH /configuration", { account_roles: { contract_asset: ASSET } });
    expect(refusal(await book("2026-02"))).toBe("200");
  });
});

/** The condition of each refusal, for a customer with work in January, February and March of 2026. */
const hindrances = {
  rate: (one: Studio) =>
    one
      .draft([one.hours()], { currency: "USD" })
      .then((invoice) => one.work(invoice, "2026-02-05", 1)),
  role: (one: Studio) =>
    one.done("PATCH /configuration", { account_roles: { contract_asset: null } }),
  lock: (one: Studio) => one.lock("2026-02-28"),
  today: async (one: Studio) => one.at("2026-02-28"),
  later: (one: Studio) => one.booked("2026-01").then(() => bookThrough(one, "2026-03")),
  booked: (one: Studio) => bookThrough(one, "2026-02"),
  january: (one: Studio) => one.booked("2026-01"),
} as const;

async function bookThrough({ accrual, booked }: Studio, last: string): Promise<void> {
  for (const month of ["2026-01", "2026-02", "2026-03"]) {
    if (month <= last && (await accrual(month)).status === "draft") await booked(month);
  }
}

describe("booking February", () => {
  it.each<[string, string, (keyof typeof hindrances)[]]>([
    ["a booked month", "ACCRUAL_ALREADY_BOOKED", ["booked", "rate", "role", "lock", "today"]],
    ["a month that has not ended", "PERIOD_NOT_ENDED", ["rate", "role", "lock", "today"]],
    ["a locked month", "PERIOD_LOCKED", ["rate", "role", "lock"]],
    ["an earlier month with rows", "EARLIER_ACCRUAL_OPEN", ["rate", "role"]],
    ["a missing rate", "EXCHANGE_RATE_MISSING", ["january", "rate", "role"]],
    ["a missing role", "ACCOUNT_ROLE_MISSING", ["january", "role"]],
  ])("refuses, checked in this order, %s: %s", async (_what, code, hindered) => {
    const one = await studio("2026-04-10");
    const invoice = await one.draft();
    for (const month of ["01", "02", "03"]) await one.work(invoice, `2026-${month}-03`, 2);
    const { id } = await one.accrual("2026-02");
    for (const name of hindered) await hindrances[name](one);

    const booked_before = (await one.vouchers()).length;
    expect(await one.tried(`POST /accruals/${id}/book`)).toBe(`409 ${code}`);
    expect(await one.vouchers()).toHaveLength(booked_before);
  });

  it("names the open month, or the locked one", async () => {
    const one = await studio("2026-04-10");
    const invoice = await one.draft();
    for (const month of ["01", "02"]) await one.work(invoice, `2026-${month}-03`, 2);

    expect((await one.book("2026-02")).body.error.details).toEqual({ month: "2026-01" });
    const { id } = await one.accrual("2026-02");
    await one.lock("2026-03-15");
    expect((await one.rest(`POST /accruals/${id}/book`)).body.error.details).toEqual({
      date: "2026-02-28",
      period_lock_date: "2026-03-15",
    });
  });

  it("accepts a month of which the lock date covers only a part", async () => {
    const one = await studio();
    await one.work(await one.draft(), "2026-02-03", 2);
    await one.lock("2026-02-27");

    expect(refusal(await one.book("2026-02"))).toBe("200");
  });

  it("refuses without a connected ledger when there is something to book in it", async () => {
    const one = await studio("2026-04-10");
    await one.issued([one.value(100)], { issue_date: "2026-02-10" });
    await one.work(await one.draft(), "2026-03-03", 2);
    const ledger = (kind: string) =>
      world.sql("update accounts set ledger_kind = $1 where id = $2", [
        kind,
        one.account.account_id,
      ]);
    await ledger("elsewhere");

    expect(refusal(await one.book("2026-02"))).toBe("200");
    expect(refusal(await one.book("2026-03"))).toBe("409 LEDGER_NOT_CONNECTED");
    await ledger("builtin");
    const march = await one.booked("2026-03");
    await ledger("elsewhere");
    expect(refusal(await one.reopen(march.id))).toBe("409 LEDGER_NOT_CONNECTED");
    await ledger("builtin");
    expect(refusal(await one.reopen(march.id))).toBe("200");
  });

  it("refuses a key that only reads, and an unknown accrual", async () => {
    const one = await studio();
    await one.work(await one.draft(), "2026-02-03", 2);
    const { id } = await one.accrual("2026-02");
    const { read } = one.account.keys;

    for (const [call, body] of [
      [`POST /accruals/${id}/book`, undefined],
      [`POST /accruals/${id}/reopen`, { reason: "x" }],
      ["POST /period-closes", { month: "2026-02" }],
      ["POST /period-closes/2026-02/reopen", { reason: "x" }],
    ] as const) {
      expect(refusal(await world.rest(call, body, read))).toBe("403 INSUFFICIENT_SCOPE");
    }
    const unknown_one = "0190a000-0000-7000-8000-000000000000";
    expect(await one.tried(`POST /accruals/${unknown_one}/book`)).toBe("404 NOT_FOUND");
    expect(await one.tried("POST /accruals/x/book")).toBe("400 MALFORMED_REQUEST");
  });

  it("refuses a draft that has become empty", async () => {
    const one = await studio();
    const { id: work } = await one.work(await one.draft(), "2026-02-03", 2);
    const { id } = await one.accrual("2026-02");
    await one.done(`DELETE /work-registrations/${work}`);

    expect(await one.tried(`POST /accruals/${id}/book`)).toBe("404 NOT_FOUND");
    expect(await one.tried(`GET /accruals/${id}`)).toBe("404 NOT_FOUND");
  });
});
