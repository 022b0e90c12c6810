/**
 * Clients that import bank files, book their lines, record and apply payments, take back and remind, over services and a database that
 * may end at any moment. Each repeats what it has no answer to; in the end everything was done once, and every answer remains true.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { camt, DANISH_IBAN } from "../bank/camt.ts";
import type { Json } from "./world.ts";

const CLIENTS = 4;
/** Lines of a file; of each, a part pays the invoice and the rest stays with the customer. */
const LINES = 3;
const GROSS = 1_000_000;
const AMOUNT = 100;
const APPLIED = 60;
/** A payment without a line, of which a part is applied at once and another one later. */
const CASH = 50;
const [AT_ONCE, LATER] = [10, 15];
const DEBT = 1000;
const FEE = 100;

type Done = (call: string, body?: object) => Promise<Json>;
type Rows = (text: string) => Promise<Json[]>;

/**
 * What one client wants: a file imported and booked, a payment recorded and applied, and a debt of a customer of its own reminded of. Of
 * every second file the first payment is reversed, of every third one the later allocation.
 */
interface Wish {
  readonly n: number;
  lines: readonly string[] | null;
  payments: readonly string[] | null;
  /** Whether the reversal was asked for, and whether it was answered. */
  is_asked_back: boolean;
  is_taken_back: boolean;
  is_released: boolean;
  /** The ids in the first answers, by what was asked for. */
  readonly ids: Map<string, string>;
}

export class MoneyClients {
  readonly #key: string;
  readonly #customer: string;
  readonly #invoice: string;
  readonly #wishes: Wish[] = [];
  readonly #wrong: string[] = [];
  #open: readonly (Wish | undefined)[] = [];
  #is_stopping = false;
  answers = 0;
  /** Calls during which the process or the database ended. */
  unanswered = 0;

  private constructor(key: string, customer: string, invoice: string) {
    this.#key = key;
    this.#customer = customer;
    this.#invoice = invoice;
  }

  /** Prepares the account of a key: its bank account, a large invoice, and letters with a fee. */
  static async prepare(key: string, done: Done): Promise<MoneyClients> {
    const [bank] = (await done("GET /bank-accounts")).data;
    await done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
    const levels = [{ days_after_due: 3, fee: FEE, compensation: false }];
    await done("PATCH /configuration", { reminders: { levels } });
    const customer = await done("POST /customers", { name: "Acme A/S" });
    const product = await done("POST /products", { name: "Consulting" });
    const { id } = await done("POST /invoices", {
      customer_id: customer.id,
      issue_date: "2026-01-01",
      auto_send: false,
      lines: [{ product_id: product.id, recognition_method: "value", agreed_value: GROSS / 1.25 }],
    });
    await done(`POST /invoices/${id}/issue`);
    return new MoneyClients(key, customer.id, id);
  }

  get count(): string {
    return `${this.answers} answers, ${this.unanswered} calls without one, ${this.#wishes.length} files`;
  }

