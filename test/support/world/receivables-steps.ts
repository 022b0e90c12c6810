/**
 * The steps of a random history of receivables: each is sent to the service and foretold by the oracle. Amounts are whole minor units,
 * days are numbers from the first of March.
 */

import { RandomLetters } from "./receivables-letters.ts";
import { NEVER, nearest, Oracle, type OracleItem, type OraclePart } from "./receivables-oracle.ts";
import {
  CURRENCIES,
  DAYS_TO_PAY,
  type Done,
  dayOf,
  gainOf,
  inBooks,
  moneyOf,
  numberOf,
  openReceivables,
  pick,
  type Step,
  shown,
  smaller,
  unitsOf,
} from "./receivables-play.ts";
import type { Json, Reply, World } from "./world.ts";

export class RandomReceivables {
  readonly oracle = new Oracle();
  readonly #world: World;
  readonly #customers: readonly string[];
  readonly #product: string;
  readonly #lines = new Map<string, { readonly line: string; readonly net: bigint }>();
  readonly #key: string;
  readonly #letters: RandomLetters;
  readonly account_id: string;
  today = 12;
  locked = -1;
  #count = 0;

  private constructor(world: World, account: Json) {
    this.#world = world;
    this.account_id = account.account_id;
    this.#key = account.keys.read_write;
    this.#customers = account.customers;
    this.#product = account.product;
    this.#letters = new RandomLetters(this.oracle, (call, body) =>
      world.rest(call, body, this.#key),
    );
  }

  static async begin(world: World): Promise<RandomReceivables> {
    const history = new RandomReceivables(world, await openReceivables(world));
    history.setToday(history.today);
    return history;
  }

  setToday(day: number): void {
    this.today = day;
    this.#world.clock.set(`${dayOf(day)}T10:00:00Z`);
  }

  done(call: string): Promise<Json> {
    return this.#world.done(call, undefined, this.#key);
  }

  /** Does a step; null where there is nothing that it could concern. */
  async act(step: Step): Promise<Done | null> {
    this.#count += 1;
    const day = Math.max(0, this.today - step.back);
    switch (step.what) {
      case "days":
        this.setToday(Math.min(this.today + 1 + step.back, 80));
        return null;
      case "close": {
        this.locked = Math.max(this.locked, this.today - 2 - step.back);
        const lock = { period_lock_date: dayOf(this.locked) };
        await this.#world.done("PATCH /configuration", lock, this.#key);
        return null;
      }
      case "invoice":
        return this.#invoice(step, day);
      case "credit":
        return this.#credit(step, day);
      case "refund":
        return this.#refund(step, day);
      case "allocation":
        return this.#allocate(step);
      case "reversal":
        return this.#reverse(step);
      case "release":
        return this.#release(step);
      case "opening":
        return this.#opening(step, day);
      case "remind":
        return this.#letters.send(this.today);
      case "cancel":
        return this.#letters.cancel(step, this.today);
      default:
        return this.#pay(step, day);
    }
  }

