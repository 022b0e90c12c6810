/** The optional parts of printed documents: references, a text, the days of work, and the hours one by one. */
import { describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { thaw } from "../../../platform/runtime/json.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { factsOf } from "./issue-inputs.ts";
import { getInvoice } from "./queries.ts";

const { world, customer, hours, line, invoice, active, registered, at } = useWork();

const all = {
  buyer_reference: "Afd. 4",
  order_reference: "PO 4711",
  accounting_cost: "4711-22",
  footer: "Tak for\nsamarbejdet.",
  hours_specification: true,
};

async function snapshotOf(id: string): Promise<DocumentSnapshot> {
  const rows = await world.sql("select snapshot from issued_documents where document_id = $1", [
    id,
  ]);
  return thaw<DocumentSnapshot>(rows[0].snapshot);
}
const issue = (id: string) => world.done(`POST /invoices/${id}/issue`);
const besides = ({
  buyer_reference,
  order_reference,
  accounting_cost,
  footer,
  hours,
}: DocumentSnapshot) => ({
  buyer_reference,
  order_reference,
  accounting_cost,
  footer,
  hours,
});

it.skipIf(lacks("pdftotext"))(
  "a line by hours without hours is not on the PDF, but a line of value 0 is (needs pdftotext)",
  async () => {
    const draft = await invoice(
      [
        line({ recognition_method: "on_issue", agreed_value: 100 }),
        hours({ hourly_rate: 1200, description_override: "Nothing worked" }),
        line({ agreed_value: 0, description_override: "A word beside" }),
      ],
      { auto_send: false },
    );
    const printed = async () => textOfPdf((await world.rest(`GET /invoices/${draft.id}/pdf`)).body);
    const expected = async () => {
      const text = await printed();
      expect(text).toContain("A word beside");
      expect(text).not.toContain("Nothing worked");
      expect((await world.done(`GET /invoices/${draft.id}`)).lines).toHaveLength(3);
    };
    await expected();
    const issued = await issue(draft.id);
    expect(issued.warnings).toContainEqual(
      expect.objectContaining({ message: "Line 2 has no hours and is not printed." }),
    );
    await expected();
  },
);

describe("references, text and the request for a specification", () => {
  it("are stored on invoices, series and, except the text, customers, and shown when there are any", async () => {
    const made = await invoice([line()], all);
    expect(made).toMatchObject(all);
    const path = `/invoices/${made.id}`;
    expect(await world.done(`PATCH ${path}`, made)).toEqual(made);
    const less = await world.done(`PATCH ${path}`, { footer: null, buyer_reference: "" });
    const { footer: _, ...rest } = made;
    expect(less).toEqual({ ...rest, buyer_reference: "" });

    const series = await active(all);
    expect(series).toMatchObject(all);
    const at_series = `/recurring-series/${series.id}`;
    const changed = { order_reference: null, hours_specification: false };
    const { order_reference: __, ...kept } = series;
    expect(await world.done(`PATCH ${at_series}`, changed)).toEqual({
      ...kept,
      hours_specification: false,
    });

    const { footer: ___, ...references } = all;
    const buyer = await world.done("POST /customers", { name: "B", ...references });
    expect(buyer).toMatchObject(references);
    const bare = Object.fromEntries(Object.keys(references).map((field) => [field, null]));
    const emptied = await world.done(`PATCH /customers/${buyer.id}`, bare);
    for (const field of Object.keys(references)) expect(emptied).not.toHaveProperty(field);
  });

  it.each([
    ["buyer_reference", "x".repeat(256), "too_long"],
    ["order_reference", 12, "invalid_type"],
    ["accounting_cost", "x".repeat(256), "too_long"],
    ["footer", "x".repeat(5001), "too_long"],
    ["hours_specification", "yes", "invalid_type"],
  ])("are refused: %s", async (field, value, code) => {
    const body = { customer_id: customer.id, lines: [], [field]: value };
    const { status, body: reply } = await world.rest("POST /invoices", body);
    expect([status, reply.error.field_errors]).toMatchObject([422, [{ field, code }]]);
  });

  it("are set by assistants as well", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const { product_id } = line();
    const lines = [{ product_id, recognition_method: "value", agreed_value: 100 }];
    const { footer: _, ...references } = all;
    const buyer = await agent.carried("plan_save_customer", { name: "By plan", ...references });
    expect(buyer).toMatchObject(references);

    const made = await agent.carried("plan_create_invoice", { customer: buyer.id, lines, ...all });
    expect(made).toMatchObject(all);
    const less = { footer: "", hours_specification: false };
    const changed = await agent.carried("plan_update_invoice", { invoice: made.id, ...less });
    expect(changed).toMatchObject({ ...all, ...less });

    const series = await agent.carried("plan_create_series", {
      customer: buyer.id,
      frequency: "monthly",
      start_date: "2027-01-01",
      lines,
      ...all,
    });
    expect(series).toMatchObject(all);
    const again = await agent.carried("plan_update_series", { series: series.id, ...less });
    expect(again).toMatchObject({ ...all, ...less });
    const { text } = await agent.call("plan_update_series", { series: series.id, footer: "Hi" });
    expect(text).toContain('footer: "" becomes "Hi"');
  });

  it("of the invoice take precedence over the customer's, and those of the series over both", async () => {
    const buyer = await world.done("POST /customers", {
      name: "Buyer",
      external_reference: "EXTREF-77",
      buyer_reference: "Ida",
      order_reference: "annual order",
      accounting_cost: "5610",
    });
    const draft = await invoice([line()], {
      customer_id: buyer.id,
      auto_send: false,
      order_reference: "PO 1",
    });
    await issue(draft.id);
    expect(besides(await snapshotOf(draft.id))).toEqual({
      buyer_reference: "Ida",
      order_reference: "PO 1",
      accounting_cost: "5610",
    });
    const silent = await invoice([line()], {
      customer_id: buyer.id,
      auto_send: false,
      buyer_reference: "",
      accounting_cost: "",
    });
    await issue(silent.id);
    // The empty value is kept, so that the customer's own reference is not printed in its place.
    expect(besides(await snapshotOf(silent.id))).toEqual({
      buyer_reference: "",
      order_reference: "annual order",
    });

    const series = await active({
      customer_id: buyer.id,
      auto_send: false,
      order_reference: "frame 7",
      accounting_cost: "5620",
      footer: "Retainer",
    });
    const [{ period }] = (await world.done(`GET /recurring-series/${series.id}/occurrences`)).data;
    const issued = await world.done(
      `POST /recurring-series/${series.id}/occurrences/${period}/issue`,
    );
    expect(issued).toMatchObject({
      order_reference: "frame 7",
      accounting_cost: "5620",
      footer: "Retainer",
    });
    expect(besides(await snapshotOf(issued.id))).toEqual({
      buyer_reference: "Ida",
      order_reference: "frame 7",
      accounting_cost: "5620",
      footer: "Retainer",
    });
  });

  it("are absent from a document without any", async () => {
    const draft = await invoice([line()], { auto_send: false });
    await issue(draft.id);
    const snapshot = await snapshotOf(draft.id);
    const texts = ["buyer_reference", "order_reference", "accounting_cost", "footer", "hours"];
    for (const field of texts) {
      expect(snapshot).not.toHaveProperty(field);
    }
    expect(snapshot.lines[0]).not.toHaveProperty("worked");
  });

  it("pass to the credit note if they are the buyer's", async () => {
    const draft = await invoice([line()], { auto_send: false, ...all });
    await issue(draft.id);
    const credit = await world.done("POST /credit-notes", {
      external_id: `credit of ${draft.id}`,
      invoice: draft.id,
      kind: "full",
      credit_date: "2027-02-01",
    });
    expect(besides(await snapshotOf(credit.id))).toEqual({
      buyer_reference: "Afd. 4",
      order_reference: "PO 4711",
      accounting_cost: "4711-22",
    });
  });
});

