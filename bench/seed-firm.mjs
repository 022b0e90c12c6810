// The data of a large firm, for the benches of pages: invoices and retainers of 36 months with their entries in the journal,
// customers, people, and hours on drafts. The API creates one resource of each kind and SQL copies it.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { copyRows, monthFromNow, seedDraft } from "./heavy.mjs";
import { fillDatabase } from "./load.mjs";
import { call } from "./service.mjs";
import { load } from "./sources.mjs";

const INVOICES_OF_A_CUSTOMER = 20;
const CUSTOMERS_OF_A_RETAINER = 10;
const PEOPLE = 40;
const MONTHS = 36;
const LONG_DRAFT = 100;
/** Tables whose triggers refuse copies, or would check each of them. */
const COPIED = [
  "invoices",
  "invoice_lines",
  "work_registrations",
  "ledger_entries",
  "ledger_postings",
];

/**
 * Fills an account with `count` invoices, a customer for each twenty and a retainer for each ten customers. Returns the
 * cookies of an admin and of a standard user, and the ids of what pages show.
 */
export function seedFirm(service, count) {
  return fillDatabase(service, async (client, seller) => {
    const retainer = await seedRetainer(service, seller);
    const draft = await seedDraft(service, seller, 2);
    const long_draft = await seedDraft(service, seller, LONG_DRAFT);
    for (let n = 0; n < PEOPLE; n += 1) {
      await call(service, "POST", "/users", { name: `Person ${n}`, email: `p${n}@bench.example` });
    }
    const customers = Math.ceil(count / INVOICES_OF_A_CUSTOMER);
    const retainers = Math.ceil(customers / CUSTOMERS_OF_A_RETAINER);
    await client.query(CUSTOMERS, [seller.customer_id, customers]);
    const { account_id } = service;
    const found = await client.query("select id from customers where account_id = $1", [
      account_id,
    ]);
    const customer_ids = found.rows.map(({ id }) => id);
    for (const table of COPIED) await client.query(`alter table ${table} disable trigger user`);
    await client.query(INVOICES, [draft, customer_ids, count, MONTHS * 30.4]);
    await client.query(LINES, [draft, long_draft]);
    await client.query(COMPLETIONS, [account_id]);
    await client.query(DOCUMENTS, [account_id]);
    await client.query(DELIVERIES, [account_id]);
    await client.query(WORK, [account_id]);
    await seedRetainers(client, retainer.id, customer_ids, {
      copies: retainers,
      number: count + 2_000,
    });
    await seedBooks(client, account_id);
    for (const table of COPIED) await client.query(`alter table ${table} enable trigger user`);
    await seedSeries(service, client, seller, Math.ceil(retainers / 5));
    // Rendering the copies would take the machine while pages are measured.
    await client.query("delete from waiting_documents where account_id = $1", [account_id]);
    const { rows } = await client.query(
      "select customer_id from invoices where account_id = $1 and ledger_invoice_number = 1001",
      [account_id],
    );
    return {
      ...{ retainer, draft, long_draft, product: seller.product_id },
      ...{ invoice: retainer.invoice_id, customer: rows[0].customer_id },
      admin: await cookieOf(client, account_id, "role = 'admin'"),
      standard: await cookieOf(client, account_id, "role = 'standard'"),
    };
  });
}

async function cookieOf(client, account_id, condition) {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  await client.query(
    `with login as (insert into logins (id, email, password_hash)
       values (gen_random_uuid(), gen_random_uuid() || '@bench.example', 'x') returning id),
     person as (update users u set login_id = login.id from login
       where u.account_id = $2 and u.id = (select id from users where account_id = $2 and ${condition} limit 1)
       returning u.id, u.login_id)
     insert into sessions (hash, login_id, account_id, user_id, expires_at)
     select $1, login_id, $2, id, now() + interval '1 day' from person`,
    [hash, account_id],
  );
  return token;
}

