// Heavy work of one account, for the benches of fairness and of long runs: its data and its requests. The API creates one
// resource and SQL copies it: the copies differ only in their ids and numbers.
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { call } from "./service.mjs";

const LINES = 500;
const ROLES = { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 };

/** Returns the month that is the given number of months after the current one. */
export function monthFromNow(months) {
  const day = new Date();
  day.setUTCDate(1);
  day.setUTCMonth(day.getUTCMonth() + months);
  return day.toISOString().slice(0, 7);
}

export async function seedBasics(service, key) {
  const customer = await call(service, "POST", "/customers", { name: "Acme" }, key);
  const product = await call(service, "POST", "/products", { name: "Work" }, key);
  await call(service, "PATCH", "/configuration", { account_roles: ROLES }, key);
  return { key, customer_id: customer.id, product_id: product.id };
}

function linesOf({ product_id }, count, fields = {}) {
  return Array.from({ length: count }, (_, n) => ({
    product_id,
    recognition_method: "value",
    agreed_value: 1000 + n,
    ...fields,
  }));
}

/** Creates a draft of 500 lines; returns its reference. */
export async function seedDraft(service, seller, lines = LINES) {
  const { key, customer_id } = seller;
  const body = { customer_id, auto_send: false, lines: linesOf(seller, lines) };
  return (await call(service, "POST", "/invoices", body, key)).id;
}

/**
 * Makes a weekly series with periods that are issued manually. SQL moves its start to 1990, because the API refuses so many lines
 * over so many periods.
 */
export async function seedOldSeries(service, client, seller, lines = LINES) {
  const { key, customer_id } = seller;
  const body = {
    customer_id,
    frequency: "weekly",
    start_date: `${monthFromNow(0)}-01`,
    issue_timing: { mode: "manual" },
    lines: linesOf(seller, lines),
  };
  const { id, start_date } = await call(service, "POST", "/recurring-series", body, key);
  await call(service, "POST", `/recurring-series/${id}/activate`, {}, key);
  await client.query(
    `update recurring_series set start_date = '1990-01-01', activated_on = '1990-01-01',
       document = replace(document, $2, '1990-01-01') where id = $1`,
    [id, start_date],
  );
  return id;
}

/**
 * Makes issued invoices of 500 lines that are earned over 24 months, from the first day of the month a year ago. `age`, an
 * interval, is the age of their documents. A negative age is in the future and sets the time at which their background work
 * begins.
 */
export async function seedIssued(
  service,
  client,
  seller,
  count,
  { lines = LINES, age = "0 s" } = {},
) {
  const { key, customer_id, product_id } = seller;
  const service_from = `${monthFromNow(-12)}-01`;
  const service_to = new Date(Date.parse(`${monthFromNow(12)}-01`) - 86_400_000);
  const body = {
    customer_id,
    auto_send: false,
    lines: linesOf(seller, lines, {
      service_from,
      service_to: service_to.toISOString().slice(0, 10),
    }),
  };
  const { id } = await call(service, "POST", "/invoices", body, key);
  await call(service, "POST", `/invoices/${id}/issue`, undefined, key);
  await client.query(COPY_FUNCTIONS);
  const texts = `copied_text(%s, n, array['${customer_id}', '${product_id}'])`;
  const copied = (column) => texts.replace("%s", column);
  // A trigger refuses new lines for issued invoices, and here the lines are stored after their invoices.
  await client.query("alter table invoice_lines disable trigger user");
  const numbers = [id, 2, count];
  const of = (column) => `, generate_series($2::int, $3::int) n where t.${column} = $1`;
  await copyRows(client, "invoices", of("id"), numbers, {
    id: "copied_id(t.id, n)",
    ledger_invoice_guid: "copied_id(t.ledger_invoice_guid, n)",
    ledger_invoice_number: "t.ledger_invoice_number + n",
    document: copied("t.document"),
    updated_at: "clock_timestamp()",
  });
  await copyRows(client, "invoice_lines", of("invoice_id"), numbers, {
    id: "copied_id(t.id, n)",
    invoice_id: "copied_id(t.invoice_id, n)",
  });
  await copyRows(client, "issued_documents", of("document_id"), numbers, {
    document_id: "copied_id(t.document_id, n)",
    number: "t.number + n",
    snapshot: copied("t.snapshot"),
    created_at: `clock_timestamp() - interval '${age}'`,
  });
  await client.query("alter table invoice_lines enable trigger user");
  await client.query("analyze invoices, invoice_lines, issued_documents");
  return id;
}