/** Copies a work registration this many times, each with a hundredth of an hour. */
async function copies(id: string, count: number): Promise<void> {
  const columns = (
    await world.sql(
      `select column_name from information_schema.columns where table_name = 'work_registrations'
         and column_name not in ('id', 'external_id', 'hours')`,
    )
  ).map((row) => row.column_name);
  await world.sql(
    `insert into work_registrations (id, hours, ${columns})
     select gen_random_uuid(), 1, ${columns} from work_registrations, generate_series(1, $2::int)
     where id = $1`,
    [id, count],
  );
}

describe("the hours of an invoice", () => {
  it("are shown with their first and last day, and one by one on request", async () => {
    at("2027-01-20");
    const draft = await invoice([hours(), line(), hours()], {
      auto_send: false,
      hours_specification: true,
    });
    const [first, , empty] = draft.lines.map((entry: Json) => entry.id);
    await registered(first, { date: "2027-01-18", hours: 1.5, note: "Review" });
    await registered(first, { date: "2027-01-11", hours: 2 });
    await registered(first, { date: "2027-01-05", hours: 4, billable: false });
    await world.done(`PATCH /invoices/${draft.id}`, {
      lines: draft.lines.filter((entry: Json) => entry.id !== empty),
    });
    await issue(draft.id);
    const snapshot = await snapshotOf(draft.id);
    expect(snapshot.lines.map((entry) => entry.worked)).toEqual([
      { from: "2027-01-11", to: "2027-01-18" },
      undefined,
    ]);
    expect(snapshot.hours).toEqual([
      {
        line_id: first,
        entries: [
          { date: "2027-01-11", user_name: expect.any(String), hours: 200, note: null },
          { date: "2027-01-18", user_name: expect.any(String), hours: 150, note: "Review" },
        ],
      },
    ]);
    const { status, body } = await world.rest(`GET /invoices/${draft.id}/pdf`);
    expect([status, body.subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
  });

  it("are summed by day and person above one thousand, and frozen so", async () => {
    at("2027-01-20");
    const draft = await invoice([hours()], { auto_send: false, hours_specification: true });
    const [{ id: line_id }] = draft.lines;
    const { id } = await registered(line_id, { date: "2027-01-11", hours: 2, note: "Review" });
    const pagesOf = async () => {
      const { body } = await world.rest(`GET /invoices/${draft.id}/pdf`);
      return body.toString("latin1").match(/\/Type \/Page\n/g)?.length;
    };
    await copies(id, 999);
    expect(await pagesOf()).toBeGreaterThan(20);
    await copies(id, 1);
    expect(await pagesOf()).toBe(2);
    const { net } = await world.done(`GET /invoices/${draft.id}/totals`);
    expect(net).toBe(12_000);
    await issue(draft.id);
    const snapshot = await snapshotOf(draft.id);
    expect(snapshot).toMatchObject({
      hours_are_summed: true,
      hours: [{ line_id, entries: [{ date: "2027-01-11", hours: 1200, note: null }] }],
    });
    expect((await world.done(`GET /invoices/${draft.id}/totals`)).net).toBe(net);
    expect(await pagesOf()).toBe(2);
  });

  it("keep their notes in a list of invoices as in a single issue", async () => {
    at("2027-01-20");
    let day = 11;
    const issuedBy = async (issueAll: (ids: string[]) => Promise<unknown>) => {
      const ids: string[] = [];
      for (const count of [600, 600, 1100]) {
        const draft = await invoice([hours()], { auto_send: false, hours_specification: true });
        day += 1;
        const worked = { date: `2027-01-${day}`, hours: 2, note: "Review" };
        const { id } = await registered(draft.lines[0].id, worked);
        await copies(id, count - 1);
        ids.push(draft.id);
      }
      await issueAll(ids);
      const snapshots = await Promise.all(ids.map(snapshotOf));
      return snapshots.map(({ hours, hours_are_summed = false }) => ({
        hours_are_summed,
        entries: hours?.[0]?.entries.length,
        notes: hours?.[0]?.entries.filter(({ note }) => note === "Review").length,
      }));
    };

    const together = await issuedBy((references) =>
      world.done("POST /invoices/issue", { references }),
    );

    expect(together).toEqual([
      { hours_are_summed: false, entries: 600, notes: 600 },
      { hours_are_summed: false, entries: 600, notes: 600 },
      { hours_are_summed: true, entries: 1, notes: 0 },
    ]);
    expect(await issuedBy((ids) => Promise.all(ids.map(issue)))).toEqual(together);
  });

  it("are read only for documents that print them", async () => {
    at("2027-01-20");
    const draft = await invoice([hours()], { auto_send: false, hours_specification: true });
    await registered(draft.lines[0].id, { date: "2027-01-12" });
    const cx = await operatorContext(world.services, world.account.account_id);
    const loaded = await getInvoice(cx, draft.id);
    const { document } = await factsOf(cx, loaded.invoice);
    expect([document.hours, document.lines[0]?.worked?.from]).toEqual([undefined, "2027-01-12"]);
    const printed = await factsOf(cx, loaded.invoice, { is_printed: true });
    expect(printed.document.hours).toHaveLength(1);
    expect(printed.document.totals).toEqual(document.totals);
  });

  it("are not specified when the invoice declines what its customer wants", async () => {
    at("2027-01-20");
    const buyer = await world.done("POST /customers", { name: "B", hours_specification: true });
    const issuedWith = async (fields: Json) => {
      const draft = await invoice([hours()], {
        customer_id: buyer.id,
        auto_send: false,
        ...fields,
      });
      await registered(draft.lines[0].id, { date: "2027-01-12" });
      await issue(draft.id);
      return snapshotOf(draft.id);
    };
    expect((await issuedWith({})).hours).toHaveLength(1);
    expect(await issuedWith({ hours_specification: false })).not.toHaveProperty("hours");
  });
});
