// One call with many rows (BENCH_ROWS) compared with the same rows as set-based SQL: statements of 200 rows, each in a transaction.
import { randomUUID } from "node:crypto";
import { median } from "./load.mjs";
import { call, openAccount, withService } from "./service.mjs";

const ROWS = Number(process.env.BENCH_ROWS ?? 10_000);
const ROUNDS = 3;

export function benchBatches(report) {
  return withService(async (service, client) => {
    const { account_id, key } = openAccount(service, "Batches");
    const seconds = { batch: [], plain: [], again: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = Array.from({ length: ROWS }, (_, n) => customer(`${round}-${n}`));
      seconds.plain.push(await timed(() => insertCustomers(client, account_id, rows)));
      seconds.batch.push(
        await timed(() => sendBatch(service, key, "/customers/batch", rows, "created")),
      );
      seconds.again.push(
        await timed(() => sendBatch(service, key, "/customers/batch", rows, "unchanged")),
      );
    }
    report(`POST /customers/batch, ${ROWS} rows`, figuresOf(seconds));
    const hours = { batch: [], plain: [], again: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { plain, rows } = await workOf(service, key, round);
      hours.plain.push(await timed(() => insertHours(client, account_id, plain)));
      const path = "/work-registrations/batch";
      hours.batch.push(await timed(() => sendBatch(service, key, path, rows, "created")));
      hours.again.push(await timed(() => sendBatch(service, key, path, rows, "unchanged")));
    }
    report(`POST /work-registrations/batch, ${ROWS} rows`, figuresOf(hours));
  });
}

const LINES = 40;
const USERS = 20;

/** Rows of hours of some people on the lines of a draft, over as many days as they need, each 0.1 hours. */
async function workOf(service, key, round) {
  const customer = await call(service, "POST", "/customers", { name: "Worked for" }, key);
  const product = await call(service, "POST", "/products", { name: "Work" }, key);
  const line = { product_id: product.id, recognition_method: "hours", hourly_rate: 900 };
  const body = { customer_id: customer.id, lines: Array(LINES).fill(line) };
  const { id, lines } = await call(service, "POST", "/invoices", body, key);
  const users = [];
  for (let n = 0; n < USERS; n += 1) {
    const user = { name: `User ${n}`, email: `user-${round}-${n}@bench.example` };
    users.push(await call(service, "POST", "/users", user, key));
  }
  const row = (n, external_id) => ({
    external_id,
    line_id: lines[n % LINES].id,
    user_id: users[n % USERS].id,
    date: `2026-0${1 + (n % 9)}-${String(1 + (n % 28)).padStart(2, "0")}`,
    hours: 0.1,
    note: `Task ${n}`,
  });
  const all = (name) => Array.from({ length: ROWS }, (_, n) => row(n, `${name}-${round}-${n}`));
  return { rows: all("clock"), plain: all("plain").map((one) => ({ ...one, invoice_id: id })) };
}

async function insertHours(client, account_id, rows) {
  for (let at = 0; at < rows.length; at += 200) {
    const stored = rows.slice(at, at + 200).map((row) => {
      const id = randomUUID();
      const document = JSON.stringify({ object: "work_registration", id, ...row });
      return { ...row, id, hours: 10, document };
    });
    await client.query("begin");
    await client.query({
      name: "hours",
      text: `insert into work_registrations (account_id, id, external_id, line_id, invoice_id, user_id, date, hours, billable, note, status,
          created_at, updated_at)
        select $1, id, external_id, line_id, invoice_id, user_id, date, hours, true, note, 'open', now(), stamp($1)
        from json_populate_recordset(null::work_registrations, $2)`,
      values: [account_id, JSON.stringify(stored)],
    });
    await appendEvents(client, account_id, "work_registration", stored);
    await client.query("commit");
  }
}

function figuresOf({ batch, plain, again }) {
  return {
    seconds: median(batch),
    "the same bytes again, seconds": median(again),
    "set-based SQL, seconds": median(plain),
    "ratio of rates": median(batch.map((taken, round) => plain[round] / taken)),
  };
}

async function timed(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** Sends rows as one call, and expects that every one of them has the outcome. */
export async function sendBatch(service, key, path, rows, outcome) {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
    body: rows.map((row) => JSON.stringify(row)).join("\n"),
  });
  const lines = (await response.text()).split("\n").filter(Boolean);
  const others = lines.filter((line) => !line.includes(`"outcome":"${outcome}"`));
  if (lines.length !== rows.length || others.length > 0) {
    throw new Error(`${path} answered ${response.status}: ${others[0]}`);
  }
}

const customer = (name) => ({
  external_id: `crm-${name}`,
  name: `Client ${name}`,
  street: "Vestergade 4",
  zip_code: "1456",
  city: "København K",
  email: `accounts@client-${name}.example`,
  att_person: "Bo Lund",
});

/** Stores the rows with a document and an event each, without a rule, a hash or a look for an earlier row. */
async function insertCustomers(client, account_id, rows) {
  for (let at = 0; at < rows.length; at += 200) {
    const stored = rows.slice(at, at + 200).map((row) => {
      const id = randomUUID();
      const document = JSON.stringify({ object: "customer", id, ...row });
      return { ...row, id, external_id: `plain-${row.external_id}`, document };
    });
    await client.query("begin");
    await client.query({
      name: "customers",
      text: `insert into customers (account_id, id, external_id, name, street, zip_code, city, email, att_person, country_key, is_person,
          send_method, use_cvr, active, reminders, einvoice_by_mail, document, updated_at)
        select $1, id, external_id, name, street, zip_code, city, email, att_person, 'DK', false, 'email', false, true, true, false, document,
          stamp($1) from json_populate_recordset(null::customers, $2)`,
      values: [account_id, JSON.stringify(stored)],
    });
    await appendEvents(client, account_id, "customer", stored);
    await client.query("commit");
  }
}

/** Appends an event for each row; the hashes, which this bench does not verify, are empty. */
async function appendEvents(client, account_id, type, rows) {
  await client.query({
    name: "events",
    text: `with head as (update audit_heads set seq = seq + $3 where account_id = $1 returning seq - $3 as start)
      insert into audit_events (account_id, seq, id, at, actor_kind, actor_id, action, resource_type, resource_id, payload, hash, hash_version)
      select $1, head.start + n, gen_random_uuid(), now(), 'api_key', 'bench', 'created', $4, e.id,
        '{"before":null,"after":' || e.document || '}', ''::bytea, 2
      from head, unnest($2::text[], $5::text[]) with ordinality as e (id, document, n)`,
    values: [
      account_id,
      rows.map(({ id }) => id),
      rows.length,
      type,
      rows.map(({ document }) => document),
    ],
  });
}
