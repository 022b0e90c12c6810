/** The credits of a cancellation for prepaid periods, and the queue that issues them (spec 4.10 and 4.11). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, line, at, active, rest, cancel, issued, issue, occurrence, run, refused } =
  useSeries();

beforeEach(() => at("2026-03-01"));
// Leaves nothing queued for the next test.
afterEach(() => run());

/** An active series of 31,000 for March 2026, issued in advance; with its invoice. */
async function prepaid(fields: Json = {}): Promise<{ id: string; invoice: Json }> {
  const lines = [line({ agreed_value: 31000 })];
  const { id } = await active({ start_date: "2026-03-01", lines, ...fields });
  return { id, invoice: await issued(id, "2026-03") };
}
const credit = async (invoice: Json, amount: number): Promise<Json> =>
  world.done("POST /credit-notes", {
    external_id: `concession ${invoice.id}`,
    invoice: invoice.id,
    kind: "partial",
    credit_date: "2026-03-05",
    lines: [{ invoice_line_id: invoice.lines[0].id, amount }],
  });
const show = (id: string): Promise<Json> => world.done(`GET /credit-notes/${id}`);
const lock = (period_lock_date: string | null) =>
  world.done("PATCH /configuration", { period_lock_date });

describe("a cancellation credits", () => {
  it("the unused days of a prepaid month, with a queued draft that the scheduler issues", async () => {
    const { id, invoice } = await prepaid();
    at("2026-03-10");

    const { credit_notes } = await cancel(id);

    expect(credit_notes).toEqual([
      {
        id: expect.any(String),
        invoice_id: invoice.id,
        kind: "partial",
        amount: 21000,
        status: "queued",
      },
    ]);
    const [{ id: note_id }] = credit_notes;
    const draft = await show(note_id);
    expect(draft).toMatchObject({
      external_id: null,
      status: "draft",
      issued_at: null,
      ledger_credit_note_number: null,
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 21000, position: 1 }],
    });
    expect(await run()).toMatchObject({ credit_notes_issued: [note_id], credit_notes_failed: [] });
    expect(await show(note_id)).toMatchObject({ status: "issued", send_error: null });
    expect((await run()).credit_notes_issued).toEqual([]);
    expect((await occurrence(id, "2026-03")).status).toBe("issued");
    expect(await world.done(`GET /credit-notes/${note_id}/totals`)).toMatchObject({
      net: 21000,
      gross: 26250,
    });
  });

  it.each<[string, Json, number[], string[]]>([
    ["nothing for an end on the last day", { end_date: "2026-03-31" }, [], []],
    ["the last day, for an end on the day before", { end_date: "2026-03-30" }, [1000], ["partial"]],
    [
      "all but the first day, for an end on that day",
      { end_date: "2026-03-01" },
      [30000],
      ["partial"],
    ],
    ["everything, for an end before the period", { end_date: "2026-02-28" }, [31000], ["full"]],
    ["nothing, when no credit is requested", { end_date: "2026-03-10", credit: "none" }, [], []],
  ])("%s", async (_what, sent, expected, kinds) => {
    const { id } = await prepaid();

    const { credit_notes } = await cancel(id, sent);

    expect(credit_notes.map(({ amount }: Json) => amount)).toEqual(expected);
    expect(credit_notes.map(({ kind }: Json) => kind)).toEqual(kinds);
  });

  it("with one note for each invoice after the end, the earliest first", async () => {
    const { id, invoice } = await prepaid();
    const may = await issued(id, "2026-05");
    const april = await issued(id, "2026-04");

    const { credit_notes } = await cancel(id, { end_date: "2026-03-10" });

    expect(
      credit_notes.map(({ invoice_id, kind, amount }: Json) => [invoice_id, kind, amount]),
    ).toEqual([
      [invoice.id, "partial", 21000],
      [april.id, "full", 31000],
      [may.id, "full", 31000],
    ]);
    const { credit_notes_issued } = await run();
    expect(credit_notes_issued).toEqual(credit_notes.map((note: Json) => note.id));
  });

  it("only lines by value, each rounded by itself", async () => {
    const { id, invoice } = await prepaid({
      lines: [
        line({ agreed_value: 100 }),
        line({ agreed_value: 1000, recognition_method: "on_issue" }),
        line({ agreed_value: 0.01, discount: 0 }),
        line({ agreed_value: 200, discount: 50 }),
      ],
    });

    const { credit_notes } = await cancel(id, { end_date: "2026-03-10" });

    // 100 - 32.26, 0.01 - 0.00, and again 100 - 32.26.
    expect(credit_notes).toMatchObject([{ kind: "partial", amount: 135.49 }]);
    const { lines } = await show(credit_notes[0].id);
    expect(lines.map((one: Json) => [one.invoice_line_id, one.amount])).toEqual([
      [invoice.lines[0].id, 67.74],
      [invoice.lines[2].id, 0.01],
      [invoice.lines[3].id, 67.74],
    ]);
  });

  it("the remainder after a concession", async () => {
    const { id, invoice } = await prepaid();
    await credit(invoice, 6200);

    const { credit_notes } = await cancel(id, { end_date: "2026-03-10" });

    // 24,800 less 10/31 of it.
    expect(credit_notes).toMatchObject([{ kind: "partial", amount: 16800 }]);
  });

  it("nothing of a line that was credited in full, and in full the remainder of another", async () => {
    const { id, invoice } = await prepaid();
    await credit(invoice, 31000);
    expect((await cancel(id, { end_date: "2026-02-01" })).credit_notes).toEqual([]);
    const other = await prepaid();
    await credit(other.invoice, 30000);
    const { credit_notes } = await cancel(other.id, { end_date: "2026-02-01" });
    expect(credit_notes).toMatchObject([{ kind: "full", amount: 1000 }]);
  });

  it("again for an earlier end, the remainder and the days that were left", async () => {
    const { id } = await prepaid();

    const first = await cancel(id, { end_date: "2026-03-20" });
    const second = await cancel(id, { end_date: "2026-03-10" });
    const third = await cancel(id, { end_date: "2026-02-28" });

    expect([first, second, third].map(({ credit_notes }) => credit_notes[0].amount)).toEqual([
      11000, 10000, 10000,
    ]);
    expect((await run()).credit_notes_issued).toHaveLength(3);
    const frozen = await world.sql(
      `select snapshot::json -> 'lines' -> 0 ->> 'service_from' || '/' ||
         (snapshot::json #>> '{lines,0,credited_service,from}') || '/' ||
         (snapshot::json #>> '{lines,0,credited_service,to}') as days
       from issued_documents where document_id = any ($1) order by document_id`,
      [[first, second, third].map(({ credit_notes }) => credit_notes[0].id)],
    );
    expect(frozen.map(({ days }) => days)).toEqual([
      "2026-03-01/2026-03-21/2026-03-31",
      "2026-03-01/2026-03-11/2026-03-20",
      "2026-03-01/2026-03-01/2026-03-10",
    ]);
  });

  it("together with manual credits never more than the line", async () => {
    const { id, invoice } = await prepaid();
    await cancel(id, { end_date: "2026-03-10" });

    expect(
      await refused(
        world.rest("POST /credit-notes", {
          external_id: "too much",
          invoice: invoice.id,
          kind: "partial",
          credit_date: "2026-03-05",
          lines: [{ invoice_line_id: invoice.lines[0].id, amount: 10000.01 }],
        }),
      ),
    ).toBe("409 CREDIT_EXCEEDS_LINE");
    await credit(invoice, 10000);
    expect((await run()).credit_notes_failed).toEqual([]);
  });
});

