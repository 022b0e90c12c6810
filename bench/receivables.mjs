// 100,000 open invoices: who owes what, what 10,000 lines of the bank are, and the booking of these lines compared with set-based SQL for
// the same rows. Another account asks meanwhile.
import { camtEntry, camtFile, IBAN, sendFile, timeOf } from "./bank.mjs";
import { seedBasics, seedDraft } from "./heavy.mjs";
import { besideOther, openBeside } from "./other-account.mjs";
import { copyTable } from "./series.mjs";
import { call, withService } from "./service.mjs";

const ITEMS = Number(process.env.BENCH_ITEMS ?? 100_000);
const LINES = Number(process.env.BENCH_LINES ?? 10_000);
const PAGE = 100;
const CALL = 500;
const CUSTOMERS = 2_000;

export async function benchReceivables(report) {
  await withService(async (service, client) => {
    await seedItems(service, client);
    const beside = await openBeside(service);
    try {
      report(`who owes what, of ${ITEMS} open invoices`, await readOwed(service, beside));
      const { data } = await call(service, "GET", "/bank-accounts");
      await call(service, "PATCH", `/bank-accounts/${data[0].id}`, { iban: IBAN });
      await sendFile(service, camtFile(entriesOf(LINES)));
      await client.query("vacuum analyze bank_lines");
      const found = await besideOther(beside, () => suggest(service));
      report(`suggestions for ${LINES} lines among ${ITEMS} open invoices`, {
        seconds: found.result.seconds,
        "share that is exact": found.result.exact / LINES,
        ...found.other,
      });
      await copyOpen(client, service.account_id);
      const [first, rest] = [found.result.ids.slice(0, CALL), found.result.ids.slice(CALL)];
      // Both begin with statistics of books in use: PostgreSQL would take a minute to make them itself.
      await book(service, first);
      await client.query("vacuum analyze");
      const booked = await besideOther(beside, () => book(service, rest));
      await client.query("vacuum analyze");
      const plain = await besideOther(beside, () => copyBooked(client, service.account_id));
      const per_second = rest.length / booked.result;
      report(`POST /bank-lines/book, ${LINES} lines, ${CALL} a call`, {
        "lines per second": per_second,
        "set-based SQL, lines per second": LINES / plain.result,
        ratio: per_second / (LINES / plain.result),
        ...booked.other,
      });
    } finally {
      beside.kill();
    }
  });
}

/** Issues one invoice and copies it, with its item: the copies have other ids, numbers, days and amounts. */
async function seedItems(service, client) {
  const seller = await seedBasics(service, service.key);
  const id = await seedDraft(service, seller, 1);
  await call(service, "POST", `/invoices/${id}/issue`, {});
  await client.query(COPIES_OF_CUSTOMER, [seller.customer_id, CUSTOMERS]);
  await client.query(COPIES_OF_INVOICE, [id, ITEMS]);
  await client.query(ITEMS_OF_COPIES, [id]);
  await client.query("vacuum analyze");
}

const COPIES_OF_CUSTOMER = `
  insert into customers select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
      'name', (array['Nordlys', 'Fjord', 'Kyst', 'Solvang', 'Havn'])[1 + n % 5] || ' ' || n || ' A/S'))).*
  from customers c, generate_series(2, $2::int) n where c.id = $1`;

const COPIES_OF_INVOICE = `
  with of_customers as (select id, row_number() over (order by id) as place from customers
    where account_id = (select account_id from invoices where id = $1))
  insert into invoices select (jsonb_populate_record(i, jsonb_build_object('id', x.id, 'customer_id', c.id,
      'ledger_invoice_guid', x.id, 'ledger_invoice_number', 100000 + n,
      'document', replace(i.document, i.id::text, x.id::text)))).*
  from invoices i, generate_series(1, $2::int) n, lateral (select gen_random_uuid() as id, n as number) x
  join of_customers c on c.place = 1 + x.number % (select count(*) from of_customers)
  where i.id = $1`;

