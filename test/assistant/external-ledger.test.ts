/** Plans that are booked in an external ledger, which answers late, not at all, or refuses (spec 8.4). */
import { describe, expect, it } from "vitest";
import { OPEN_INTENTS, useExternalLedger } from "../support/ledger/external-ledger.ts";
import { found, offBy1, rejected, steps } from "../support/ledger/scripted-ledger.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import type { Json } from "../support/world/world.ts";

const {
  world,
  ledger,
  customer,
  product,
  draft,
  issue,
  show,
  work,
  letLeaseExpire,
  expectIssuedOnce,
} = useExternalLedger();

let known: Agent | undefined;
const admin = async (): Promise<Agent> => {
  known ??= await agentOf(world, { role: "admin" });
  return known;
};
const planIssue = async (invoice: string): Promise<string> =>
  (await (await admin()).done("plan_issue_invoice", { invoice })).plan_id;
const commit = async (plan_id: string) => (await admin()).call("commit", { plan_id });
const NO_ANSWER = [steps.unknown, steps.unknown, steps.unknown];

/** A plan whose commit got no answer; the outcome of the booking is unknown. */
const unanswered = async (): Promise<{ id: string; plan_id: string }> => {
  const id = await draft();
  const plan_id = await planIssue(id);
  ledger.onBook(...NO_ANSWER);
  expect((await commit(plan_id)).data.code).toBe("LEDGER_UNAVAILABLE");
  return { id, plan_id };
};

describe("a plan whose booking", () => {
  it("succeeds is committed", async () => {
    const id = await draft();
    const plan_id = await planIssue(id);
    const { data } = await commit(plan_id);
    expect(data).toMatchObject({ id, resource: { status: "issued" } });
    await expectIssuedOnce(id);
    expect((await commit(plan_id)).data).toMatchObject({
      code: "PLAN_ALREADY_COMMITTED",
      details: { id },
    });
  });

  it("has no answer can be committed again, and resumes the same booking", async () => {
    const { id, plan_id } = await unanswered();
    await letLeaseExpire(id);

    expect((await commit(plan_id)).data).toMatchObject({ id, resource: { status: "issued" } });
    await expectIssuedOnce(id);
  });

  it("is being settled by another process stays open when it is committed again", async () => {
    const { id, plan_id } = await unanswered();
    await world.sql(
      "update intents set lease_until = clock_timestamp() + interval '30 seconds' where document_id = $1",
      [id],
    );
    expect((await commit(plan_id)).data.code).toBe("LEDGER_UNAVAILABLE");
    await letLeaseExpire(id);
    expect((await commit(plan_id)).is_error).toBe(false);
    await expectIssuedOnce(id);
  });

  it("was settled by the worker reports the outcome", async () => {
    const { id, plan_id } = await unanswered();
    await letLeaseExpire(id);
    expect(await work()).toBe(true);

    expect((await commit(plan_id)).data).toMatchObject({
      code: "PLAN_ALREADY_COMMITTED",
      details: { resource_type: "invoice", id },
    });
  });

  it("has begun resumes even after the fifteen minutes of the plan", async () => {
    const { id, plan_id } = await unanswered();
    await letLeaseExpire(id);
    await world.sql("update plans set expires_at = clock_timestamp() where id = $1", [plan_id]);
    expect((await commit(plan_id)).is_error).toBe(false);
    await expectIssuedOnce(id);
  });

  it("is uncertain says so, and so do the tools that show the invoice", async () => {
    const id = await draft();
    const plan_id = await planIssue(id);
    ledger.onBook(offBy1("gross"));
    ledger.onFind(found(offBy1("gross")));

    const { data, text } = await commit(plan_id);

    expect(data).toMatchObject({ code: "LEDGER_REJECTED", details: { state: "parked" } });
    expect(text).toContain("do not plan it again");
    const agent = await admin();
    const invoice = await agent.call("get_invoice", { invoice: id });
    expect(invoice.data.data.booking).toBe("parked");
    expect(invoice.text).toContain("Its booking is uncertain");
    const listed = await agent.call("list_invoices", { scope: "all", status: "draft" });
    expect(listed.text).toContain("draft, booking uncertain");
    expect(listed.data.data.find((one: Json) => one.id === id).booking).toBe("parked");
    const customer = await agent.call("get_customer", { customer: invoice.data.data.customer_id });
    expect(customer.data.data.bookings.in_doubt).toBe(1);
    expect(customer.text).toContain("Uncertain, so that");
    const again = await commit(plan_id);
    expect(again.data).toMatchObject({ code: "PLAN_EXPIRED" });
    expect(again.text).toContain("its booking may wait for an admin");
    expect(again.text).not.toContain("show the person the new plan");
  });

  it("is rejected ends, and leaves the invoice a draft", async () => {
    const id = await draft();
    const plan_id = await planIssue(id);
    ledger.onBook(rejected("UNKNOWN_ACCOUNT"));
    expect((await commit(plan_id)).data.code).toBe("LEDGER_REJECTED");
    expect(await show(id)).toMatchObject({ status: "draft" });
    expect((await commit(plan_id)).data).toMatchObject({
      code: "PLAN_EXPIRED",
      details: { ended_by: "LEDGER_REJECTED" },
    });
  });

  it("was rejected when the worker retried it is not booked again", async () => {
    const { id, plan_id } = await unanswered();
    await letLeaseExpire(id);
    ledger.onBook(rejected("UNKNOWN_ACCOUNT"));
    await work();
    ledger.forget();

    expect((await commit(plan_id)).data.code).toBe("LEDGER_REJECTED");
    expect(ledger.calls).toEqual([]);
    expect(await show(id)).toMatchObject({ status: "draft" });
  });
});

