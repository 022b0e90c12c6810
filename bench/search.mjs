// The search with 100,000 invoices and 5,000 customers compared with 1,000 and 50: two services, requested in alternation,
// under the same conditions; and with a page of 25 invoices of the larger one. BENCH_INVOICES sets the larger number.
import { seedDraft } from "./heavy.mjs";
import { atTwoSizes, fillDatabase, mediansInTurn } from "./load.mjs";
import { call } from "./service.mjs";

const FEW = 1_000;
const MANY = Number(process.env.BENCH_INVOICES ?? 100_000);
const INVOICES_OF_A_CUSTOMER = 20;
const ROUNDS = 60;

const SEARCHES = {
  "a customer": "fjord 12",
  "a word of half of all titles": "retainer",
  "a letter of half of all titles": "r",
  "three words": "retainer october web",
  "two letters of every title": "r 2",
  "the title of one invoice": "unheard",
  "a number": "500",
  "an amount": "1.251,25",
  "an amount of one in ten": "1.000,00",
  nothing: "zzz",
};

export function benchSearch(report) {
  return atTwoSizes(FEW, MANY, seed, async ([few, many]) => {
    const page = "/invoices?limit=25";
    const cases = {
      page: { few: () => call(few, "GET", page), many: () => call(many, "GET", page) },
    };
    for (const [name, text] of Object.entries(SEARCHES)) {
      const path = `/search?q=${encodeURIComponent(text)}`;
      cases[name] = { few: () => call(few, "GET", path), many: () => call(many, "GET", path) };
    }
    const { page: of_page, ...searches } = await mediansInTurn(cases, ROUNDS, 10);
    for (const [name, at] of Object.entries(searches)) {
      report(`search for ${name}`, {
        [`median ms at ${FEW}`]: at.few,
        [`median ms at ${MANY}`]: at.many,
        ratio: at.many / at.few,
        "to a page of 25 invoices": at.many / of_page.many,
      });
    }
  });
}

/** Makes customers with invoices, most of them issued; half have titles with words of retainers. */
function seed(service, count) {
  return fillDatabase(service, async (client, seller) => {
    const id = await seedDraft(service, seller, 5);
    await client.query(CUSTOMERS, [seller.customer_id, Math.ceil(count / INVOICES_OF_A_CUSTOMER)]);
    const { rows } = await client.query("select id from customers where account_id = $1", [
      service.account_id,
    ]);
    await client.query(INVOICES, [id, rows.map((row) => row.id), count]);
    await client.query(DOCUMENTS, [service.account_id]);
  });
}

/** $2 copies of the customer $1. */
const CUSTOMERS = `
  insert into customers select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
      'name', (array['Nordlys', 'Fjord', 'Kyst', 'Solvang', 'Havn'])[1 + n % 5] || ' ' || n || ' A/S',
      'vat_number', 'DK' || (10000000 + n)))).*
  from customers c, generate_series(1, $2::int) n where c.id = $1`;

/** $3 copies of the invoice $1, for the customers $2 in rotation. Ids are in the order of the numbers. */
const INVOICES = `
  insert into invoices (account_id, id, customer_id, currency, issue_date, title, auto_send, status,
    ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
  select t.account_id, c.id, c.customer_id, t.currency, case when is_issued then current_date end,
    case when n = $3::int / 3 then 'Unheard of' when n % 2 = 0 then 'Retainer ' || c.month || ' ' || (2020 + n % 7) || ' ' || c.what
      else 'Delivery ' || n end,
    t.auto_send, case when is_issued then 'issued' else 'draft' end, case when is_issued then c.id end,
    case when is_issued then n end, case when is_issued then now() end,
    replace(replace(t.document, t.id::text, c.id::text), t.customer_id::text, c.customer_id::text), now()
  from invoices t, generate_series(1, $3::int) n, lateral (
    select ('01900000-' || lpad(to_hex(n / 4096), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0')
        || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, n % 11 <> 0 as is_issued,
      ($2::uuid[])[1 + n % cardinality($2::uuid[])] as customer_id,
      (array['January', 'March', 'May', 'October', 'November'])[1 + n / 2 % 5] as month,
      (array['website', 'app', 'platform', 'brand', 'research'])[1 + n / 10 % 5] as what) c
  where t.id = $1`;

/** The amounts of the invoices: one in ten is 1,000, the others differ. */
const DOCUMENTS = `
  insert into issued_documents (account_id, document_id, kind, number, snapshot, payload_hash, net, gross, currency)
  select account_id, id, 'invoice', ledger_invoice_number, repeat(document, 2), sha256(convert_to(document, 'UTF8')),
    a.net, a.net * 5 / 4, currency
  from invoices, lateral (select case when ledger_invoice_number % 10 = 0 then 100000 else 100000 + ledger_invoice_number * 20 end as net) a
  where account_id = $1 and status = 'issued'`;
