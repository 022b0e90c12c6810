/**
 * Reading credit notes (spec 5.5 and 11.3): every combination of filters and
 * cursors against a model, and the notes that a cancellation queued.
 */
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, issued, fullCredit, partCredit, post, credited } = useSales();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

/** A monthly series of 310 from 1 March, with its March issued, then cancelled on a day of March. */
async function cancelled(end_date: string, fields: object = {}): Promise<Json> {
  const series = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    auto_send: false,
    lines: [line(310)],
    ...fields,
  });
  const issue = `POST /recurring-series/${series.id}/occurrences/2026-03/issue`;
  const invoice = await world.done(issue);
  const { credit_notes } = await world.done(`POST /recurring-series/${series.id}/cancel`, {
    end_date,
  });
  return { invoice, note: credit_notes[0] };
}

const show = (ref: string): Promise<Json> => world.done(`GET /credit-notes/${ref}`);

async function now(): Promise<string> {
  const rows = await world.sql(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  );
  return rows[0].now;
}

async function pages(path: string, filters: Readonly<Record<string, unknown>>): Promise<Json[]> {
  const seen: Json[] = [];
  let cursor: string | undefined;
  for (;;) {
    const given = Object.entries({ ...filters, cursor }).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
    const page = await world.done(`GET ${path}?${query}`);
    expect(Object.keys(page).sort()).toEqual(["data", "has_more", "next_cursor", "object"]);
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (page.has_more) expect(page.data).toHaveLength(Number(filters.limit ?? 25));
    seen.push(...page.data);
    if (!page.has_more) return seen;
    cursor = page.next_cursor;
  }
}

