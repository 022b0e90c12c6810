/**
 * The database connection is lost at each statement of POST /credit-notes and of issuing an occurrence, one after the other,
 * before the server receives the statement and after it has run it. Whatever answer the caller gets, no change is partial, and
 * the next call or the worker resumes from there.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { verifyJournal } from "../../src/features/ledger/reports/verify.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { useFragileWorld } from "../support/database/fragile-world.ts";
import type { Json } from "../support/world/world.ts";

let customer_id: string;
let lines: object[];
const fragile = useFragileWorld();
const { world } = fragile;
beforeAll(async () => {
  // Without an address, sending runs its statements and ends immediately.
  customer_id = (await world.done("POST /customers", { name: "Acme" })).id;
  const { id: product_id } = await world.done("POST /products", { name: "Consulting" });
  lines = [{ product_id, recognition_method: "value", agreed_value: 80 }];
});

let invoice: Json;
let count = 0;

/** An issued invoice whose credit notes are sent, with enough to credit for all of them. */
async function issueInvoice(): Promise<void> {
  const draft = await world.done("POST /invoices", { customer_id, lines, auto_send: true });
  invoice = await world.done(`POST /invoices/${draft.id}/issue`);
}

/** The body of a small credit of the invoice. */
async function credit(): Promise<Json> {
  count += 1;
  return {
    external_id: `credit ${count}`,
    invoice: invoice.id,
    kind: "partial",
    credit_date: "2026-03-10",
    lines: [{ invoice_line_id: invoice.lines[0].id, amount: 0.1 }],
  };
}

const postCredit = (body: Json): Promise<number> => fragile.post("/credit-notes", body);

/** How many rows of each kind exist for a credit note. */
async function tracesOfCredit({ external_id }: Json): Promise<Json> {
  const rows = await world.sql(
    `with note as (select id, status from credit_notes where external_id = $1)
     select (select status from note) as status, (select id from note) as id,
       (select count(*)::int from credit_note_lines
        where credit_note_id in (select id from note)) as lines,
       (select count(*)::int from ledger_entries where guid in (select id from note)) as entries,
       (select count(*)::int from issued_documents where document_id in (select id from note))
         as documents,
       (select count(*)::int from deliveries where document_id in (select id from note))
         as deliveries,
       (select count(*)::int from intents where state in ('booking', 'unknown', 'pending', 'parked') and document_id in (select id from note)) as intents,
       (select count(*)::int from audit_events where action in ('created', 'issued')
        and resource_id in (select id::text from note)) as events`,
    [external_id],
  );
  return rows[0];
}

/** A draft series with a waiting period in March. */
async function series(): Promise<string> {
  const { id } = await world.done("POST /recurring-series", {
    customer_id,
    lines,
    frequency: "monthly",
    start_date: "2026-03-01",
    auto_send: true,
  });
  return id;
}

const march = (id: string): string => `/recurring-series/${id}/occurrences/2026-03`;
const issueMarch = (id: string): Promise<number> => fragile.post(`${march(id)}/issue`);

async function tracesOfSeries(id: string): Promise<Json> {
  const rows = await world.sql(
    `with invoice as (select id, status from invoices where series_id = $1)
     select (select status from invoice) as status, (select id from invoice) as id,
       (select status from recurring_series where id = $1) as series,
       (select count(*)::int from invoice) as invoices,
       (select count(*)::int from ledger_entries where guid in (select id from invoice)) as entries,
       (select count(*)::int from issued_documents where document_id in (select id from invoice))
         as documents,
       (select count(*)::int from deliveries where document_id in (select id from invoice))
         as deliveries,
       (select count(*)::int from intents where state in ('booking', 'unknown', 'pending', 'parked') and document_id in (select id from invoice)) as intents,
       (select count(*)::int from audit_events where action = 'issued'
        and resource_id in (select id::text from invoice)) as events,
       (select count(*)::int from audit_events where action = 'activated' and resource_id = $1::text)
         as activations`,
    [id],
  );
  return rows[0];
}

async function expectBooksInOrder(): Promise<void> {
  const { account_id } = world.account;
  expect(await verifyJournal(world.db, account_id)).toBeNull();
  expect(await verifyAuditTrail(world.db, account_id)).toBeNull();
  const failed = await world.sql("select distinct state, send_error from deliveries");
  expect(failed).toEqual([
    { state: "failed_permanent", send_error: "the customer has no e-mail address" },
  ]);
}

