// One scheduler run that issues 10,000 monthly series with 3 lines, compared with set-based SQL for the same rows.
import { execSync } from "node:child_process";
import { besideOther, openBeside } from "./other-account.mjs";
import { call, withService } from "./service.mjs";

const SERIES = Number(process.env.BENCH_SERIES ?? 10_000);

export async function benchSeries(report) {
  await withService(async (service, client) => {
    const beside = await openBeside(service);
    await dueSeries(service, client, SERIES);
    const rss = watchMemory(service.pid);
    const { result: seconds, other } = await besideOther(beside, async () => {
      const began = performance.now();
      await issueDueSeries(service, client, service);
      return (performance.now() - began) / 1000;
    }).finally(() => beside.kill());
    const memory = rss.stop();
    await client.query("analyze");
    const plain = await copySetBased(client, service.account_id);
    report(`one scheduler run over ${SERIES} due series with 3 lines each`, {
      "invoices per second": SERIES / seconds,
      "set-based SQL, invoices per second": SERIES / plain,
      ratio: plain / seconds,
      ...other,
      "100,000 invoices would take, minutes": 100_000 / (SERIES / seconds) / 60,
      "memory at the start, MB": memory.first,
      "memory at most, MB": memory.most,
    });
  });
}

/** The API creates one series in the account of the key and SQL copies it: the copies differ only in their ids. */
export async function dueSeries(service, client, count, key = service.key) {
  const customer = await call(service, "POST", "/customers", { name: "Acme" }, key);
  const product = await call(service, "POST", "/products", { name: "Retainer" }, key);
  const today = todayOfAccount();
  const lines = [1, 2, 3].map((n) => ({
    product_id: product.id,
    recognition_method: "value",
    agreed_value: 1000 * n,
  }));
  const series = {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: today,
    auto_send: false,
    lines,
  };
  const { id } = await call(service, "POST", "/recurring-series", series, key);
  await call(service, "POST", `/recurring-series/${id}/activate`, {}, key);
  await client.query(
    `with copies as (select gen_random_uuid() as id, n from generate_series(2, $2::int) n),
     series as (
       insert into recurring_series (account_id, id, customer_id, currency, frequency, alignment,
         start_date, end_date, timing_mode, offset_days, auto_send, status, activated_on, next_due_on,
         document, updated_at)
       select s.account_id, c.id, s.customer_id, s.currency, s.frequency, s.alignment, s.start_date,
         s.end_date, s.timing_mode, s.offset_days, s.auto_send, s.status, s.activated_on, s.next_due_on,
         replace(s.document, s.id::text, c.id::text), clock_timestamp()
       from recurring_series s, copies c where s.id = $1),
     lines as (
       select gen_random_uuid() as line_id, c.id as series_id, l.line_id as old, l.account_id
       from series_lines l, copies c where l.series_id = $1),
     made as (
       insert into series_lines (account_id, line_id, series_id)
       select account_id, line_id, series_id from lines)
     insert into series_line_versions (account_id, line_id, from_index, content)
     select v.account_id, l.line_id, v.from_index, v.content
     from lines l join series_line_versions v on v.line_id = l.old`,
    [id, count],
  );
  // Only filled tables are analysed: the planner would expect empty ones to remain empty.
  await client.query("analyze recurring_series, series_lines, series_line_versions");
}

/** Returns the day by the clock of the account's time zone, on which its periods become due. */
function todayOfAccount() {
  return new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Copenhagen" });
}

/** Runs the scheduler of an account until no series is due; throws when one fails. */
export async function issueDueSeries(service, client, { account_id, key }) {
  do {
    const { failed } = await call(service, "POST", "/scheduler-runs", undefined, key);
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
  } while ((await waiting(client, account_id)) > 0);
}

async function waiting(client, account_id) {
  const { rows } = await client.query(
    `select count(*)::int as count from recurring_series
     where account_id = $1 and next_due_on <= $2`,
    [account_id, todayOfAccount()],
  );
  return rows[0].count;
}

/** Returns the seconds to write the same rows for another account, table by table, in one transaction. */
async function copySetBased(client, account_id) {
  const other = "0190a000-0000-7000-8000-0000000000aa";
  const copy = (table, change = {}, where = "") =>
    copyTable(client, table, account_id, other, change, where);
  await client.query(
    "insert into accounts select $2, name, sandbox, ledger_kind from accounts where id = $1",
    [account_id, other],
  );
  for (const table of [
    "configurations",
    "customers",
    "products",
    "ledger_accounts",
    "recurring_series",
  ])
    await copy(table);
  await client.query("begin");
  const began = performance.now();
  const draft = {
    status: "'draft'",
    ledger_invoice_guid: "null",
    ledger_invoice_number: "null",
    issued_at: "null",
  };
  await copy("invoices", draft);
  await copy("invoice_lines");
  await copy("ledger_entries");
  await copy("ledger_postings");
  await copy("issued_documents");
  await client.query(
    `update invoices i set status = 'issued', ledger_invoice_guid = o.ledger_invoice_guid,
       ledger_invoice_number = o.ledger_invoice_number, issued_at = o.issued_at, document = o.document
     from invoices o where i.account_id = $2 and o.account_id = $1 and o.id = i.id`,
    [account_id, other],
  );
  await copy("audit_events", {}, "and action = 'issued'");
  // The scheduler updates the series with each issue; here the update changes only the row.
  await client.query(
    `update recurring_series s set document = o.document, next_due_on = o.next_due_on,
       standing_index = o.standing_index, updated_at = clock_timestamp()
     from recurring_series o where s.account_id = $2 and o.account_id = $1 and o.id = s.id`,
    [account_id, other],
  );
  await client.query("commit");
  return (performance.now() - began) / 1000;
}

/** Copies the rows of a table to another account; `change` has other values of columns as SQL. */
export async function copyTable(client, table, account_id, other, change = {}, where = "") {
  const { rows } = await client.query(
    `select column_name as name from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const names = rows.map((row) => row.name);
  const values = names.map((name) =>
    name === "account_id" ? `'${other}'` : (change[name] ?? name),
  );
  await client.query(
    `insert into ${table} (${names.join(", ")}) select ${values.join(", ")} from ${table}
     where account_id = $1 ${where}`,
    [account_id],
  );
}

export function watchMemory(pid) {
  const read = () => Number(execSync(`ps -o rss= -p ${pid}`).toString()) / 1024;
  const first = read();
  let most = first;
  const timer = setInterval(() => {
    most = Math.max(most, read());
  }, 1000);
  return {
    stop() {
      clearInterval(timer);
      return { first, most };
    },
  };
}
