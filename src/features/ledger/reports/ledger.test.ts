/** The built-in ledger over REST (spec 7.3 and 9.1). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
let issued: Json[];
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme A/S" })).id;
  product_id = (await world.done("POST /products", { name: "Advice" })).id;
  const goods = await world.done("POST /products", { name: "Goods", account_number: 1010 });
  issued = [
    await issue("2026-01-15", { agreed_value: 100 }),
    await issue("2026-03-02", { agreed_value: 40, product_id: goods.id }),
    await issue("2026-02-10", { agreed_value: 0.4 }),
  ];
});

const INVALID = "422 VALIDATION_FAILED";

async function issue(issue_date: string, fields: Json): Promise<Json> {
  const lines = [{ product_id, recognition_method: "value", ...fields }];
  const draft = { customer_id, auto_send: false, issue_date, lines };
  const { id } = await world.done("POST /invoices", draft);
  return world.done(`POST /invoices/${id}/issue`);
}

/** The items on all pages of a list. */
async function all(path: string, parameters = ""): Promise<Json[]> {
  const seen: Json[] = [];
  let cursor = "";
  do {
    const page = await world.done(`GET ${path}?${parameters}${cursor}`);
    seen.push(...page.data);
    cursor = page.has_more ? `&cursor=${page.next_cursor}` : "";
  } while (cursor !== "");
  return seen;
}

