// Measures the close of one month with 100,000 lines of 10,000 customers, compared with one SQL statement for the same rows.
import { median } from "./load.mjs";
import { besideOther, openBeside } from "./other-account.mjs";
import { watchMemory } from "./series.mjs";
import { call, withService } from "./service.mjs";

const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 10_000);
const LINES = CUSTOMERS * 10;
const MONTHS = 12;
const READS = 20;
const ROLES = { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 };

export async function benchClose(report) {
  await withService(async (service, client) => {
    const months = await seed(service, client);
    const month = months.at(-1);
    const plain = await closeSetBased(client, service.account_id, month);
    await client.query("vacuum analyze");
    const beside = await openBeside(service);
    const rss = watchMemory(service.pid);
    const { result: seconds, other } = await besideOther(beside, async () => {
      const began = performance.now();
      for (let remaining = 1; remaining > 0; ) {
        const close = await call(service, "POST", "/period-closes", { month });
        if (close.failed > 0) throw new Error(JSON.stringify(close.errors[0]));
        remaining = close.remaining ?? 0;
      }
      return (performance.now() - began) / 1000;
    }).finally(() => beside.kill());
    const memory = rss.stop();
    await requireBooked(client, service.account_id, month);
    report(
      `the close of a month: ${LINES} lines of ${CUSTOMERS} customers, ${MONTHS} months each`,
      {
        seconds: seconds,
        "lines per second": LINES / seconds,
        "one SQL statement, lines per second": LINES / plain,
        ratio: plain / seconds,
        ...other,
        "memory at the start, MB": memory.first,
        "memory at most, MB": memory.most,
      },
    );
    const path = `/recognition?from=${months[0]}&to=${month}`;
    report("GET /recognition of the year, the first page", {
      "milliseconds, warm": await timeOf(service, `${path}&limit=25`),
      "milliseconds of its last month": await timeOf(
        service,
        `/recognition?from=${month}&to=${month}&limit=25`,
      ),
    });
    const { data } = await call(service, "GET", `${path}&limit=25`);
    const explanation = `/recognition/explain?line_id=${data[0].line_id}&month=${data[0].month}`;
    report("GET /recognition/explain of one line", {
      "milliseconds, warm": await timeOf(service, explanation),
    });
  });
}

async function timeOf(service, path) {
  const times = [];
  for (let n = 0; n < READS + 3; n += 1) {
    const began = performance.now();
    const { data = [] } = await call(service, "GET", path);
    if (path.endsWith("limit=25") && data.length !== 25) {
      throw new Error(`${path} gave ${data.length} rows`);
    }
    if (n >= 3) times.push(performance.now() - began);
  }
  return median(times);
}

/**
 * Makes ten lines for each customer, in two or three invoices of the first day of the year that ended with the last month; all
 * months except the last one are booked. Returns the months. Documents and ledger entries of invoices are omitted: a close does
 * not read them.
 */
