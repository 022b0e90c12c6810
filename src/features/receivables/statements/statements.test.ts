/** Statements of account over REST: what they show, that they are kept and mailed, and what refuses them (spec 13.8). */
import { describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID } from "../../../../test/support/http/target.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { payInvoice } from "../../../../test/support/world/receivables.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, product, partCredit, credited } = useSales();

/** A new customer, who speaks English and has an e-mail address. */
const someone = (fields: Json = {}): Promise<Json> =>
  world.done("POST /customers", {
    name: "Reader Ltd",
    email: "ap@reader.example",
    preferred_invoice_language_key: "en-GB",
    ...fields,
  });

async function invoiceOf(customer: Json, net: number, fields: Json = {}): Promise<Json> {
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    issue_date: "2026-02-10",
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: net }],
    ...fields,
  });
  return world.done(`POST /invoices/${id}/issue`);
}

/** An invoice of 1,250.00 of February, of which 250.00 is credited and 600.00 is paid, and one of 125.00 of March. */
async function books() {
  const customer = await someone();
  const first = await invoiceOf(customer, 1000);
  const note = await credited(partCredit(first, [200], { credit_date: "2026-02-20" }));
  await payInvoice(world, first.id, { amount: 600_00n, date: "2026-03-01" });
  const second = await invoiceOf(customer, 100, { issue_date: "2026-03-02" });
  return { customer, first, note, second };
}

const statementOf = (customer: Json, query = ""): Promise<Json> =>
  world.done(`GET /customers/${customer.id}/statement${query}`);

describe("GET /customers/{ref}/statement", () => {
  it("shows each change with the balance after it, and what is owed by age", async () => {
    const { customer, first, note, second } = await books();
    const shown = await statementOf(customer);
    const { lines, ...statement } = shown;
    const [number, other] = [first.ledger_invoice_number, second.ledger_invoice_number];
    const of_note = `Credit note ${note.ledger_credit_note_number}: invoice ${number}`;
    expect(statement).toEqual({
      object: "statement",
      id: null,
      customer_id: customer.id,
      currency: "DKK",
      from: "2026-01-01",
      to: "2026-03-10",
      opening_balance: 0,
      closing_balance: 525,
      aging: {
        not_due: 125,
        days_1_30: 400,
        days_31_60: 0,
        days_61_90: 0,
        over_90: 0,
        total: 525,
        unapplied: 0,
      },
      created_at: null,
    });
    expect(
      lines.map((line: Json) => [line.date, line.text, line.debit, line.credit, line.balance]),
    ).toEqual([
      ["2026-02-10", `Invoice ${number}`, 1250, 0, 1250],
      ["2026-02-20", of_note, 0, 250, 1000],
      [
        "2026-03-01",
        expect.stringMatching(new RegExp(`^Payment \\d+: invoice ${number}$`)),
        0,
        600,
        400,
      ],
      ["2026-03-02", `Invoice ${other}`, 125, 0, 525],
    ]);
    expect(lines[0]).toMatchObject({
      kind: "invoice",
      number: `${number}`,
      due_date: "2026-02-24",
    });
    expect(lines[1]).toMatchObject({ kind: "credit_note", due_date: null });
  });

  it("of a part of the time begins with the balance before it", async () => {
    const { customer } = await books();
    const part = await statementOf(customer, "?from=2026-02-20&to=2026-03-01");
    expect([part.opening_balance, part.closing_balance, part.lines.length]).toEqual([1250, 400, 2]);
    const before = await statementOf(customer, "?from=2026-01-01&to=2026-02-09");
    expect([before.closing_balance, before.lines]).toEqual([0, []]);
    expect(before.aging.total).toBe(0);
  });

  it("shows a rounding, and the reversal of its payment", async () => {
    const customer = await someone();
    const { id } = await invoiceOf(customer, 1000);
    const paid = { amount: 1249_50n, date: "2026-03-01", rounding: 50n };
    const { payment_id } = await payInvoice(world, id, paid);
    expect((await statementOf(customer)).closing_balance).toBe(0);
    const reversal = { reason: "Bounced", date: "2026-03-04" };
    await world.done(`POST /payments/${payment_id}/reverse`, reversal);
    const { lines, closing_balance } = await statementOf(customer, "?from=2026-03-01");
    expect(closing_balance).toBe(1250);
    expect(lines.map((line: Json) => [line.date, line.kind, line.balance])).toEqual([
      ["2026-03-01", "payment", 0.5],
      ["2026-03-01", "rounding", 0],
      ["2026-03-04", "payment", 1249.5],
      ["2026-03-04", "rounding", 1250],
    ]);
  });

  it("has one currency", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    const customer = await someone({ preferred_invoice_language_key: "da-DK" });
    const euros = await invoiceOf(customer, 80, { currency: "EUR" });
    expect((await statementOf(customer)).lines).toEqual([]);
    const { currency, lines } = await statementOf(customer, "?currency=EUR");
    expect([currency, lines[0].text, lines[0].debit]).toEqual([
      "EUR",
      `Faktura ${euros.ledger_invoice_number}`,
      100,
    ]);
  });

  it.each([
    ["?from=2026-03-10&to=2026-03-09", "422 VALIDATION_FAILED from too_large"],
    ["?currency=krone", "422 VALIDATION_FAILED currency invalid_value"],
  ])("refuses %s", async (query, expected) => {
    const { id } = await someone();
    expect(refusal(await world.rest(`GET /customers/${id}/statement${query}`))).toBe(expected);
  });

  it("of the present month is shown through today", async () => {
    const { id } = await someone();
    const shown = await world.done(`GET /customers/${id}/statement?from=2026-03&to=2026-03`);
    expect([shown.from, shown.to]).toEqual(["2026-03-01", "2026-03-10"]);
  });

  it("is not found for unknown customers, also of another account", async () => {
    const { id } = await someone();
    const other = await world.openAnother();
    const key = other.keys.read;
    expect(refusal(await world.rest(`GET /customers/${UNKNOWN_ID}/statement`))).toBe(
      "404 NOT_FOUND",
    );
    for (const path of ["statement", "statements"]) {
      const reply = await world.rest(`GET /customers/${id}/${path}`, undefined, key);
      expect(refusal(reply)).toBe("404 NOT_FOUND");
    }
  });

  it("is refused before the receivables are begun", async () => {
    const { id } = await someone();
    const account = [world.account.account_id];
    const begun = await world.sql(
      "delete from receivables_begins where account_id = $1 returning begun_on",
      account,
    );
    const refused = async () => refusal(await world.rest(`GET /customers/${id}/statement`));
    expect(await refused()).toBe("409 RECEIVABLES_NOT_BEGUN");
    const sent = await world.rest(`POST /customers/${id}/statements`, {});
    expect(refusal(sent)).toBe("409 RECEIVABLES_NOT_BEGUN");
    await world.sql("insert into receivables_begins values ($1, $2)", [
      ...account,
      begun[0]?.begun_on ?? "2026-01-01",
    ]);
  });
});

