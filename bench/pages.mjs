// A page with 1,000,000 invoices compared with the same page with 1,000: two services, requested in alternation, under the
// same conditions of the machine. BENCH_INVOICES sets the larger number.
import { seedDraft } from "./heavy.mjs";
import { atTwoSizes, fillDatabase, mediansInTurn } from "./load.mjs";
import { call } from "./service.mjs";

const FEW = 1_000;
const MANY = Number(process.env.BENCH_INVOICES ?? 1_000_000);
const CUSTOMERS = 20;
const PORTION = 50_000;
const ROUNDS = 200;

export function benchPages(report) {
  return atTwoSizes(FEW, MANY, seed, async (services, seeded) => {
    const cases = Object.fromEntries(
      Object.keys(seeded[0]).map((name) => {
        const [few, many] = services.map((service, n) => () => ask(service, seeded[n][name]));
        return [name, { few, many }];
      }),
    );
    for (const [name, at] of Object.entries(await mediansInTurn(cases, ROUNDS, 20))) {
      report(`page of 25 invoices, ${name}`, {
        [`median ms at ${FEW}`]: at.few,
        [`median ms at ${MANY}`]: at.many,
        ratio: at.many / at.few,
      });
    }
  });
}

async function ask(service, path) {
  const { data } = await call(service, "GET", path);
  if (data.length === 0) throw new Error(`${path} is empty`);
}

/** Fills an account and returns the paths to request, by combination of filters. */
function seed(service, count) {
  return fillDatabase(service, async (client, seller) => {
    const customers = [seller.customer_id];
    while (customers.length < CUSTOMERS) {
      const name = `Customer ${customers.length}`;
      customers.push((await call(service, "POST", "/customers", { name })).id);
    }
    const id = await seedDraft(service, seller, 5);
    for (let from = 1; from <= count; from += PORTION) {
      const to = Math.min(count, from + PORTION - 1);
      await client.query(COPIES, [id, customers, from, to, count]);
    }
    await client.query("delete from invoice_lines where invoice_id = $1", [id]);
    await client.query("delete from invoices where id = $1", [id]);
    return await combinationsOf(service, client, customers[7]);
  });
}

/**
 * Copies of the invoice $1, one in eleven a draft: for the customers $2 in rotation, with the numbers $3 to $4 of $5. Ids are
 * in the order of the numbers, and each copy is changed a second after the previous one.
 */
const COPIES = `
  insert into invoices (account_id, id, customer_id, currency, issue_date, title, auto_send, status,
    ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
  select t.account_id, c.id, c.customer_id, t.currency, case when is_issued then current_date end, 'Invoice ' || n,
    t.auto_send, case when is_issued then 'issued' else 'draft' end, case when is_issued then c.id end,
    case when is_issued then n end, case when is_issued then changed_at end,
    replace(replace(t.document, t.id::text, c.id::text), t.customer_id::text, c.customer_id::text), changed_at
  from invoices t, generate_series($3::int, $4::int) n, lateral (
    select ('01900000-' || lpad(to_hex(n / 4096), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0')
        || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
      ($2::uuid[])[1 + n % ${CUSTOMERS}] as customer_id, n % 11 <> 0 as is_issued,
      now() - make_interval(secs => $5::int - n) as changed_at) c
  where t.id = $1`;

async function combinationsOf(service, client, customer) {
  const first = "/invoices?limit=25";
  const { next_cursor } = await call(service, "GET", first);
  const { rows } = await client.query(
    "select id, updated_at from invoices order by id offset (select count(*) / 2 from invoices) limit 1",
  );
  const middle = Buffer.from(next_cursor, "base64url")
    .toString()
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, rows[0].id);
  const deep = `${first}&cursor=${Buffer.from(middle).toString("base64url")}`;
  const since = (moment) => `updated_since=${encodeURIComponent(moment.toISOString())}`;
  // Twenty invoices were changed in the newest twenty seconds.
  const newest = await client.query("select max(updated_at) as at from invoices");
  const few = since(new Date(newest.rows[0].at.getTime() - 20_000));
  const half = since(rows[0].updated_at);
  return {
    "the first": first,
    "from the middle on": deep,
    "of a customer": `${first}&customer=${customer}`,
    "of a customer, from the middle on": `${deep}&customer=${customer}`,
    "drafts of a customer": `${first}&customer=${customer}&status=draft`,
    "issued ones": `${first}&status=issued`,
    "the twenty changed last": `${first}&${few}`,
    "half of all changed": `${first}&${half}`,
    "half of all changed, of a customer": `${first}&${half}&customer=${customer}`,
  };
}
