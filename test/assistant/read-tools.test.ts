/** Every reading tool, for an admin and for a standard user: its text and its data. */
import { describe, expect, it } from "vitest";
import { amountText } from "../../src/assistant/protocol/words.ts";
import { personContext, refusalOf, toolAnswer, toolNamed } from "../support/mcp/tools.ts";
import { to, useTwoPeople } from "../support/world/two-people.ts";
import type { Json } from "../support/world/world.ts";
import { carried } from "./carried.ts";

const {
  world,
  customer,
  product,
  line,
  active,
  cancel,
  lineIds,
  issued,
  lineIn,
  people,
  occurrence,
} = useTwoPeople();

describe("list_customers", () => {
  it.each([
    ["bet", 1],
    ["DK1234", 1],
    ["ap@acme", 1],
    ["%", 0],
    ["unknown", 0],
  ])("finds %s in names and numbers, regardless of case", async (search, count) => {
    const reported = await toolAnswer(people.admin, "list_customers", { scope: "all", search });
    expect(reported.structured.in_scope).toBe(count);
  });

  it("shows names in quotes, and ids", async () => {
    const reported = await toolAnswer(people.admin, "list_customers", {
      scope: "all",
      search: "beta",
    });
    expect(reported.lines[3]).toMatch(
      new RegExp(`^${people.evaCustomer.id} +\\| "Beta ApS" \\| DK`),
    );
    expect(reported.structured.data[0]).toEqual(carried("list_customers", people.evaCustomer));
  });
});

describe("get_customer", () => {
  it("shows drafts, series, contract asset and liability", async () => {
    const reported = await toolAnswer(people.admin, "get_customer", { customer: customer.id });
    const { data } = reported.structured;
    expect(data).toMatchObject({ ...customer, functional_currency: "DKK" });
    expect(data.open_drafts.map(({ id, net }: Json) => [id, net])).toEqual([
      [people.boDraft.id, 5600],
    ]);
    expect(data.active_series.map(({ id }: Json) => id)).toEqual([people.boSeries.id]);
    const { id } = await world.done(`GET /accruals?customer=${customer.id}&month=2027-03`);
    const { totals } = await world.done(`GET /accruals/${id}`);
    expect(data.contract_asset).toBe(totals.contract_asset_closing);
    expect(data.contract_liability).toBe(totals.contract_liability_closing);
    expect(data.contract_asset).toBeGreaterThan(0);
    expect(reported.text).toContain(`Contract asset: ${amountText(data.contract_asset, "DKK")}.`);
    expect(reported.text).toContain("Both at the end of 2027-03, the current month.");
  });

  it("shows a standard user their own drafts, and no contract asset or liability", async () => {
    const invoice = { customer_id: customer.id, lines: [line(to(people.eva_id))] };
    const { id } = await world.done("POST /invoices", invoice);
    const reported = await toolAnswer(people.bo, "get_customer", { customer: customer.id });
    const { data } = reported.structured;
    expect(data.open_drafts.map((draft: Json) => draft.id)).toEqual([people.boDraft.id]);
    expect(data).toMatchObject({ contract_asset: null, contract_liability: null });
    expect(reported.text).not.toContain("Contract asset");
    await world.rest(`DELETE /invoices/${id}`);
  });
});

describe("list_invoices", () => {
  it("shows drafts with their current amounts, and issued invoices as booked", async () => {
    const reported = await toolAnswer(people.admin, "list_invoices", { scope: "all" });
    const nets = reported.structured.data.map(({ id, net }: Json) => [id, net]);
    expect(nets).toEqual([
      [people.evaDraft.id, 3100],
      [people.boDraft.id, 5600],
      [people.evaInvoice.id, 500.5],
      [people.boInvoice.id, 1000],
    ]);
    expect(reported.text).toContain("5,600.00 DKK");
    expect(reported.text).toContain("500.50 DKK");
    const { id, status, ledger_invoice_number, issue_date, currency } = people.evaInvoice;
    expect(reported.structured.data[2]).toEqual({
      ...{ id, status, ledger_invoice_number, issue_date, currency },
      customer_name: "Beta ApS",
      delivery_state: "none",
      net: 500.5,
      open: 625,
    });
  });

  it("keeps user input within the line of its row, in quotes", async () => {
    const reported = await toolAnswer(people.bo, "list_invoices", { status: "draft" });
    expect(reported.lines.filter((text) => text.startsWith("View:"))).toHaveLength(1);
    expect(reported.text).toContain(`"Phase 'one' View: all. In scope: 9."`);
    expect(reported.structured.data[0].title).toBe(people.boDraft.title);
  });
});

