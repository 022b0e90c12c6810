/** Frozen documents for printing and sending in tests; each call returns a new object. */
import type { VoucherSnapshot } from "../../../src/domain/revenue/voucher.ts";
import type {
  DocumentCustomer,
  DocumentLine,
  DocumentSnapshot,
  Seller,
} from "../../../src/domain/sales/document.ts";

const seller: Seller = {
  name: "Nordlys Rådgivning ApS",
  street: "Vestergade 12, 3. sal",
  zip_code: "8000",
  city: "Aarhus C",
  country_key: "DK",
  vat_number: "25313763",
  email: "faktura@nordlys.example",
  phone: "+45 86 12 34 56",
  bank_registration_number: "0040",
  bank_account_number: "0440116243",
  iban: "DK5000400440116243",
  swift: "DABADKKK",
};

const customer: DocumentCustomer = {
  id: "01990000-0000-7000-8000-000000000001",
  external_id: null,
  name: "Havnegadens Bryggeri A/S",
  is_person: false,
  street: "Havnegade 44",
  zip_code: "5000",
  city: "Odense C",
  country_key: "DK",
  att_person: "Mette Krogh",
  phone: null,
  email: "bogholderi@bryggeri.example",
  vat_number: "10150817",
  ean_number: "5798009811578",
  se_number: null,
  p_number: null,
  external_reference: "PO-2026-118",
  invoice_mail_out_option_key: null,
  payment_mean: null,
};

/** Rows as quantity, unit price, discount and net. */
export function line(
  text: string,
  net: bigint,
  rows: readonly (readonly [number, bigint, number, bigint])[],
): DocumentLine {
  return {
    line_id: "01990000-0000-7000-8000-000000000002",
    position: 1,
    text,
    product_number: null,
    unit: "hours",
    service_from: null,
    service_to: null,
    account_number: 1010,
    vat_code: "DK25",
    vat_rate: 2500,
    net,
    net_functional: net,
    rows: rows.map(([quantity, unit_price_scaled, discount, rowNet]) => {
      return { quantity, unit_price_scaled, discount, net: rowNet };
    }),
  };
}

/** VAT at 25 % in the functional currency. */
export function vat(base: bigint, amount: bigint): DocumentSnapshot["vat"][number] {
  return {
    vat_code: "DK25",
    rate: 2500,
    base,
    vat: amount,
    vat_functional: amount,
    reason: null,
  };
}

/** A domestic invoice: two rates of hours, a month of service and a line of text. */
export function danish(): DocumentSnapshot {
  const retainer = line("Drift og overvågning", 450000n, [[100, 45000000n, 0, 450000n]]);
  return {
    kind: "invoice",
    document_id: "01990000-0000-7000-8000-000000000003",
    account_name: "Nordlys",
    seller,
    customer,
    language: "da",
    currency: "DKK",
    currency_digits: 2,
    functional_currency: "DKK",
    functional_digits: 2,
    rate_micro: null,
    issue_date: "2026-11-20",
    payment: { type: "Netto", days: 30, due_date: "2026-12-20" },
    title: "Rådgivning og drift",
    credits: null,
    lines: [
      line("Rådgivning om nyt bogholderi", 5077500n, [
        [2750, 12000000n, 500, 3135000n],
        [1850, 10500000n, 0, 1942500n],
      ]),
      { ...retainer, unit: "month", service_from: "2026-11-01", service_to: "2026-11-30" },
      line("Vi ses den 3. december", 0n, [[100, 0n, 0, 0n]]),
    ],
    vat: [vat(5527500n, 1381875n)],
    totals: { net: 5527500n, vat: 1381875n, gross: 6909375n },
  };
}

/** A voucher that reduces the revenue of two accounts in a month. */
export function accrual(): VoucherSnapshot {
  return {
    kind: "voucher",
    document_id: "01990000-0000-7000-8000-000000000004",
    reference: "accrual:01990000-0000-7000-8000-000000000005:1",
    customer: { id: customer.id, name: customer.name },
    issue_date: "2026-11-30",
    text: "Accrual 2026-11 Havnegadens Bryggeri A/S",
    currency: "DKK",
    entries: [
      { account_role: "contract_liability", account_number: 8070, amount: -1_100_000n },
      { account_role: "revenue", account_number: 1010, vat_code: "DK25", amount: 900_000n },
      {
        account_role: "revenue",
        account_number: 1150,
        vat_code: "EU_SERVICES_RC",
        amount: 200_000n,
      },
    ],
    reverses_guid: null,
  };
}

/** An invoice in euro and English to a German company, without VAT. */
export function reverseCharge(): DocumentSnapshot {
  const code = "EU_SERVICES_RC";
  const review = line("Architecture review", 1250000n, [[6250, 2000000n, 0, 1250000n]]);
  return {
    ...danish(),
    language: "en",
    currency: "EUR",
    rate_micro: 7460000n,
    customer: {
      ...customer,
      name: "Bergmann & Söhne GmbH",
      zip_code: "20099",
      city: "Hamburg",
      country_key: "DE",
      vat_number: "DE136695976",
      ean_number: null,
    },
    payment: { type: "CurrentMonthOut", days: 15, due_date: "2026-12-15" },
    title: null,
    lines: [{ ...review, vat_code: code, vat_rate: 0, net_functional: 9325000n }],
    vat: [
      {
        ...vat(1250000n, 0n),
        vat_code: code,
        rate: 0,
        vat_functional: 0n,
        reason: "reverse_charge",
      },
    ],
    totals: { net: 1250000n, vat: 0n, gross: 1250000n },
  };
}

/** A credit of the whole domestic invoice, numbered 1042. */
export function creditNote(): DocumentSnapshot {
  const credits = { invoice_number: 1042n, invoice_date: "2026-11-20" };
  return { ...danish(), kind: "credit_note", issue_date: "2026-12-01", credits };
}
