/** The locks that a statement takes, by its text, and the lock order. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import {
  choicesOfFunctions,
  lockRanks,
  locksOfFunctions,
  takenBy,
  watchLockOrder,
} from "./lock-order.ts";
import { sql } from "./sql.ts";
import { transaction } from "./transaction.ts";

const world = useWorld();

/** Functions whose locks no other transaction waits for. */
const OWN_ROWS: Readonly<Record<string, string>> = {
  keep_committed: "the row is that of the request's own claim",
};

describe("the locks of a statement", () => {
  it.each<[string, string[]]>([
    ["select id from invoices where id = $1", []],
    ["select id from invoices where id = $1 for no key update", ["invoices"]],
    ["select 1 from configurations where account_id = $1 for share", ["configurations"]],
    ["select 1 from customers where id = $1 for share", ["customers for share"]],
    ["select id from customers where id = any($1) order by id for no key update", ["customers"]],
    [
      "select c.id from customers c join accruals a on a.id = c.id for no key update of c",
      ["customers"],
    ],
    [
      "select g.id from oauth_refresh_tokens r join oauth_grants g on true for update of g",
      ["oauth_grants"],
    ],
    [
      "update invoices set status = 'issued', updated_at = stamp($1) where id = $2",
      ["invoices", "stamp"],
    ],
    ["delete from sessions where user_id = $1", ["sessions"]],
    ["insert into occurrences (id) values (1) on conflict (id) do update set state = 'failed'", []],
    ["select pg_advisory_xact_lock(1)", ["turn"]],
    ["select * from take_numbers($1, $2, $3)", ["ledger_books"]],
    [
      "select lock_credit($1, $2, $3, $4)",
      ["invoices", "credit_notes", "open_items", "configurations"],
    ],
    [
      "with head as (update audit_heads set seq = 1 returning seq) insert into audit_events select 1",
      ["audit_heads"],
    ],
  ])("are read from its text: %s", (text, expected) => {
    expect(takenBy(text).locks).toEqual(expected);
  });

  it("include those of the functions that it calls", async () => {
    const functions: { name: string; source: string }[] = await world.sql(
      `select proname as name, prosrc as source from pg_proc
       where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`,
    );
    const found = functions.flatMap(({ name, source }) => {
      const locks = takenBy(source).locks.filter((lock) => lockRanks.includes(lock));
      return locks.length === 0 || name in OWN_ROWS ? [] : [[name, locks] as const];
    });
    const { stamp: _, ...declared } = locksOfFunctions;
    const chosen = Object.entries(choicesOfFunctions).map(([name, groups]) => [
      name,
      lockRanks.filter((lock) => groups.flat().includes(lock)),
    ]);
    expect(Object.fromEntries(found)).toEqual({ ...declared, ...Object.fromEntries(chosen) });
  });

  it("are ranked only for tables that exist", async () => {
    const tables = await world.sql(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const known = new Set(tables.map(({ name }) => name));
    const named = lockRanks.filter(
      (name) => !["turn", "stamp", "customers for share"].includes(name),
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("the lock order", () => {
  const inOrder = (...texts: string[]) => {
    const order = watchLockOrder();
    for (const text of texts) order.look(text);
  };

  it("permits a series before its invoice, and the audit trail last", () => {
    inOrder(
      "select id from recurring_series where id = $1 for no key update",
      "select id from invoices where id = $1 for no key update",
      "update ledger_books set next_entry_no = 2",
      "update recurring_series set updated_at = stamp($1)",
      "update audit_heads set seq = 2",
    );
  });

  it("refuses a stamp before the ledger's counters, and a series after its invoice", () => {
    expect(() =>
      inOrder(
        "update invoices set updated_at = stamp($1)",
        "update ledger_books set next_entry_no = 2",
      ),
    ).toThrow("ledger_books is locked after stamp");
    expect(() =>
      inOrder("select id from invoices for update", "select id from recurring_series for update"),
    ).toThrow("recurring_series is locked after invoices");
  });

  it("permits a function one of its groups of locks, when that is held or not too late", () => {
    const lock_line = "select * from lock_line($1, $2, $3)";
    inOrder(lock_line, "select id from recurring_series where id = $1 for no key update");
    inOrder(
      "select id from invoices where id = $1 for no key update",
      "select id from users where id = $1 for no key update",
      "update work_registrations set updated_at = stamp($1)",
      lock_line,
    );
    inOrder(lock_line, "update work_registrations set updated_at = stamp($1)", lock_line);
    expect(() => inOrder("update ledger_books set next_entry_no = 2", lock_line)).toThrow(
      "lock_line is called after ledger_books is locked",
    );
  });

  it("ignores tables already locked, and rows that the transaction has inserted", () => {
    inOrder(
      "insert into invoices (id) values ($1)",
      "update configurations set period_lock_date = null",
      "update invoices set status = 'issued'",
    );
  });

  it("is checked in every transaction of the tests", async () => {
    const late = transaction(world.db, async (tx) => {
      tx.lock(
        sql`select from configurations where account_id = ${world.account.account_id} for share`,
      );
      tx.lock(
        sql`select from invoices where account_id = ${world.account.account_id} for no key update`,
      );
    });
    await expect(late).rejects.toThrow("invoices is locked after configurations");
  });
});
