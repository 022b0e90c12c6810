/** Plans of customers, products, invoices and credit notes: their texts, and that only commit carries them out. */
import { beforeAll, describe, expect, it } from "vitest";
import { amountText } from "../../src/assistant/protocol/words.ts";
import { completeSeller } from "../support/documents/seller.ts";
import { type Agent, agentOf, digestOf } from "../support/mcp/mcp.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const sales = useSales();
const { world, draft, issued, line } = sales;

let admin: Agent;
let bo: Agent;
beforeAll(async () => {
  await world.done("PATCH /configuration", { seller: completeSeller });
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
});

/** The text of a plan without its last line, which states the next step. Checks that nothing has changed. */
const planned = async (tool: string, args: Json, agent = admin): Promise<string[]> => {
  const before = await digestOf(world);
  const { is_error, text } = await agent.call(tool, args);
  expect(is_error, text).toBe(false);
  expect(await digestOf(world)).toBe(before);
  const lines = text.split("\n");
  expect(lines.at(-1)).toMatch(/^Nothing has changed yet\. .* call commit with plan_id "plan_/);
  return lines.slice(0, -1);
};
const mine = () => [{ user_id: bo.user_id }];
const boDraft = (fields: Json = {}): Promise<Json> =>
  draft([], { lines: [line(100, { assignees: mine() })], ...fields });

describe("plan_save_customer", () => {
  it("describes a new customer, and the commit creates it", async () => {
    const args = { name: "Brøndum ApS", email: "b@brondum.example", vat_number: "12345674" };
    expect(await planned("plan_save_customer", args)).toEqual([
      'Creates the customer "Brøndum ApS".',
      '- name: "Brøndum ApS"',
      '- country key: "DK"',
      "- is person: no",
      '- send method: "email"',
      '- email: "b@brondum.example"',
      '- vat number: "12345674"',
      "- use cvr: no",
      "Books nothing and sends nothing.",
    ]);
    const made = await admin.carried("plan_save_customer", args);
    expect(await world.done(`GET /customers/${made.id}`)).toEqual(made);
    expect(made).toMatchObject(args);
  });

  it("describes the changes of a customer, and warns if no e-mail address remains", async () => {
    const { id } = await world.done("POST /customers", { name: "Old", email: "o@old.example" });
    expect(await planned("plan_save_customer", { customer: id, name: "New", email: null })).toEqual(
      [
        'Changes the customer "Old".',
        '- name: "Old" becomes "New"',
        '- email: "o@old.example", removed',
        "Books nothing and sends nothing.",
        "Note: There is no e-mail address: invoices cannot be e-mailed.",
      ],
    );
    await admin.carried("plan_save_customer", { customer: id, name: "New" });
    expect(await world.done(`GET /customers/${id}`)).toMatchObject({ name: "New" });
  });

  it("plans where e-invoices go, and warns if they have no address", async () => {
    const { id } = await world.done("POST /customers", { name: "Nordic", country_key: "NO" });
    const to_network = { customer: id, send_method: "einvoice" };
    expect(await planned("plan_save_customer", to_network)).toContain(
      "Note: There is no e-invoice address, EAN number or Danish CVR number: e-invoices cannot be addressed.",
    );
    const addressed = {
      ...to_network,
      einvoice_address: "0192:123456785",
      accounting_cost: "4711",
    };
    expect(await planned("plan_save_customer", addressed)).toEqual([
      'Changes the customer "Nordic".',
      '- send method: "email" becomes "einvoice"',
      '- accounting cost: "4711"',
      '- einvoice address: "0192:123456785"',
      "Books nothing and sends nothing.",
    ]);
  });

  it("treats an external id in use as a change of that customer", async () => {
    await world.done("POST /customers", { name: "Known", external_id: "known" });
    const [summary] = await planned("plan_save_customer", { name: "Known", external_id: "known" });
    expect(summary).toBe('Changes the customer "Known". Nothing would change.');
  });

  it("refuses the same input as REST, and states the next step", async () => {
    const { data, text } = await admin.call("plan_save_customer", { email: "a@b.example" });
    expect(data).toMatchObject({ code: "VALIDATION_FAILED", field_errors: [{ field: "name" }] });
    expect(text).toMatch(/^VALIDATION_FAILED: .*\n- name: .*\nCorrect the fields/);
    expect(await admin.refused("plan_save_customer", { customer: "ext:unknown" })).toBe(
      "NOT_FOUND",
    );
    expect(
      await admin.refused("plan_save_customer", {
        name: "X",
        payment_condition_type: "NettoCash",
        payment_condition_number_of_days: 8,
      }),
    ).toBe("VALIDATION_FAILED");
  });

  it("lets a standard user create customers, and change those whom their invoices bill", async () => {
    const other = await world.done("POST /customers", { name: "Of another user" });
    const { customer_id } = await boDraft();
    expect(await bo.refused("plan_save_customer", { customer: other.id, name: "X" })).toBe(
      "OUT_OF_SCOPE",
    );
    await bo.done("plan_save_customer", { customer: customer_id, phone: "1" });
    await bo.carried("plan_save_customer", { name: "Made by Bo" });
  });
});

describe("plan_save_product", () => {
  it("describes a new product, and the commit creates it", async () => {
    const args = { name: "Audit", default_price: 1200, unit: "hours" };
    expect(await planned("plan_save_product", args)).toEqual([
      'Creates the product "Audit".',
      '- name: "Audit"',
      "- account number: 1000",
      '- unit: "hours"',
      "- default price: 1200",
      "- quantity: 1",
      "Books nothing and sends nothing.",
      "The default price is in DKK, the currency of the books.",
    ]);
    expect(await bo.carried("plan_save_product", args)).toMatchObject(args);
  });

  it("describes prices in other currencies", async () => {
    const prices = [{ currency: "EUR", amount: 160.5 }];
    expect(await planned("plan_save_product", { name: "Audit", prices })).toContain(
      '- price 1: currency "EUR", amount 160.5',
    );
    expect(await bo.carried("plan_save_product", { name: "Audit", prices })).toMatchObject({
      prices,
    });
  });

  it("changes a product, and refuses a taken number at the planning", async () => {
    const one = await world.done("POST /products", { name: "One", product_number: "P1" });
    const two = await world.done("POST /products", { name: "Two", external_id: "two" });
    const number = { product: "ext:two", product_number: "P1" };
    expect(await admin.refused("plan_save_product", number)).toBe("PRODUCT_NUMBER_TAKEN");
    expect(await planned("plan_save_product", { product: one.id, name: "Uno" })).toContain(
      '- name: "One" becomes "Uno"',
    );
    expect(await admin.carried("plan_save_product", { ...number, product_number: "P2" })).toEqual({
      ...two,
      product_number: "P2",
    });
  });

  it("is stale if another product has taken its number", async () => {
    const { plan_id } = await admin.done("plan_save_product", { name: "A", product_number: "T1" });
    await world.done("POST /products", { name: "B", product_number: "T1" });
    const { data } = await admin.call("commit", { plan_id });
    expect(data).toMatchObject({
      code: "PLAN_STALE",
      details: { now: { code: "PRODUCT_NUMBER_TAKEN" } },
    });
  });
});

describe("plan_create_invoice", () => {
  it("describes customer, lines and net, and the commit creates the draft", async () => {
    const { id: customer } = sales.customer;
    const lines = [line(1000, { assignees: [{ user_id: "me" }] }), line(234.5)];
    const text = await planned("plan_create_invoice", { customer, lines, title: "March" });
    expect(text[0]).toBe(
      'Creates a draft invoice for "Acme A/S" with 2 lines, net 1,234.50 DKK as of now.',
    );
    expect(text).toContain('- title: "March"');
    expect(text).toContain('- customer: "Acme A/S"');
    const product = 'product "Consulting", recognition method "value"';
    const { data } = await world.done("GET /users");
    const { name } = data.find((user: Json) => user.id === admin.user_id);
    expect(text).toContain(
      `- line 1: ${product}, agreed value 1000, discount 0, position 1, assignees (user "${name}")`,
    );
    expect(text).toContain(`- line 2: ${product}, agreed value 234.5, discount 0, position 2`);
    expect(text).toContain("Books nothing and sends nothing: it is a draft.");

    const made = await admin.carried("plan_create_invoice", { customer, lines, title: "March" });
    expect(made).toEqual(await world.done(`GET /invoices/${made.id}`));
    expect(made.lines[0].assignees[0].user_id).toBe(admin.user_id);
  });

  it("asks for an agreed value if the product has no price in the currency", async () => {
    const { id: customer } = sales.customer;
    const product = await world.done("POST /products", { name: "Priced", default_price: 20000 });
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const { text } = await admin.call("plan_create_invoice", { customer, lines, currency: "EUR" });
    expect(text).toContain(
      "- lines[0].agreed_value: The product has no price in EUR, only one in DKK; give the agreed value.",
    );
  });

  it("accepts references to customers, products and users", async () => {
    await bo.carried("plan_save_customer", { name: "Ext", external_id: "c1" });
    await world.done("POST /products", { name: "Ext", external_id: "p1", default_price: 5 });
    const user = await world.done("POST /users", {
      name: "Eva",
      email: "eva@studio.example",
      external_id: "u1",
    });
    const lines = [
      {
        product_id: "ext:p1",
        recognition_method: "value",
        assignees: [{ user_id: "ext:u1" }, { user_id: "me" }],
      },
    ];
    const made = await bo.carried("plan_create_invoice", { customer: "ext:c1", lines });
    expect(made.lines[0].assignees.map((one: Json) => one.user_id)).toEqual([user.id, bo.user_id]);
    const wrong = [{ ...lines[0], product_id: "ext:unknown" }];
    const { data } = await bo.call("plan_create_invoice", { customer: "ext:c1", lines: wrong });
    expect(data.field_errors[0].field).toBe("lines[0].product_id");
  });

  it("warns if the draft will be outside of the person's view", async () => {
    const made = await bo.carried("plan_save_customer", { name: "Made by Bo" });
    const args = { customer: made.id, lines: [line(1)] };
    expect(await planned("plan_create_invoice", args, bo)).toContain(
      "Note: The person is assigned to none of its lines, so it will be outside their view.",
    );
  });

  it("creates one invoice from two plans with the same external id", async () => {
    const args = { customer: sales.customer.id, lines: [line(1)], external_id: "once" };
    const plans = [
      await admin.done("plan_create_invoice", args),
      await admin.done("plan_create_invoice", args),
    ];
    await admin.done("commit", { plan_id: plans[0].plan_id });
    expect(await admin.refused("commit", { plan_id: plans[1].plan_id })).toBe("PLAN_STALE");
    const [summary] = await planned("plan_create_invoice", args);
    expect(summary).toBe('The invoice with this external id already exists, for "Acme A/S".');
  });
});

describe("plan_update_invoice", () => {
  it("describes each changed field, and the commit changes it", async () => {
    const invoice = await draft([100]);
    const [{ id, product_id }] = invoice.lines;
    const lines = [{ id, product_id, recognition_method: "value", agreed_value: 150 }, line(50)];
    const text = await planned("plan_update_invoice", { invoice: invoice.id, title: "T", lines });
    expect(text.slice(0, 3)).toEqual([
      'Changes the draft invoice for "Acme A/S"; its net is then 200.00 DKK as of now.',
      '- title: "T"',
      "- line 1, agreed value: 100 becomes 150",
    ]);
    const after = await admin.carried("plan_update_invoice", { invoice: invoice.id, lines });
    expect(after.lines.map((one: Json) => one.agreed_value)).toEqual([150, 50]);
  });

  it("is refused for an issued invoice, and for a draft outside of the view", async () => {
    const invoice = await issued([100]);
    const args = { invoice: invoice.id, title: "T" };
    expect(await admin.refused("plan_update_invoice", args)).toBe("INVOICE_ALREADY_ISSUED");
    expect(await bo.refused("plan_update_invoice", args)).toBe("OUT_OF_SCOPE");
    await bo.done("plan_update_invoice", { invoice: (await boDraft()).id, title: "T" });
  });
});

describe("plan_issue_invoice", () => {
  it("describes customer, net, date and booking, and states that nothing is e-mailed", async () => {
    const invoice = await draft([12_000]);
    expect(await planned("plan_issue_invoice", { invoice: invoice.id })).toEqual([
      expect.stringMatching(
        /^Issues the invoice for "Acme A\/S": net 12,000\.00 DKK, gross 15,000\.00 DKK, dated 2026-03-10, due 2026-\d\d-\d\d\.$/,
      ),
      '- status: "draft" becomes "issued"',
      "- issue date: 2026-03-10",
      "Books the invoice in the built-in ledger, dated 2026-03-10.",
      "Does not e-mail it.",
      "Revenue by month: 2026-03 12,000.00 DKK.",
      "Note: Line 1 has no assignee: its revenue will be unassigned. (NOBODY_ASSIGNED)",
    ]);
  });

  it("says when the revenue is earned, by the schedule that the invoice then has", async () => {
    const service = { service_from: "2026-03-16", service_to: "2027-03-15" };
    const milestone = { recognition_method: "milestone" };
    const lines = [
      line(12_000, service),
      line(500, milestone),
      line(70, { recognition_method: "on_issue" }),
    ];
    const { id } = await draft([], { lines });
    const { effects } = await admin.done("plan_issue_invoice", { invoice: id });
    const text = effects.find((one: string) => one.startsWith("Revenue"));
    await admin.carried("plan_issue_invoice", { invoice: id });
    const schedule = await world.done(`GET /invoices/${id}/recognition`);
    const sums = new Map<string, number>();
    for (const { month, earned } of schedule.lines.flatMap((one: Json) => one.months)) {
      if (earned !== 0) sums.set(month, (sums.get(month) ?? 0) + earned);
    }
    const first = [...sums].sort().slice(0, 6);
    const named = first.map(([month, earned]) => `${month} ${amountText(earned, "DKK")}`);
    expect(sums.size).toBe(13);
    expect(text).toBe(
      `Revenue by month: ${named.join(", ")}, 7 more months through 2027-03, 500.00 DKK when milestones are completed.`,
    );
  });

  it.each<[string, Json, string[]]>([
    ["nothing", null, ["no name, no address, no VAT number and no bank account"]],
    ["no address", { street: null, city: null }, ["no address"]],
    ["no city", { city: null }, ["no address"]],
    ["no VAT number", { vat_number: null }, ["no VAT number"]],
    ["all", {}, []],
  ])("warns if the configuration has %s of the seller", async (_what, seller, missing) => {
    const invoice = await boDraft();
    const change = (changed: Json) => world.done("PATCH /configuration", { seller: changed });
    await change(seller);
    const plan = await admin.done("plan_issue_invoice", { invoice: invoice.id });
    const totals = await world.done(`GET /invoices/${invoice.id}/totals`);
    await change(completeSeller);
    expect(plan.warnings).toEqual(
      missing.map((what) =>
        expect.stringMatching(
          `^The invoice will show ${what} of the seller: set (it|them) in the configuration\\.$`,
        ),
      ),
    );
    expect(plan.document_warnings ?? []).toEqual(totals.warnings);
    expect(totals.warnings).toEqual(
      plan.warnings.map((message: string) => ({
        code: "SELLER_INCOMPLETE",
        message,
        field: "seller",
      })),
    );
  });

  it("names the recipient of the e-mail, and the commit sends it", async () => {
    const invoice = await draft([100], { auto_send: true, issue_date: "2026-03-01" });
    const text = await planned("plan_issue_invoice", { invoice: invoice.id });
    expect(text).toContain("E-mails it to ap@acme.example.");
    const before = (await world.mails()).length;
    const { plan_id } = await admin.done("plan_issue_invoice", { invoice: invoice.id });
    const { data: done, text: reported } = await admin.call("commit", { plan_id });
    expect(done.resource).toMatchObject({ status: "issued", issue_date: "2026-03-01" });
    expect(await world.mails()).toHaveLength(before + 1);
    expect(reported).toMatch(
      /^Written into the outbox folder at \S+, as mail to "ap@acme\.example"\.$/m,
    );
    const shown = await admin.done("get_invoice", { invoice: invoice.id });
    expect(done.delivery).toMatchObject({ channel: "email", state: "written_to_outbox" });
    expect(shown.data.delivery).toEqual(done.delivery);
  });

  it("warns if the customer has no e-mail address, and the commit returns the send_error", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "No mail" });
    const invoice = await draft([100], { customer_id, auto_send: true });
    expect(await planned("plan_issue_invoice", { invoice: invoice.id })).toContain(
      "Note: The customer has no e-mail address: the invoice is booked, but not sent.",
    );
    const { plan_id } = await admin.done("plan_issue_invoice", { invoice: invoice.id });
    const { data, text } = await admin.call("commit", { plan_id });
    expect(data.resource.send_error).toEqual(expect.any(String));
    expect(text).toContain("It is booked but has not been sent");
  });

  it("states that an e-invoice is not sent, and the commit does not send it", async () => {
    const { id: customer_id } = await world.done("POST /customers", {
      name: "State",
      send_method: "einvoice",
      ean_number: "5790000000012",
    });
    const invoice = await draft([100], { customer_id, auto_send: true });
    const { text, data } = await admin.call("plan_issue_invoice", { invoice: invoice.id });
    expect(text).toContain("Does not send it.");
    expect(data.warnings).toEqual([
      "Line 1 has no assignee: its revenue will be unassigned.",
      expect.stringMatching(
        /^The invoice cannot be sent as an e-invoice: it lacks .*buyer_reference/,
      ),
      "E-invoice sending is not configured: the invoice is booked, but not sent.",
    ]);
    const done = await admin.call("commit", { plan_id: data.plan_id });
    expect(done.data.resource.send_error).toBe("e-invoice sending is not configured");
    expect(done.text).toContain("not been sent: e-invoice sending is not configured. Do not");
  });

  it("issues an invoice whose amount rounds to zero in the currency of the books", async () => {
    await world.done("PUT /exchange-rates/KWD/2026-01-01", { rate: 0.045 });
    const invoice = await draft([0.001], { currency: "KWD" });
    const issued = await admin.carried("plan_issue_invoice", { invoice: invoice.id });
    expect(issued).toMatchObject({ status: "issued" });
  });

  it("is refused outside of the view, and where REST refuses", async () => {
    const invoice = await draft([100]);
    expect(await bo.refused("plan_issue_invoice", { invoice: invoice.id })).toBe("OUT_OF_SCOPE");
    const empty = await draft([]);
    expect(await admin.refused("plan_issue_invoice", { invoice: empty.id })).toBe("INVOICE_EMPTY");
    const others = await boDraft();
    expect(await bo.carried("plan_issue_invoice", { invoice: others.id })).toMatchObject({
      status: "issued",
    });
  });
});

