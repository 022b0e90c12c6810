/** The configuration over REST (spec 7.3, 7.4 and 9.2). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const INVALID = "422 VALIDATION_FAILED";

const read = (): Promise<Json> => world.done("GET /configuration");
const change = (changes: Json): Promise<Json> => world.done("PATCH /configuration", changes);

/** A separate account with one issued invoice, and calls with its key. */
async function accountWithInvoice() {
  const { keys } = await world.openAnother();
  const key = keys.read_write;
  const { id: customer_id } = await world.done("POST /customers", { name: "Acme" }, key);
  const product = await world.done("POST /products", { name: "P", default_price: 1 }, key);
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const draft = { customer_id, auto_send: false, lines };
  const { id } = await world.done("POST /invoices", draft, key);
  await world.done(`POST /invoices/${id}/issue`, undefined, key);
  return (changes: Json) => world.rest("PATCH /configuration", changes, key);
}

const USUAL_TEXTS = {
  invoice: { subject: null, body: null },
  credit_note: { subject: null, body: null },
};

describe("GET /configuration", () => {
  it("shows the defaults of a new account, with every field", async () => {
    const { keys } = await world.openAnother();

    expect(await world.done("GET /configuration", undefined, keys.read)).toEqual({
      object: "configuration",
      functional_currency: "DKK",
      time_zone: "Europe/Copenhagen",
      recognition_convention: "monthly",
      period_lock_date: null,
      work_lock_date: null,
      account_roles: {
        contract_asset: 6240,
        contract_liability: 8070,
        exchange_difference: 3610,
        customer_credit: 7410,
        rounding: 2720,
        payment_fee: 2390,
        reminder_fee: 1550,
        interest_income: 3490,
      },
      default_revenue_account: 1000,
      default_payment_terms: { type: "Netto", days: 14 },
      default_auto_send: true,
      vat: { domestic_rate: 25, domestic_country: "DK" },
      numbering: {
        next_invoice_number: 1,
        next_credit_note_number: 1,
        next_voucher_number: 1,
        next_payment_number: 1,
        next_reminder_number: 1,
      },
      payments: { rounding_limit: 1 },
      receivables_begun_on: null,
      reminders: expect.objectContaining({ rules: "danish", interest: "none", minimum_days: 10 }),
      seller: null,
      invoice_language_key: "da-DK",
      rate_max_age_days: null,
      require_complete_invoices: false,
      document_links: true,
      mail_texts: { da: USUAL_TEXTS, en: USUAL_TEXTS },
      ledger: { connected: true, kind: "builtin" },
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it("states that the account's ledger has no connector", async () => {
    const { account_id, keys } = await world.openAnother();
    await world.sql("update accounts set ledger_kind = 'elsewhere' where id = $1", [account_id]);

    const { ledger } = await world.done("GET /configuration", undefined, keys.read);

    expect(ledger).toEqual({ connected: false, kind: "elsewhere" });
  });

  it("needs a key", async () => {
    expect(refusal(await world.rest("GET /configuration", undefined, null))).toBe(
      "401 UNAUTHORIZED",
    );
  });
});

describe("PATCH /configuration", () => {
  it("accepts an empty object and changes nothing, not even updated_at", async () => {
    const before = await read();

    const { status, body } = await world.rest("PATCH /configuration", {});

    expect([status, body]).toEqual([200, before]);
  });

  it.each<[Json]>([
    [{ time_zone: "America/New_York" }],
    [{ recognition_convention: "daily" }],
    [{ period_lock_date: "2025-12-31" }],
    [{ period_lock_date: "2025-11-30" }],
    [{ period_lock_date: null }],
    [{ work_lock_date: "2026-02-28" }],
    [{ default_revenue_account: null }],
    [{ default_revenue_account: 1010 }],
    [{ default_auto_send: false }],
    [{ invoice_language_key: "en-GB" }],
    [{ vat: { domestic_rate: 12.75, domestic_country: "SE" } }],
    [{ default_payment_terms: { type: "CurrentMonthOut", days: 30 } }],
    [{ payments: { rounding_limit: 0.05 } }],
    [{ payments: { rounding_limit: 0 } }],
  ])("changes only the fields in %j", async (changes) => {
    const before = await read();

    const changed = await change(changes);

    expect(changed).toEqual({ ...before, ...changes, updated_at: changed.updated_at });
    expect(await read()).toEqual(changed);
  });

  it("changes the functional currency, and with it the usual fees of reminders", async () => {
    const before = await read();
    const changed = await change({ functional_currency: "EUR" });
    const { reminders } = changed;
    expect(reminders).toMatchObject({ rules: "own", levels: Array(4).fill({ fee: 0 }) });
    const { updated_at } = changed;
    expect(changed).toEqual({ ...before, functional_currency: "EUR", reminders, updated_at });
  });

  it("merges nested objects", async () => {
    await change({ vat: { domestic_rate: 25, domestic_country: "DK" } });
    await change({ default_payment_terms: { type: "Netto", days: 14 } });
    await change({ account_roles: { contract_liability: null, exchange_difference: null } });
    await change({ seller: { name: "Studio", iban: "DK5000400440116243" } });

    const changed = await change({
      vat: { domestic_rate: 24 },
      default_payment_terms: { days: 8 },
      account_roles: { contract_liability: 8070 },
      seller: { city: "Aarhus", iban: null },
      numbering: { next_voucher_number: 500, next_reminder_number: 12 },
    });

    expect(changed).toMatchObject({
      vat: { domestic_rate: 24, domestic_country: "DK" },
      default_payment_terms: { type: "Netto", days: 8 },
      account_roles: { contract_asset: 6240, contract_liability: 8070, exchange_difference: null },
      numbering: { next_invoice_number: 1, next_voucher_number: 500, next_reminder_number: 12 },
    });
    expect(changed.seller).toEqual({
      name: "Studio",
      street: null,
      zip_code: null,
      city: "Aarhus",
      country_key: null,
      vat_number: null,
      email: null,
      phone: null,
      bank_registration_number: null,
      bank_account_number: null,
      iban: null,
      swift: null,
    });
    expect((await change({ seller: null })).seller).toBeNull();
  });

  it("shows the fields of e-invoices where they are set, and takes them back by null", async () => {
    const fields = {
      registration_number: "12345674",
      einvoice_address: "0088:5790000123452",
      contact_name: "Bogholderiet",
    };
    expect((await change({ seller: fields })).seller).toMatchObject(fields);
    expect((await change({ seller: { city: "Aarhus" } })).seller).toMatchObject(fields);
    const none = { registration_number: null, einvoice_address: null, contact_name: "" };
    const { seller } = await change({ seller: none });
    for (const field of Object.keys(fields)) expect(seller).not.toHaveProperty(field);
    await change({ seller: null });
  });

  it("stores the numbers of payment slips together, with the usual card type", async () => {
    const slips = async (seller: Json) => {
      const changed = (await change({ seller })).seller;
      return [changed.fik_creditor_number, changed.fik_card_type];
    };
    expect(await slips({ fik_creditor_number: "81234567" })).toEqual(["81234567", "71"]);
    expect(await slips({ fik_card_type: "75" })).toEqual(["81234567", "75"]);
    expect(await slips({ city: "Aarhus" })).toEqual(["81234567", "75"]);
    expect(await slips({ fik_creditor_number: null })).toEqual([undefined, undefined]);
    expect(await slips({ fik_card_type: "73" })).toEqual([undefined, undefined]);
    await change({ seller: null });
  });

  it("merges the texts of mails, where null and an empty text are the usual one", async () => {
    const { mail_texts } = await change({
      mail_texts: { da: { invoice: { subject: "Faktura {number}", body: "Hej {customer}\r\n" } } },
    });
    expect(mail_texts).toEqual({
      da: {
        ...USUAL_TEXTS,
        invoice: { subject: "Faktura {number}", body: "Hej {customer}\n" },
      },
      en: USUAL_TEXTS,
    });
    const other = { mail_texts: { en: { credit_note: { subject: "Credit {number}" } } } };
    expect((await change(other)).mail_texts.da).toEqual(mail_texts.da);
    const { account_id } = world.account;
    const events = await world.done(`GET /audit-events?resource_id=${account_id}&limit=100`);
    expect(JSON.stringify(events.data)).toContain("Credit {number}");
    const removed = await change({
      mail_texts: {
        da: { invoice: { subject: null, body: "" } },
        en: { credit_note: { subject: null } },
      },
    });
    expect(removed.mail_texts).toEqual({ da: USUAL_TEXTS, en: USUAL_TEXTS });
  });

  it("stores every field of a seller", async () => {
    const seller = {
      name: "Studio ApS",
      street: "Nørregade 1",
      zip_code: "1165",
      city: "København K",
      country_key: "DK",
      vat_number: "DK12345674",
      email: "hello@studio.example",
      phone: "+45 33 12 34 56",
      bank_registration_number: "0400",
      bank_account_number: "0440116243",
      iban: "DK5000400440116243",
      swift: "DABADKKK",
    };

    expect((await change({ seller })).seller).toEqual(seller);
  });

  it("ignores fields that are only shown", async () => {
    const before = await read();
    const sent = {
      ledger: { connected: false, kind: "x" },
      receivables_begun_on: "2026-01-01",
      updated_at: null,
      object: "x",
    };

    expect(await change(sent)).toEqual(before);
  });

  it.each<[Json, string]>([
    [{ functional_currency: "dkk" }, "functional_currency invalid_value"],
    [{ functional_currency: null }, "functional_currency invalid_type"],
    [{ time_zone: "Copenhagen" }, "time_zone invalid_value"],
    [{ time_zone: "+01:00" }, "time_zone invalid_value"],
    [{ recognition_convention: "weekly" }, "recognition_convention invalid_value"],
    [{ period_lock_date: "2026-02-30" }, "period_lock_date invalid_format"],
    [{ work_lock_date: "soon" }, "work_lock_date invalid_format"],
    [{ account_roles: { contract_asset: "6240" } }, "account_roles.contract_asset invalid_type"],
    [{ account_roles: null }, "account_roles invalid_type"],
    [{ default_payment_terms: { type: "Brutto" } }, "default_payment_terms.type invalid_value"],
    [{ default_payment_terms: { days: -1 } }, "default_payment_terms.days too_small"],
    [{ default_auto_send: "no" }, "default_auto_send invalid_type"],
    [{ vat: { domestic_rate: 25.005 } }, "vat.domestic_rate too_many_decimals"],
    [{ vat: { domestic_rate: -1 } }, "vat.domestic_rate too_small"],
    [{ vat: { domestic_rate: 101 } }, "vat.domestic_rate too_large"],
    [{ vat: { domestic_country: "Denmark" } }, "vat.domestic_country invalid_value"],
    [{ numbering: { next_invoice_number: 0 } }, "numbering.next_invoice_number too_small"],
    [{ numbering: { next_invoice_number: 1.5 } }, "numbering.next_invoice_number invalid_type"],
    [{ seller: { email: "none" } }, "seller.email invalid_format"],
    [{ seller: { country_key: "ZZ" } }, "seller.country_key invalid_value"],
    [{ invoice_language_key: "Danish!" }, "invoice_language_key invalid_format"],
    [{ account_roles: { rounding: 0 } }, "account_roles.rounding too_small"],
    [{ numbering: { next_payment_number: 0 } }, "numbering.next_payment_number too_small"],
    [{ payments: { rounding_limit: -0.01 } }, "payments.rounding_limit too_small"],
    [{ payments: { rounding_limit: 0.005 } }, "payments.rounding_limit too_many_decimals"],
    [{ payments: null }, "payments invalid_type"],
    [{ rate_max_age_days: -1 }, "rate_max_age_days too_small"],
    [{ rate_max_age_days: 1.5 }, "rate_max_age_days invalid_type"],
    [{ require_complete_invoices: null }, "require_complete_invoices invalid_type"],
    [{ document_links: "no" }, "document_links invalid_type"],
    [{ seller: { vat_number: "n/a" } }, "seller.vat_number invalid_format"],
    [{ seller: { fik_creditor_number: "1234567" } }, "seller.fik_creditor_number invalid_format"],
    [{ seller: { registration_number: "1234567" } }, "seller.registration_number invalid_format"],
    [{ seller: { registration_number: "12345678" } }, "seller.registration_number invalid_format"],
    [
      { seller: { registration_number: "DK12345674" } },
      "seller.registration_number invalid_format",
    ],
    [
      { seller: { einvoice_address: "0088:5790000123453" } },
      "seller.einvoice_address invalid_format",
    ],
    [{ seller: { contact_name: "x".repeat(256) } }, "seller.contact_name too_long"],
    [{ seller: { fik_card_type: "01" } }, "seller.fik_card_type invalid_value"],
    [
      { mail_texts: { da: { invoice: { subject: "Faktura {nummer}" } } } },
      "mail_texts.da.invoice.subject invalid_value",
    ],
    [
      { mail_texts: { en: { credit_note: { body: "Due {due_date}" } } } },
      "mail_texts.en.credit_note.body invalid_value",
    ],
    [
      { mail_texts: { en: { invoice: { subject: "x".repeat(201) } } } },
      "mail_texts.en.invoice.subject too_long",
    ],
    [{ mail_texts: { da: { invoice: { body: 1 } } } }, "mail_texts.da.invoice.body invalid_type"],
  ])("refuses %j", async (changes, fault) => {
    const before = await read();

    expect(refusal(await world.rest("PATCH /configuration", changes))).toBe(`${INVALID} ${fault}`);
    expect(await read()).toEqual(before);
  });

  it("needs a key that may write", async () => {
    const reply = await world.rest("PATCH /configuration", {}, world.account.keys.read);

    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});

describe("once something is booked", () => {
  it("the functional currency cannot be changed", async () => {
    const patch = await accountWithInvoice();

    expect(refusal(await patch({ functional_currency: "EUR" }))).toBe("409 CONFIGURATION_LOCKED");
    expect((await patch({ functional_currency: "DKK", time_zone: "UTC" })).status).toBe(200);
  });

  it("the numbers of invoices cannot be changed, and those of other documents can still be raised", async () => {
    const patch = await accountWithInvoice();
    const numbering = (numbers: Json) => patch({ numbering: numbers });

    for (const next_invoice_number of [100, 1]) {
      expect(refusal(await numbering({ next_invoice_number }))).toBe("409 CONFIGURATION_LOCKED");
    }
    const raised = await numbering({ next_invoice_number: 2, next_credit_note_number: 900 });
    expect([raised.status, raised.body.numbering]).toEqual([
      200,
      {
        next_invoice_number: 2,
        next_credit_note_number: 900,
        next_voucher_number: 1,
        next_payment_number: 1,
        next_reminder_number: 1,
      },
    ]);
  });
});

describe("numbers before the first document", () => {
  it("may be raised but not lowered", async () => {
    const { keys } = await world.openAnother();
    const numbering = (numbers: Json) =>
      world.rest("PATCH /configuration", { numbering: numbers }, keys.read_write);
    await numbering({ next_invoice_number: 2026001 });

    const lowered = await numbering({ next_invoice_number: 2026000, next_voucher_number: 7 });

    expect(refusal(lowered)).toBe(`${INVALID} numbering.next_invoice_number too_small`);
    expect((await numbering({ next_invoice_number: 2026001 })).body.numbering).toEqual({
      next_invoice_number: 2026001,
      next_credit_note_number: 1,
      next_voucher_number: 1,
      next_payment_number: 1,
      next_reminder_number: 1,
    });
  });
});
