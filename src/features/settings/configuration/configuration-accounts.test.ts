/** The accounts that the configuration names (spec 7.3): their types, and uses that exclude one another. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const INVALID = "422 VALIDATION_FAILED";

const read = (): Promise<Json> => world.done("GET /configuration");
const change = (changes: Json): Promise<Json> => world.done("PATCH /configuration", changes);

describe("the accounts that a configuration names", () => {
  it("are created with the type that their role implies", async () => {
    await change({
      account_roles: {
        contract_asset: 6150,
        contract_liability: 7350,
        exchange_difference: 4420,
        customer_credit: 7420,
        rounding: 2721,
        payment_fee: 2391,
        reminder_fee: 1551,
        interest_income: 3491,
      },
      default_revenue_account: 1805,
    });

    const { data } = await world.done("GET /ledger/accounts?limit=100");
    const useOf = (number: number) => {
      const { type, vat_code } = data.find((entry: Json) => entry.number === number);
      return [type, vat_code];
    };
    expect([6150, 7350, 4420, 7420, 2721, 2391, 1551, 3491, 1805].map(useOf)).toEqual([
      ["asset", null],
      ["liability", null],
      ["expense", null],
      ["liability", null],
      ["expense", null],
      ["expense", null],
      ["income", null],
      ["income", null],
      ["income", "DK25"],
    ]);
  });

  it.each<[string, Json]>([
    ["account_roles.contract_asset", { account_roles: { contract_asset: 7680 } }],
    ["account_roles.contract_liability", { account_roles: { contract_liability: 6190 } }],
    ["account_roles.exchange_difference", { account_roles: { exchange_difference: 6190 } }],
    ["account_roles.customer_credit", { account_roles: { customer_credit: 1300 } }],
    ["account_roles.rounding", { account_roles: { rounding: 7840 } }],
    ["account_roles.payment_fee", { account_roles: { payment_fee: 1300 } }],
    ["account_roles.reminder_fee", { account_roles: { reminder_fee: 2390 } }],
    ["account_roles.interest_income", { account_roles: { interest_income: 8070 } }],
    ["default_revenue_account", { default_revenue_account: 6190 }],
  ])("must fit: %s", async (field, changes) => {
    const before = await read();

    const reply = await world.rest("PATCH /configuration", { ...changes, time_zone: "UTC" });

    expect(refusal(reply)).toBe(`${INVALID} ${field} unknown_account`);
    expect(await read()).toEqual(before);
  });
});

describe("accounts with a use of their own", () => {
  it.each<[string, Json]>([
    ["account_roles.customer_credit", { account_roles: { customer_credit: 8070 } }],
    ["account_roles.customer_credit", { account_roles: { customer_credit: 7680 } }],
    ["account_roles.contract_liability", { account_roles: { contract_liability: 7410 } }],
    ["account_roles.contract_asset", { account_roles: { contract_asset: 6480 } }],
    ["account_roles.customer_credit", { account_roles: { customer_credit: 6480 } }],
    ["account_roles.reminder_fee", { account_roles: { reminder_fee: 1010 } }],
    ["account_roles.interest_income", { account_roles: { interest_income: 1000 } }],
    ["default_revenue_account", { default_revenue_account: 1550 }],
  ])("are refused for another one: %s in %j", async (field, changes) => {
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    await world.done("POST /products", { name: "Goods", account_number: 1010 }, key);

    const reply = await world.rest("PATCH /configuration", changes, key);

    expect(refusal(reply)).toBe(`${INVALID} ${field} not_allowed`);
  });

  it("are no accounts of products", async () => {
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    const { id } = await world.done("POST /products", { name: "Goods" }, key);
    const sent = { name: "Fees", account_number: 1550 };
    const refused = `${INVALID} account_number not_allowed`;

    expect(refusal(await world.rest("POST /products", sent, key))).toBe(refused);
    expect(refusal(await world.rest(`PATCH /products/${id}`, sent, key))).toBe(refused);
    await world.done("PATCH /configuration", { account_roles: { reminder_fee: null } }, key);
    expect((await world.done("POST /products", sent, key)).account_number).toBe(1550);
  });
});