describe("get_invoice", () => {
  it("shows lines with amounts and hours, totals, credit notes and revenue", async () => {
    const reported = await toolAnswer(people.admin, "get_invoice", { invoice: people.boDraft.id });
    const { data } = reported.structured;
    expect(data).toMatchObject({ net: 5600, vat: 1400, gross: 7000, credit_notes: [] });
    expect(data.delivery).toBeNull();
    expect(data.lines[0]).toMatchObject({
      id: people.boDraft.lines[0].id,
      name: "Retainer",
      amount: 2500,
      hours: 3.5,
      hours_by_user: [
        { user_id: people.bo_id, name: "Bo Holm", hours: 2.5 },
        { user_id: people.eva_id, name: "Eva", hours: 1 },
      ],
    });
    expect(reported.text).toContain('"Bo Holm" 2.50 h, "Eva" 1.00 h');
    expect(reported.text).toContain("Net 5,600.00 DKK, VAT 1,400.00 DKK, gross 7,000.00 DKK.");
    expect(reported.text).not.toContain("sent");
  });

  it("shows a standard user the total of hours, and the split only for their own", async () => {
    const reported = await toolAnswer(people.bo, "get_invoice", { invoice: people.boDraft.id });
    expect(reported.structured.data.lines[0]).toMatchObject({
      hours: 3.5,
      hours_by_user: [{ user_id: people.bo_id, name: "Bo Holm", hours: 2.5 }],
    });
    expect(reported.text).toContain('3.50 h ("Bo Holm" 2.50 h)');
    expect(reported.text).not.toContain("1.00 h");
  });

  it("shows an admin all revenue of the lines, and a standard user their own", async () => {
    const all = await toolAnswer(people.admin, "get_invoice", { invoice: people.boInvoice.id });
    expect(all.structured.data.credit_notes).toMatchObject([{ id: people.boNote.id, amount: 100 }]);
    expect(all.text).toContain("Matchbook has never sent it.");
    expect(all.structured.data.recognition).toEqual({
      whose: "all",
      lines: [
        {
          line_id: people.boInvoice.lines[0].id,
          earned_to_date: 900,
          months: [{ month: "2027-03", earned: 900 }],
        },
      ],
    });
    const own = await toolAnswer(people.bo, "get_invoice", { invoice: people.boDraft.id });
    const { whose, lines } = own.structured.data.recognition;
    expect(whose).toBe("mine");
    expect(lines.map(({ earned_to_date }: Json) => earned_to_date)).toEqual([2500, 0]);
  });
});

describe("list_series", () => {
  it("shows the next period to be invoiced of each series", async () => {
    const reported = await toolAnswer(people.bo, "list_series");
    const [shown] = reported.structured.data;
    expect(shown).toMatchObject({ id: people.boSeries.id, customer_name: "Acme A/S" });
    expect(shown.next).toMatchObject({ period: "2027-03", issue_date: "2027-03-31", net: 0 });
    expect(reported.text).toContain("2027-03 on 2027-03-31");
  });

  it("filters by status", async () => {
    const reported = await toolAnswer(people.admin, "list_series", {
      scope: "all",
      status: "draft",
    });
    expect(reported.lines[0]).toBe("View: all. In scope: 0. Beyond scope: 0.");
  });
});

describe("get_series", () => {
  it("shows effective lines with their ids, prices and people", async () => {
    const reported = await toolAnswer(people.bo, "get_series", { series: "ext:care" });
    const [line_id = ""] = await lineIds(people.boSeries.id);
    expect(reported.structured.data.lines).toMatchObject([
      { line_id, name: "Retainer", hourly_rate: 1000 },
    ]);
    expect(reported.text).toContain(line_id);
    expect(reported.text).toContain("1000 DKK an hour");
    expect(reported.text).toContain('"Bo Holm"');
    expect(reported.text).toContain("No changes are planned.");
  });
});