describe("plan_create_credit_note", () => {
  it("describes lines, amounts and the remaining balance", async () => {
    const invoice = await issued([1000, 500]);
    const [first, second] = invoice.lines;
    const lines = [{ invoice_line_id: second.id, amount: 200 }];
    const args = { invoice: invoice.id, kind: "partial", lines };
    expect(await planned("plan_create_credit_note", args)).toEqual([
      `Credits invoice ${invoice.ledger_invoice_number} of "Acme A/S" by net 200.00 DKK (250.00 DKK with VAT), dated 2026-03-10; 1,300.00 DKK of it remains after that.`,
      '- remainder of "Consulting": "500.00 DKK" becomes "300.00 DKK"',
      "Books the credit note in the built-in ledger, dated 2026-03-10.",
      "Does not e-mail it.",
      "Changes revenue by -200.00 DKK in all: 2026-03 1,500.00 DKK becomes 1,300.00 DKK.",
    ]);
    const { plan_id } = await admin.done("plan_create_credit_note", args);
    const { resource } = await admin.done("commit", { plan_id });
    expect(resource).toMatchObject({ status: "issued", external_id: `mcp-${plan_id}` });
    expect(resource.lines).toHaveLength(1);
    expect(first.id).not.toBe(second.id);
  });

  it("credits the remaining amount in full, and a second plan is refused", async () => {
    const invoice = await issued([1000]);
    const args = { invoice: invoice.id, kind: "full" };
    await admin.carried("plan_create_credit_note", args);
    expect(await admin.refused("plan_create_credit_note", args)).toBe("INVOICE_FULLY_CREDITED");
    expect(await bo.refused("plan_create_credit_note", args)).toBe("OUT_OF_SCOPE");
    const draft_args = { invoice: (await draft([1])).id, kind: "full" };
    expect(await admin.refused("plan_create_credit_note", draft_args)).toBe("INVOICE_NOT_ISSUED");
  });

  it("creates one credit note from two plans with the same external id", async () => {
    const invoice = await issued([1000]);
    const args = { invoice: invoice.id, kind: "full", external_id: "mine-1" };
    const plan = await admin.done("plan_create_credit_note", args);
    const made = await admin.carried("plan_create_credit_note", args);
    expect(await admin.refused("commit", { plan_id: plan.plan_id })).toBe("PLAN_STALE");
    expect(await admin.carried("plan_create_credit_note", args)).toEqual(made);
  });
});