/** Makes a retainer of 60 months whose first 36 are issued; returns its ids, and that of a line of three months ago. */
async function seedRetainer(service, seller) {
  const { customer_id, product_id } = seller;
  const lastDay = new Date(Date.parse(`${monthFromNow(25)}-01`) - 864e5);
  const { id } = await call(service, "POST", "/recurring-series", {
    customer_id,
    frequency: "monthly",
    start_date: `${monthFromNow(-35)}-01`,
    end_date: lastDay.toISOString().slice(0, 10),
    auto_send: false,
    lines: [{ product_id, recognition_method: "value", agreed_value: 1000 }],
  });
  const at = `/recurring-series/${id}`;
  await call(service, "POST", `${at}/activate`);
  for (let months = -35; months <= 0; months += 1) {
    await call(service, "POST", `${at}/occurrences/${monthFromNow(months)}/issue`);
  }
  const { data } = await call(service, "GET", `${at}/occurrences/${monthFromNow(-3)}/lines`);
  const lines = await call(service, "GET", `${at}/lines`);
  const { data: issued } = await call(service, "GET", "/invoices?origin=series&limit=1");
  return {
    ...{ id, line_id: data[0].id },
    ...{ series_line_id: lines.data[0].line_id, invoice_id: issued[0].id },
  };
}

/** Makes copies of a retainer with its invoices, for the customers in rotation; the numbers of the invoices begin at `number`. */
async function seedRetainers(client, id, customer_ids, { copies, number }) {
  const { occurrenceLineId } = await load("domain/series/line-id");
  const { rows: billed } = await client.query(
    `select i.id, i.period, l.id as line_id from invoices i
     join invoice_lines l on l.invoice_id = i.id where i.series_id = $1`,
    [id],
  );
  const series = [];
  const invoices = [];
  for (let n = 0; n < copies; n += 1) {
    const made = { id: randomUUID(), line_id: randomUUID() };
    const customer_id = customer_ids[(n * 7) % customer_ids.length];
    series.push({ ...made, customer_id });
    for (const { id: from, line_id: from_line, period } of billed) {
      invoices.push({
        ...{ id: randomUUID(), from, from_line, customer_id, series_id: made.id },
        line_id: occurrenceLineId({ line_id: made.line_id, hashed_periods: null }, period),
        number: number + invoices.length,
      });
    }
  }
  const copies_of = JSON.stringify(series);
  const own = ", jsonb_to_recordset($2::jsonb) as n (id uuid, line_id uuid, customer_id uuid)";
  await copyRows(client, "recurring_series", `${own} where t.id = $1`, [id, copies_of], {
    ...{ id: "n.id", customer_id: "n.customer_id" },
    document:
      "replace(replace(t.document, t.id::text, n.id::text), t.customer_id::text, n.customer_id::text)",
  });
  await copyRows(client, "series_lines", `${own} where t.series_id = $1`, [id, copies_of], {
    ...{ line_id: "n.line_id", series_id: "n.id" },
  });
  const versions = `${own} where t.line_id in (select line_id from series_lines where series_id = $1)`;
  await copyRows(client, "series_line_versions", versions, [id, copies_of], {
    line_id: "n.line_id",
  });
  const billed_own = `, jsonb_to_recordset($1::jsonb) as n
    (id uuid, "from" uuid, from_line uuid, line_id uuid, customer_id uuid, series_id uuid, number bigint)`;
  const text = (column) =>
    `replace(replace(replace(t.${column}, n."from"::text, n.id::text), n.from_line::text, n.line_id::text),
      '${id}', n.series_id::text)`;
  const values = [JSON.stringify(invoices)];
  await copyRows(client, "invoices", `${billed_own} where t.id = n."from"`, values, {
    ...{ id: "n.id", customer_id: "n.customer_id", series_id: "n.series_id" },
    ...{ ledger_invoice_guid: "n.id", ledger_invoice_number: "n.number" },
    document: `replace(${text("document")}, t.customer_id::text, n.customer_id::text)`,
  });
  await copyRows(client, "invoice_lines", `${billed_own} where t.id = n.from_line`, values, {
    ...{ id: "n.line_id", invoice_id: "n.id" },
  });
  await copyRows(
    client,
    "issued_documents",
    `${billed_own} where t.document_id = n."from"`,
    values,
    {
      ...{ document_id: "n.id", number: "n.number", snapshot: text("snapshot") },
    },
  );
}