describe("GET /ledger/accounts", () => {
  it("lists the chart by number with balances", async () => {
    const accounts = await all("/ledger/accounts", "limit=100");

    const numbers = accounts.map((account) => account.number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(accounts[0]).toEqual({
      object: "ledger_account",
      number: 1000,
      name: expect.any(String),
      type: "income",
      vat_code: "DK25",
      balance: -100.4,
    });
    const chosen = (number: number) => accounts.find((account) => account.number === number);
    expect(chosen(6190)).toMatchObject({ type: "asset", vat_code: null, balance: 175.5 });
    expect(chosen(7680)).toMatchObject({ type: "liability", vat_code: null, balance: -35.1 });
    expect(chosen(1150)).toMatchObject({ type: "income", vat_code: "EU_SERVICES_RC", balance: 0 });
  });

  it.each([1, 7, 18, 100])("in pages of %i shows each once", async (limit) => {
    expect(await all("/ledger/accounts", `limit=${limit}`)).toEqual(
      await all("/ledger/accounts", "limit=100"),
    );
  });

  it("does not show another account's chart", async () => {
    const other = await world.openAnother();

    const page = await world.done("GET /ledger/accounts?limit=100", undefined, other.keys.read);

    expect(page.data.every((account: Json) => account.balance === 0)).toBe(true);
  });

  const cursor = (text: string) => `cursor=${Buffer.from(text).toString("base64url")}`;
  it.each([
    ["limit=0", "limit too_small"],
    ["cursor=abc", "cursor invalid_value"],
    [cursor("1|999999999999999999"), "cursor invalid_value"],
    [cursor("1|-5"), "cursor invalid_value"],
  ])("refuses %s", async (parameters, fault) => {
    const reply = await world.rest(`GET /ledger/accounts?${parameters}`);

    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });
});

describe("PATCH /ledger/accounts/{number}", () => {
  const account = async (number: number): Promise<Json> =>
    (await all("/ledger/accounts", "limit=100")).find((entry) => entry.number === number);

  it("changes name and VAT code, and only the sent fields", async () => {
    const before = await account(1050);

    const renamed = await world.done("PATCH /ledger/accounts/1050", { name: "Goods, EU" });
    const recoded = await world.done("PATCH /ledger/accounts/1050", { vat_code: null });

    expect(renamed).toEqual({ ...before, name: "Goods, EU" });
    expect(recoded).toEqual({ ...before, name: "Goods, EU", vat_code: null });
    expect(await account(1050)).toEqual(recoded);
  });

  it("accepts an empty object, and ignores what cannot be changed", async () => {
    const before = await account(6190);

    expect(await world.done("PATCH /ledger/accounts/6190", {})).toEqual(before);
    const sent = { number: 1, type: "income", balance: 0 };
    expect(await world.done("PATCH /ledger/accounts/6190", sent)).toEqual(before);
  });

  it.each<[string, Json, string]>([
    ["4711", { name: "x" }, "404 NOT_FOUND"],
    ["abc", { name: "x" }, "400 MALFORMED_REQUEST"],
    ["0", { name: "x" }, "400 MALFORMED_REQUEST"],
    ["1000", { name: "" }, `${INVALID} name too_short`],
    ["1000", { name: null }, `${INVALID} name invalid_type`],
    ["1000", { vat_code: "DK99" }, `${INVALID} vat_code invalid_value`],
    ["4711", { vat_code: "DK99" }, `${INVALID} vat_code invalid_value`],
  ])("%s with %j", async (number, body, expected) => {
    expect(refusal(await world.rest(`PATCH /ledger/accounts/${number}`, body))).toBe(expected);
  });

  it("needs a key that may write", async () => {
    const reply = await world.rest("PATCH /ledger/accounts/1000", {}, world.account.keys.read);

    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});

describe("GET /ledger/entries", () => {
  it("lists entries in the order of booking, each in balance", async () => {
    const entries = await all("/ledger/entries");

    expect(entries.map(({ entry_no, guid, date }) => [entry_no, guid, date])).toEqual([
      [1, issued[0].id, "2026-01-15"],
      [2, issued[1].id, "2026-03-02"],
      [3, issued[2].id, "2026-02-10"],
    ]);
    const of = (vat_code: string | null, currency_amount: number) => ({
      vat_code,
      currency_amount,
    });
    expect(entries[0]).toEqual({
      object: "ledger_entry",
      entry_no: 1,
      guid: issued[0].ledger_invoice_guid,
      kind: "invoice",
      number: issued[0].ledger_invoice_number,
      date: "2026-01-15",
      text: expect.stringContaining("Acme A/S"),
      postings: [
        { account_number: 6190, debit: 125, credit: 0, customer_id, ...of(null, 125) },
        { account_number: 1000, debit: 0, credit: 100, customer_id: null, ...of("DK25", -100) },
        { account_number: 7680, debit: 0, credit: 25, customer_id: null, ...of("DK25", -25) },
      ],
      currency: "DKK",
      reverses_guid: null,
      registered_at: expect.any(String),
      actor: { kind: "api_key", id: expect.any(String) },
    });
  });

  it.each<[string, number[]]>([
    ["limit=1", [1, 2, 3]],
    ["limit=2", [1, 2, 3]],
    ["from=2026-02-10", [2, 3]],
    ["from=2026-02-11", [2]],
    ["to=2026-02-10", [1, 3]],
    ["from=2026-01-15&to=2026-01-15", [1]],
    ["account=1000", [1, 3]],
    ["account=1010", [2]],
    ["account=6190&limit=1&to=2026-02-28", [1, 3]],
    ["account=2720", []],
    ["account=4711", []],
    ["from=2026-03-03", []],
  ])("with %s shows entries %j", async (parameters, expected) => {
    const entries = await all("/ledger/entries", parameters);

    expect(entries.map((entry) => entry.entry_no)).toEqual(expected);
  });

  it.each([
    ["from=2026-02-30", "from invalid_format"],
    ["to=now", "to invalid_format"],
    ["account=abc", "account invalid_type"],
    ["account=0", "account too_small"],
    ["limit=101", "limit too_large"],
    ["cursor=abc", "cursor invalid_value"],
  ])("refuses %s", async (parameters, fault) => {
    const reply = await world.rest(`GET /ledger/entries?${parameters}`);

    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });
});

describe("GET /ledger/trial-balance", () => {
  const balance = async (parameters = "") => {
    const reply = await world.done(`GET /ledger/trial-balance?${parameters}`);
    const rows = reply.accounts.map((row: Json) => [
      row.number,
      row.opening,
      row.debit,
      row.credit,
      row.closing,
    ]);
    return { ...reply, rows };
  };

  it("opens at 0 without a period", async () => {
    const { object, from, to, accounts, rows } = await balance();

    expect({ object, from, to }).toEqual({ object: "trial_balance", from: null, to: null });
    expect(Object.keys(accounts[0])).toEqual([
      "number",
      "name",
      "opening",
      "debit",
      "credit",
      "closing",
    ]);
    expect(rows).toEqual([
      [1000, 0, 0, 100.4, -100.4],
      [1010, 0, 0, 40, -40],
      [6190, 0, 175.5, 0, 175.5],
      [7680, 0, 0, 35.1, -35.1],
    ]);
  });

  it("opens with the balance before the period, and leaves out what is after it", async () => {
    const { from, to, rows } = await balance("from=2026-02-01&to=2026-02-28");

    expect([from, to]).toEqual(["2026-02-01", "2026-02-28"]);
    expect(rows).toEqual([
      [1000, -100, 0, 0.4, -100.4],
      [6190, 125, 0.5, 0, 125.5],
      [7680, -25, 0, 0.1, -25.1],
    ]);
  });

  it.each([
    ["", 4],
    ["to=2026-01-14", 0],
    ["to=2026-01-15", 3],
    ["from=2026-03-02", 4],
    ["from=2026-03-03", 4],
  ])("with %j has rows that add up to 0", async (parameters, count) => {
    const { accounts } = await balance(parameters);

    expect(accounts).toHaveLength(count);
    for (const column of ["opening", "closing"]) {
      const cents = accounts.map((row: Json) => Math.round(row[column] * 100));
      expect(cents.reduce((sum: number, value: number) => sum + value, 0)).toBe(0);
    }
    for (const { opening, debit, credit, closing } of accounts) {
      expect(Math.round((opening + debit - credit) * 100)).toBe(Math.round(closing * 100));
    }
  });

  it.each([
    ["from=2026-02-30", "from invalid_format"],
    ["to=", "to invalid_format"],
  ])("refuses %s", async (parameters, fault) => {
    const reply = await world.rest(`GET /ledger/trial-balance?${parameters}`);

    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });
});