describe("POST /customers/{ref}/statements", () => {
  it("keeps the statement as it was, and mails it to the customer", async () => {
    const { customer } = await books();
    const sent = await world.rest(`POST /customers/${customer.id}/statements`, {
      from: "2026-02-01",
    });
    const { id, send_error, created_at, ...statement } = sent.body;
    expect([sent.status, send_error]).toEqual([201, null]);
    expect({ ...statement, id: null, created_at: null }).toEqual(
      await statementOf(customer, "?from=2026-02-01"),
    );
    const mail = (await world.mails()).find(({ subject }) => subject?.startsWith("Statement of"));
    expect(mail?.text).toContain("The balance is 525.00 DKK.");
    expect(JSON.stringify(mail)).toContain("statement-2026-03-10.pdf");
    const { data } = await world.done("GET /deliveries");
    expect(data[0]).toMatchObject({ document_id: id, address: "ap@reader.example" });

    await invoiceOf(customer, 500, { issue_date: "2026-03-05" });
    const listed = await world.done(`GET /customers/${customer.id}/statements`);
    const { lines: _, ...row } = statement;
    expect(listed.data).toEqual([{ ...row, id, created_at }]);
    const actions = await world.done(`GET /audit-events?resource_id=${id}`);
    expect(actions.data.map(({ action }: Json) => action)).toEqual(["created"]);
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it.skipIf(lacks("pdftotext"))("has a PDF that never changes (needs pdftotext)", async () => {
    const { customer } = await books();
    const { id } = await world.done(`POST /customers/${customer.id}/statements`, {});
    const pdf = () => world.rest(`GET /statements/${id}/pdf`);
    const first = await pdf();
    expect(first.headers.get("content-disposition")).toBe(
      'inline; filename="statement-2026-03-10.pdf"',
    );
    const words = textOfPdf(first.body);
    expect(words).toMatch(/Statement of account[\s\S]*Reader Ltd[\s\S]*Balance DKK\s+525\.00/);
    await world.done(`PATCH /customers/${customer.id}`, { name: "Renamed Ltd" });
    await invoiceOf(customer, 500, { issue_date: "2026-03-05" });
    expect((await pdf()).body.equals(first.body)).toBe(true);
    const other = await world.openAnother();
    const reply = await world.rest(`GET /statements/${id}/pdf`, undefined, other.keys.read);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
    expect(refusal(await world.rest(`GET /statements/${customer.id}/pdf`))).toBe("404 NOT_FOUND");
  });

  it("goes to another address on request, and needs one", async () => {
    const silent = await someone({ email: null });
    const path = `POST /customers/${silent.id}/statements`;
    expect(refusal(await world.rest(path, {}))).toBe("422 VALIDATION_FAILED address required");
    const { id } = await world.done(path, { address: "boss@reader.example" });
    const { data } = await world.done("GET /deliveries");
    expect(data[0]).toMatchObject({ document_id: id, address: "boss@reader.example" });
    expect(refusal(await world.rest(path, { address: "x" }, world.account.keys.read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});