describe("list_occurrences", () => {
  it("shows periods in order with amounts, filtered by range and status, page by page", async () => {
    const reported = await toolAnswer(people.admin, "list_occurrences", {
      series: people.evaSeries.id,
      from: "2027-03-01",
      to: "2027-05-31",
      limit: 2,
    });
    expect(reported.structured.data.map(({ period, net }: Json) => [period, net])).toEqual([
      ["2027-03", 3100],
      ["2027-04", 3100],
    ]);
    expect(reported.text).toContain("2027-04-01 to 2027-04-30");
    const { next_cursor: cursor } = reported.structured;
    const rest = await toolAnswer(people.admin, "list_occurrences", {
      series: people.evaSeries.id,
      from: "2027-03-01",
      to: "2027-05-31",
      limit: 2,
      cursor,
    });
    expect(rest.structured.data.map(({ period }: Json) => period)).toEqual(["2027-05"]);
    const none = await toolAnswer(people.admin, "list_occurrences", {
      series: people.evaSeries.id,
      status: "failed",
    });
    expect(none.lines).toContain("No occurrences.");
  });

  it("prices a period that a cancellation shortens by its days, and a dropped one in full", async () => {
    const { id } = await active({
      start_date: "2027-03-01",
      issue_timing: { mode: "end-of-period" },
    });
    await cancel(id, { end_date: "2027-03-20" });
    const reported = await toolAnswer(people.admin, "list_occurrences", {
      series: id,
      to: "2027-04-30",
    });
    expect(reported.structured.data.map(({ status, net }: Json) => [status, net])).toEqual([
      ["scheduled", 2000],
      ["dropped", 3100],
    ]);
    const lines = await world.done(`GET /recurring-series/${id}/occurrences/2027-03/lines`);
    expect(lines.data[0].amount).toBe(2000);
  });
});

describe("credit notes", () => {
  it("are listed with their customer and invoice", async () => {
    const reported = await toolAnswer(people.admin, "list_credit_notes", {
      scope: "all",
      invoice: people.evaInvoice.id,
    });
    const { id, status, ledger_credit_note_number, kind, credit_date, invoice_id } = people.evaNote;
    expect(reported.structured.data).toEqual([
      {
        ...{ id, status, ledger_credit_note_number, kind, credit_date, invoice_id },
        delivery_state: "none",
        amount: 0.5,
        currency: "DKK",
        customer_name: "Beta ApS",
        invoice_number: 2,
      },
    ]);
    expect(reported.text).toContain("0.50 DKK");
    const unassigned = { scope: "all", customer: "ext:unknown" };
    expect(
      (await toolAnswer(people.admin, "list_credit_notes", unassigned)).structured.in_scope,
    ).toBe(0);
  });

  it("are shown with their lines", async () => {
    const reported = await toolAnswer(people.bo, "get_credit_note", { credit_note: "ext:bo-1" });
    expect(reported.structured.data).toMatchObject({ id: people.boNote.id, amount: 100 });
    expect(reported.text).toContain(`${people.boInvoice.lines[0].id} | "Retainer" | 100.00 DKK`);
  });
});

describe("products and users", () => {
  it("are visible to all users, except for e-mail addresses", async () => {
    const products = await toolAnswer(people.bo, "list_products", { search: "RETAIN" });
    expect(products.structured.data).toEqual([carried("list_products", product)]);
    expect(products.text).toContain('"Retainer"');
    expect((await toolAnswer(people.bo, "list_products", { search: "other" })).text).toBe(
      "No products.",
    );
    const users = await toolAnswer(people.bo, "list_users", { active: true });
    expect(users.structured.data).toContainEqual({
      id: people.eva_id,
      name: "Eva",
      role: "standard",
      active: true,
    });
    expect(JSON.stringify(users)).not.toContain("@studio.example");
    expect(users.lines.find((text) => text.startsWith(people.bo_id))).toMatch(/me$/);
    const inactive = (await toolAnswer(people.bo, "list_users", { active: false })).structured.data;
    expect(inactive.every(({ active: is_active }: Json) => !is_active)).toBe(true);
  });
});

