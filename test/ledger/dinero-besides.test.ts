/**
 * The verbs of the Dinero connector besides booking: checks, customers and products, changes, a month of its
 * books, printing and sending. Figures are those of the simulation's own books.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Month } from "../../src/domain/base/calendar.ts";
import type { LedgerCustomer, LedgerProduct } from "../../src/ledger/connected.ts";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import type { DocumentBooking } from "../../src/ledger/ledger.ts";
import { danish } from "../support/documents/documents.ts";
import { bookingsOn, changedCustomer, changedProduct, mapped } from "../support/ledger/bookings.ts";
import { openDineroSimulation, simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { plainLine } from "../support/ledger/plain-line.ts";

let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let ledger: ReturnType<typeof dineroConnector.open>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
  ledger = dineroConnector.open(plainLine(simulatedAccess(simulation.origin)));
});
afterAll(() => simulation?.close());

const options = { signal: new AbortController().signal };
const NOVEMBER = "2026-11" as Month;

const customer = (change: Partial<LedgerCustomer> = {}) =>
  changedCustomer({
    email: "ap@bryggeri.example",
    external_reference: "C-17",
    invoice_mail_out_option_key: "GLN",
    ...change,
  });
const product = (change: Partial<LedgerProduct> = {}) =>
  changedProduct({ ledger_account: "1000", ...change });
const { invoice, voucher } = bookingsOn([
  mapped(1010, "DK25", "1000"),
  mapped(1150, "EU_SERVICES_RC", "1150"),
  mapped(8070, null, "63000"),
]);

async function booked(change: Partial<DocumentBooking["document"]> = {}): Promise<DocumentBooking> {
  const made = invoice(change);
  expect(await ledger.ensureBooked(made, options)).toMatchObject({ state: "booked" });
  return made;
}

it("reports the organisation, its accounts and VAT codes, and the day before its first year", async () => {
  const check = await ledger.more.check(options);
  expect(check).toMatchObject({
    state: "ok",
    organisation: { id: "270001", name: "Simuleret ApS" },
    currency: "DKK",
    locked_through: "2024-12-31",
    faults: [],
  });
  if (check.state !== "ok") return;
  expect(check.accounts).toContainEqual(
    expect.objectContaining({ account: "1000", vat_code: "U25" }),
  );
  expect(check.accounts).toContainEqual(
    expect.objectContaining({ account: "63000", vat_code: null }),
  );
  expect(check.vat_codes).toContainEqual({ code: "U25", name: "Salg 25 %", rate: 2500 });
  expect(await ledger.more.lockedThrough(options)).toEqual({
    state: "locked_through",
    day: "2024-12-31",
  });
});

it("reports a fault if the accounting years begin in an unexpected month, or are missing", async () => {
  const { settings, secrets } = simulatedAccess(simulation.origin);
  const july = plainLine({ settings: { ...settings, accounting_year_start: "7" }, secrets });
  expect(await dineroConnector.open(july).more.check(options)).toMatchObject({
    faults: [{ code: "INCOMPLETE" }],
  });
  const { organisation } = await simulation.books();
  await simulation.control("organisation", { years: [] });
  expect(await ledger.more.check(options)).toMatchObject({ faults: [{ code: "NO_FISCAL_YEAR" }] });
  await simulation.control("organisation", { years: organisation.years });
});

it("stores a customer under our id, replaces all of its fields, and restores an inactive one", async () => {
  const { putCustomer } = ledger.more;
  const acme = customer();
  await putCustomer(acme, options);
  await putCustomer({ ...acme, phone: "86 12 34 56", att_person: null }, options);
  const kept = async () => {
    const { contacts } = await simulation.books();
    return contacts.filter(({ ContactGuid }) => ContactGuid === acme.guid);
  };
  expect(await kept()).toMatchObject([
    { Name: acme.name, Phone: "86 12 34 56", AttPerson: null, ExternalReference: "C-17" },
  ]);
  expect(await putCustomer({ ...acme, active: false }, options)).toMatchObject({ state: "stored" });
  expect(await kept()).toMatchObject([{ DeletedAt: expect.any(String) }]);
  expect(await putCustomer(acme, options)).toMatchObject({ state: "stored" });
  expect(await kept()).toMatchObject([{ DeletedAt: null, Phone: null }]);
});

it("sends no company numbers for a person, and no days for cash payment", async () => {
  const put = await ledger.more.putCustomer(
    customer({ is_person: true, payment_condition_type: "NettoCash" }),
    options,
  );
  expect(put).toMatchObject({ state: "stored" });
});

it("reports by field why a customer is refused", async () => {
  const put = await ledger.more.putCustomer(customer({ ean_number: null }), options);
  expect(put).toMatchObject({
    state: "rejected",
    code: "VALIDATION",
    fields: { EanNumber: "is required by the mail out option" },
  });
});

it("stores one product with our id as its reference, even after a lost answer", async () => {
  const { putProduct } = ledger.more;
  const hours = product();
  await simulation.control("faults", [{ match: "POST .*/products$", action: "drop_after" }]);
  expect(await putProduct(hours, options)).toMatchObject({ state: "unknown" });

  const stored = await putProduct(hours, options);

  const own = async () => {
    const { products } = await simulation.books();
    return products.filter(({ ExternalReference }) => ExternalReference === hours.guid);
  };
  expect(await own()).toMatchObject([{ BaseAmountValue: 1234.5678, Quantity: 1.5, Unit: "hours" }]);
  if (stored.state !== "stored") throw new Error(stored.state);
  await putProduct({ ...hours, ledger_id: stored.ledger_id, unit: "seat" }, options);
  expect(await own()).toMatchObject([{ ProductGuid: stored.ledger_id, Unit: "parts" }]);
  await putProduct({ ...hours, ledger_id: stored.ledger_id, active: false }, options);
  expect(await own()).toMatchObject([{ DeletedAt: expect.any(String) }]);
});