  #items(wanted: (item: OracleItem) => boolean): readonly OracleItem[] {
    return this.oracle.items.filter(wanted);
  }

  #post(path: string, body: Json): Promise<Reply> {
    const external_id = `step-${this.#count}`;
    return this.#world.rest(`POST ${path}`, { external_id, ...body }, this.#key);
  }

  async #invoice({ which, other, share }: Step, day: number): Promise<Done> {
    const currency = pick(CURRENCIES, other) ?? "DKK";
    const customer = pick(this.#customers, which) ?? "";
    const net = nearest(unitsOf(currency) * BigInt(10_000 + share * 337), 100n);
    const draft = await this.#post("/invoices", {
      customer_id: customer,
      currency,
      issue_date: dayOf(day),
      auto_send: false,
      lines: [
        {
          product_id: this.#product,
          recognition_method: "value",
          agreed_value: shown(net, currency),
        },
      ],
    });
    const path = `POST /invoices/${draft.body.id}/issue`;
    const reply = await this.#world.rest(path, {}, this.#key);
    if (day <= this.locked) return { reply, is_foretold: false };
    const { id } = draft.body;
    const gross = net + nearest(net * 25n, 100n);
    const { functional } = await this.#booked(id);
    this.#lines.set(id, { line: draft.body.lines[0].id, net });
    const item = {
      id,
      kind: "invoice",
      customer,
      due: day + DAYS_TO_PAY,
      is_credit: false,
      day,
      currency,
      amount: gross,
      functional,
    };
    this.oracle.add(item, 0);
    return { reply, is_foretold: true };
  }

  async #credit({ which, share }: Step, day: number): Promise<Done | null> {
    const invoice = pick(
      this.#items(({ kind }) => kind === "invoice"),
      which,
    );
    if (invoice === undefined) return null;
    const { line, net } = this.#lines.get(invoice.id) ?? { line: "", net: 0n };
    const amount = (net * BigInt(share)) / 1500n;
    const { currency } = invoice;
    const reply = await this.#post("/credit-notes", {
      invoice: invoice.id,
      kind: "partial",
      credit_date: dayOf(Math.max(day, this.locked + 1)),
      lines: [{ invoice_line_id: line, amount: shown(amount, currency) }],
    });
    if (reply.status >= 300) return { reply, is_foretold: false };
    const { id, credit_date } = reply.body;
    const { gross, functional } = await this.#booked(id);
    const fields = {
      id,
      kind: "credit_note",
      customer: invoice.customer,
      due: null,
      is_credit: true,
      currency,
      amount: gross,
      functional,
    };
    if (gross === 0n) return { reply, is_foretold: true };
    const credit = this.oracle.add({ ...fields, day: numberOf(credit_date) }, 0);
    const { open } = this.oracle.openAtLast(invoice);
    const taken = open < gross ? open : gross;
    if (taken > 0n) this.oracle.allocate(invoice, credit, taken, 0n, 0, true);
    return { reply, is_foretold: true };
  }

  /** The gross amount of a document, and what it posted on receivables. */
  async #booked(guid: string): Promise<{ gross: bigint; functional: bigint }> {
    const [row] = await this.#world.sql(
      `select d.gross::text, coalesce(abs(sum(p.amount)), 0)::text as functional from issued_documents d
       left join ledger_entries e on e.account_id = d.account_id and e.guid = d.document_id
       left join ledger_postings p on p.account_id = e.account_id and p.entry_no = e.entry_no and p.account_number = 6190
       where d.account_id = $1 and d.document_id = $2 group by d.gross`,
      [this.account_id, guid],
    );
    return { gross: BigInt(row?.gross ?? 0), functional: BigInt(row?.functional ?? 0) };
  }

  async #opening({ which, other, share }: Step, day: number): Promise<Done> {
    const currency = pick(CURRENCIES, other) ?? "DKK";
    const [is_credit, due] = [which % 2 === 0, day - (other % 40)];
    const customer = pick(this.#customers, which) ?? "";
    const amount = nearest(unitsOf(currency) * BigInt(5000 + share * 100), 100n);
    const reply = await this.#post("/opening-items", {
      number: `A-${this.#count}`,
      customer,
      date: dayOf(day),
      due_date: dayOf(due),
      currency,
      amount: shown(amount, currency),
      counter_account: 6950,
      is_credit,
    });
    if (day <= this.locked) return { reply, is_foretold: false };
    const functional = inBooks(amount, currency, day);
    const { id } = reply.body;
    const fields = { id, customer, due: is_credit ? null : due, is_credit, day, currency };
    this.oracle.add({ ...fields, kind: "opening", amount, functional }, 6950);
    return { reply, is_foretold: true };
  }

  async #pay({ what, which, other, share }: Step, day: number): Promise<Done | null> {
    const debts = this.#items((item) => !item.is_credit && item.kind !== "refund");
    const first = pick(debts, which);
    if (first === undefined) return null;
    const { currency } = first;
    const same = debts.filter((item) => item.currency === currency && item !== first);
    const second = other % 3 === 0 ? pick(same, other) : undefined;
    const credits = this.#items((item) => item.is_credit && item.currency === currency);
    const credit =
      what === "mixed"
        ? pick(
            credits.filter(({ kind }) => kind === "credit_note"),
            other,
          )
        : undefined;
    const amount = (first.amount * BigInt(share)) / 1000n;
    if (amount === 0n) return null;
    const most = Number(unitsOf(currency));
    const rounding = what === "named" ? BigInt((other % (2 * most + 1)) - most) : 0n;
    const parts: OraclePart[] = [];
    if (credit !== undefined) parts.push({ item: first, credit, amount: null, rounding: 0n });
    if (what !== "prepayment") {
      const named =
        what === "named" ? smaller(amount, this.oracle.openAtLast(first).open - rounding) : null;
      if (named !== null && (named <= 0n || named + rounding <= 0n)) return null;
      parts.push({ item: first, credit: null, amount: named, rounding });
      if (second !== undefined)
        parts.push({ item: second, credit: null, amount: null, rounding: 0n });
    }
    const fee = other % 5 === 0 ? 25n : 0n;
    const is_foreign = currency !== "DKK";
    const bank = is_foreign ? inBooks(amount, currency, 0) + 100n : amount - fee;
    if (bank <= 0n) return null;
    const keeps_rest = other % 4 !== 0;
    const body = {
      date: dayOf(day),
      amount: shown(amount, currency),
      currency,
      customer: pick(this.#customers, which),
      fee: shown(fee, "DKK"),
      remainder: keeps_rest ? "customer_credit" : "refuse",
      allocations: parts.map((part) => ({
        [part.item.kind]: part.item.id,
        ...(part.credit && { credit_note: part.credit.id }),
        ...(part.amount !== null && { amount: shown(part.amount, currency) }),
        ...(part.rounding !== 0n && { rounding: shown(part.rounding, currency) }),
      })),
      ...(is_foreign && { bank_amount: shown(bank, "DKK") }),
    };
    const item = moneyOf("payment", day, currency, amount, bank + fee);
    return this.#send(item, { bank, fee }, parts, keeps_rest, body);
  }

  async #refund({ which, share }: Step, day: number): Promise<Done | null> {
    const credit = pick(
      this.#items(({ is_credit }) => is_credit),
      which,
    );
    if (credit === undefined) return null;
    const { currency } = credit;
    const amount = nearest(unitsOf(currency) * BigInt(100 + share * 10), 100n);
    const is_foreign = currency !== "DKK";
    const bank = is_foreign ? inBooks(amount, currency, 0) + 100n : amount;
    const body = {
      kind: "refund",
      date: dayOf(day),
      amount: shown(amount, currency),
      customer: pick(this.#customers, which),
      allocations: [{ [credit.kind]: credit.id }],
      ...(is_foreign && { bank_amount: shown(bank, "DKK") }),
    };
    const parts = [{ item: credit, credit: null, amount: null, rounding: 0n }];
    const item = moneyOf("refund", day, currency, amount, bank);
    return this.#send(item, { bank, fee: 0n }, parts, false, body);
  }

  /** Sends money, and lets the oracle record the same. */
  async #send(
    item: OracleItem,
    money: { readonly bank: bigint; readonly fee: bigint },
    parts: readonly OraclePart[],
    keeps_rest: boolean,
    body: Json,
  ): Promise<Done> {
    const reply = await this.#post("/payments", body);
    if (item.day <= this.locked) return { reply, is_foretold: false };
    const paid = this.oracle.pay({ item, ...money }, parts, keeps_rest);
    if (paid === null) return { reply, is_foretold: false };
    item.id = reply.body.id;
    const { currency } = item;
    const difference = paid.own.reduce((sum, take) => sum + gainOf(take), 0n);
    const expected = {
      unallocated: shown(paid.rest, currency),
      exchange_difference: shown(difference, "DKK"),
      functional_amount: shown(item.functional, "DKK"),
      allocations: paid.own.map(({ amount }) => shown(amount, currency)).sort(),
    };
    return { reply, is_foretold: true, expected };
  }

  async #allocate({ which, other, share }: Step): Promise<Done | null> {
    const credit = pick(
      this.#items(({ is_credit }) => is_credit),
      which,
    );
    const debit = pick(
      this.#items(({ is_credit, kind, currency }) => {
        const is_debt = !is_credit && kind !== "refund" && currency === credit?.currency;
        return is_debt && !(kind === "opening" && credit?.kind === "opening");
      }),
      other,
    );
    if (credit === undefined || debit === undefined) return null;
    const { currency } = credit;
    const named = share < 600 ? nearest(unitsOf(currency) * BigInt(100 + share * 5), 100n) : null;
    const reply = await this.#post("/allocations", {
      [credit.kind]: credit.id,
      [debit.kind]: debit.id,
      ...(named !== null && { amount: shown(named, currency) }),
    });
    const amount =
      named ?? smaller(this.oracle.openAtLast(debit).open, this.oracle.openAtLast(credit).open);
    const take = this.oracle.allocate(debit, credit, amount, 0n, this.locked + 1);
    if (take === null) return { reply, is_foretold: false };
    const expected = {
      date: dayOf(take.day),
      amount: shown(amount, currency),
      functional_amount: shown(take.debit_functional, "DKK"),
      exchange_difference: shown(gainOf(take), "DKK"),
    };
    return { reply, is_foretold: true, expected };
  }

  async #reverse({ which, other }: Step): Promise<Done | null> {
    const payment = pick(this.oracle.payments, which);
    if (payment === undefined) return null;
    const charge = other % 4 === 0 ? 500n : 0n;
    const path = `/payments/${payment.item.id}/reverse`;
    const body = { reason: "random", fee: shown(charge, "DKK") };
    const reply = await this.#world.rest(`POST ${path}`, body, this.#key);
    const day = this.oracle.reverse(payment, this.today, charge);
    if (day === null) return { reply, is_foretold: false };
    return { reply, is_foretold: true, expected: { reversed_on: dayOf(day), unallocated: 0 } };
  }

  async #release({ which }: Step): Promise<Done | null> {
    const { data } = await this.done("GET /allocations?limit=100");
    const asked = pick<Json>(data, which);
    if (asked === undefined) return null;
    const { id, debit, credit, currency, amount, date, reversed_on } = asked;
    const reply = await this.#world.rest(
      `POST /allocations/${id}/reverse`,
      { reason: "random" },
      this.#key,
    );
    if (reversed_on !== null || debit.kind === "refund") return { reply, is_foretold: false };
    const take = this.oracle.takes.find(
      (one) =>
        one.debit.id === debit.id &&
        one.credit.id === credit.id &&
        shown(one.amount, currency) === amount &&
        dayOf(one.day) === date &&
        one.until === NEVER,
    );
    if (take === undefined)
      throw new Error(`the oracle has no allocation ${JSON.stringify(asked)}`);
    const day = this.oracle.release(take, this.today);
    return { reply, is_foretold: true, expected: { reversed_on: dayOf(day) } };
  }
}
