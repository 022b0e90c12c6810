/**
 * The refusals of the database for bookings of accruals, for any code. Statements are plain SQL as a
 * person with a console would type it; each runs in a transaction that is rolled back.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Studio, useStudios } from "../support/world/studio.ts";

const { world, studio } = useStudios();
const APPEND_ONLY = "MB001";
const DUPLICATE = "23505";
const NO_SUCH_ROW = "23503";
const AGAINST_A_CHECK = "23514";

let one: Studio;
let client: pg.Client;
let names: Readonly<Record<string, string>>;

/** February is booked, January was booked and reopened, and a line by hours is issued. */
beforeAll(async () => {
  one = await studio("2026-04-10");
  const other = await studio("2026-04-10");
  client = new pg.Client({ connectionString: world.database_url });
  await client.connect();
  const invoice = await one.draft(undefined, { issue_date: "2026-03-05" });
  await one.work(invoice, "2026-01-03", 1);
  const { id: january } = await one.booked("2026-01");
  await one.reopen(january);
  await one.booked("2026-01");
  await one.work(invoice, "2026-02-03", 2);
  const { id: february } = await one.booked("2026-02");
  await one.done(`POST /invoices/${invoice.id}/issue`);
  const { id: march } = await one.accrual("2026-03");
  names = {
    account: one.account.account_id,
    other_customer: other.customer,
    customer: one.customer,
    january,
    february,
    march,
    unknown: "0190a000-0000-7000-8000-000000000000",
  };
});
afterAll(() => client?.end());

async function codeOf(statements: string): Promise<string | undefined> {
  const text = statements.replace(/(?<!:):(\w+)/g, (_, name) => `'${names[name] ?? "(unknown)"}'`);
  await client.query("begin");
  try {
    await client.query(text);
    await client.query("set constraints all immediate");
    return undefined;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  } finally {
    await client.query("rollback");
  }
}

const FEBRUARY = "where account_id = :account and accrual_id = :february";
const REVERSED = "where account_id = :account and accrual_id = :january and revision = 1";
const PENDING = `insert into accrual_bookings (account_id, accrual_id, revision, state, snapshot,
  voucher_guid) values (:account, :march, 1, 'pending', '{}', :unknown)`;
const AT_MARCH = "where account_id = :account and accrual_id = :march";

describe("the database accepts", () => {
  it.each([
    [
      "a reopening that begins",
      `update accrual_bookings set state = 'reversing', reversal_guid = :unknown, reason = 'x' ${FEBRUARY}`,
    ],
    [
      "a reopening that is refused",
      `update accrual_bookings set state = 'reversing', reversal_guid = :unknown, reason = 'x' ${FEBRUARY};
       update accrual_bookings set state = 'booked', reversal_guid = null, reason = null ${FEBRUARY}`,
    ],
    [
      "a reopening that ends",
      `update accrual_bookings set state = 'reversed', reopened_at = now(), reopened_by = 'x' ${FEBRUARY}`,
    ],
    [
      "a pending booking that is booked",
      `${PENDING}; update accrual_bookings set state = 'booked', voucher_number = 9, booked_at = now(),
         booked_by = 'x' ${AT_MARCH}`,
    ],
    ["a pending booking that is dropped", `${PENDING}; delete from accrual_bookings ${AT_MARCH}`],
  ])("%s", async (_what, statements) => {
    expect(await codeOf(statements)).toBeUndefined();
  });
});

describe("booked data is immutable: the database refuses", () => {
  it.each([
    ...["accrual_rows", "line_earnings"].flatMap((table): [string, string][] => [
      [`updating ${table}`, `update ${table} set account_id = account_id`],
      [`deleting from ${table}`, `delete from ${table}`],
      [`truncating ${table}`, `truncate ${table} cascade`],
    ]),
    ["deleting a booking", `delete from accrual_bookings ${FEBRUARY}`],
    ["deleting one that was reopened", `delete from accrual_bookings ${REVERSED}`],
    ["truncating bookings", "truncate accrual_bookings cascade"],
    ["changing the booked snapshot", `update accrual_bookings set snapshot = '{}' ${FEBRUARY}`],
    ["changing its voucher", `update accrual_bookings set voucher_guid = :unknown ${FEBRUARY}`],
    ["changing the voucher's number", `update accrual_bookings set voucher_number = 9 ${FEBRUARY}`],
    ["changing when it was booked", `update accrual_bookings set booked_at = now() ${FEBRUARY}`],
    ["changing who booked it", `update accrual_bookings set booked_by = 'x' ${FEBRUARY}`],
    ["changing its revision", `update accrual_bookings set revision = 9 ${FEBRUARY}`],
    [
      "making it pending again",
      `update accrual_bookings set state = 'pending', booked_at = null ${FEBRUARY}`,
    ],
    [
      "making a reopened booking effective again",
      `update accrual_bookings set state = 'booked', reopened_at = null ${REVERSED}`,
    ],
    ["changing the reason of a reopening", `update accrual_bookings set reason = 'x' ${REVERSED}`],
    [
      "changing the snapshot of a pending booking",
      `${PENDING}; update accrual_bookings set snapshot = '' ${AT_MARCH}`,
    ],
  ])("%s", async (_what, statements) => {
    expect(await codeOf(statements)).toBe(APPEND_ONLY);
  });

  it("also with rows in the tables", async () => {
    for (const table of ["accrual_rows", "accrual_bookings", "line_earnings"]) {
      expect(await world.sql(`select from ${table}`)).not.toEqual([]);
    }
  });
});

describe("invalid data: the database refuses", () => {
  it.each([
    [
      "two effective bookings of one accrual",
      DUPLICATE,
      `insert into accrual_bookings (account_id, accrual_id, revision, state, snapshot, booked_at)
       values (:account, :february, 2, 'booked', '{}', now())`,
    ],
    [
      "two accruals of a customer and month",
      DUPLICATE,
      `insert into accruals (account_id, id, customer_id, month, status)
       values (:account, :unknown, :customer, '2026-02', 'draft')`,
    ],
    [
      "an accrual of another account's customer",
      NO_SUCH_ROW,
      `insert into accruals (account_id, id, customer_id, month, status)
       values (:account, :unknown, :other_customer, '2026-02', 'draft')`,
    ],
    [
      "a row without a booking",
      NO_SUCH_ROW,
      `insert into accrual_rows select (json_populate_record(r, '{"revision": 9}')).* from accrual_rows r
       where accrual_id = :february`,
    ],
    [
      "a draft with a voucher",
      AGAINST_A_CHECK,
      `update accruals set status = 'draft', booked_at = null where id = :february`,
    ],
    [
      "a booked accrual without its moment",
      AGAINST_A_CHECK,
      "update accruals set status = 'booked' where id = :march",
    ],
    [
      "an accrual that carries a later month",
      AGAINST_A_CHECK,
      "update accruals set original_month = '2026-03' where id = :february",
    ],
    [
      "a booking that neither waits nor was booked",
      AGAINST_A_CHECK,
      `insert into accrual_bookings (account_id, accrual_id, revision, state, snapshot)
       values (:account, :march, 1, 'booked', '{}')`,
    ],
    [
      "an invalid month",
      AGAINST_A_CHECK,
      `insert into period_closes (account_id, month, status, locks, actor_kind, actor_id)
       values (:account, 'March', 'running', true, 'x', 'x')`,
    ],
  ])("%s", async (_what, code, statements) => {
    expect(await codeOf(statements)).toBe(code);
  });
});