describe.each(["before", "after"] as const)("a connection lost %s a statement", (moment) => {
  it("of POST /credit-notes on the built-in ledger leaves all changes or none", async () => {
    await issueInvoice();
    const seen = new Set<string>();
    let statements = 0;
    for await (const lost of fragile.lostAtEveryStatement(moment, credit, postCredit)) {
      const { target: body, statement, status: answer } = lost;
      statements = statement;
      const { id, status, ...counts } = await tracesOfCredit(body);
      const nothing = { lines: 0, entries: 0, documents: 0, deliveries: 0, intents: 0, events: 0 };
      const all = { lines: 1, entries: 1, documents: 1, deliveries: 1, intents: 0, events: 2 };
      expect({ statement, ...counts }).toEqual({ statement, ...(id === null ? nothing : all) });
      seen.add(`${status} ${answer}`);
      // The repetition returns the existing credit note or creates it; neither can be sent.
      const repeat = await world.rest("POST /credit-notes", body);
      expect(repeat).toMatchObject({ status: 200, body: { status: "issued" } });
      if (id !== null) expect(repeat.body.id).toBe(id);
      expect(await tracesOfCredit(body)).toMatchObject({ ...all, id: repeat.body.id });
    }

    expect(statements).toBeGreaterThan(15);
    expect([...seen].sort()).toEqual(
      ["issued 200", "null 500", ...(moment === "after" ? ["issued 500"] : [])].sort(),
    );
    await fragile.workUntilDone();
    await expectBooksInOrder();
    const unsent = await world.sql("select id from credit_notes where send_error is null");
    expect(unsent).toEqual([]);
  });

  it("of POST /credit-notes on an external ledger books once", async () => {
    await fragile.connect("scripted");
    await issueInvoice();
    let statements = 0;
    for await (const lost of fragile.lostAtEveryStatement(moment, credit, postCredit)) {
      const { target: body, statement, status: answer } = lost;
      statements = statement;
      const { id, status, intents, events } = await tracesOfCredit(body);
      expect([null, "draft", "issued"]).toContain(status);
      expect({ intents, events }).toEqual({
        intents: status === "draft" ? 1 : 0,
        events: { draft: 1, issued: 2 }[String(status)] ?? 0,
      });
      if (answer < 300) expect(status).toBe("issued");
      // A booking that the ledger may have is never forgotten.
      if (fragile.ledger.documents.has(id)) expect(status).not.toBeNull();
      if (status === "draft" && statement % 2 === 0) {
        await fragile.letTimePass();
        expect(await fragile.settleOne()).toBe(true);
      } else {
        await fragile.letTimePass();
        expect((await world.rest("POST /credit-notes", body)).status).toBe(200);
      }
      const after = await tracesOfCredit(body);
      expect(after).toMatchObject({ status: "issued", lines: 1, documents: 1, events: 2 });
      expect(fragile.ledger.documents.has(after.id)).toBe(true);
    }
    await fragile.connect("builtin");

    expect(statements).toBeGreaterThan(15);
    const [{ booked }] = await world.sql(
      `select count(*)::int as booked from credit_notes n
       where not exists (select from ledger_entries e where e.guid = n.id)`,
    );
    const kinds = [...fragile.ledger.documents.values()].map(({ intent }) => intent.kind);
    expect(kinds.filter((kind) => kind === "credit_note")).toHaveLength(booked);
    await fragile.workUntilDone();
    await expectBooksInOrder();
  });

  it("of issuing an occurrence on the built-in ledger leaves all changes or none", async () => {
    const seen = new Set<string>();
    for await (const lost of fragile.lostAtEveryStatement(moment, series, issueMarch)) {
      const { target, statement, status: answer } = lost;
      const { id, status, ...counts } = await tracesOfSeries(target);
      const nothing = {
        series: "draft",
        invoices: 0,
        entries: 0,
        documents: 0,
        deliveries: 0,
        intents: 0,
        events: 0,
        activations: 0,
      };
      const all = {
        series: "active",
        invoices: 1,
        entries: 1,
        documents: 1,
        deliveries: 1,
        intents: 0,
        events: 1,
        activations: 1,
      };
      expect({ statement, ...counts }).toEqual({ statement, ...(id === null ? nothing : all) });
      seen.add(`${status} ${answer}`);
      const shown = await world.done(`GET ${march(target)}`);
      expect([shown.status, shown.invoice_id]).toEqual([id ? "issued" : "scheduled", id]);
      const repeat = await world.rest(`POST ${march(target)}/issue`);
      expect(repeat.status).toBe(id === null ? 200 : 409);
      expect(await tracesOfSeries(target)).toMatchObject(all);
    }

    expect([...seen].sort()).toEqual(
      ["issued 200", "null 500", ...(moment === "after" ? ["issued 500"] : [])].sort(),
    );
    await fragile.workUntilDone();
    await expectBooksInOrder();
  });

  it("of issuing an occurrence on an external ledger books once", async () => {
    await fragile.connect("scripted");
    const before = fragile.ledger.documents.size;
    let targets = 0;
    for await (const lost of fragile.lostAtEveryStatement(moment, series, issueMarch)) {
      const { target, statement, status: answer } = lost;
      targets += 1;
      const { id, status, intents, events, activations } = await tracesOfSeries(target);
      expect({ intents, events, activations }).toEqual({
        intents: status === "draft" ? 1 : 0,
        events: status === "issued" ? 1 : 0,
        activations: status === null ? 0 : 1,
      });
      if (answer < 300) expect(status).toBe("issued");
      if (fragile.ledger.documents.has(id)) expect(status).not.toBeNull();
      await fragile.letTimePass();
      if (status === "draft" && statement % 2 === 0) {
        expect(await fragile.settleOne()).toBe(true);
      } else {
        const repeat = await world.rest(`POST ${march(target)}/issue`);
        expect(repeat.status).toBe(status === "issued" ? 409 : 200);
      }
      const after = await tracesOfSeries(target);
      expect(after).toMatchObject({ status: "issued", invoices: 1, documents: 1, events: 1 });
      const shown = await world.done(`GET ${march(target)}`);
      expect(shown).toMatchObject({ status: "issued", invoice_id: after.id });
    }
    await fragile.connect("builtin");

    expect(targets).toBeGreaterThan(15);
    // Those above, and the one without a lost connection.
    expect(fragile.ledger.documents.size - before).toBe(targets + 1);
    await fragile.workUntilDone();
    await expectBooksInOrder();
  });
});