/** Makes the journal's entry of each issued invoice that has none: copies of the first one. */
async function seedBooks(client, account_id) {
  const { rows } = await client.query(
    "select next_entry_no from ledger_books where account_id = $1",
    [account_id],
  );
  const values = [account_id, rows[0].next_entry_no];
  const missing = `, (select i.id, i.ledger_invoice_number as number, i.issue_date,
      $2::bigint - 1 + row_number() over (order by i.ledger_invoice_number) as entry_no
    from invoices i where i.account_id = $1 and i.status = 'issued'
      and not exists (select from ledger_entries e where e.account_id = $1 and e.guid = i.id)) n
    where t.account_id = $1 and t.entry_no = 1`;
  await copyRows(client, "ledger_entries", missing, values, {
    ...{ entry_no: "n.entry_no", guid: "n.id", number: "n.number", entry_date: "n.issue_date" },
  });
  const entries = `, ledger_entries e join invoices i on i.account_id = e.account_id and i.id = e.guid
    where t.account_id = $1 and t.entry_no = 1 and e.account_id = $1 and e.entry_no >= $2`;
  await copyRows(client, "ledger_postings", entries, values, {
    entry_no: "e.entry_no",
    customer_id: "case when t.customer_id is not null then i.customer_id end",
  });
  await client.query(
    `update ledger_books set next_entry_no = last.entry_no + 1, next_invoice_number = last.number + 1
     from (select max(entry_no) as entry_no, max(number) as number from ledger_entries where account_id = $1) last
     where account_id = $1`,
    [account_id],
  );
}

/** Makes active monthly series that are due within the year; one in twenty of them is a draft. */
async function seedSeries(service, client, seller, count) {
  const series = await call(service, "POST", "/recurring-series", {
    customer_id: seller.customer_id,
    frequency: "monthly",
    start_date: new Date(Date.now() + 864e5).toISOString().slice(0, 10),
    lines: [{ product_id: seller.product_id, recognition_method: "value", agreed_value: 1000 }],
  });
  await call(service, "POST", `/recurring-series/${series.id}/activate`);
  await client.query(SERIES, [series.id, count]);
  await client.query(SERIES_LINES, [series.id]);
}

/** $2 copies of the customer $1. */
const CUSTOMERS = `
  insert into customers select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
      'name', 'Customer ' || n))).*
  from customers c, generate_series(1, $2::int) n where c.id = $1`;

/**
 * $3 copies of the invoice $1, for the customers $2 in rotation: one in eleven a draft, the others of $4 days. Their
 * numbers follow those of the retainer's invoices.
 */
const INVOICES = `
  insert into invoices (account_id, id, customer_id, currency, issue_date, title, auto_send, status,
    ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
  select t.account_id, c.id, c.customer_id, t.currency,
    case when is_issued then current_date - (($3::int - n) * $4::float8 / $3::int)::int end, 'Project ' || n,
    t.auto_send, case when is_issued then 'issued' else 'draft' end, case when is_issued then c.id end,
    case when is_issued then n + 1000 end, case when is_issued then now() end,
    replace(replace(t.document, t.id::text, c.id::text), t.customer_id::text, c.customer_id::text), now()
  from invoices t, generate_series(1, $3::int) n, lateral (
    select ('01900000-' || lpad(to_hex(n / 4096), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0')
        || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, n % 11 <> 0 as is_issued,
      ($2::uuid[])[1 + n % cardinality($2::uuid[])] as customer_id) c
  where t.id = $1`;