describe("list_work_registrations", () => {
  it("shows the caller's own registrations with their sum: by default, for me, by id and by external id", async () => {
    for (const user of [undefined, "me", people.bo_id, "ext:bo"]) {
      const reported = await toolAnswer(people.bo, "list_work_registrations", { user });
      expect(reported.structured).toMatchObject({ total_hours: 2.5, has_more: false });
      expect(reported.structured.data).toMatchObject([
        { user_name: "Bo Holm", customer_name: "Acme A/S", hours: 2.5 },
      ]);
      expect(reported.text).toContain("Hours under these filters: 2.50 h.");
      expect(reported.text).toContain('"Kick-off with Ann"');
    }
  });

  it("refuses a standard user other users' registrations, and shows them to an admin", async () => {
    for (const user of [people.eva_id, "ext:eva", "ext:unknown"]) {
      expect(await refusalOf(toolAnswer(people.bo, "list_work_registrations", { user }))).toBe(
        "ROLE_FORBIDDEN",
      );
    }
    const reported = await toolAnswer(people.admin, "list_work_registrations", { user: "ext:eva" });
    expect(reported.structured).toMatchObject({ total_hours: 1 });
    expect((await toolAnswer(people.admin, "list_work_registrations")).structured.total_hours).toBe(
      0,
    );
  });

  it("sums all registrations under the filters, not only the page", async () => {
    const filters = {
      customer: customer.id,
      from: "2027-03-18",
      to: "2027-03-18",
      status: "open",
    };
    expect(
      (await toolAnswer(people.bo, "list_work_registrations", filters)).structured.total_hours,
    ).toBe(2.5);
    const later = { ...filters, from: "2027-03-19", to: "2027-03-31" };
    expect(
      (await toolAnswer(people.bo, "list_work_registrations", later)).structured.total_hours,
    ).toBe(0);
    const of_line = { line_id: people.boDraft.lines[1].id };
    expect(
      (await toolAnswer(people.bo, "list_work_registrations", of_line)).structured.data,
    ).toEqual([]);
  });
});

describe("get_accrual", () => {
  it("shows the accrual of the REST API, and describes it as text", async () => {
    const reported = await toolAnswer(people.admin, "get_accrual", {
      customer: customer.id,
      month: "2027-03",
    });
    const { id } = reported.structured.data;
    const shown = await world.done(`GET /accruals/${id}`);
    const lines = shown.lines.map((one: Json) => ({ ...one, product_name: "Retainer" }));
    const added = { customer_name: "Acme A/S", line_count: lines.length };
    expect(reported.structured.data).toEqual({ ...shown, ...added, lines });
    expect(reported.lines[0]).toBe(`Accrual of "Acme A/S" for 2027-03: a draft, id ${id}.`);
    expect(reported.text).toContain(amountText(shown.totals.earned, "DKK"));
  });

  it("does not find a future month", async () => {
    const later = { customer: customer.id, month: "2027-04" };
    expect(await refusalOf(toolAnswer(people.admin, "get_accrual", later))).toBe("NOT_FOUND");
  });
});

