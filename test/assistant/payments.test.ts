/** What assistants read of payments: the state of invoices, and what customers owe. Nothing records money here. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusalOf, toolAnswer } from "../support/mcp/tools.ts";
import { payInvoice } from "../support/world/receivables.ts";
import { useTwoPeople } from "../support/world/two-people.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, people } = useTwoPeople();

/** The invoice of Bo is of 1,250.00 with VAT, of which 125.00 are credited; 500.00 are paid. It is due on 15 March 2027. */
beforeAll(async () => {
  await payInvoice(world, people.boInvoice.id, {
    amount: 600_00n,
    applied: 500_00n,
    date: "2027-03-18",
  });
  await payInvoice(world, people.evaInvoice.id, { amount: 625_00n, date: "2027-03-18" });
});

const listed = async (filters: Json, person = people.admin) => {
  const { structured } = await toolAnswer(person, "list_invoices", { scope: "all", ...filters });
  return structured.data.map(({ id, open }: Json) => [id, open]);
};

describe("list_invoices", () => {
  it("shows what is open of issued invoices, and nothing of drafts", async () => {
    const { text, structured } = await toolAnswer(people.admin, "list_invoices", { scope: "all" });
    const open = new Map(structured.data.map((row: Json) => [row.id, row.open]));
    expect(open.get(people.boInvoice.id)).toBe(625);
    expect(open.get(people.evaInvoice.id)).toBe(0);
    expect(open.get(people.boDraft.id)).toBeUndefined();
    expect(text).toMatch(/ net +\| open/);
    expect(text).toContain("625.00 DKK");
  });

  it("lists invoices by their state", async () => {
    expect(await listed({ payment_state: "partly_paid" })).toEqual([[people.boInvoice.id, 625]]);
    expect(await listed({ payment_state: "paid" })).toEqual([[people.evaInvoice.id, 0]]);
    expect(await listed({ payment_state: "open" })).toEqual([]);
  });

  it("lists what is overdue, and leaves out what is not", async () => {
    expect(await listed({ overdue: true })).toEqual([[people.boInvoice.id, 625]]);
    const others = await listed({ overdue: false, status: "issued" });
    expect(others).toEqual([[people.evaInvoice.id, 0]]);
  });

  it("shows the others in the view of the person only", async () => {
    expect(await listed({ scope: "mine", payment_state: "partly_paid" }, people.bo)).toEqual([
      [people.boInvoice.id, 625],
    ]);
    expect(await listed({ scope: "mine", payment_state: "paid" }, people.bo)).toEqual([]);
  });
});

describe("get_invoice", () => {
  it("says what is paid", async () => {
    const { text, structured } = await toolAnswer(people.bo, "get_invoice", {
      invoice: people.boInvoice.id,
    });
    expect(structured.data.payment).toEqual({
      state: "partly_paid",
      is_overdue: true,
      open: 625,
      paid_on: null,
    });
    expect(text).toContain("Payment: partly paid, 625.00 DKK open, overdue.");
  });

  it("says when it was paid", async () => {
    const { text } = await toolAnswer(people.admin, "get_invoice", {
      invoice: people.evaInvoice.id,
    });
    expect(text).toContain("Payment: paid on 2027-03-18.");
  });

  it("says nothing of a draft", async () => {
    const { text, structured } = await toolAnswer(people.admin, "get_invoice", {
      invoice: people.boDraft.id,
    });
    expect(structured.data.payment).toBeNull();
    expect(text).not.toContain("Payment:");
  });
});

describe("get_customer", () => {
  it("says what the customer owes, what is late, and what credit is left", async () => {
    const { text, structured } = await toolAnswer(people.admin, "get_customer", {
      customer: customer.id,
    });
    expect(structured.data).toMatchObject({ owed: 625, overdue: 625, credit: 100 });
    expect(text).toContain(
      "Owed: 625.00 DKK, of it overdue 625.00 DKK. Credit: 100.00 DKK. With VAT, today.",
    );
  });

  it("shows a standard user none of it", async () => {
    const { text, structured } = await toolAnswer(people.bo, "get_customer", {
      customer: customer.id,
    });
    expect(structured.data).toMatchObject({ owed: null, overdue: null, credit: null });
    expect(text).not.toContain("Owed:");
  });
});

describe("before receivables are begun", () => {
  it("no amount is called open, and filters are refused", async () => {
    await world.sql("delete from receivables_begins where account_id = $1", [
      world.account.account_id,
    ]);
    const { text, structured } = await toolAnswer(people.admin, "list_invoices", { scope: "all" });
    expect(structured.data.some((row: Json) => "open" in row)).toBe(false);
    expect(text).not.toContain("| open");
    const refused = await refusalOf(toolAnswer(people.admin, "list_invoices", { overdue: true }));
    expect(refused).toBe("RECEIVABLES_NOT_BEGUN");
    const one = await toolAnswer(people.admin, "get_customer", { customer: customer.id });
    expect(one.structured.data.owed).toBeNull();
  });
});
