// Measures the cost of rendering: CPU per page and documents per second of one core, for documents that all differ, compared with
// one page for which the fonts are parsed again.
import { load } from "./sources.mjs";

const RENDERED = Number(process.env.BENCH_DOCUMENTS ?? 200);

export async function benchPdf(report) {
  const { renderPdf } = await load("features/documents/printing/pdf");
  const { viewOf } = await load("features/documents/printing/view");
  const { Fonts } = await load("features/documents/printing/pdf-fonts");
  const render = (lines, index, fonts) =>
    renderPdf(viewOf(documentOf(lines, index), { number: BigInt(index + 1) }), null, fonts);
  for (let index = 0; index < 100; index += 1) await render(5, RENDERED + index);

  const page = await costOf(RENDERED, (index) => render(5, index));
  const with_parsing = await costOf(20, (index) => render(5, index, new Fonts()));
  const tens = await costOf(RENDERED, (index) => render(250, index));
  const long = await costOf(RENDERED, (index) => render(500, index));
  report(`PDF, ${RENDERED} documents of each kind`, {
    "one page, CPU ms": page.ms,
    "one page, documents a second of one core": 1000 / page.ms,
    "one page, fonts parsed again, CPU ms": with_parsing.ms,
    ratio: page.ms / with_parsing.ms,
    "250 lines, CPU ms for each page": tens.ms / tens.pages,
    "250 lines, documents a second of one core": 1000 / tens.ms,
    "500 lines, CPU ms for each page": long.ms / long.pages,
    "500 lines, documents a second of one core": 1000 / long.ms,
  });
}

/** Returns the CPU time of this process and the number of pages, each for one document. */
async function costOf(count, render) {
  let pages = 0;
  const began = process.cpuUsage();
  for (let index = 0; index < count; index += 1) {
    const bytes = await render(index);
    pages += Number(/\/Type \/Pages\n\/Count (\d+)/.exec(bytes.toString("latin1"))?.[1]);
  }
  const { user, system } = process.cpuUsage(began);
  return { ms: (user + system) / 1000 / count, pages: pages / count };
}

const WORDS =
  "Rådgivning om drift og overvågning af servere samt møde med revisor opfølgning Udvikling kundeportal integration bogholderi support licens hosting måned".split(
    " ",
  );

/** Returns an invoice whose texts and amounts differ for each index. */
export function documentOf(count, index) {
  let state = index + 1;
  const below = (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * limit);
  };
  const lines = Array.from({ length: count }, (_, position) => {
    const [price, quantity] = [BigInt(10000 + below(5_000_000)), 25 * (1 + below(200))];
    const net = (price * BigInt(quantity)) / 10000n;
    const text = Array.from({ length: 3 + below(5) }, () => WORDS[below(WORDS.length)]).join(" ");
    return {
      line_id: String(position),
      position,
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
      rows: [{ quantity, unit_price_scaled: price, discount: 0, net }],
    };
  });
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const party = { street: "Vestergade 12", zip_code: "8000", city: "Aarhus C", country_key: "DK" };
  return {
    kind: "invoice",
    document_id: String(index),
    account_name: "Bench",
    seller: {
      ...party,
      name: "Nordlys Rådgivning ApS",
      vat_number: "25313763",
      email: "faktura@nordlys.example",
      phone: "+45 86 12 34 56",
      bank_registration_number: "0040",
      bank_account_number: "0440116243",
      iban: "DK5000400440116243",
      swift: "DABADKKK",
    },
    customer: {
      ...party,
      name: `Kunde ${index} ${WORDS[index % WORDS.length]} A/S`,
      att_person: "Mette Krogh",
      vat_number: "10150817",
      ean_number: "5798009811578",
      external_reference: `PO-2026-${index}`,
    },
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
    lines,
    vat: [
      {
        vat_code: "DK25",
        rate: 2500,
        base: net,
        vat: net / 4n,
        vat_functional: net / 4n,
        reason: null,
      },
    ],
    totals: { net, vat: net / 4n, gross: net + net / 4n },
  };
}