/** Copies of the lines of the invoice $1 for all invoices: one in ten issued ones by milestone, drafts by progress. */
const LINES = `
  insert into invoice_lines select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'invoice_id', i.id,
      'recognition_method', case when i.status = 'issued' and i.ledger_invoice_number % 10 = 0 then 'milestone'
        when i.status = 'draft' then 'progress' else 'on_issue' end,
      'agreed_value', 100000, 'amount', case when i.status = 'issued' then 100000 end,
      'budget_hours', case when i.status = 'draft' then 2000 + l.position * 4000 end))).*
  from invoices i join invoice_lines l on l.invoice_id = $1 where i.id not in ($1, $2) and i.series_id is null`;

/** All milestones except one in a hundred are completed. */
const COMPLETIONS = `
  insert into line_completions (account_id, line_id, completed_on)
  select l.account_id, l.id, current_date from invoice_lines l join invoices i on i.id = l.invoice_id
  where l.account_id = $1 and l.recognition_method = 'milestone' and i.ledger_invoice_number % 1000 <> 0`;

const DOCUMENTS = `
  insert into issued_documents (account_id, document_id, kind, number, snapshot, payload_hash, net, gross, currency)
  select account_id, id, 'invoice', ledger_invoice_number, '{"currency":"DKK","pad":' || to_json(repeat(document, 4)) || '}',
    sha256(convert_to(document, 'UTF8')), 200000, 250000, currency
  from invoices where account_id = $1 and status = 'issued' and series_id is null`;

/** One in a hundred has failed permanently, and as many have been sent again. */
const DELIVERIES = `
  insert into deliveries (account_id, id, document_id, channel, address, state, at)
  select account_id, id, id, 'email', 'ap@bench.example',
    case when ledger_invoice_number % 100 in (1, 2) then 'failed_permanent' else 'accepted' end, now()
  from invoices where account_id = $1 and status = 'issued' and series_id is null
  union all
  select account_id, ('f' || substr(id::text, 2))::uuid, id, 'email', 'ap@bench.example', 'accepted', now()
  from invoices where account_id = $1 and status = 'issued' and ledger_invoice_number % 100 = 1`;

/** Five registrations on each line of a draft, over half a year, of the users in rotation. */
const WORK = `
  with people as (select array_agg(id) as ids from users where account_id = $1)
  insert into work_registrations (account_id, id, line_id, invoice_id, user_id, date, hours, billable, status, created_at, updated_at)
  select l.account_id, gen_random_uuid(), l.id, l.invoice_id, ids[1 + (n + l.number) % cardinality(ids)],
    current_date - ((n * 37 + l.number * 7) % 180)::int, 300, true, 'open', now(), now()
  from people, generate_series(1, 5) n, (
    select l.account_id, l.id, l.invoice_id, row_number() over () as number
    from invoice_lines l join invoices i on i.id = l.invoice_id and i.status = 'draft' where l.account_id = $1) l`;

/** $2 copies of the series $1, each due on another day of the year. */
const SERIES = `
  insert into recurring_series select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
      'next_due_on', current_date + 1 + n % 365, 'start_date', current_date + 1 + n % 365,
      'status', case when n % 20 = 0 then 'draft' else 'active' end,
      'activated_on', case when n % 20 = 0 then null else s.activated_on end))).*
  from recurring_series s, generate_series(1, $2::int) n where s.id = $1`;

/** Each copy has the line of the series $1. */
const SERIES_LINES = `
  with made as (
    insert into series_lines (account_id, line_id, series_id)
    select s.account_id, gen_random_uuid(), s.id from recurring_series s
    where s.id <> $1 and not exists (select from series_lines l where l.series_id = s.id)
    returning account_id, line_id)
  insert into series_line_versions (account_id, line_id, from_index, content)
  select m.account_id, m.line_id, 0, v.content from made m,
    (select v.content from series_line_versions v join series_lines l on l.line_id = v.line_id where l.series_id = $1) v`;