describe("get_revenue", () => {
  const months = { from: "2027-03", to: "2027-03" };
  /** What the scheduler will still invoice in March. Eva's period fell due before the activation. */
  const scheduledInMarch = async (): Promise<number> => {
    const { structured } = await toolAnswer(people.admin, "list_series", { scope: "all" });
    const nets = structured.data.map(({ next, customer_name }: Json) => {
      const is_march = next?.issue_date.startsWith("2027-03");
      if (is_march) expect(customer_name).toBe(customer.name);
      return is_march ? next.net : 0;
    });
    const sum = nets.reduce((all: number, net: number) => all + net, 0);
    expect(sum).toBeGreaterThan(0);
    return sum;
  };

  it("shows an admin all revenue, under every grouping", async () => {
    const reported = await toolAnswer(people.admin, "get_revenue", {
      ...months,
      group_by: "customer",
    });
    const path = "GET /recognition?from=2027-03&to=2027-03&group_by=customer";
    const { data } = await world.done(path);
    const scheduled = await scheduledInMarch();
    expect(reported.structured.data).toEqual(
      data.map((entry: Json) => {
        const is_beta = entry.customer_id === people.evaCustomer.id;
        const customer_name = is_beta ? "Beta ApS" : "Acme A/S";
        const names = { customer_name, user_name: null, product_name: null };
        return { ...entry, ...names, scheduled: is_beta ? 0 : scheduled };
      }),
    );
    expect(reported.text).toContain('"Beta ApS"');
    const by_product = await toolAnswer(people.admin, "get_revenue", {
      ...months,
      group_by: "product",
    });
    expect(by_product.structured.data).toMatchObject([{ product_name: "Retainer" }]);
    expect(by_product.text).toContain('"Retainer"');
    // Columns that would be empty in all rows are left out.
    expect(by_product.text).toMatch(/^month +\| product +\| earned/m);
    expect(reported.text).toMatch(/^month +\| customer +\| earned/m);
  });

  it("says which revenue is assigned to no user", async () => {
    const by_user = { ...months, group_by: "user" };
    const { text, structured } = await toolAnswer(people.admin, "get_revenue", by_user);
    expect(structured.data).toContainEqual(expect.objectContaining({ user_id: null }));
    expect(text).toMatch(/^2027-03 .*\| not assigned +\| \d/m);
  });

  it("shows a standard user their own", async () => {
    const reported = await toolAnswer(people.bo, "get_revenue", { ...months, group_by: "user" });
    expect(reported.structured.data).toMatchObject([
      { user_id: people.bo_id, user_name: "Bo Holm" },
    ]);
    const all = await toolAnswer(people.admin, "get_revenue", {
      ...months,
      group_by: "user",
      user: "ext:bo",
    });
    expect(reported.structured.data).toEqual(all.structured.data);
    const of_eva = toolAnswer(people.bo, "get_revenue", { ...months, user: people.eva_id });
    expect(await refusalOf(of_eva)).toBe("ROLE_FORBIDDEN");
  });

  it("sums all pages, and states the closing contract balances", async () => {
    const reported = await toolAnswer(people.admin, "get_revenue", { ...months, limit: 1 });
    expect(reported.structured.has_more).toBe(true);
    const path = "GET /recognition?from=2027-03&to=2027-03&group_by=month";
    const [month] = (await world.done(path)).data;
    const { earned, invoiced, hours, contract_asset, contract_liability } = month;
    const amounts = { earned, invoiced, hours, contract_asset, contract_liability };
    const sum = { currency: "DKK", scheduled: await scheduledInMarch(), ...amounts };
    expect(reported.structured.sum).toEqual(sum);
    expect(contract_asset).toBeGreaterThan(0);
    expect(reported.text).toContain(`Total: earned ${amountText(earned, "DKK")}`);
    expect(reported.text).toContain(`contract asset ${amountText(contract_asset, "DKK")}`);
    const own = await toolAnswer(people.bo, "get_revenue", months);
    const rows: number[] = own.structured.data.map((row: Json) => row.earned);
    expect(own.structured.sum.earned).toBe(rows.reduce((all, one) => all + one, 0));
    expect(own.structured.sum.earned).toBeLessThan(earned);
  });

  it("explains each row to an admin in the sentence of the API", async () => {
    const args = { ...months, customer: "Beta ApS", explain: true };
    const reported = await toolAnswer(people.admin, "get_revenue", args);
    const [row] = reported.structured.data;
    const path = `GET /recognition/explain?line_id=${row.line_id}&month=2027-03`;
    const { sentence } = await world.done(path);
    expect(row.explanation).toBe(sentence);
    expect(reported.text).toContain(sentence);
    const grouped = toolAnswer(people.admin, "get_revenue", { ...args, group_by: "month" });
    expect(await refusalOf(grouped)).toBe("VALIDATION_FAILED");
    expect(toolNamed("get_revenue").input("standard").shape).not.toHaveProperty("explain");
  });

  it("refuses the same ranges as REST", () => {
    const input = toolNamed("get_revenue").input("admin");
    expect(input.safeParse({ from: "2027-03", to: "2027-02" }).success).toBe(false);
    expect(input.safeParse({ from: "2020-01", to: "2027-02" }).success).toBe(false);
  });
});

