/** Lists of documents for assistants: their order while documents are issued, their deliveries and sums, and names of documents. */
import { beforeAll, describe, expect, it } from "vitest";
import type { PersonContext } from "../../src/platform/commands/context.ts";
import { agentOf } from "../support/mcp/mcp.ts";
import { personContext, refusalOf, toolAnswer } from "../support/mcp/tools.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, line, draft, issued, fullCredit, partCredit, credited } = useSales();

let admin: PersonContext;
let unreachable: Json;
beforeAll(async () => {
  admin = await personContext(world, world.account.admin.user_id);
  unreachable = await world.done("POST /customers", { name: "No Mail", external_id: "S-Gron" });
});

const idsOf = (rows: readonly Json[]): string[] => rows.map(({ id }) => id);
const listed = (tool: string, args: Json = {}) =>
  toolAnswer(admin, tool, { scope: "all", ...args });

/** Every row, page by page; `between` runs after each page that has another after it. */
async function paged(
  tool: string,
  args: Json,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const { structured } = await listed(tool, { ...args, ...(cursor && { cursor }) });
    ids.push(...idsOf(structured.data));
    if (structured.next_cursor === null) return ids;
    cursor = structured.next_cursor;
    await between(page);
  }
}

describe("the order of invoices", () => {
  let of: Json;
  let drafts: Json[];
  let invoices: Json[];
  beforeAll(async () => {
    of = await world.done("POST /customers", { name: "Ordered" });
    const fields = { customer_id: of.id };
    drafts = [];
    for (let n = 0; n < 5; n += 1) drafts.push(await draft([n + 1], fields));
    invoices = [];
    // Issued from the latest day to the earliest: the order of making is the other way round.
    for (const issue_date of ["2026-03-09", "2026-03-05", "2026-03-05", "2026-03-01"]) {
      invoices.push(await issued([10], { ...fields, issue_date }));
    }
    const [first] = drafts;
    await world.done(`PATCH /invoices/${first?.id}`, { title: "Changed last" });
  });

  it("is that of the last change of drafts, then of day and number, the newest first", async () => {
    const [a, b, c, d, e] = idsOf(drafts);
    const [latest, fifth, fifth_again, earliest] = idsOf(invoices);
    const expected = [a, e, d, c, b, latest, fifth_again, fifth, earliest];
    for (const limit of [1, 2, 3, 4, 25]) {
      expect(await paged("list_invoices", { customer: of.id, limit })).toEqual(expected);
    }
    const issued_alone = { customer: of.id, status: "issued", limit: 2 };
    expect(await paged("list_invoices", issued_alone)).toEqual(expected.slice(5));
    const found = { search: "ordered", limit: 2 };
    expect(await paged("list_invoices", found)).toEqual(expected);
    const dated = { customer: of.id, from: "2026-03-05", to: "2026-03-09", limit: 1 };
    expect(await paged("list_invoices", dated)).toEqual(expected.slice(5, 8));
    expect(await paged("list_invoices", { limit: 2, origin: "one_time" })).toEqual(expected);
    expect(await paged("list_invoices", { limit: 3 })).toEqual(expected);
  });

  it("shows each document once while drafts are issued and made, whatever the size of the pages", async () => {
    for (const limit of [1, 2, 3]) {
      const fields = { customer_id: (await world.done("POST /customers", { name: "Busy" })).id };
      const made: string[] = [];
      for (let n = 0; n < 6; n += 1) made.push((await draft([1], fields)).id);
      for (let n = 0; n < 3; n += 1) made.push((await issued([1], fields)).id);
      // The first pages show the last drafts; shown and unshown ones are issued in turn.
      const to_issue = [5, 0, 4, 1, 3, 2].map((at) => made[at]);
      const seen = await paged(
        "list_invoices",
        { customer: fields.customer_id, limit },
        async () => {
          const id = to_issue.shift();
          if (id !== undefined) await world.done(`POST /invoices/${id}/issue`);
          await draft([1], fields);
          await issued([1], { ...fields, issue_date: "2026-03-10" });
        },
      );
      const known = seen.filter((id) => made.includes(id));
      expect([limit, [...known].sort()]).toEqual([limit, [...made].sort()]);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  it("shows each document once while many are issued at the same time", async () => {
    const fields = { customer_id: (await world.done("POST /customers", { name: "Rush" })).id };
    const made: Json[] = [];
    for (let n = 0; n < 16; n += 1) made.push(await draft([1], fields));
    for (let n = 0; n < 4; n += 1) made.push(await issued([1], fields));
    const waiting = idsOf(made.slice(0, 16));
    let running = 0;
    const issueNext = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        await Promise.all([world.done(`POST /invoices/${id}/issue`), draft([1], fields)]);
      }
      running -= 1;
    };
    const issuers = [0, 1, 2].map(() => {
      running += 1;
      return issueNext();
    });
    let rounds = 0;
    // The last round begins when nothing is issued any more.
    for (let is_last = false; !is_last; rounds += 1) {
      is_last = running === 0;
      const seen = await paged("list_invoices", { customer: fields.customer_id, limit: 3 });
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => idsOf(made).includes(id)).sort()).toEqual(idsOf(made).sort());
    }
    await Promise.all(issuers);
    expect(rounds).toBeGreaterThan(1);
  });

  it("refuses cursors of other lists and forms", async () => {
    const { next_cursor } = await world.done("GET /invoices?limit=1");
    const moment = "2026-03-10T09:00:00.000000Z";
    const id = "0190a000-0000-7000-8000-000000000000";
    const written = [
      `3|${moment}|w|${id}`,
      `3|x|w|${moment}|${id}`,
      `3|${moment}|i|2026-13-01|1|${id}`,
    ];
    const forged = written.map((text) => Buffer.from(text).toString("base64url"));
    for (const cursor of [next_cursor, "strange", ...forged]) {
      expect(await refusalOf(listed("list_invoices", { cursor }))).toBe("VALIDATION_FAILED");
    }
  });
});