async function seed(service, client) {
  const { account_id } = service;
  await call(service, "PATCH", "/configuration", { account_roles: ROLES });
  const product = await call(service, "POST", "/products", { name: "Licence" });
  const { rows } = await client.query(
    `select to_char(m, 'YYYY-MM') as month from generate_series(
       date_trunc('month', current_date) - interval '${MONTHS} months',
       date_trunc('month', current_date) - interval '1 month', interval '1 month') m`,
  );
  const months = rows.map((row) => row.month);
  const id = (kind, n) => `('01900000-000${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  // A trigger refuses new lines for issued invoices, and here the lines are stored after their invoices.
  await client.query("alter table invoice_lines disable trigger user");
  await client.query(
    `insert into customers (account_id, id, name, country_key, is_person, send_method, use_cvr, document,
       updated_at)
     select $1, ${id(1, "n")}, 'Customer ' || lpad(n::text, 6, '0'), 'DK', false, 'email', false, '{}',
       clock_timestamp()
     from generate_series(1, ${CUSTOMERS}) n`,
    [account_id],
  );
  // Customers with an even number have two invoices, the others three.
  await client.query(
    `insert into invoices (account_id, id, customer_id, currency, issue_date, auto_send, status,
       ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
     select $1, ${id(2, "n * 4 + k")}, ${id(1, "n")}, 'DKK', $2, false, 'issued', ${id(2, "n * 4 + k")},
       n * 4 + k, clock_timestamp(), '{}', clock_timestamp()
     from generate_series(1, ${CUSTOMERS}) n, lateral generate_series(1, 2 + n % 2) k`,
    [account_id, `${months[0]}-01`],
  );
  // Twelve equal months: 1,000.00 and a small amount that distinguishes the lines.
  await client.query(
    `insert into invoice_lines (account_id, id, invoice_id, product_id, recognition_method, agreed_value,
       discount, position, assignees, service_from, service_to, product_name, account_number, unit, amount,
       amount_functional)
     select $1, ${id(3, "n * 16 + l")}, ${id(2, "n * 4 + 1 + l % (2 + n % 2)")}, $2, 'value', v, 0, l + 1, '[]',
       $3::date, ($3::date + interval '1 year' - interval '1 day')::date, 'Licence', 1000, 'parts', v, v
     from generate_series(1, ${CUSTOMERS}) n, generate_series(0, 9) l,
       lateral (select ${MONTHS} * (100000 + n % 1000 + l) as v) x`,
    [account_id, product.id, `${months[0]}-01`],
  );
  for (const [index, month] of months.slice(0, -1).entries()) {
    await client.query(
      `with booked as (
         insert into accruals (account_id, id, customer_id, month, status, revision, booked_at)
         select $1, gen_random_uuid(), id, $2, 'booked', 1, clock_timestamp() from customers
         where account_id = $1 and document = '{}' returning id, customer_id),
       bookings as (
         insert into accrual_bookings (account_id, accrual_id, revision, state, snapshot, booked_at, booked_by)
         select $1, id, 1, 'booked', '{}', clock_timestamp(), 'api_key:bench' from booked)
       insert into accrual_rows (account_id, customer_id, line_id, month, account_number, currency,
         accrual_id, revision, is_reversal, invoice_id, product_id, earned, invoiced, earned_functional,
         invoiced_functional, exchange_difference, users)
       select $1, b.customer_id, l.id, $2, l.account_number, 'DKK', b.id, 1, false, i.id, l.product_id,
         l.amount / ${MONTHS}, case when $3 then l.amount else 0 end, l.amount / ${MONTHS},
         case when $3 then l.amount else 0 end, 0, '[[null,"' || l.amount / ${MONTHS} || '"]]'
       from booked b
       join invoices i on i.account_id = $1 and i.customer_id = b.customer_id
       join invoice_lines l on l.account_id = $1 and l.invoice_id = i.id`,
      [account_id, month, index === 0],
    );
  }
  await client.query("alter table invoice_lines enable trigger user");
  await client.query("vacuum analyze");
  return months;
}

/** Returns the seconds that one SQL statement takes with its constraints; the statement is rolled back. */
async function closeSetBased(client, account_id, month) {
  await client.query("begin");
  const began = performance.now();
  await client.query(SET_BASED, [account_id, month, ROLES.contract_liability]);
  await client.query("set constraints all immediate");
  const seconds = (performance.now() - began) / 1000;
  await client.query("rollback");
  return seconds;
}

const SET_BASED = `
  with booked as (
    select customer_id, line_id, sum(earned) as earned, sum(invoiced) as invoiced
    from accrual_rows where account_id = $1 group by customer_id, line_id),
  due as materialized (
    select i.customer_id, c.name, l.id as line_id, i.id as invoice_id, l.product_id, l.account_number,
      i.currency, round(l.amount * least(${MONTHS}, (extract(year from age(to_date($2, 'YYYY-MM'),
        l.service_from)) * 12 + extract(month from age(to_date($2, 'YYYY-MM'), l.service_from)) + 1))
        / ${MONTHS}) - b.earned as earned
    from invoices i
    join customers c on c.account_id = $1 and c.id = i.customer_id
    join invoice_lines l on l.account_id = $1 and l.invoice_id = i.id
    join booked b on b.customer_id = i.customer_id and b.line_id = l.id
    where i.account_id = $1 and i.status = 'issued'),
  sums as materialized (
    select customer_id, name, account_number, sum(earned) as earned, gen_random_uuid() as accrual_id,
      gen_random_uuid() as guid, row_number() over (order by name) as n
    from due group by customer_id, name, account_number),
  accrual as (
    insert into accruals (account_id, id, customer_id, month, status, revision, ledger_voucher_guid,
      ledger_voucher_number, booked_at)
    select $1, accrual_id, customer_id, $2, 'booked', 1, guid, n, clock_timestamp() from sums),
  booking as (
    insert into accrual_bookings (account_id, accrual_id, revision, state, snapshot, voucher_guid,
      voucher_number, booked_at, booked_by)
    select $1, s.accrual_id, 1, 'booked', json_agg(d)::text, s.guid, s.n, clock_timestamp(), 'api_key:bench'
    from sums s join due d using (customer_id) group by s.accrual_id, s.guid, s.n),
  entry as (
    insert into ledger_entries (account_id, entry_no, guid, kind, number, entry_date, text, currency,
      payload_hash, registered_at, registered_by, prev_hash, hash)
    select $1, n, guid, 'voucher', n, (to_date($2, 'YYYY-MM') + interval '1 month' - interval '1 day')::date,
      'Accrual ' || $2 || ' ' || name, 'DKK', sha256(name::bytea), clock_timestamp(), 'api_key:bench',
      sha256(name::bytea), sha256(name::bytea)
    from sums),
  posting as (
    insert into ledger_postings (account_id, entry_no, line_no, account_number, amount, currency_amount)
    select $1, n, 1, $3::int, earned, earned from sums
    union all select $1, n, 2, account_number, -earned, -earned from sums)
  insert into accrual_rows (account_id, customer_id, line_id, month, account_number, currency, accrual_id,
    revision, is_reversal, invoice_id, product_id, earned, invoiced, earned_functional,
    invoiced_functional, exchange_difference, users)
  select $1, d.customer_id, d.line_id, $2, d.account_number, d.currency, s.accrual_id, 1, false,
    d.invoice_id, d.product_id, d.earned, 0, d.earned, 0, 0, '[[null,"' || d.earned || '"]]'
  from due d join sums s using (customer_id)`;

/** Throws unless every line has its row with the expected amount. */
async function requireBooked(client, account_id, month) {
  const { rows } = await client.query(
    `select count(*)::int as lines, count(distinct r.customer_id)::int as customers
     from accrual_rows r join invoice_lines l on l.account_id = $1 and l.id = r.line_id
     where r.account_id = $1 and r.month = $2 and r.earned = l.amount / ${MONTHS} and r.invoiced = 0`,
    [account_id, month],
  );
  const { lines, customers } = rows[0];
  if (lines !== LINES || customers !== CUSTOMERS) throw new Error(`${lines} lines are booked`);
}
