// The pages for daily work and for the books with 100,000 invoices, 5,000 customers and 2,500 retainers compared with 1,000, 50
// and 25: two services, requested in alternation, under the same conditions; and with the list of drafts of the larger one.
// BENCH_INVOICES sets the larger number.
import { createHash, randomBytes } from "node:crypto";
import { monthFromNow, seedDraft } from "./heavy.mjs";
import { atTwoSizes, fillDatabase, mediansInTurn } from "./load.mjs";
import { call } from "./service.mjs";

const FEW = 1_000;
const MANY = Number(process.env.BENCH_INVOICES ?? 100_000);
const INVOICES_OF_A_CUSTOMER = 20;
const PEOPLE = 40;
const ROUNDS = 40;
const PAGES = {
  "the start page": "/today",
  "the start page of a standard user": "/today",
  drafts: "/invoices",
  customers: "/customers",
  products: "/products",
  "a new invoice": "/invoices/new",
  "a week": `/hours/${thisWeek()}`,
  "a week of a standard user": `/hours/${thisWeek()}`,
  "the week of the team": "/hours/team",
  retainers: "/retainers",
  "a retainer of 36 months": ({ retainer }) => `/retainers/${retainer.id}`,
  "a retainer with an explanation": ({ retainer }) =>
    `/retainers/${retainer.id}?explain=${retainer.line_id}.${monthFromNow(-3)}`,
  "the end of 60 periods": ({ retainer }) =>
    `/retainers/${retainer.id}/end?end_date=${monthFromNow(-35)}-15&credit=prorated`,
  revenue: "/revenue",
  "deferred revenue": "/revenue/deferred",
  "remaining obligations": "/revenue/remaining",
  "the close of the last month": `/close/${monthFromNow(-1)}`,
  "the trial balance": "/ledger/trial-balance",
  "the chart of accounts": "/ledger/accounts",
  "the journal": "/ledger/entries",
  people: "/people",
  assistants: "/assistants",
  "the audit trail": "/settings/audit",
};

export function benchToday(report) {
  return atTwoSizes(FEW, MANY, seed, async (services, seeded) => {
    const cases = Object.fromEntries(
      Object.entries(PAGES).map(([name, path]) => {
        const whose = name.includes("standard") ? "standard" : "admin";
        const [few, many] = services.map(
          (service, n) => () =>
            visit(service, typeof path === "string" ? path : path(seeded[n]), seeded[n][whose]),
        );
        return [name, { few, many }];
      }),
    );
    const medians = await mediansInTurn(cases, ROUNDS, 5);
    for (const [name, at] of Object.entries(medians)) {
      report(name, {
        [`median ms at ${FEW}`]: at.few,
        [`median ms at ${MANY}`]: at.many,
        ratio: at.many / at.few,
        "to the list of drafts": at.many / medians.drafts.many,
      });
    }
  });
}

/** The current week of ISO 8601: the week of its Thursday. */
function thisWeek() {
  const thursday = new Date();
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const week = Math.ceil(((thursday - Date.UTC(year, 0, 1)) / 864e5 + 1) / 7);
  return `${year}-W${String(week).padStart(2, "0")}`;
}

async function visit(service, path, cookie) {
  const reply = await fetch(service.origin + path, {
    headers: { cookie: `matchbook=${cookie}` },
    redirect: "manual",
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 200)}`);
}

/** Fills an account with the data of the pages, and returns the cookies of an admin and of a standard user. */
function seed(service, count) {
  return fillDatabase(service, async (client, seller) => {
    const retainer = await seedRetainer(service, seller);
    const id = await seedDraft(service, seller, 2);
    for (let n = 0; n < PEOPLE; n += 1) {
      await call(service, "POST", "/users", { name: `Person ${n}`, email: `p${n}@bench.example` });
    }
    const customers = Math.ceil(count / INVOICES_OF_A_CUSTOMER);
    await client.query(CUSTOMERS, [seller.customer_id, customers]);
    const { rows } = await client.query("select id from customers where account_id = $1", [
      service.account_id,
    ]);
    for (const table of ["invoices", "invoice_lines", "work_registrations"]) {
      await client.query(`alter table ${table} disable trigger user`);
    }
    await client.query(INVOICES, [id, rows.map((row) => row.id), count]);
    await client.query(LINES, [id]);
    await client.query(COMPLETIONS, [service.account_id]);
    await client.query(DOCUMENTS, [service.account_id]);
    await client.query(DELIVERIES, [service.account_id]);
    await client.query(WORK, [service.account_id]);
    for (const table of ["invoices", "invoice_lines", "work_registrations"]) {
      await client.query(`alter table ${table} enable trigger user`);
    }
    await seedSeries(service, client, seller, Math.ceil(customers / 2));
    return {
      retainer,
      admin: await cookieOf(client, service.account_id, "role = 'admin'"),
      standard: await cookieOf(client, service.account_id, "role = 'standard'"),
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

/** Makes a retainer of 60 months whose first 36 are issued; returns its id, and the id of a line of three months ago. */
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
  return { id, line_id: data[0].id };
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
 * $3 copies of the invoice $1, for the customers $2 in rotation: one in eleven a draft, the others of thirteen months. Their
 * numbers follow those of the retainer's invoices.
 */
const INVOICES = `
  insert into invoices (account_id, id, customer_id, currency, issue_date, title, auto_send, status,
    ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
  select t.account_id, c.id, c.customer_id, t.currency,
    case when is_issued then current_date - (($3::int - n) * 395.0 / $3::int)::int end, 'Project ' || n,
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
  from invoices i join invoice_lines l on l.invoice_id = $1 where i.id <> $1 and i.series_id is null`;

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