/** Each has an amount of its own; a third is not due. */
const ITEMS_OF_COPIES = `
  insert into open_items select (jsonb_populate_record(o, jsonb_build_object('id', i.id, 'customer_id', i.customer_id,
      'number', i.ledger_invoice_number, 'date', current_date - a.age, 'due_date', current_date - a.age + 50,
      'amount', a.amount, 'functional', a.amount, 'open', a.amount, 'functional_open', a.amount))).*
  from invoices i join open_items o on o.id = $1 and o.account_id = i.account_id,
  lateral (select i.ledger_invoice_number::int as amount, (i.ledger_invoice_number % 150)::int as age) a
  where i.id <> $1 and i.status = 'issued'`;

/** Two lines in three name their invoice; the amount of each is that of one invoice. */
function entriesOf(count) {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, n) => {
    const number = 100_001 + n * Math.floor(ITEMS / count);
    return camtEntry(n + 1, day, (number / 100).toFixed(2), `Faktura ${number}`);
  });
}

async function readOwed(service, beside) {
  const past = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10);
  const { result, other } = await besideOther(beside, async () => ({
    "milliseconds of /receivables": await timeOf(service, "/receivables?limit=25"),
    "milliseconds of an earlier day": await timeOf(service, `/receivables?limit=25&at=${past}`),
    "milliseconds of the sums": await timeOf(service, "/receivables/summary"),
  }));
  return { ...result, ...other };
}

/** Reads all lines with their suggestions, page by page. */
async function suggest(service) {
  const began = performance.now();
  const ids = [];
  let exact = 0;
  for (let cursor = ""; cursor !== null; ) {
    const page = await call(
      service,
      "GET",
      `/bank-lines?state=open&include=suggestions&limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
    );
    for (const { id, suggestions } of page.data) {
      ids.push(id);
      if (suggestions[0]?.confidence === "exact") exact += 1;
    }
    cursor = page.next_cursor;
  }
  return { seconds: (performance.now() - began) / 1000, ids, exact };
}

/** Books the lines as what they are suggested to be; returns the seconds. */
async function book(service, ids) {
  const began = performance.now();
  for (let at = 0; at < ids.length; at += CALL) {
    const lines = ids.slice(at, at + CALL).map((id) => ({ bank_line: id, accept: true }));
    const run = await call(service, "POST", "/bank-lines/book", { lines });
    if (run.booked !== lines.length) throw new Error(JSON.stringify(run.outcomes[0]));
  }
  return (performance.now() - began) / 1000;
}

const OTHER = "0190a000-0000-7000-8000-0000000000aa";

/** Copies the account as it is before the lines are booked. */
async function copyOpen(client, account_id) {
  await client.query(
    "insert into accounts select $2, name, sandbox, ledger_kind from accounts where id = $1",
    [account_id, OTHER],
  );
  const tables = ["configurations", "customers", "ledger_accounts", "bank_accounts"];
  for (const table of [...tables, "bank_imports", "bank_statements", "bank_lines", "open_items"]) {
    await copyTable(client, table, account_id, OTHER);
  }
  await client.query("analyze");
}

/** Returns the seconds to write the same rows for the other account, table by table, in one transaction. */
async function copyBooked(client, account_id) {
  const ofPayments = "and kind = 'payment'";
  await client.query("begin");
  const began = performance.now();
  await copyTable(client, "open_items", account_id, OTHER, {}, ofPayments);
  await copyTable(client, "payments", account_id, OTHER);
  await client.query(
    `update open_items i set open = o.open, functional_open = o.functional_open, updated_at = clock_timestamp()
     from open_items o where i.account_id = $2 and o.account_id = $1 and o.id = i.id and o.open <> i.open`,
    [account_id, OTHER],
  );
  await copyTable(client, "allocations", account_id, OTHER);
  await copyTable(client, "ledger_entries", account_id, OTHER, {}, ofPayments);
  const of_entries = `and entry_no in (select entry_no from ledger_entries where account_id = '${account_id}' ${ofPayments})`;
  await copyTable(client, "ledger_postings", account_id, OTHER, {}, of_entries);
  await client.query(
    `update bank_lines l set state = o.state, payment_id = o.payment_id, request_hash = o.request_hash
     from bank_lines o where l.account_id = $2 and o.account_id = $1 and o.id = l.id`,
    [account_id, OTHER],
  );
  const actions = "and resource_type in ('payment', 'bank_line')";
  await copyTable(client, "audit_events", account_id, OTHER, {}, actions);
  await client.query("commit");
  return (performance.now() - began) / 1000;
}
