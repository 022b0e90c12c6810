// Measures e-invoices on their way to a folder: how many leave a second, with sync, and how long another account waits meanwhile; and what
// the issue of an invoice takes that goes to a folder, compared with one that is mailed to the outbox.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { seedBasics, seedIssued } from "./heavy.mjs";
import { median } from "./load.mjs";
import { endOf, figuresOfWaits, openBeside } from "./other-account.mjs";
import { call, figuresOf, openAccount, root, withService } from "./service.mjs";

const SENDINGS = Number(process.env.BENCH_SENDINGS ?? 5000);
/** Those that leave before any other account asks. */
const ALONE = Math.ceil(SENDINGS / 2);
const ISSUES = Number(process.env.BENCH_ISSUES ?? 200);
/** The copies of an invoice have up to 4,095 different ids. */
const ACCOUNTS = 2;
const LOOK_MS = 200;
const MOST_MS = 600_000;

const SELLER = {
  name: "Nordlys ApS",
  street: "Vestergade 12",
  zip_code: "8000",
  city: "Aarhus",
  vat_number: "25313763",
  bank_registration_number: "0040",
  bank_account_number: "0440116243",
};
const BUYER = {
  street: "Ved Fjorden 6",
  city: "Ringkøbing",
  ean_number: "5798009811578",
  att_person: "Mette Krogh",
  email: "ap@buyer.example",
};

export function benchSendings(report) {
  return withService(async (service, client) => {
    await benchIssue(report, service);
    await benchLeaving(report, service, client);
  });
}

/** Issues an invoice by mail and one by e-invoice in turn, so that both meet the same machine. */
async function benchIssue(report, service) {
  const seller = await openSeller(service, "Issues");
  const by_mail = seller.customer_id;
  const body = { name: "Municipality", ...BUYER, send_method: "einvoice" };
  const { id: to_folder } = await call(service, "POST", "/customers", body, seller.key);
  const times = new Map([by_mail, to_folder].map((customer) => [customer, []]));
  for (let n = 0; n < ISSUES + 20; n += 1) {
    for (const [customer_id, taken] of times) {
      const lines = Array.from({ length: 5 }, () => ({
        product_id: seller.product_id,
        recognition_method: "value",
        agreed_value: 1000,
      }));
      const draft = { customer_id, auto_send: true, lines };
      const { id } = await call(service, "POST", "/invoices", draft, seller.key);
      const began = performance.now();
      const issued = await call(service, "POST", `/invoices/${id}/issue`, undefined, seller.key);
      // The first ones are slower.
      if (n >= 20) taken.push(performance.now() - began);
      if (issued.send_error !== undefined) throw new Error(issued.send_error);
    }
  }
  const [mail, folder] = [median(times.get(by_mail)), median(times.get(to_folder))];
  report(`issue of ${ISSUES} invoices of 5 lines, sent at once`, {
    "by mail to the outbox, ms": mail,
    "as an e-invoice to a folder, ms": folder,
    ratio: folder / mail,
  });
}

async function benchLeaving(report, service, client) {
  const first = await openSenders(service, client, "Sends alone", ALONE);
  const accounts = await openSenders(service, client, "Sends", SENDINGS);
  const alone_seconds = await leave(client, first);
  report(`${ALONE} e-invoices of 5 lines leave to folders of ${ACCOUNTS} accounts`, {
    "a second": ALONE / alone_seconds,
    "bare files with sync and rename, a second": await bareFiles(service),
  });
  const beside = await openBeside(service);
  try {
    beside.send("begin");
    await delay(2000);
    const alone = figuresOfWaits(" of another account's GET before", (await endOf(beside)).service);
    beside.send("begin");
    const before = figuresOf(service.pid).cpu_seconds;
    const seconds = await leave(client, accounts);
    const cpu = figuresOf(service.pid).cpu_seconds - before;
    const waits = await endOf(beside);
    const files = await bareFiles(service);
    report(`${SENDINGS} more leave while another account asks`, {
      "a second": SENDINGS / seconds,
      "CPU of the service, ms each": (cpu * 1000) / SENDINGS,
      "bare files with sync and rename, a second": files,
      ...alone,
      ...figuresOfWaits(" of another account's GET", waits.service),
      ...figuresOfWaits(" of a bare server", waits.bare),
    });
  } finally {
    beside.kill();
  }
}

/** Opens accounts with as many issued invoices in all, whose e-invoices have not left. */
async function openSenders(service, client, name, count) {
  const accounts = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const seller = await openSeller(service, `${name} ${n}`);
    const of_one = Math.ceil(count / ACCOUNTS);
    // The pages are drawn in the background a minute after an issue, which is another work.
    await seedIssued(service, client, seller, of_one, { lines: 5, age: "-1 hour" });
    accounts.push(seller.account_id);
  }
  return accounts;
}

/** An account that is connected to the folder in the data directory, with a customer who gets mail. */
async function openSeller(service, name) {
  const { account_id, key } = openAccount(service, name);
  await call(service, "PATCH", "/configuration", { seller: SELLER }, key);
  const seller = await seedBasics(service, key);
  await call(service, "PATCH", `/customers/${seller.customer_id}`, BUYER, key);
  const of_account = ["--account", account_id, "--kind", "folder"];
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "bin", "matchbook"), "einvoice", "connect", ...of_account],
    { encoding: "utf8", env: { ...process.env, MATCHBOOK_DATA_DIR: service.folder } },
  );
  if (status !== 0) throw new Error(stderr);
  return { ...seller, account_id };
}

/** Queues an e-invoice of each document, and returns the seconds from the first to the last that has left. */
async function leave(client, accounts) {
  await client.query("analyze issued_documents, customers");
  await client.query(
    `insert into deliveries (account_id, id, document_id, channel, state, at, next_attempt_at)
     select account_id, gen_random_uuid(), document_id, 'einvoice', 'queued', clock_timestamp(), clock_timestamp()
     from issued_documents where account_id = any($1)`,
    [accounts],
  );
  const until = performance.now() + MOST_MS;
  let began;
  for (;;) {
    const { rows } = await client.query(
      `select count(*) filter (where state = 'written_to_outbox')::int as written,
         count(*) filter (where state in ('queued', 'sending'))::int as open,
         max(send_error) as fault
       from deliveries where account_id = any($1) and channel = 'einvoice'`,
      [accounts],
    );
    const [{ written, open: left, fault }] = rows;
    if (fault !== null) throw new Error(fault);
    if (written > 0) began ??= performance.now();
    if (left === 0) return (performance.now() - began) / 1000;
    if (performance.now() > until) throw new Error(`${left} e-invoices have not left`);
    await delay(LOOK_MS);
  }
}

/** Files of the same size that are written one after the other with sync, rename and sync of the folder, in the same file system. */
async function bareFiles({ folder }) {
  const dir = mkdtempSync(join(folder, "bare-"));
  const bytes = Buffer.alloc(8_000, "x");
  const count = 200;
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    const file = await open(join(dir, `${n}.part`), "w");
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    await rename(join(dir, `${n}.part`), join(dir, `${n}.xml`));
    const at = await open(dir, "r");
    await at.sync();
    await at.close();
  }
  const seconds = (performance.now() - began) / 1000;
  rmSync(dir, { recursive: true });
  return count / seconds;
}