describe("the queue of credit notes", () => {
  it("waits for an open period: after 1 h, 6 h, then daily, seven retries, then only manually", async () => {
    const { id } = await prepaid();
    at("2026-03-10T08:00:00Z");
    const [{ id: note_id }] = (await cancel(id)).credit_notes;
    await lock("2026-03-10");
    try {
      const hours = [0, 1, 6, 24, 24, 24, 24, 24];
      let now = Date.parse("2026-03-10T08:00:00Z");
      for (const wait of hours) {
        at(new Date(now + wait * 3_600_000 - 1000).toISOString());
        if (wait > 0) expect((await run()).credit_notes_failed).toEqual([]);
        now += wait * 3_600_000;
        at(new Date(now).toISOString());
        expect((await run()).credit_notes_failed).toEqual([{ id: note_id, code: "PERIOD_LOCKED" }]);
      }
      at("2027-01-01");
      expect(await run()).toMatchObject({ credit_notes_failed: [], credit_notes_issued: [] });
      const by_hand = world.rest(`POST /credit-notes/${note_id}/issue`);
      expect(await refused(by_hand)).toBe("409 PERIOD_LOCKED");
    } finally {
      await lock(null);
    }
    expect((await show(note_id)).status).toBe("draft");
    const issuedNote = await world.done(`POST /credit-notes/${note_id}/issue`);
    expect(issuedNote).toMatchObject({ id: note_id, status: "issued" });
    const again = world.rest(`POST /credit-notes/${note_id}/issue`);
    expect(await refused(again)).toBe("409 CREDIT_NOTE_ALREADY_ISSUED");
  });

  it("issues each note once, however many runs occur in parallel", async () => {
    const { id } = await prepaid();
    for (const period of ["2026-04", "2026-05", "2026-06", "2026-07"]) await issued(id, period);
    const { credit_notes } = await cancel(id, { end_date: "2026-03-10" });

    const runs = await Promise.all(Array.from({ length: 5 }, () => run()));

    const done = runs.flatMap(({ credit_notes_issued }) => credit_notes_issued);
    expect(done.sort()).toEqual(credit_notes.map((note: Json) => note.id).sort());
    expect(runs.flatMap(({ credit_notes_failed }) => credit_notes_failed)).toEqual([]);
  });

  it("sends the note when the invoice was to be sent", async () => {
    const { id } = await prepaid({ auto_send: true });
    const [{ id: note_id }] = (await cancel(id, { end_date: "2026-03-10" })).credit_notes;

    await run();

    const { data } = await world.done(`GET /credit-notes/${note_id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox" }]);
  });
});

describe("a cancellation in parallel with an issue of the same period", () => {
  it("leaves the period either issued and credited, or dropped", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const { id } = await active({ start_date: "2026-04-01" });
      const calls = [
        () => issue(id, "2026-04"),
        () => rest("POST", id, "/cancel", { end_date: "2026-03-31" }),
      ];
      if (round % 2) calls.reverse();

      const replies = (await Promise.all(calls.map((call) => call()))).map(refusal).sort();

      const { status, invoice_id } = await occurrence(id, "2026-04");
      outcomes.add(`${replies.join(", ")}: ${status}`);
      if (status === "issued") {
        const { data } = await world.done(`GET /invoices/${invoice_id}/credit-notes`);
        expect(data).toMatchObject([{ kind: "full", lines: [{ amount: 3100 }] }]);
      }
    }
    const allowed = ["200, 200: issued", "200, 409 SERIES_CANCELLED: dropped"];
    expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
    await run();
  });
});