describe("the order of credit notes", () => {
  it("is that of day and number, the newest first", async () => {
    const of = await world.done("POST /customers", { name: "Credited" });
    const invoice = await issued([100], { customer_id: of.id, issue_date: "2026-03-01" });
    const notes: string[] = [];
    for (const credit_date of ["2026-03-09", "2026-03-03", "2026-03-03", "2026-03-10"]) {
      notes.push((await credited(partCredit(invoice, [1], { credit_date }))).id);
    }
    const [ninth, third, third_again, tenth] = notes;
    for (const limit of [1, 2, 25]) {
      expect(await paged("list_credit_notes", { customer: of.id, limit })).toEqual([
        tenth,
        ninth,
        third_again,
        third,
      ]);
    }
  });
});

describe("the deliveries of documents", () => {
  it("are a column of the lists, and a filter that takes several states", async () => {
    const of = await world.done("POST /customers", { name: "Sent", email: "in@sent.example" });
    const sent = await issued([10], { customer_id: of.id, auto_send: true });
    const kept = await issued([20], { customer_id: of.id });
    const waiting = await draft([30], { customer_id: of.id });
    const failed = await issued([40], { customer_id: unreachable.id, auto_send: true });
    const states = async (delivery_state: string): Promise<string[]> => {
      const { structured } = await listed("list_invoices", { delivery_state, limit: 100 });
      const made = [sent, kept, waiting, failed].map(({ id }) => id);
      return idsOf(structured.data).filter((id) => made.includes(id));
    };
    expect(await states("written_to_outbox")).toEqual([sent.id]);
    expect(await states("failed_permanent")).toEqual([failed.id]);
    expect(await states("none")).toEqual([waiting.id, kept.id]);
    expect(await states("none,failed_permanent")).toEqual([waiting.id, failed.id, kept.id]);
    expect(await states("failed_permanent,written_to_outbox")).toEqual([failed.id, sent.id]);
    await expect(states("none,lost")).rejects.toThrow("States of queued");
    const { lines, structured } = await listed("list_invoices", { customer: of.id });
    const cells = lines.slice(3, 6).map((row) => row.split(" | ").map((cell) => cell.trim()));
    expect(lines[2]).toMatch(/ \| delivery +\| net +\| open$/);
    expect(cells.map((row) => row.at(-3))).toEqual(["-", "none", "written_to_outbox"]);
    expect(structured.data.map(({ delivery_state }: Json) => delivery_state)).toEqual([
      undefined,
      "none",
      "written_to_outbox",
    ]);
  });

  it("of credit notes are the same", async () => {
    const of = await world.done("POST /customers", { name: "Returned", email: "in@back.example" });
    const sent = await credited(
      fullCredit(await issued([10], { customer_id: of.id, auto_send: true })),
    );
    const kept = await credited(fullCredit(await issued([20], { customer_id: of.id })));
    const found = async (delivery_state: string) =>
      idsOf(
        (await listed("list_credit_notes", { customer: of.id, delivery_state })).structured.data,
      );
    expect(await found("written_to_outbox")).toEqual([sent.id]);
    expect(await found("none")).toEqual([kept.id]);
    expect(await found("none,written_to_outbox")).toEqual([kept.id, sent.id]);
    const { text } = await listed("list_credit_notes", { customer: of.id });
    expect(text).toMatch(/\| written_to_outbox \| 10\.00 DKK/);
    expect(text).toMatch(/\| none +\| 20\.00 DKK/);
  });
});

