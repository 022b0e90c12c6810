/** Renders a document that is thrown away, so that fonts are parsed and code is compiled before the first request for a PDF. */

import { BLANK_CUSTOMER } from "../../../domain/sales/blank-customer.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { renderPdf } from "./pdf.ts";
import { viewOf } from "./view.ts";

const NET = 100_000n;
const VAT = 25_000n;
const DAY = "2026-01-31";
const ID = "00000000-0000-7000-8000-000000000000";

/** A draft with some text in each part of a page. */
const SAMPLE: DocumentSnapshot = {
  kind: "invoice",
  document_id: ID,
  account_name: "Matchbook",
  seller: null,
  customer: {
    ...BLANK_CUSTOMER,
    id: ID,
    name: "Æbleø & Søn ApS",
    street: "Vestergade 1",
    zip_code: "8000",
    city: "Aarhus C",
    country_key: "DK",
  },
  language: "da",
  currency: "DKK",
  currency_digits: 2,
  functional_currency: "DKK",
  functional_digits: 2,
  rate_micro: null,
  issue_date: DAY,
  payment: { type: "Netto", days: 30, due_date: DAY },
  title: "Rådgivning, 0123456789",
  credits: null,
  lines: [
    {
      line_id: ID,
      position: 1,
      text: "Drift og overvågning",
      product_number: null,
      unit: "hours",
      service_from: DAY,
      service_to: DAY,
      account_number: 1010,
      vat_code: "DK25",
      vat_rate: 2500,
      net: NET,
      net_functional: NET,
      rows: [{ quantity: 100, unit_price_scaled: NET * 100n, discount: 500, net: NET }],
    },
  ],
  vat: [{ vat_code: "DK25", rate: 2500, base: NET, vat: VAT, vat_functional: VAT, reason: null }],
  totals: { net: NET, vat: VAT, gross: NET + VAT },
};

/** Renders the sample as a draft. Rejects when the fonts cannot be read. */
export async function renderSample(): Promise<void> {
  await renderPdf(viewOf(SAMPLE, { number: null }));
}
