/** Nothing of what is paid is recorded where a connected ledger records it, for each request that would. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, ledger, customer, draft, issue } = useExternalLedger();
const CONNECTION = "01990000-0000-7000-8000-00000000c0de";
let invoice: string;
let note: string;

beforeAll(async () => {
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'scripted', '{}', 'none', '')`,
    [world.account.account_id, CONNECTION],
  );
  invoice = await draft({ issue_date: "2026-02-10" });
  await issue(invoice);
  const credit = { invoice, external_id: "credit", kind: "full", credit_date: "2026-03-01" };
  note = (await world.done("POST /credit-notes", credit)).id;
});

const payment = (fields: Json = {}): Json => ({
  kind: "payment",
  date: "2026-03-01",
  amount: 100,
  customer: customer.id,
  remainder: "customer_credit",
  ...fields,
});
const opening = (): Json => ({
  external_id: "old-1",
  number: "OLD-1",
  customer: customer.id,
  due_date: "2026-02-01",
  amount: 100,
  counter_account: 5600,
});
const begin = { date: "2026-01-31", counter_account: 5600, open: "all" };

const WRITES: readonly [call: string, body: () => Json][] = [
  ["POST /payments", () => payment({ external_id: "p-1" })],
  ["POST /payments", () => payment({ external_id: "p-2", allocations: [{ invoice }] })],
  ["POST /payments/preview", () => payment()],
  ["POST /allocations", () => ({ external_id: "a-1", credit_note: note, invoice })],
  ["POST /opening-items", opening],
  ["POST /receivables/begin", () => begin],
  ["POST /receivables/begin/preview", () => begin],
];

describe("an account whose payments are recorded in a connected ledger", () => {
  it.each(WRITES)("refuses %s, and stores nothing", async (call, body) => {
    ledger.forget();
    expect(refusal(await world.rest(call, body()))).toBe("409 PAYMENTS_IN_LEDGER");
    expect(await world.sql("select from open_items union all select from allocations")).toEqual([]);
    expect(ledger.calls).toEqual([]);
  });

  it("has a row for each document that the ledger booked, and no open item", async () => {
    const rows = await world.sql(
      "select id, kind, number, amount::text, functional::text, state, connection_id from ledger_items order by id",
    );
    expect(rows).toMatchObject([
      { id: invoice, kind: "invoice", amount: "156313", functional: "156313", state: null },
      { id: note, kind: "credit_note", amount: "156313", connection_id: CONNECTION },
    ]);
  });
});

describe("an account that has left its connected ledger", () => {
  it("refuses to record a payment of what that ledger booked, and records others", async () => {
    await world.sql("update ledger_connections set is_current = false");
    await world.sql("update accounts set ledger_kind = 'builtin'");
    const paid = payment({ external_id: "p-3", allocations: [{ invoice }] });
    expect(refusal(await world.rest("POST /payments", paid))).toBe("409 PAYMENTS_IN_LEDGER");
    const applied = { external_id: "a-2", credit_note: note, invoice };
    expect(refusal(await world.rest("POST /allocations", applied))).toBe("409 PAYMENTS_IN_LEDGER");
    expect(refusal(await world.rest("POST /payments", payment({ external_id: "p-4" })))).toBe(
      "201",
    );
    await world.sql("update accounts set ledger_kind = 'scripted'");
    await world.sql("update ledger_connections set is_current = true");
  });
});