describe("lists of credit notes with any filters, limit and cursor", () => {
  let model: { readonly note: Json; readonly updated_at: string }[];
  let invoices: Json[];
  let customers: Json[];
  let moments: string[];
  beforeAll(async () => {
    customers = [
      customer,
      await world.done("POST /customers", { name: "B", external_id: "customer b" }),
    ];
    invoices = [
      await issued([1000], { external_id: "invoice a" }),
      await issued([1000], { customer_id: customers[1].id }),
      await issued([1000]),
      (await cancelled("2026-03-10", { customer_id: customers[1].id })).invoice,
    ];
    moments = [await now()];
    for (let index = 0; index < 30; index += 1) {
      const external_id = `cn ${index}`;
      await credited(partCredit(invoices[index % 2], [1], { external_id }));
      if (index % 10 === 9) moments.push(await now());
    }
    // A failed sending long after the creation is also a change.
    await world.done(`PATCH /customers/${customer.id}`, { email: null });
    await world.done("POST /credit-notes/ext:cn 4/send");
    const rows = await world.sql(
      `select document, to_char(updated_at at time zone 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at
       from credit_notes order by id desc`,
    );
    model = rows.map(({ document, updated_at }) => ({ note: JSON.parse(document), updated_at }));
    expect(model).toHaveLength(31);
  });

  const anyFilters = fc.record({
    customer: fc.constantFrom(undefined, undefined, 0, 1, "ext:customer b", "ext:none", UNKNOWN_ID),
    invoice: fc.constantFrom(
      undefined,
      undefined,
      0,
      1,
      2,
      3,
      "ext:invoice a",
      "ext:none",
      UNKNOWN_ID,
    ),
    status: fc.constantFrom(undefined, undefined, "draft", "issued"),
    external_id: fc.constantFrom(undefined, undefined, undefined, "cn 3", "cn 4", "none"),
    since: fc.constantFrom(undefined, 0, 1, 2, 3),
    limit: fc.constantFrom(undefined, 1, 7, 100),
  });

  it("show the same notes as a plain filter over all, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters, async ({ since: moment, limit, ...chosen }) => {
        const since = moment === undefined ? undefined : moments[moment];
        const filters = {
          ...chosen,
          limit,
          updated_since: since,
          customer:
            typeof chosen.customer === "number" ? customers[chosen.customer].id : chosen.customer,
          invoice:
            typeof chosen.invoice === "number" ? invoices[chosen.invoice].id : chosen.invoice,
        };
        const customer_id =
          filters.customer === "ext:customer b" ? customers[1].id : filters.customer;
        const invoice_id = filters.invoice === "ext:invoice a" ? invoices[0].id : filters.invoice;
        const matches = ({ note, updated_at }: (typeof model)[number]): boolean =>
          (customer_id === undefined || note.customer_id === customer_id) &&
          (invoice_id === undefined || note.invoice_id === invoice_id) &&
          (chosen.status === undefined || note.status === chosen.status) &&
          (chosen.external_id === undefined || note.external_id === chosen.external_id) &&
          (since === undefined || updated_at > since);

        const listed = await pages("/credit-notes", filters);

        expect(listed).toEqual(model.filter(matches).map(({ note }) => note));
      }),
      { numRuns: 60 },
    );
  });

  it("accept limit, cursor and updated_since for one invoice", async () => {
    for (const [index, ref] of [invoices[0].id, "ext:invoice a"].entries()) {
      const since = moments[index];
      const listed = await pages(`/invoices/${ref}/credit-notes`, {
        limit: 4,
        updated_since: since,
      });
      const expected = model.filter(
        ({ note, updated_at }) =>
          note.invoice_id === invoices[0].id && updated_at > (since as string),
      );
      expect(expected.length).toBeGreaterThan(8);
      expect(listed).toEqual(expected.map(({ note }) => note));
    }
    expect(await pages(`/invoices/${invoices[2].id}/credit-notes`, {})).toEqual([]);
  });

  it.each([
    ["/credit-notes?limit=0", INVALID],
    ["/credit-notes?limit=101", INVALID],
    ["/credit-notes?status=queued", INVALID],
    ["/credit-notes?status=", INVALID],
    ["/credit-notes?customer=", INVALID],
    ["/credit-notes?customer=acme", INVALID],
    ["/credit-notes?invoice=17", INVALID],
    ["/credit-notes?external_id=", INVALID],
    ["/credit-notes?cursor=", INVALID],
    ["/credit-notes?cursor=abc", INVALID],
    ["/credit-notes?updated_since=yesterday", INVALID],
    ["/credit-notes/17", "400 MALFORMED_REQUEST"],
    [`/credit-notes/${UNKNOWN_ID}`, "404 NOT_FOUND"],
    ["/credit-notes/ext:unknown", "404 NOT_FOUND"],
    [`/credit-notes/${UNKNOWN_ID}/totals`, "404 NOT_FOUND"],
    [`/credit-notes/${UNKNOWN_ID}/pdf`, "404 NOT_FOUND"],
    [`/credit-notes/${UNKNOWN_ID}/deliveries`, "404 NOT_FOUND"],
    ["/invoices/17/credit-notes", "400 MALFORMED_REQUEST"],
    [`/invoices/${UNKNOWN_ID}/credit-notes`, "404 NOT_FOUND"],
    ["/invoices/ext:invoice a/credit-notes?limit=0", INVALID],
    ["/invoices/ext:invoice a/credit-notes?cursor=x", INVALID],
    ["/invoices/ext:invoice a/credit-notes?updated_since=x", INVALID],
  ])("GET %s is refused with %s", async (path, expected) => {
    const answer = refusal(await world.rest(`GET ${path}`));
    expect(answer.split(" ").slice(0, 2).join(" ")).toBe(expected);
  });
});