/**
 * Defines two SQL functions: for the n-th copy of an id, with another UUID version so that the copy differs from all originals;
 * and for the n-th copy of a text that contains ids, except for the ids in `kept`.
 */
const COPY_FUNCTIONS = `
  create or replace function copied_id(id uuid, n int) returns uuid immutable language sql as
    $$ select overlay(id::text placing '6' || lpad(to_hex(n), 3, '0') from 15 for 4)::uuid $$;
  create or replace function copied_text(content text, n int, kept text[]) returns text
  immutable language plpgsql as $$
  declare id text;
  begin
    content := regexp_replace(content, '([0-9a-f]{8}-[0-9a-f]{4}-)7[0-9a-f]{3}(-[0-9a-f]{4}-[0-9a-f]{12})',
      '\\16' || lpad(to_hex(n), 3, '0') || '\\2', 'g');
    foreach id in array kept loop
      content := replace(content, copied_id(id::uuid, n)::text, id);
    end loop;
    return content;
  end $$`;

/** Copies rows `t` of a table: `from` joins what decides the copies, `change` has the columns that differ, as SQL. */
export async function copyRows(client, table, from, values, change) {
  const { rows } = await client.query(
    `select column_name as name from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const names = rows.map((row) => row.name);
  await client.query(
    `insert into ${table} (${names.join(", ")})
     select ${names.map((name) => change[name] ?? `t.${name}`).join(", ")}
     from ${table} t ${from}`,
    values,
  );
}

/** Returns a body of 945 KB in which every field is unknown. */
export function wrongBody() {
  const fields = Array.from({ length: 78_000 }, (_, n) => `"k${String(n).padStart(6, "0")}":1`);
  return `{${fields.join(",")}}`.slice(0, -1).concat("}");
}

/** Opens a client that obeys `Retry-After` after a 429. `end` closes the connections of requests without a response. */
export function openClient(service, key) {
  const tally = { statuses: {}, bytes: 0, times_ms: [], unanswered: 0 };
  const in_progress = new Set();
  let ended = false;
  const once = (method, path, content) =>
    new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(content === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
      };
      const url = `${service.origin}/api/v1${path}`;
      const sent = request(url, { agent: false, method, headers }, (reply) => {
        reply.on("data", (chunk) => {
          tally.bytes += chunk.length;
        });
        reply.once("close", () => resolve(reply.complete ? reply : undefined));
      });
      in_progress.add(sent);
      sent.once("close", () => in_progress.delete(sent));
      sent.once("error", () => resolve(undefined));
      sent.end(content);
    });
  return {
    tally,
    async ask(method, path, body) {
      const content = typeof body === "object" ? JSON.stringify(body) : body;
      const began = performance.now();
      while (!ended) {
        const reply = await once(method, path, content);
        if (reply === undefined) break;
        const { statusCode } = reply;
        tally.statuses[statusCode] = (tally.statuses[statusCode] ?? 0) + 1;
        if (statusCode !== 429) {
          tally.times_ms.push(performance.now() - began);
          return statusCode;
        }
        const seconds = Number(reply.headers["retry-after"] ?? 1);
        // A client that has left does not repeat its request.
        const until = performance.now() + seconds * 1000;
        while (!ended && performance.now() < until) await delay(100);
      }
      tally.unanswered += 1;
      return undefined;
    },
    end() {
      ended = true;
      for (const sent of in_progress) sent.destroy();
    },
  };
}
