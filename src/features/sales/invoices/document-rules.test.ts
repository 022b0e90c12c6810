/** Rates, dates and completeness of issued documents: what is shown, and what is warned of or refused. */
import { beforeEach, describe, expect, it } from "vitest";
import { completeSeller } from "../../../../test/support/documents/seller.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

let key: string;
let customer_id: string;
let product_id: string;
const call = (what: string, body?: Json): Promise<Json> => world.done(what, body, key);
const configure = (body: Json) => call("PATCH /configuration", body);

/** Each test has its own account, whose seller is complete. */
beforeEach(async () => {
  key = (await world.openAnother()).keys.read_write;
  await configure({ seller: completeSeller, default_auto_send: false });
  customer_id = (await call("POST /customers", { name: "Acme A/S" })).id;
  product_id = (await call("POST /products", { name: "Work", default_price: 100 })).id;
});

async function draft(fields: Json = {}): Promise<Json> {
  const { data } = await call("GET /users");
  const assignees = [{ user_id: data[0].id }];
  const lines = [{ product_id, recognition_method: "value", agreed_value: 100, assignees }];
  return call("POST /invoices", { customer_id, lines, ...fields });
}
const issue = ({ id }: Json) => world.rest(`POST /invoices/${id}/issue`, undefined, key);
const issued = async (fields: Json = {}) => (await issue(await draft(fields))).body;
const totalsOf = ({ id }: Json) => call(`GET /invoices/${id}/totals`);
const codesOf = ({ warnings }: Json) => warnings.map(({ code }: Json) => code);
const credit = (invoice: Json, credit_date: string): Promise<Json> =>
  call("POST /credit-notes", {
    external_id: `credit of ${invoice.id}`,
    invoice: invoice.id,
    kind: "full",
    credit_date,
  });

describe("the date of the exchange rate", () => {
  it("is shown in totals and in the entry, for a credit note that of its invoice", async () => {
    await call("PUT /exchange-rates/EUR/2026-03-05", { rate: 7.46 });
    const made = await draft({ currency: "EUR" });
    expect(await totalsOf(made)).toMatchObject({ rate_date: "2026-03-05", warnings: [] });
    const { body: invoice } = await issue(made);
    await call("PUT /exchange-rates/EUR/2026-03-10", { rate: 7.47 });
    await credit(invoice, "2026-03-10");
    const kroner = await issued();

    expect((await totalsOf(invoice)).rate_date).toBe("2026-03-05");
    const note = `credit of ${invoice.id}`;
    const of_credit = await call(`GET /credit-notes/ext:${encodeURIComponent(note)}/totals`);
    expect(of_credit.rate_date).toBe("2026-03-05");
    expect(await totalsOf(kroner)).not.toHaveProperty("rate_date");
    const { data } = await call("GET /ledger/entries");
    expect(data.map((entry: Json) => entry.rate_date)).toEqual([
      "2026-03-05",
      "2026-03-05",
      undefined,
    ]);
  });

  it("leads to a warning, before and after the issue, when it is more than seven days earlier", async () => {
    await call("PUT /exchange-rates/EUR/2026-03-02", { rate: 7.46 });
    const made = await draft({ currency: "EUR" });
    const warning = {
      code: "RATE_OLD",
      message: "The exchange rate of EUR is of 2026-03-02, 8 days before the invoice.",
    };
    expect((await totalsOf(made)).warnings).toEqual([warning]);
    const { body } = await issue(made);
    expect(body.warnings).toEqual([warning]);
    expect((await totalsOf(made)).warnings).toEqual([warning]);
  });

  it("may be as old as the configuration says, and no older", async () => {
    expect((await call("GET /configuration")).rate_max_age_days).toBeNull();
    await call("PUT /exchange-rates/EUR/2026-03-02", { rate: 7.46 });
    const made = await draft({ currency: "EUR" });

    await configure({ rate_max_age_days: 7 });
    const refused = await issue(made);
    await configure({ rate_max_age_days: 8 });
    const booked = await issue(made);

    expect(refusal(refused)).toBe("409 EXCHANGE_RATE_MISSING");
    expect(refused.body.error.details).toEqual({
      currency: "EUR",
      date: "2026-03-10",
      rate_date: "2026-03-02",
      rate_max_age_days: 7,
    });
    expect(booked.status).toBe(200);
    expect((await configure({ rate_max_age_days: null })).rate_max_age_days).toBeNull();
  });

  it("is unknown for documents from before it was stored", async () => {
    await call("PUT /exchange-rates/EUR/2026-03-02", { rate: 7.46 });
    const { id } = await issued({ currency: "EUR" });
    await world.sql("alter table issued_documents disable trigger issued_documents_append_only");
    await world.sql(
      `update issued_documents set snapshot = replace(snapshot, ',"rate_date":"2026-03-02"', '')
       where document_id = $1`,
      [id],
    );
    await world.sql("alter table issued_documents enable trigger issued_documents_append_only");

    expect(await totalsOf({ id })).not.toHaveProperty("rate_date");
    expect(codesOf(await totalsOf({ id }))).toEqual([]);
    const { data } = await call("GET /ledger/entries");
    expect(data[0]).not.toHaveProperty("rate_date");
  });
});