  /** Works until the services or their database end, or it is stopped; both of two origins get what is done twice at once. */
  async run(origins: readonly string[]): Promise<void> {
    this.#is_stopping = false;
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      this.#runClient(origins, this.#open[at]),
    );
    this.#open = await Promise.all(clients);
  }

  /** Ends the work of clients that have not noticed that anything ended. */
  stop(): void {
    this.#is_stopping = true;
  }

  /** Completes what is left; then checks every answer, the rows and the books, by the services and by SQL. */
  async expectEachOnce(origins: readonly string[], rows: Rows): Promise<void> {
    const open = this.#open.flatMap((wish) => wish ?? []);
    const done = await Promise.all(open.map((wish) => this.#fulfil(origins, wish)));
    expect(done, this.count).toEqual(open.map(() => true));
    expect(this.#wrong, this.count).toEqual([]);
    await this.#expectEachLineOnce(rows);
    await this.#expectEachReminderOnce(rows);
    await this.#expectNoGap(rows);
    await this.#expectBooksInOrder(origins);
  }

  /** One call; null when the process or the database ended before it answered. */
  async #call(origin: string, path: string, body?: string | object): Promise<Json | null> {
    const reply = await this.#ask(origin, path, body);
    if (reply === null) this.unanswered += 1;
    else this.answers += 1;
    return reply;
  }

  async #ask(origin: string, path: string, body?: string | object): Promise<Json | null> {
    const type = typeof body === "string" ? "application/xml" : "application/json";
    try {
      const response = await fetch(`${origin}/api/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body !== undefined && { "content-type": type }),
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const sent = await response.json();
      if (response.status === 429) {
        await delay(Number(response.headers.get("retry-after")) * 1000);
        return this.#ask(origin, path, body);
      }
      if (sent.error?.code === "SERVICE_UNAVAILABLE") return null;
      return { status: response.status, body: sent };
    } catch {
      return null;
    }
  }

  /** Completes an open wish, then new ones, until the services end. */
  async #runClient(origins: readonly string[], open: Wish | undefined): Promise<Wish | undefined> {
    for (let wish = open; !this.#is_stopping; wish = undefined) {
      if (wish === undefined) {
        const n = this.#wishes.length;
        wish = {
          ...{ n, lines: null, payments: null, ids: new Map() },
          ...{ is_asked_back: false, is_taken_back: false, is_released: false },
        };
        this.#wishes.push(wish);
      }
      if (!(await this.#fulfil(origins, wish))) return wish;
    }
    return undefined;
  }

  /** Does everything; may be repeated until all was answered. False when the services ended. */
  async #fulfil(origins: readonly string[], wish: Wish): Promise<boolean> {
    return (
      (await this.#book(origins, wish)) &&
      (await this.#pay(origins, wish)) &&
      (await this.#remind(origins, wish)) &&
      (await this.#takeBack(origins, wish))
    );
  }

  async #book(origins: readonly string[], wish: Wish): Promise<boolean> {
    const [origin = ""] = origins;
    const { n } = wish;
    const file = await this.#call(origin, "/bank-statements", fileOf(n));
    if (file === null) return false;
    const [statement] = file.body.statements ?? [];
    if (statement?.lines !== LINES || statement.new_lines !== LINES) this.#note("import", file);
    const found = await this.#call(origin, `/bank-lines?search=file+${n}+line&limit=100`);
    if (found === null) return false;
    wish.lines = found.body.data
      .map((line: Json) => line.id as string)
      .sort((a: string, b: string) => (a < b ? -1 : 1));
    const payment = {
      customer: this.#customer,
      allocations: [{ invoice: this.#invoice, amount: APPLIED }],
      remainder: "customer_credit",
    };
    // A reversal makes its line open: to book it again would be another payment.
    if (wish.is_asked_back) return true;
    const lines = wish.lines?.map((bank_line) => ({ bank_line, payment }));
    const runs = await this.#atOnce(origins, "/bank-lines/book", { lines });
    if (runs === null) return false;
    for (const run of runs) {
      if (run.body.booked !== LINES) this.#note("book", run);
      const payments = run.body.outcomes?.map((one: Json) => one.payment_id) ?? [];
      this.#sameAsBefore(wish, "lines", payments.join());
      wish.payments = payments;
    }
    return true;
  }

  /** Records money without a line, applies some of it later, and takes that back of every third one. */
  async #pay(origins: readonly string[], wish: Wish): Promise<boolean> {
    const cash = await this.#atOnce(origins, "/payments", {
      external_id: `cash-${wish.n}`,
      customer: this.#customer,
      date: "2026-02-02",
      amount: CASH,
      allocations: [{ invoice: this.#invoice, amount: AT_ONCE }],
      remainder: "customer_credit",
    });
    if (cash === null) return false;
    for (const one of cash) this.#made(wish, "payment", one);
    const applied = await this.#atOnce(origins, "/allocations", {
      external_id: `later-${wish.n}`,
      payment: `ext:cash-${wish.n}`,
      invoice: this.#invoice,
      amount: LATER,
    });
    if (applied === null) return false;
    for (const one of applied) this.#made(wish, "allocation", one);
    if (wish.n % 3 !== 0 || wish.is_released) return true;
    const path = `/allocations/${wish.ids.get("allocation")}/reverse`;
    const released = await this.#atOnce(origins, path, { reason: "a mistake" });
    if (released === null) return false;
    wish.is_released = true;
    return this.#ended("release", released, "ALLOCATION_REVERSED");
  }

  /** Enters a debt that is overdue, and sends its reminder. */
  async #remind(origins: readonly string[], wish: Wish): Promise<boolean> {
    const [origin = ""] = origins;
    const name = `debtor-${wish.n}`;
    const customer = `ext:${name}`;
    const opening = {
      external_id: name,
      number: name,
      customer,
      due_date: "2026-01-15",
      amount: DEBT,
      counter_account: 6950,
    };
    if ((await this.#call(origin, "/customers", { external_id: name, name })) === null)
      return false;
    if ((await this.#call(origin, "/opening-items", opening)) === null) return false;
    const preview = await this.#call(origin, "/reminder-runs/preview", { customer });
    if (preview === null) return false;
    const [letter] = preview.body.rows ?? [];
    // It was sent before the services ended.
    if (letter === undefined) return true;
    const rows = [{ customer, currency: "DKK", agreed: letter.agreed }];
    const runs = await this.#atOnce(origins, "/reminder-runs", { rows });
    if (runs === null) return false;
    for (const run of runs) {
      if (run.body.issued !== 1) this.#note("remind", run);
      this.#sameAsBefore(wish, "reminder", run.body.outcomes?.[0]?.reminder_id);
    }
    return true;
  }

  async #takeBack(origins: readonly string[], wish: Wish): Promise<boolean> {
    if (wish.n % 2 === 1 || wish.is_taken_back) return true;
    const [first] = wish.payments ?? [];
    wish.is_asked_back = true;
    const path = `/payments/${first}/reverse`;
    const back = await this.#atOnce(origins, path, { reason: "came back" });
    if (back === null) return false;
    wish.is_taken_back = true;
    return this.#ended("reverse", back, "PAYMENT_REVERSED");
  }

  /** Makes a call twice at once, of each service one; null where one was not answered. */
  async #atOnce(origins: readonly string[], path: string, body: object): Promise<Json[] | null> {
    const [first = "", second = first] = origins;
    const replies = await Promise.all([first, second].map((one) => this.#call(one, path, body)));
    return replies.every((reply) => reply !== null) ? replies : null;
  }

  #made(wish: Wish, what: string, { status, body }: Json): void {
    if (status !== 200 && status !== 201) this.#note(what, { status, body });
    this.#sameAsBefore(wish, what, body.id);
  }

  /** Of two calls at once one may take back; a repeated one finds it done. */
  #ended(what: string, replies: readonly Json[], code: string): true {
    for (const { status, body } of replies) {
      if (status !== 200 && body.error?.code !== code) this.#note(what, { status, body });
    }
    if (replies.filter(({ status }) => status === 200).length > 1) {
      this.#note(`${what} twice`, replies[0]);
    }
    return true;
  }

  #sameAsBefore(wish: Wish, what: string, id: string): void {
    const before = wish.ids.get(what) ?? id;
    wish.ids.set(what, before);
    if (before !== id) this.#wrong.push(`${what} of ${wish.n} was ${before} and is ${id}`);
  }

  #note(what: string, { status, body }: Json): void {
    this.#wrong.push(`${what} ${status} ${JSON.stringify(body)}`);
  }

  async #expectEachLineOnce(rows: Rows): Promise<void> {
    const lines = await rows(
      `select l.id, l.state, l.payment_id,
         (select json_agg(p.id order by p.reversed_on nulls last) from payments p where p.bank_line_id = l.id) as payments
       from bank_lines l`,
    );
    expect(lines.length, this.count).toBe(this.#wishes.length * LINES);
    const known = new Map(lines.map((line) => [line.id, line]));
    for (const { n, lines: ids, payments, is_taken_back } of this.#wishes) {
      for (const [at, id] of (ids ?? []).entries()) {
        const is_open = is_taken_back && at === 0;
        expect(known.get(id), `file ${n}, ${this.count}`).toMatchObject({
          state: is_open ? "open" : "booked",
          payment_id: is_open ? null : payments?.[at],
          payments: [payments?.[at]],
        });
      }
    }
  }

  async #expectEachReminderOnce(rows: Rows): Promise<void> {
    const found = await rows(
      `select c.external_id as name, json_agg(r.id) as ids, count(d.id)::int as deliveries from reminders r
       join customers c on c.account_id = r.account_id and c.id = r.customer_id
       left join deliveries d on d.account_id = r.account_id and d.document_id = r.id group by 1`,
    );
    const known = new Map(found.map((row) => [row.name, row]));
    expect(found.length, this.count).toBe(this.#wishes.length);
    for (const { n, ids } of this.#wishes) {
      const sent = known.get(`debtor-${n}`);
      expect([sent?.ids.length, sent?.deliveries], `debtor ${n}, ${this.count}`).toEqual([1, 1]);
      // A run whose answer was lost is not repeated: its letter is not due any more.
      if (ids.has("reminder")) expect(sent?.ids).toEqual([ids.get("reminder")]);
    }
  }

  /** Entries of each kind are numbered from 1 on. */
  async #expectNoGap(rows: Rows): Promise<void> {
    const found = await rows(
      `select kind, count(*)::int as count, max(number)::int as last, count(distinct number)::int as numbers
       from ledger_entries where kind in ('payment', 'reminder', 'opening') group by kind order by kind`,
    );
    expect(found.map(({ kind }) => kind)).toEqual(["opening", "payment", "reminder"]);
    for (const { kind, count, last, numbers } of found) {
      expect([last, numbers], `${kind}, ${this.count}`).toEqual([count, count]);
    }
  }

  /** The program has the real day, on which payments were reversed. */
  async #expectBooksInOrder([origin = ""]: readonly string[]): Promise<void> {
    const got = async (path: string): Promise<Json> => (await this.#call(origin, path))?.body;
    const wished = this.#wishes.length;
    const booked = wished * LINES - this.#wishes.filter((one) => one.is_taken_back).length;
    const later = wished - this.#wishes.filter((one) => one.is_released).length;
    const paid = booked * APPLIED + wished * AT_ONCE + later * LATER;
    const received = booked * AMOUNT + wished * CASH;
    const shown = await got(`/invoices/${this.#invoice}/payment`);
    expect([shown.open, shown.paid], this.count).toEqual([GROSS - paid, paid]);
    const { accounts } = await got("/ledger/trial-balance");
    const closing = (wanted: number): number =>
      accounts.find(({ number }: Json) => number === wanted)?.closing ?? 0;
    expect([6480, 6190, 7410].map(closing), this.count).toEqual([
      received,
      GROSS - paid + wished * (DEBT + FEE),
      paid - received,
    ]);
    const found = await got("/ledger/verification?fresh=true");
    const faults = found.checks.filter(({ ok }: Json) => !ok);
    expect(faults, this.count).toEqual([]);
  }
}

/** Two lines of each file are equal. */
function fileOf(n: number): string {
  return camt({
    entries: Array.from({ length: LINES }, (_, at) => ({
      day: "2026-02-02",
      amount: `${AMOUNT}.00`,
      text: `file ${n} line ${Math.max(at, 1)}`,
    })),
  });
}
