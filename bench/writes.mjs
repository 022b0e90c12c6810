// POST /invoices with 5 lines and POST /invoices/{ref}/issue compared with the same writes as plain prepared statements.

import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { median } from "./load.mjs";
import { besideOther, openBeside } from "./other-account.mjs";
import { call, openAccount, startService } from "./service.mjs";

const CLIENTS = 16;
const EACH = Number(process.env.BENCH_WRITES ?? 800);
const ACCOUNTS = 8;
const ROUNDS = 3;

export async function benchWrites(report) {
  const service = await startService();
  const url = await service.databaseUrl();
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  let beside;
  try {
    const accounts = await openAccounts(service);
    beside = await openBeside(service);
    const others = {};
    const rates = { create: [], issue: [], plainCreate: [], plainIssue: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await timed((n) => createPlainly(pool, accounts[n % ACCOUNTS]));
      rates.plainCreate.push(plain.rate);
      const { result: made, other } = await besideOther(beside, () =>
        timed((n) => createByApi(service, accounts[n % ACCOUNTS])),
      );
      rates.create.push(made.rate);
      others.create = other;
      rates.plainIssue.push((await timed((n) => issuePlainly(pool, plain.results[n]))).rate);
      const issued = await besideOther(beside, () =>
        timed((n) => issueByApi(service, made.results[n])),
      );
      rates.issue.push(issued.result.rate);
      others.issue = issued.other;
    }
    report("POST /invoices with 5 lines, 16 clients, 8 accounts", {
      "service per second": median(rates.create),
      "plain statements per second": median(rates.plainCreate),
      ratio: median(rates.create) / median(rates.plainCreate),
      ...others.create,
    });
    report("POST /invoices/{ref}/issue, 16 clients, 8 accounts", {
      "service per second": median(rates.issue),
      "plain statements per second": median(rates.plainIssue),
      ratio: median(rates.issue) / median(rates.plainIssue),
      ...others.issue,
    });
  } finally {
    await pool.end();
    beside?.kill();
    await service.stop();
  }
}

async function openAccounts(service) {
  const accounts = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { account_id, key } = openAccount(service, `Bench ${n}`);
    const customer = await call(service, "POST", "/customers", { name: "Acme" }, key);
    const product = await call(service, "POST", "/products", { name: "Work" }, key);
    accounts.push({ account_id, key, customer_id: customer.id, product_id: product.id });
  }
  return accounts;
}

/** Runs the work EACH times with CLIENTS parallel clients. Returns the rate and the results. */
async function timed(work) {
  const results = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let n = next++; n < EACH; n = next++) results[n] = await work(n);
    }),
  );
  return { rate: EACH / ((performance.now() - began) / 1000), results };
}

async function createByApi(service, account) {
  const lines = Array.from({ length: 5 }, (_, index) => ({
    product_id: account.product_id,
    recognition_method: "value",
    agreed_value: 1000 + index,
  }));
  const body = { customer_id: account.customer_id, currency: "DKK", auto_send: false, lines };
  const { id } = await call(service, "POST", "/invoices", body, account.key);
  return { id, key: account.key };
}

async function issueByApi(service, { id, key }) {
  await call(service, "POST", `/invoices/${id}/issue`, undefined, key);
}

const prepared = (name, text, values) => ({ name, text, values });

async function createPlainly(pool, account) {
  const { account_id, customer_id, product_id } = account;
  const [id, event] = [randomUUID(), randomUUID()];
  const lineIds = Array.from({ length: 5 }, () => randomUUID());
  const document = JSON.stringify({
    object: "invoice",
    id,
    customer_id,
    lines: lineIds.map((line) => ({
      id: line,
      product_id,
      recognition_method: "value",
      agreed_value: 1000,
      assignees: [],
    })),
  });
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(
      prepared(
        "ci",
        "insert into invoices (account_id, id, customer_id, currency, auto_send, status, document, updated_at) values ($1, $2, $3, 'DKK', false, 'draft', $4, clock_timestamp())",
        [account_id, id, customer_id, document],
      ),
    );
    await client.query(
      prepared(
        "cl",
        "insert into invoice_lines (account_id, id, invoice_id, product_id, recognition_method, agreed_value, discount, position, assignees, product_name, account_number, unit) select $1, l.id, $2, $3, 'value', 100000 + l.n, 0, l.n, '[]', 'Work', 1000, 'parts' from unnest($4::uuid[]) with ordinality as l (id, n)",
        [account_id, id, product_id, lineIds],
      ),
    );
    await audit(client, account_id, event, id, document);
    await client.query("commit");
  } finally {
    client.release();
  }
  return { account_id, customer_id, id, document, lineIds };
}