it("a credit note without an answer is completed by the same plan", async () => {
  const invoice = await draft();
  await issue(invoice);
  const agent = await admin();
  const { plan_id } = await agent.done("plan_create_credit_note", {
    invoice,
    kind: "full",
  });
  ledger.onBook(...NO_ANSWER);
  expect((await commit(plan_id)).data.code).toBe("LEDGER_UNAVAILABLE");
  const { id } = await world.done(`GET /credit-notes/ext:mcp-${plan_id}`);
  await letLeaseExpire(id);

  expect((await commit(plan_id)).data).toMatchObject({ id, resource: { status: "issued" } });
});

it("a plan whose booking was rejected does not report an invoice that another caller has issued since", async () => {
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 3100 }],
  });
  await world.done(`POST /recurring-series/${id}/activate`);
  const agent = await admin();
  const period = { series: id, period: "2026-03" };
  const { plan_id } = await agent.done("plan_issue_occurrence", period);
  ledger.onBook(...NO_ANSWER);
  expect((await commit(plan_id)).data.code).toBe("LEDGER_UNAVAILABLE");
  const [begun] = await world.sql("select id from invoices where series_id = $1", [id]);
  await letLeaseExpire(begun.id);
  ledger.onBook(rejected("UNKNOWN_ACCOUNT"));
  await work();
  const path = `/recurring-series/${id}/occurrences/2026-03/issue`;
  const other = await world.done(`POST ${path}`);
  expect(other.id).not.toBe(begun.id);

  expect((await commit(plan_id)).data.code).toBe("LEDGER_REJECTED");
  // Another plan of it reports the invoice of the period.
  const { data } = await agent.call("plan_issue_occurrence", period);
  expect(data).toMatchObject({ code: "INVOICE_ALREADY_ISSUED", details: { invoice_id: other.id } });
});

it("no plan calls the ledger or sends mail, and each names the ledger if it will book there", async () => {
  const agent = await admin();
  const invoice = await draft({ auto_send: true });
  const issued = await draft();
  await issue(issued);
  const { lines } = await show(issued);
  const product_id = product.id;
  const line = { product_id, recognition_method: "value", agreed_value: 1 };
  const header = { frequency: "monthly", start_date: "2026-03-01", lines: [line] };
  const customer_id = customer.id;
  const series = await world.done("POST /recurring-series", { ...header, customer_id });
  const by_hours = { product_id, recognition_method: "hours", hourly_rate: 1 };
  const worked = await show(await draft({ lines: [by_hours] }));
  const mails = (await world.mails()).length;
  ledger.forget();
  const books = ["plan_issue_invoice", "plan_issue_occurrence", "plan_create_credit_note"];
  for (const [tool, args] of [
    ["plan_save_customer", { customer: customer.id, city: "Aarhus" }],
    ["plan_save_customer", { name: "New" }],
    ["plan_save_product", { name: "New", account_number: 4711 }],
    ["plan_create_invoice", { customer: customer.id, lines: [line] }],
    ["plan_update_invoice", { invoice, title: "T" }],
    ["plan_create_series", { ...header, customer: customer_id, activate: true }],
    ["plan_update_series", { series: series.id, activate: true }],
    ["plan_edit_series_line", { series: series.id, action: "add", scope: "all", line }],
    ["plan_register_work", { line_id: worked.lines[0].id, hours: 1 }],
    ["plan_issue_invoice", { invoice }],
    ["plan_issue_occurrence", { series: series.id, period: "2026-03" }],
    [
      "plan_create_credit_note",
      { invoice: issued, kind: "partial", lines: [{ invoice_line_id: lines[0].id, amount: 1 }] },
    ],
  ] as const) {
    const { effects } = await agent.done(tool, args);
    const is_booked = effects.some((text: string) => / in scripted, dated 2026-/.test(text));
    expect([tool, is_booked]).toEqual([tool, books.includes(tool)]);
  }
  expect(ledger.calls).toEqual([]);
  expect(await world.mails()).toHaveLength(mails);
  expect(await world.sql(`select from intents where ${OPEN_INTENTS}`)).toEqual([]);
});