describe("a credit note that a cancellation has queued", () => {
  it("is a draft without an external id or numbers, and can be previewed", async () => {
    const { invoice, note } = await cancelled("2026-03-10");

    expect(await show(note.id)).toEqual({
      object: "credit_note",
      id: note.id,
      external_id: null,
      invoice_id: invoice.id,
      customer_id: invoice.customer_id,
      kind: "partial",
      status: "draft",
      ledger_credit_note_guid: null,
      ledger_credit_note_number: null,
      issued_at: null,
      send_error: null,
      lines: [
        { id: expect.any(String), invoice_line_id: invoice.lines[0].id, amount: 210, position: 1 },
      ],
      credit_date: "2026-03-10",
    });
    const totals = await world.done(`GET /credit-notes/${note.id}/totals`);
    expect(totals).toMatchObject({ net: 210, vat: 52.5, gross: 262.5 });
    const pdf = await world.rest(`GET /credit-notes/${note.id}/pdf`);
    expect(pdf.headers.get("content-disposition")).toContain("kreditnota-udkast.pdf");
    expect(await world.done(`GET /credit-notes/${note.id}/deliveries`)).toMatchObject({
      data: [],
    });
    const sent = await world.rest(`POST /credit-notes/${note.id}/send`);
    expect(refusal(sent)).toBe("409 CREDIT_NOTE_NOT_ISSUED");
  });

  it("counts immediately against the remainder of the line", async () => {
    const { invoice, note } = await cancelled("2026-03-10");

    const above = await post(partCredit(invoice, [100.01]));
    expect(refusal(above)).toBe("409 CREDIT_EXCEEDS_LINE");
    expect(above.body.error.details).toEqual({ line: invoice.lines[0].id, remainder: 100 });
    const rest = await credited(fullCredit(invoice));

    expect(rest.lines).toMatchObject([{ amount: 100 }]);
    expect(refusal(await post(fullCredit(invoice)))).toBe("409 INVOICE_FULLY_CREDITED");
    expect((await world.rest(`POST /credit-notes/${note.id}/issue`)).status).toBe(200);
  });

  it("is issued manually, once", async () => {
    const { note } = await cancelled("2026-03-10");
    const before = await show(note.id);
    const issue = () => world.rest(`POST /credit-notes/${note.id}/issue`);

    const replies = await Promise.all(Array.from({ length: 8 }, issue));

    const answers = replies.map(refusal).sort();
    expect(answers).toEqual(["200", ...Array(7).fill("409 CREDIT_NOTE_ALREADY_ISSUED")]);
    const after = await show(note.id);
    expect(replies.find((reply) => reply.status === 200)?.body).toEqual(after);
    expect(after).toEqual({
      ...before,
      status: "issued",
      ledger_credit_note_guid: note.id,
      ledger_credit_note_number: expect.any(Number),
      issued_at: "2026-03-10T09:00:00.000Z",
    });
    expect(await world.sql("select 1 from ledger_entries where guid = $1", [note.id])).toHaveLength(
      1,
    );
  });

  it("is issued by the scheduler", async () => {
    const { note } = await cancelled("2026-03-20");

    const run = await world.done("POST /scheduler-runs");

    expect(run.credit_notes_issued).toContain(note.id);
    expect(await show(note.id)).toMatchObject({ status: "issued" });
  });

  it("is issued after the others when another transaction has locked its invoice", async () => {
    const [first, second] = [await cancelled("2026-03-20"), await cancelled("2026-03-20")];
    const holder = await world.db.runner.connect();
    try {
      await holder.query("begin");
      await holder.query("select from invoices where id = $1 for update", [first.invoice.id]);
      const running = world.done("POST /scheduler-runs");
      while ((await show(second.note.id)).status !== "issued") await new Promise(setImmediate);
      expect((await show(first.note.id)).status).toBe("draft");
      await holder.query("rollback");

      const { credit_notes_issued, credit_notes_failed } = await running;
      expect(credit_notes_issued.slice(-2)).toEqual([second.note.id, first.note.id]);
      expect(credit_notes_failed).toEqual([]);
    } finally {
      holder.release();
    }
  });

  it("fails when its day is locked, and is retried after hours, or manually at any time", async () => {
    const { note } = await cancelled("2026-03-20");
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    const run = async () => (await world.done("POST /scheduler-runs")).credit_notes_failed;
    const failures = [await run(), await run()];
    world.clock.set("2026-03-10T10:00:00.000Z");
    failures.push(await run());

    const by_hand = refusal(await world.rest(`POST /credit-notes/${note.id}/issue`));
    await world.done("PATCH /configuration", { period_lock_date: null });
    const second = refusal(await world.rest(`POST /credit-notes/${note.id}/issue`));

    world.clock.set("2026-03-10T09:00:00.000Z");
    expect(failures).toEqual([
      [{ id: note.id, code: "PERIOD_LOCKED" }],
      [],
      [{ id: note.id, code: "PERIOD_LOCKED" }],
    ]);
    expect([by_hand, second]).toEqual(["409 PERIOD_LOCKED", "200"]);
  });

  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["17", "400 MALFORMED_REQUEST"],
  ])("POST /credit-notes/%s/issue is refused with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`POST /credit-notes/${ref}/issue`))).toBe(expected);
  });

  it("POST issue of one that a caller created is 409 CREDIT_NOTE_ALREADY_ISSUED", async () => {
    const { id } = await credited(fullCredit(await issued([1])));
    const reply = await world.rest(`POST /credit-notes/${id}/issue`);
    expect(refusal(reply)).toBe("409 CREDIT_NOTE_ALREADY_ISSUED");
  });
});
