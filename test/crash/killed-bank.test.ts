/**
 * The real program is killed with SIGKILL repeatedly while clients import bank files, book their lines, reverse payments and send
 * reminders, and it is restarted on the same database. Answers that clients got remain true; each line is imported and booked once,
 * each reminder is sent once, no number is missing, and nothing is open below 0. `TEST_KILLS` is the number of kills; their moments are random.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../support/bank/camt.ts";
import { type BuiltProgram, buildProgram, startOnWorld } from "../support/run/program.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const KILLS = Number(process.env.TEST_KILLS ?? 2);
const CLIENTS = 4;
/** Lines of a file; of each, a part pays the invoice and the rest stays with the customer. */
const LINES = 3;
const GROSS = 1_000_000;
const AMOUNT = 100;
const APPLIED = 60;
const DEBT = 1000;
const FEE = 100;

const { world, customer, issued } = useSales();
let program: BuiltProgram;
let invoice: Json;
beforeAll(async () => {
  program = await buildProgram();
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  invoice = await issued([GROSS / 1.25], { issue_date: "2026-01-01" });
  const levels = [{ days_after_due: 3, fee: 100, compensation: false }];
  await world.done("PATCH /configuration", { reminders: { levels } });
});
afterAll(() => program.end());

/**
 * A file that one client wants to be imported and booked, and a debt of a customer of its own of which to remind. Of every second file
 * the first payment is reversed.
 */
interface Wish {
  readonly n: number;
  lines: readonly string[] | null;
  payments: readonly string[] | null;
  is_taken_back: boolean;
  /** The reminder that was reported; null for none. */
  reminder: string | null;
}

const wishes: Wish[] = [];
const wrong: string[] = [];
let [kills, answers] = [0, 0];
const count = (): string => `${kills} kills, ${answers} answers, ${wishes.length} files`;

