/**
 * The database connection is lost at each statement of issuing, one after the other, before the server receives the statement and
 * after it has run it. Whatever answer the caller gets, no invoice is partly issued, and the next call or the worker resumes from
 * there. Only the wire is simulated; program and database are real.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { verifyJournal } from "../../src/features/ledger/reports/verify.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { closeDatabase, openDatabase } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { transaction } from "../../src/platform/database/transaction.ts";
import { useFragileWorld } from "../support/database/fragile-world.ts";
import { openDatabaseProxy } from "../support/database/proxy.ts";
import type { Json } from "../support/world/world.ts";

let lines: object[];
let customer_id: string;
const fragile = useFragileWorld();
const { world } = fragile;
beforeAll(async () => {
  const customer = await world.done("POST /customers", { name: "Acme", email: "ap@acme.example" });
  const product = await world.done("POST /products", { name: "Consulting" });
  customer_id = customer.id;
  lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 80 }];
});

async function draft(auto_send: boolean): Promise<string> {
  return (await world.done("POST /invoices", { customer_id, lines, auto_send })).id;
}

const issueFragile = (id: string): Promise<number> => fragile.post(`/invoices/${id}/issue`);

/** How many rows of each kind exist for an invoice, and its status. */
async function traces(id: string): Promise<Json> {
  const rows = await world.sql(
    `select i.status,
       (select count(*)::int from ledger_entries where guid = i.id) as entries,
       (select count(*)::int from issued_documents where document_id = i.id) as documents,
       (select count(*)::int from deliveries where document_id = i.id) as deliveries,
       (select count(*)::int from intents where document_id = i.id
         and state in ('booking', 'unknown', 'pending', 'parked')) as intents,
       (select count(*)::int from invoice_lines where invoice_id = i.id and amount is not null)
         as booked_lines,
       (select count(*)::int from audit_events where resource_id = i.id::text and action = 'issued')
         as events
     from invoices i where i.id = $1`,
    [id],
  );
  return rows[0];
}

const nothing = { entries: 0, documents: 0, deliveries: 0, booked_lines: 0, events: 0 };

describe.each(["before", "after"] as const)("a connection lost %s a statement", (moment) => {
  it("of issuing on the built-in ledger leaves all changes or none, and the next call resumes", async () => {
    const ids: string[] = [];
    let statements = 0;
    const seen = new Set<string>();
    const calls = fragile.lostAtEveryStatement(moment, () => draft(true), issueFragile);
    for await (const { target: id, statement, status } of calls) {
      statements = statement;
      ids.push(id);
      const { status: state, ...counts } = await traces(id);
      const is_issued = state === "issued";
      const all = { entries: 1, documents: 1, deliveries: 1, booked_lines: 1, events: 1 };
      expect({ statement, ...counts }).toEqual({
        statement,
        ...(is_issued ? all : nothing),
        intents: 0,
      });
      // After a 200 the invoice is issued; the only other case with an issued invoice is a lost answer of the commit.
      if (status === 200) expect(is_issued).toBe(true);
      seen.add(`${state} ${status}`);
      const again = await world.rest(`POST /invoices/${id}/issue`);
      expect(again.status).toBe(is_issued ? 409 : 200);
    }

    expect(statements).toBeGreaterThan(10);
    expect([...seen].sort()).toEqual(
      ["draft 500", "issued 200", ...(moment === "after" ? ["issued 500"] : [])].sort(),
    );
    await fragile.workUntilDone();
    await expectEachSentOnce(ids);
    expect(await verifyJournal(world.db, world.account.account_id)).toBeNull();
    expect(await verifyAuditTrail(world.db, world.account.account_id)).toBeNull();
  });

  it("of issuing on an external ledger books once, and the worker completes it", async () => {
    await fragile.connect("scripted");
    const ids: string[] = [];
    const calls = fragile.lostAtEveryStatement(moment, () => draft(false), issueFragile);
    for await (const { target: id, statement, status } of calls) {
      ids.push(id);
      const { status: state, intents, ...counts } = await traces(id);
      const is_issued = state === "issued";
      expect({ statement, ...counts }).toEqual({
        statement,
        ...nothing,
        ...(is_issued ? { documents: 1, booked_lines: 1, events: 1 } : {}),
      });
      if (status === 200) expect(is_issued).toBe(true);
      // A booking that the ledger may have is never forgotten.
      if (fragile.ledger.documents.has(id)) expect(is_issued || intents === 1).toBe(true);
      if (intents === 1) {
        await fragile.letTimePass();
        expect(await fragile.settleOne()).toBe(true);
      } else if (!is_issued) {
        expect((await world.rest(`POST /invoices/${id}/issue`)).status).toBe(200);
      }
      expect(await traces(id)).toMatchObject({ status: "issued", intents: 0, events: 1 });
    }
    await fragile.connect("builtin");

    expect(ids.length).toBeGreaterThan(10);
    const numbers = await world.sql(
      "select id, ledger_invoice_number::int as number from invoices where id = any($1)",
      [ids],
    );
    for (const { id, number } of numbers) {
      expect(Number(fragile.ledger.documents.get(id)?.number)).toBe(number);
    }
  });
});

/** Each has one delivery, written to the outbox as one file. */
async function expectEachSentOnce(ids: readonly string[]): Promise<void> {
  const deliveries = await world.sql(
    "select id, document_id, state from deliveries where document_id = any($1)",
    [ids],
  );
  expect(deliveries.map((delivery) => delivery.document_id).sort()).toEqual([...ids].sort());
  const states = deliveries.map((delivery) => delivery.state);
  expect(new Set(states)).toEqual(new Set(["written_to_outbox"]));
  const written = (await world.mails()).map((mail) => mail.messageId?.slice(1).split("@")[0]);
  for (const { id } of deliveries) expect(written.filter((one) => one === id)).toEqual([id]);
}

describe("a server that ends a connection during a transaction", () => {
  it("fails only that transaction", async () => {
    const { db } = world;
    const ended = transaction(db, async (tx) => {
      await tx.rows(sql`update accounts set name = 'Half' where id = ${world.account.account_id}`);
      const [{ pid } = { pid: 0 }] = await tx.rows<{ pid: number }>(
        sql`select pg_backend_pid() as pid`,
      );
      // From here on, no statement is sent until the client has noticed the end of the connection.
      await world.sql("select pg_terminate_backend($1, 5000)", [pid]);
      return tx.rows(sql`select 1`);
    });

    await expect(ended).rejects.toThrow();
    expect(await world.sql("select id from accounts where name = 'Half'")).toEqual([]);
  });
});

describe("statements that are sent together", () => {
  it("are all rolled back if one of them fails, however slow the answers are", async () => {
    const slow = await openDatabaseProxy(world.serving_url);
    const db = openDatabase(slow.url, 1, () => {});
    await world.sql("create table together (n int)");
    try {
      slow.slowBy(5);
      for (let failing = 0; failing < 6; failing += 1) {
        const all = transaction(db, (tx) =>
          Promise.all(
            Array.from({ length: 6 }, (_, index) =>
              tx.rows(sql`insert into together values (${1}::int / ${index === failing ? 0 : 1})`),
            ),
          ),
        );
        await expect(all).rejects.toThrow("division by zero");
      }
      expect(await db.rows(sql`select n from together`)).toEqual([]);
    } finally {
      await closeDatabase(db);
      await slow.close();
    }
  });
});