describe("the sums of documents", () => {
  it("are those of all pages by currency, and count drafts without adding them up", async () => {
    const of = await world.done("POST /customers", { name: "Summed" });
    const fields = { customer_id: of.id };
    await world.done("PUT /exchange-rates/EUR/2026-03-10", { rate: 7.46 });
    const first = await issued([1000.5, 200], fields);
    await issued([99.5], fields);
    await issued([12.34], { ...fields, currency: "EUR" });
    await draft([5000], fields);
    for (const limit of [1, 3, 25]) {
      const { text, structured } = await listed("list_invoices", { customer: of.id, limit });
      expect(structured.sums).toEqual([
        { currency: "DKK", count: 2, net: 1300 },
        { currency: "EUR", count: 1, net: 12.34 },
      ]);
      expect(text).toContain(
        "Sum of 3 issued, net: 1,300.00 DKK + 12.34 EUR. 1 draft, not added up.",
      );
    }
    const filtered = await listed("list_invoices", { customer: of.id, status: "draft" });
    expect(filtered.structured.sums).toEqual([]);
    expect(filtered.lines.at(-1)).toBe("1 draft, not added up.");
    await credited(partCredit(first, [0.5]));
    const notes = await listed("list_credit_notes", { customer: of.id });
    expect(notes.structured.sums).toEqual([{ currency: "DKK", count: 1, net: 0.5 }]);
    expect(notes.lines.at(-1)).toBe("Sum of 1 issued, net: 0.50 DKK.");
    const none = await listed("list_credit_notes", { customer: unreachable.id });
    expect(none.text).not.toContain("Sum of");
  });

  it("are those of the view alone", async () => {
    const bo = await world.done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const own = { lines: [line(7, { assignees: [{ user_id: bo.id }] })] };
    await issued([], own);
    const { structured } = await toolAnswer(await personContext(world, bo.id), "list_invoices");
    expect(structured.sums).toEqual([{ currency: "DKK", count: 1, net: 7 }]);
  });
});

describe("a name", () => {
  it("of one external id is taken as that, in any case and without ext:", async () => {
    for (const name of ["S-Gron", "s-gron", "ext:S-Gron"]) {
      const { structured } = await toolAnswer(admin, "get_customer", { customer: name });
      expect(structured.data.id).toBe(unreachable.id);
    }
    const series = await world.done("POST /recurring-series", {
      customer_id: customer.id,
      external_id: "S-gron",
      frequency: "monthly",
      start_date: "2026-04-01",
      lines: [line(100)],
    });
    const found = await toolAnswer(admin, "get_series", { series: "S-gron" });
    expect(found.structured.data.id).toBe(series.id);
    const invoice = await issued([5], { external_id: "PO-77" });
    const shown = await toolAnswer(admin, "get_invoice", { invoice: "PO-77" });
    expect(shown.structured.data.id).toBe(invoice.id);
  });

  it("that a resource is called is taken before an external id", async () => {
    const called = await world.done("POST /customers", { name: "Twice", external_id: "first" });
    await world.done("POST /customers", { name: "Second", external_id: "Twice" });
    const { structured } = await toolAnswer(admin, "get_customer", { customer: "twice" });
    expect(structured.data.id).toBe(called.id);
  });

  it("that nothing has is refused with the forms that a reference may have", async () => {
    for (const [tool, args, forms] of [
      ["get_series", { series: "S-none" }, /No series is called "S-none"\..*ext:<external_id>/],
      ["get_invoice", { invoice: "none" }, /No invoice is called "none"\..*ext:<external_id>, or/],
    ] as const) {
      await expect(toolAnswer(admin, tool, args)).rejects.toThrow(forms);
    }
  });
});

describe("a planned credit with a reason", () => {
  it("shows the reason, keeps it, and shows it with the credit note", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const invoice = await issued([100]);
    const reason = 'Agreed with "Ann"';
    const planned = await agent.call("plan_create_credit_note", {
      invoice: invoice.id,
      kind: "full",
      reason,
    });
    expect(planned.text).toContain(`- reason: "Agreed with 'Ann'"`);
    expect(planned.data.changes.at(-1)).toMatchObject({ field: "reason", after: reason });
    await agent.done("commit", { plan_id: planned.data.plan_id });
    const { data } = await world.done(`GET /credit-notes?invoice=${invoice.id}`);
    expect(data).toMatchObject([{ reason }]);
    const shown = await toolAnswer(admin, "get_credit_note", { credit_note: data[0].id });
    expect(shown.structured.data.reason).toBe(reason);
    expect(shown.text).toContain(`Reason: "Agreed with 'Ann'"`);
  });
});

describe("a search of invoices", () => {
  it("without a hit says where it looks", async () => {
    const { text } = await listed("list_invoices", { search: "nothing like it" });
    expect(text).toContain(
      "No invoices. The search looks in the number, the title, the external id and the customer's name.",
    );
    const other = await listed("list_invoices", { customer: "ext:unknown" });
    expect(other.text).not.toContain("The search looks in");
  });
});