async function issuePlainly(pool, { account_id, customer_id, id, document, lineIds }) {
  const client = await pool.connect();
  const hash = createHash("sha256").update(document).digest();
  try {
    await client.query("begin");
    await client.query(
      prepared(
        "il",
        "select status, document from invoices where account_id = $1 and id = $2 for update",
        [account_id, id],
      ),
    );
    await client.query(
      prepared("ic", "select * from configurations where account_id = $1 for share", [account_id]),
    );
    const { rows } = await client.query(
      prepared(
        "in",
        "update ledger_books set next_entry_no = next_entry_no + 1, next_invoice_number = next_invoice_number + 1 where account_id = $1 returning next_entry_no - 1 as entry_no, next_invoice_number - 1 as number, head_hash",
        [account_id],
      ),
    );
    const { entry_no, number, head_hash } = rows[0];
    await client.query(
      prepared(
        "ie",
        "insert into ledger_entries (account_id, entry_no, guid, kind, number, entry_date, text, currency, payload_hash, prev_hash, hash, registered_at, registered_by) values ($1, $2, $3, 'invoice', $4, current_date, 'Invoice', 'DKK', $5, $6, $5, clock_timestamp(), 'bench')",
        [account_id, entry_no, id, number, hash, head_hash],
      ),
    );
    await client.query(
      prepared(
        "ip",
        "insert into ledger_postings (account_id, entry_no, line_no, account_number, amount, currency_amount, customer_id) values ($1, $2, 1, 6190, 500, 500, $3), ($1, $2, 2, 1000, -400, -400, null), ($1, $2, 3, 7680, -100, -100, null)",
        [account_id, entry_no, customer_id],
      ),
    );
    await client.query(
      prepared("ih", "update ledger_books set head_hash = $2 where account_id = $1", [
        account_id,
        hash,
      ]),
    );
    await client.query(
      prepared(
        "is",
        "insert into issued_documents (account_id, document_id, kind, number, snapshot, payload_hash) values ($1, $2, 'invoice', $3, $4, $5)",
        [account_id, id, number, document, hash],
      ),
    );
    await client.query(
      prepared(
        "iu",
        "update invoice_lines set amount = 100, amount_functional = 100, vat_code = 'DK25' where account_id = $1 and id = any($2)",
        [account_id, lineIds],
      ),
    );
    await client.query(
      prepared(
        "ii",
        "update invoices set status = 'issued', issue_date = current_date, ledger_invoice_guid = $2, ledger_invoice_number = $3, issued_at = clock_timestamp(), document = $4, updated_at = clock_timestamp() where account_id = $1 and id = $2",
        [account_id, id, number, document],
      ),
    );
    await audit(client, account_id, randomUUID(), id, document);
    await client.query("commit");
  } finally {
    client.release();
  }
}

function audit(client, account_id, event, id, payload) {
  return client.query(
    prepared(
      "au",
      "with head as (update audit_heads set seq = seq + 1, hash = sha256(hash || convert_to($4, 'UTF8')) where account_id = $1 returning seq, hash) insert into audit_events (account_id, seq, id, at, actor_kind, actor_id, action, resource_type, resource_id, payload, hash) select $1, seq, $2, clock_timestamp(), 'api_key', 'bench', 'x', 'invoice', $3, $4, hash from head",
      [account_id, event, id, payload],
    ),
  );
}
