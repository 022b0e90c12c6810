/** The accounts of payments and reminders that an upgrade gives an account, whose chart may use their numbers otherwise. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld();

/** The migration's statement that gives the roles their accounts. */
const ROLES = /^update configurations c set.*?;$/ms.exec(
  readFileSync(new URL("../../migrations/0087_entries_of_payments.sql", import.meta.url), "utf8"),
)?.[0] as string;

const USUAL = {
  customer_credit: 7410,
  rounding: 2720,
  payment_fee: 2390,
  reminder_fee: 1550,
  interest_income: 3490,
};

it.each<[string, string, Json]>([
  ["of a usual chart", "select $1::uuid", {}],
  [
    "with another type under a number",
    "update ledger_accounts set type = 'asset' where account_id = $1 and number in (2390, 1550)",
    { payment_fee: null, reminder_fee: null },
  ],
  [
    "without an account",
    "delete from ledger_accounts where account_id = $1 and number = 3490",
    { interest_income: null },
  ],
  [
    "that sells on one of the numbers",
    "update configurations set default_revenue_account = 1550 where account_id = $1",
    { reminder_fee: null },
  ],
  [
    "with another role on one of them",
    "update configurations set contract_liability_account = 7410 where account_id = $1",
    { customer_credit: null },
  ],
])("%s", async (_, before, otherwise) => {
  const { account_id, keys } = await world.openAnother();
  await world.sql(
    `update configurations set customer_credit_account = null, rounding_account = null, payment_fee_account = null,
       reminder_fee_account = null, interest_income_account = null where account_id = $1`,
    [account_id],
  );
  await world.sql(before, [account_id]);
  await world.sql(ROLES);
  const { account_roles } = await world.done("GET /configuration", undefined, keys.read);
  expect(account_roles).toMatchObject({ ...USUAL, ...otherwise });
});

it("of an account with a product on one of the numbers", async () => {
  const { keys } = await world.openAnother();
  const key = keys.read_write;
  await world.done("PATCH /configuration", { account_roles: { interest_income: null } }, key);
  await world.done("POST /products", { name: "Interest", account_number: 3490 }, key);
  await world.sql(ROLES);
  const { account_roles } = await world.done("GET /configuration", undefined, key);
  expect(account_roles).toMatchObject({ ...USUAL, interest_income: null });
});