describe("the date of an invoice", () => {
  it("leads to a warning when it is more than a year from today, in either direction", async () => {
    const dated = async (issue_date: string | null) =>
      codesOf(await totalsOf(await draft({ issue_date })));
    expect(await dated("2027-03-11")).toEqual(["DATE_FAR"]);
    expect(await dated("2025-03-09")).toEqual(["DATE_FAR"]);
    expect(await dated("2027-03-10")).toEqual([]);
    expect(await dated(null)).toEqual([]);
    expect((await issued({ issue_date: "2025-03-09" })).warnings).toEqual([
      {
        code: "DATE_FAR",
        message: "The invoice is dated 2025-03-09, more than a year from today.",
        field: "issue_date",
      },
    ]);
  });

  it("leads to a warning when it is before that of the last number, for invoices and credit notes separately", async () => {
    const late = await issued({ issue_date: "2026-03-09" });
    expect(late.warnings).toEqual([]);
    const early = await draft({ issue_date: "2026-03-01" });
    const warning = {
      code: "DATE_BEFORE_LAST_NUMBER",
      message:
        "The invoice is dated 2026-03-01, and the last invoice has the date 2026-03-09: numbers and dates will not be in the same order.",
      field: "issue_date",
    };
    expect((await totalsOf(early)).warnings).toEqual([warning]);
    const { body } = await issue(early);
    expect(body.warnings).toEqual([warning]);
    // An issued invoice has its number, so no warning is left.
    expect((await totalsOf(early)).warnings).toEqual([]);
    // The warning compares with the last number, not with the latest date.
    expect((await issued({ issue_date: "2026-03-02" })).warnings).toEqual([]);

    const preview = (credit_date: string) =>
      call("POST /credit-notes/preview", {
        external_id: "p",
        invoice: early.id,
        kind: "full",
        credit_date,
      });
    expect(codesOf(await preview("2026-03-02"))).toEqual([]);
    await credit(late, "2026-03-10");
    expect((await preview("2026-03-02")).warnings).toMatchObject([
      { code: "DATE_BEFORE_LAST_NUMBER", field: "credit_date" },
    ]);
  });

  it("is not compared with numbers of another account", async () => {
    await issued({ issue_date: "2026-03-09" });
    key = (await world.openAnother()).keys.read_write;
    customer_id = (await call("POST /customers", { name: "B" })).id;
    product_id = (await call("POST /products", { name: "P", default_price: 1 })).id;
    expect(codesOf(await issued({ issue_date: "2026-03-01" }))).toEqual(["SELLER_INCOMPLETE"]);
  });
});

describe("require_complete_invoices", () => {
  const address = { street: "Havnegade 44", city: "Odense" };

  it("is off by default, and refuses documents without the data that the law requires when it is on", async () => {
    expect((await call("GET /configuration")).require_complete_invoices).toBe(false);
    await issued();
    expect((await configure({ require_complete_invoices: true })).require_complete_invoices).toBe(
      true,
    );
    const made = await draft();
    const refused = await issue(made);
    expect(refusal(refused)).toBe("409 INVOICE_INCOMPLETE");
    expect(refused.body.error.details.missing).toEqual(["customer.street", "customer.city"]);
    await call(`PATCH /customers/${customer_id}`, address);
    await configure({ seller: { name: null, city: null } });
    expect((await issue(made)).body.error.details.missing).toEqual(["seller.name", "seller.city"]);
    await configure({ seller: completeSeller });
    expect((await issue(made)).status).toBe(200);
  });

  it("requires no bank account, no number of a buyer who pays VAT, and nothing of a credit note", async () => {
    const invoice = await issued();
    await call(`PATCH /customers/${customer_id}`, address);
    await configure({ require_complete_invoices: true, seller: { iban: null } });
    expect((await issue(await draft())).status).toBe(200);
    await configure({ seller: null });
    expect((await credit(invoice, "2026-03-10")).status).toBe("issued");
  });
});