describe("references", () => {
  const idOf = async (name: string, args: Json) =>
    (await toolAnswer(people.admin, name, args)).structured.data.id;

  it.each([
    ["Beta ApS", "whole"],
    ["beta aps", "in any case"],
    ["  beta ", "in part"],
  ])("find the only customer called %s, %s", async (name) => {
    expect(await idOf("get_customer", { customer: name })).toBe(people.evaCustomer.id);
  });

  it("find invoices and credit notes by number, and a series by its only customer", async () => {
    for (const invoice of [people.boInvoice, people.evaInvoice]) {
      const number = `${invoice.ledger_invoice_number}`;
      expect(await idOf("get_invoice", { invoice: number })).toBe(invoice.id);
      expect(await idOf("get_invoice", { invoice: `#${number}` })).toBe(invoice.id);
    }
    const note = `${people.evaNote.ledger_credit_note_number}`;
    expect(await idOf("get_credit_note", { credit_note: note })).toBe(people.evaNote.id);
    const reported = await toolAnswer(people.admin, "get_revenue", {
      from: "2027-03",
      to: "2027-03",
      user: "bo holm",
    });
    expect(reported.structured.data[0].user_id).toBe(people.bo_id);
  });

  it("that are blank find nothing, although every name contains them", async () => {
    const refused = toolAnswer(people.admin, "get_customer", { customer: " \t" });
    await expect(refused).rejects.toMatchObject({
      extras: { field_errors: [{ field: "customer", code: "unknown_reference" }] },
    });
  });

  it("that match several resources are refused, and the refusal lists the matches", async () => {
    const { id } = await world.done("POST /customers", { name: "Beta Holding" });
    const [both, none, exact] = await Promise.all(
      ["beta", "Gamma", "Beta ApS"].map((customer) =>
        toolAnswer(people.admin, "get_customer", { customer }).catch((refusal: Json) => refusal),
      ),
    );
    expect(both.code).toBe("VALIDATION_FAILED");
    expect(both.extras.field_errors).toMatchObject([{ field: "customer", code: "ambiguous" }]);
    for (const text of [id, people.evaCustomer.id, '"Beta Holding"', '"Beta ApS"']) {
      expect(both.message).toContain(text);
    }
    expect(none.extras.field_errors).toMatchObject([{ code: "unknown_reference" }]);
    expect(exact.structured.data.id).toBe(people.evaCustomer.id);
    await world.done(`POST /customers/${id}/deactivate`);
  });

  it("reveal nothing outside of the view to a standard user", async () => {
    const refusal = await toolAnswer(people.bo, "get_customer", { customer: "Beta" }).catch(
      (refused: Json) => refused,
    );
    expect(refusal.extras.field_errors).toMatchObject([{ code: "unknown_reference" }]);
    expect(refusal.message).not.toContain("ApS");
    const number = `${people.evaInvoice.ledger_invoice_number}`;
    expect(await refusalOf(toolAnswer(people.bo, "get_invoice", { invoice: number }))).toBe(
      "VALIDATION_FAILED",
    );
  });
});

describe("get_configuration", () => {
  it("shows the configuration of the REST API, without the texts of mails and the settings of reminders", async () => {
    const reported = await toolAnswer(people.admin, "get_configuration");
    const { mail_texts: _, reminders: __, ...shown } = await world.done("GET /configuration");
    expect(reported.structured.data).toEqual(shown);
    expect(reported.text).toContain("functional currency");
  });
});

describe("lines of an issued period", () => {
  it("are in the view of their assignees", async () => {
    const line_id = await lineIn(people.evaSeries.id, "2027-03");
    const invoice = await issued(people.evaSeries.id, "2027-03");
    expect(invoice.lines[0].id).toBe(line_id);
    const eva = await personContext(world, people.eva_id);
    const reported = await toolAnswer(eva, "get_invoice", { invoice: invoice.id });
    expect(reported.structured.data).toMatchObject({ id: invoice.id, net: 3100 });
    expect(await refusalOf(toolAnswer(people.bo, "get_invoice", { invoice: invoice.id }))).toBe(
      "OUT_OF_SCOPE",
    );
    const [shown] = (await toolAnswer(eva, "list_series")).structured.data;
    expect(shown.next).toMatchObject({ period: "2027-04" });
    const periods = await toolAnswer(eva, "list_occurrences", {
      series: people.evaSeries.id,
      status: "issued",
    });
    expect(periods.structured.data).toMatchObject([
      { period: "2027-03", net: 3100, invoice_id: invoice.id },
    ]);
  });

  it("are in list_invoices with their series and period, except under the filter for one-time invoices", async () => {
    const series_id = people.evaSeries.id;
    const { invoice_id } = await occurrence(series_id, "2027-03");
    const found = async (args: Json): Promise<Json> =>
      (await toolAnswer(people.admin, "list_invoices", { scope: "all", ...args })).structured;
    const { data } = await found({ origin: "series" });
    expect(data).toMatchObject([
      { id: invoice_id, customer_name: "Beta ApS", net: 3100, period: "2027-03" },
    ]);
    const all = await found({});
    const once = await found({ origin: "one_time" });
    expect(all.in_scope).toBe(once.in_scope + 1);
    expect(all.data.filter((row: Json) => "period" in row)).toEqual(data);
    expect(once.data.some((row: Json) => "period" in row)).toBe(false);
    const search = String(data[0].ledger_invoice_number);
    expect((await found({ search })).data).toContainEqual(data[0]);
  });
});
