/** Completing lines and undoing the completion (spec 5.4). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import { UNKNOWN_ID } from "../../../../test/support/world/series.ts";
import { invoiceOf, type Json, type Reply } from "../../../../test/support/world/world.ts";

const { world, line, draft } = useSales();

const milestone = () => line(500, { recognition_method: "milestone" });
const progress = () => line(500, { recognition_method: "progress", budget_hours: 10 });

const path = (invoice: Json, index = 0): string =>
  `/invoices/${invoice.id}/lines/${invoice.lines[index].id}/complete`;
const complete = (invoice: Json, body?: Json, index = 0): Promise<Reply> =>
  world.rest(`POST ${path(invoice, index)}`, body);
const reopen = (invoice: Json): Promise<Reply> => world.rest(`DELETE ${path(invoice)}`);
const issued = async (lines: Json[]): Promise<Json> => {
  const { id } = await draft([], { lines });
  return invoiceOf(await world.done(`POST /invoices/${id}/issue`));
};
const completionOf = async (invoice: Json, index = 0): Promise<string | undefined> => {
  const rows = await world.sql("select completed_on from line_completions where line_id = $1", [
    invoice.lines[index].id,
  ]);
  return rows[0]?.completed_on;
};
const eventsOf = async (invoice: Json): Promise<Json[]> =>
  (await world.done(`GET /audit-events?resource_id=${invoice.lines[0].id}`)).data;

describe("POST /invoices/{ref}/lines/{line_id}/complete", () => {
  it.each([
    ["a milestone of a draft", async () => draft([], { lines: [milestone()] })],
    ["progress on a draft", async () => draft([], { lines: [progress()] })],
    ["a milestone of an issued invoice", async () => issued([milestone()])],
  ])("completes %s and answers with the invoice unchanged", async (_, make) => {
    const invoice = await make();
    const reply = await complete(invoice, { completed_on: "2026-02-28" });

    expect([reply.status, reply.body]).toEqual([200, invoice]);
    expect(await completionOf(invoice)).toBe("2026-02-28");
    expect(await eventsOf(invoice)).toMatchObject([
      {
        action: "completed",
        resource_type: "invoice_line",
        before: null,
        after: {
          object: "line_completion",
          invoice_id: invoice.id,
          line_id: invoice.lines[0].id,
          completed_on: "2026-02-28",
        },
      },
    ]);
  });

  it("uses today when no day is given", async () => {
    const invoice = await draft([], { lines: [milestone()] });
    expect((await complete(invoice)).status).toBe(200);
    expect(await completionOf(invoice)).toBe("2026-03-10");
  });

  it("changes nothing when it is repeated with the same day", async () => {
    const invoice = await draft([], { lines: [milestone()] });
    for (let call = 0; call < 3; call += 1) expect((await complete(invoice, {})).status).toBe(200);
    expect(await eventsOf(invoice)).toHaveLength(1);
  });

  it.each<[string, () => Promise<Json>, Json, string]>([
    ["a value line", () => draft([100]), {}, "409 LINE_NOT_COMPLETABLE"],
    [
      "an issued value line in the future",
      () => issued([line(100)]),
      { completed_on: "2030-01-01" },
      "409 LINE_NOT_COMPLETABLE",
    ],
    [
      "progress on an issued invoice",
      () => issued([progress()]),
      { completed_on: "2026-01-01" },
      "409 INVOICE_ALREADY_ISSUED",
    ],
    [
      "tomorrow",
      () => draft([], { lines: [milestone()] }),
      { completed_on: "2026-03-11" },
      "409 WORK_DATE_IN_FUTURE",
    ],
    [
      "no day",
      () => draft([], { lines: [milestone()] }),
      { completed_on: "soon" },
      "422 VALIDATION_FAILED completed_on invalid_format",
    ],
  ])("refuses %s", async (_, make, body, code) => {
    expect(refusal(await complete(await make(), body))).toBe(code);
  });

  it("refuses another day", async () => {
    const invoice = await draft([], { lines: [milestone()] });
    await complete(invoice, { completed_on: "2026-02-28" });
    const reply = await complete(invoice, { completed_on: "2026-02-27" });
    expect(refusal(reply)).toBe("409 LINE_ALREADY_COMPLETED");
    expect(reply.body.error.details).toEqual({ completed_on: "2026-02-28" });
  });

  it("does not find lines of another invoice, or malformed ids", async () => {
    const invoice = await draft([], { lines: [milestone()] });
    const other = await draft([], { lines: [milestone()] });
    const call = (line_id: string) => `POST /invoices/${invoice.id}/lines/${line_id}/complete`;
    const answers = [];
    for (const id of [other.lines[0].id, UNKNOWN_ID, "line"]) {
      answers.push(refusal(await world.rest(call(id))));
    }
    expect(answers).toEqual(["404 NOT_FOUND", "404 NOT_FOUND", "400 MALFORMED_REQUEST"]);
  });

  it("accepts one of two parallel calls with different days", async () => {
    const invoice = await draft([], { lines: [milestone()] });
    const replies = await Promise.all(
      ["2026-02-01", "2026-02-02"].map((completed_on) => complete(invoice, { completed_on })),
    );
    expect(replies.map(refusal).sort()).toEqual(["200", "409 LINE_ALREADY_COMPLETED"]);
  });
});

describe("DELETE /invoices/{ref}/lines/{line_id}/complete", () => {
  it("undoes the completion, after which another day may be given", async () => {
    const invoice = await issued([milestone()]);
    await complete(invoice, { completed_on: "2026-02-28" });
    const reply = await reopen(invoice);

    expect([reply.status, reply.body]).toEqual([200, invoice]);
    expect(await completionOf(invoice)).toBeUndefined();
    expect((await complete(invoice, { completed_on: "2026-03-01" })).status).toBe(200);
    expect((await eventsOf(invoice)).map(({ action }) => action)).toEqual([
      "completed",
      "completion_removed",
      "completed",
    ]);
  });

  it("changes nothing on a line that is not completed", async () => {
    const invoice = await draft([], { lines: [progress()] });
    expect((await reopen(invoice)).status).toBe(200);
    expect(await eventsOf(invoice)).toEqual([]);
  });

  it("refuses progress once the invoice is issued", async () => {
    const invoice = await draft([], { lines: [progress()] });
    await complete(invoice, {});
    await world.done(`POST /invoices/${invoice.id}/issue`);
    expect(refusal(await reopen(invoice))).toBe("409 INVOICE_ALREADY_ISSUED");
    expect(await completionOf(invoice)).toBe("2026-03-10");
  });
});

describe("PATCH /invoices/{ref} with a completed line", () => {
  it("keeps the completion while the method stays the same", async () => {
    const invoice = await draft([], { lines: [milestone(), progress()] });
    for (const index of [0, 1]) await complete(invoice, {}, index);
    await world.done(`PATCH /invoices/${invoice.id}`, {
      lines: [line(900, { recognition_method: "milestone" }), milestone()],
    });
    expect([await completionOf(invoice), await completionOf(invoice, 1)]).toEqual([
      "2026-03-10",
      undefined,
    ]);
  });

  it("loses the completion with the line, and with the draft", async () => {
    const invoice = await draft([], { lines: [milestone(), milestone()] });
    for (const index of [0, 1]) await complete(invoice, {}, index);
    await world.done(`PATCH /invoices/${invoice.id}`, { lines: [milestone()] });
    expect(await completionOf(invoice, 1)).toBeUndefined();
    expect((await world.rest(`DELETE /invoices/${invoice.id}`)).status).toBe(204);
    expect(await completionOf(invoice)).toBeUndefined();
  });
});