it("refuses a product whose account is not mapped", async () => {
  expect(await ledger.more.putProduct(product({ ledger_account: null }), options)).toMatchObject({
    state: "rejected",
    code: "UNKNOWN_ACCOUNT",
  });
});

it("lists what was changed or deleted since a moment", async () => {
  const { putCustomer, putProduct, changes } = ledger.more;
  const [gone, kept, sold] = [customer(), customer({ name: "Kept A/S" }), product()];
  await putCustomer(gone, options);
  await putCustomer(kept, options);
  await putProduct(sold, options);
  await putCustomer({ ...gone, active: false }, options);

  const all = await changes(null, options);
  if (all.state !== "changes") throw new Error(all.state);
  expect(all.until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const since = await changes(all.until, options);
  if (since.state !== "changes") throw new Error(since.state);
  const of = (guid: string) => since.customers.find((one) => one.guid === guid);
  expect(of(gone.guid)).toMatchObject({ active: false });
  expect(of(kept.guid)).toMatchObject({
    ledger_id: kept.guid,
    active: true,
    fields: { name: "Kept A/S", zip_code: "5000", payment_condition_number_of_days: 30 },
  });
  expect(since.products.find(({ guid }) => guid === sold.guid)).toMatchObject({
    active: true,
    fields: { price_scaled: 12_345_678n, quantity: 150, ledger_account: "1000" },
  });
});

it("reports none of its own pushes with other values than it sent", async () => {
  const { putCustomer, putProduct, changes } = ledger.more;
  const text = fc.option(fc.stringMatching(/^[A-Za-z0-9 ]{0,18}[a-z0-9]$/), { nil: null });
  const person = fc.record({
    is_person: fc.boolean(),
    external_id: text,
    external_reference: fc.oneof(text, fc.constant("r".repeat(200))),
    phone: text,
    att_person: text,
    se_number: text,
    company_type_key: text,
    preferred_invoice_language_key: fc.constantFrom("da-DK", "nb", "fr-FR", null),
    payment_condition_type: fc.constantFrom("Netto", "NettoCash", "CurrentMonthOut", null),
    payment_condition_number_of_days: fc.constantFrom(0, 14, null),
    invoice_mail_out_option_key: fc.constantFrom("GLN", "VAT", null),
  });
  const thing = fc.record({
    unit: fc.constantFrom("hours", "hour", "days", "seat", "parts"),
    comments: fc.oneof(text, fc.constant("c".repeat(200))),
    price_scaled: fc.bigInt(0n, 10n ** 12n),
    quantity: fc.integer({ min: 0, max: 100_000 }),
  });
  const people = fc.sample(person, 20).map(customer);
  const things = fc.sample(thing, 20).map(product);
  for (const one of people) {
    expect(await putCustomer(one, options)).toMatchObject({ state: "stored" });
  }
  for (const one of things) {
    expect(await putProduct(one, options)).toMatchObject({ state: "stored" });
  }

  const reported = await changes(null, options);

  if (reported.state !== "changes") throw new Error(reported.state);
  for (const one of [...people, ...things]) {
    const back = [...reported.customers, ...reported.products].find(
      ({ guid }) => guid === one.guid,
    );
    expect(one).toMatchObject(back?.fields ?? { guid: "missing" });
  }
});

it("lists the documents of a month and the balances at its end", async () => {
  const own = await booked();
  await booked({ kind: "credit_note" });
  await ledger.ensureBooked(voucher(), options);

  const read = await ledger.more.month(NOVEMBER, options);

  if (read.state !== "month") throw new Error(read.state);
  const { invoices, entries } = await simulation.books();
  const there = invoices.find(({ Guid }) => Guid === own.guid);
  expect(read.documents).toContainEqual({
    kind: "invoice",
    ledger_id: own.guid,
    guid: own.guid,
    number: BigInt(there?.Number ?? 0),
    date: "2026-11-20",
    gross: 6_909_375n,
    stands: true,
    moved: new Map([
      ["1000", -5_527_500n],
      ["56000", 6_909_375n],
      ["64000", -1_381_875n],
    ]),
  });
  const kinds = read.documents.map(({ kind }) => kind);
  expect([...new Set(kinds)].sort()).toEqual(["credit_note", "invoice", "voucher"]);
  const sum = (account: number) =>
    entries
      .filter(({ AccountNumber }) => AccountNumber === account)
      .reduce((total, { Amount }) => total + BigInt(Math.round(Amount * 100)), 0n);
  expect(read.balances.get("63000")).toBe(sum(63000));
  expect(read.balances.get("56000")).toBe(sum(56000));
  const earlier = await ledger.more.month("2026-10" as Month, options);
  expect(earlier).toMatchObject({ documents: [] });
});

it("prints and sends a booked document, and reports its delivery", async () => {
  const { pdf, send, sends } = ledger.more;
  const { guid } = await booked();
  const printed = await pdf?.("invoice", guid, options);
  if (printed?.state !== "pdf") throw new Error(printed?.state);
  expect(Buffer.from(printed.content).toString()).toMatch(/^%PDF-/);

  const mail = { type: "email", receiver: null } as const;
  expect(await send?.("invoice", guid, mail, options)).toEqual({
    state: "sent",
    recipients: [danish().customer.email],
  });
  const einvoice = {
    type: "einvoice",
    payment_mean: null,
    order_reference: "PO-1",
    att_person: null,
  } as const;
  expect(await send?.("invoice", guid, einvoice, options)).toMatchObject({ state: "queued" });
  const { invoices } = await simulation.books();
  const there = invoices.find(({ Guid }) => Guid === guid);
  const [first, second] = there?.mailouts ?? [];
  await simulation.control("edit", {
    key: `invoice/270001/${guid}`,
    change: { mailouts: [{ ...first, LatestEvent: "HardBounce" }, second] },
  });
  expect(await sends?.("invoice", guid, options)).toMatchObject({
    sends: [
      { channel: "email", state: "failed", event: "HardBounce" },
      { channel: "einvoice", state: "queued", receiver: danish().customer.ean_number },
    ],
  });
  const credit = await booked({ kind: "credit_note" });
  expect(await pdf?.("credit_note", credit.guid, options)).toMatchObject({ state: "pdf" });
});

it.each([true, false])(
  "sends the same message again on request (which Dinero may leave out: %s)",
  async (is_left_out) => {
    await simulation.control("switches", { email_deduplicated: is_left_out });
    const { guid } = await booked();
    const mail = { type: "email", receiver: "ap@bryggeri.example" } as const;
    await ledger.more.send?.("invoice", guid, mail, options);
    await ledger.more.send?.("invoice", guid, mail, options);
    const { invoices } = await simulation.books();
    const there = invoices.find(({ Guid }) => Guid === guid);
    expect(there?.mailouts).toHaveLength(is_left_out ? 1 : 2);
  },
);

it("reports a failed sending without an address, and keeps the booking", async () => {
  const bare = customer({ email: null, ean_number: null, invoice_mail_out_option_key: null });
  await ledger.more.putCustomer(bare, options);
  const { guid } = await booked({ customer: { ...danish().customer, id: bare.guid } });
  const mail = { type: "email", receiver: null } as const;
  expect(await ledger.more.send?.("invoice", guid, mail, options)).toMatchObject({
    state: "failed",
    code: "no_address",
  });
});

it("refuses settings with an invalid organisation or limit", () => {
  const { organisationKey, requestsPerMinute } = dineroConnector;
  expect(organisationKey({ organization_id: "270001" })).toBe("270001");
  expect(() => organisationKey({ organization_id: "my company" })).toThrow(RangeError);
  expect(requestsPerMinute({})).toBe(60);
  expect(requestsPerMinute({ requests_per_minute: "100" })).toBe(100);
  expect(() => requestsPerMinute({ requests_per_minute: "0" })).toThrow(RangeError);
});