/** One call; null when the process ended before it answered. */
async function call(origin: string, path: string, body?: string | object): Promise<Json | null> {
  const type = typeof body === "string" ? "application/xml" : "application/json";
  try {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${world.account.keys.read_write}`,
        ...(body !== undefined && { "content-type": type }),
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const sent = await response.json();
    if (response.status === 429) {
      await delay(Number(response.headers.get("retry-after")) * 1000);
      return call(origin, path, body);
    }
    answers += 1;
    return { status: response.status, body: sent };
  } catch {
    return null;
  }
}

/** Two lines of each file are equal. */
const fileOf = ({ n }: Wish): string =>
  camt({
    entries: Array.from({ length: LINES }, (_, at) => ({
      day: "2026-02-02",
      amount: `${AMOUNT}.00`,
      text: `file ${n} line ${Math.max(at, 1)}`,
    })),
  });

/** Imports, books and takes back; may be repeated until everything was answered. False when the service ended. */
async function fulfil(origin: string, wish: Wish): Promise<boolean> {
  const file = await call(origin, "/bank-statements", fileOf(wish));
  if (file === null) return false;
  const [statement] = file.body.statements ?? [];
  if (statement?.lines !== LINES || statement.new_lines !== LINES) {
    wrong.push(`import ${file.status} ${JSON.stringify(file.body)}`);
  }
  const found = await call(origin, `/bank-lines?search=file+${wish.n}+line&limit=100`);
  if (found === null) return false;
  wish.lines = found.body.data
    .map((line: Json) => line.id as string)
    .sort((a: string, b: string) => (a < b ? -1 : 1));
  const payment = {
    customer: customer.id,
    allocations: [{ invoice: invoice.id, amount: APPLIED }],
    remainder: "customer_credit",
  };
  if (wish.payments === null) {
    const lines = wish.lines?.map((bank_line) => ({ bank_line, payment }));
    const run = await call(origin, "/bank-lines/book", { lines });
    if (run === null) return false;
    if (run.body.booked !== LINES) wrong.push(`book ${run.status} ${JSON.stringify(run.body)}`);
    wish.payments = run.body.outcomes?.map((one: Json) => one.payment_id) ?? [];
  }
  if (!(await remind(origin, wish))) return false;
  if (wish.n % 2 === 1) return true;
  const [first] = wish.payments ?? [];
  const back = await call(origin, `/payments/${first}/reverse`, { reason: "came back" });
  if (back === null) return false;
  const is_done = back.status === 200 || back.body.error?.code === "PAYMENT_REVERSED";
  if (!is_done) wrong.push(`reverse ${back.status} ${JSON.stringify(back.body)}`);
  wish.is_taken_back = true;
  return true;
}

/** Enters a debt that is overdue, and sends its reminder. False when the service ended. */
async function remind(origin: string, wish: Wish): Promise<boolean> {
  const name = `debtor-${wish.n}`;
  const opening = {
    external_id: name,
    number: name,
    customer: `ext:${name}`,
    due_date: "2026-01-15",
    amount: DEBT,
    counter_account: 6950,
  };
  if ((await call(origin, "/customers", { external_id: name, name })) === null) return false;
  if ((await call(origin, "/opening-items", opening)) === null) return false;
  const preview = await call(origin, "/reminder-runs/preview", { customer: `ext:${name}` });
  if (preview === null) return false;
  const [letter] = preview.body.rows ?? [];
  // It was sent before the service ended.
  if (letter === undefined) return true;
  const rows = [{ customer: `ext:${name}`, currency: "DKK", agreed: letter.agreed }];
  const run = await call(origin, "/reminder-runs", { rows });
  if (run === null) return false;
  if (run.body.issued !== 1) wrong.push(`remind ${run.status} ${JSON.stringify(run.body)}`);
  wish.reminder = run.body.outcomes?.[0]?.reminder_id ?? null;
  return true;
}

/** Completes an open wish, then new ones, until the service ends. */
async function runClient(origin: string, open: Wish | undefined): Promise<Wish> {
  for (let wish = open; ; wish = undefined) {
    if (wish === undefined) {
      wish = {
        ...{ n: wishes.length, lines: null, payments: null, is_taken_back: false, reminder: null },
      };
      wishes.push(wish);
    }
    if (!(await fulfil(origin, wish))) return wish;
  }
}

it(`survives ${KILLS} kills without losing or doubling a payment`, {
  timeout: 3_600_000,
}, async () => {
  let open: Wish[] = [];
  for (; kills < KILLS; kills += 1) {
    const running = await startOnWorld(program, world);
    const enough = answers + 5 + Math.floor(Math.random() * 40);
    const clients = Array.from({ length: CLIENTS }, (_, at) => runClient(running.origin, open[at]));
    while (answers < enough) await delay(2);
    await delay(Math.random() * 20);
    await running.kill();
    open = await Promise.all(clients);
  }
  const running = await startOnWorld(program, world);
  const done = await Promise.all(open.map((wish) => fulfil(running.origin, wish)));
  expect(done, count()).toEqual(open.map(() => true));
  expect(wrong, count()).toEqual([]);
  await expectEachLineOnce();
  await expectEachReminderOnce();
  await expectBooksInOrder(running.origin);
});

async function expectEachLineOnce(): Promise<void> {
  const lines = await world.sql(
    `select l.id, l.state, l.payment_id, l.text,
       (select json_agg(p.id order by p.reversed_on nulls last) from payments p where p.bank_line_id = l.id) as payments
     from bank_lines l`,
  );
  expect(lines.length, count()).toBe(wishes.length * LINES);
  const known = new Map(lines.map((line) => [line.id, line]));
  for (const { n, lines: ids, payments, is_taken_back } of wishes) {
    for (const [at, id] of (ids ?? []).entries()) {
      const line = known.get(id);
      const is_open = is_taken_back && at === 0;
      expect(line, `file ${n}, ${count()}`).toMatchObject({
        state: is_open ? "open" : "booked",
        payment_id: is_open ? null : payments?.[at],
        payments: [payments?.[at]],
      });
    }
  }
}

async function expectEachReminderOnce(): Promise<void> {
  const rows = await world.sql(
    `select c.external_id as name, json_agg(r.id) as ids, count(d.id)::int as deliveries from reminders r
     join customers c on c.account_id = r.account_id and c.id = r.customer_id
     left join deliveries d on d.account_id = r.account_id and d.document_id = r.id group by 1`,
  );
  const known = new Map(rows.map((row) => [row.name, row]));
  expect(rows.length, count()).toBe(wishes.length);
  for (const { n, reminder } of wishes) {
    const found = known.get(`debtor-${n}`);
    expect([found?.ids.length, found?.deliveries], `debtor ${n}, ${count()}`).toEqual([1, 1]);
    if (reminder !== null) expect(found?.ids).toEqual([reminder]);
  }
}

/** The program has the real day, on which payments were reversed. */
async function expectBooksInOrder(origin: string): Promise<void> {
  const got = async (path: string): Promise<Json> => (await call(origin, path))?.body;
  const back = wishes.filter(({ is_taken_back }) => is_taken_back).length;
  const effective = wishes.length * LINES - back;
  const shown = await got(`/invoices/${invoice.id}/payment`);
  expect([shown.open, shown.paid], count()).toEqual([
    GROSS - effective * APPLIED,
    effective * APPLIED,
  ]);
  const { accounts } = await got("/ledger/trial-balance");
  const closing = (wanted: number): number =>
    accounts.find(({ number }: Json) => number === wanted)?.closing ?? 0;
  expect([6480, 6190, 7410].map(closing), count()).toEqual([
    effective * AMOUNT,
    GROSS - effective * APPLIED + wishes.length * (DEBT + FEE),
    -effective * (AMOUNT - APPLIED),
  ]);
  const found = await got("/ledger/verification?fresh=true");
  expect(
    found.checks.filter(({ ok }: Json) => !ok),
    count(),
  ).toEqual([]);
}
