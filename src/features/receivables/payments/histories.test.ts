/**
 * Random histories of receivables: invoices in three currencies, credits, payments, refunds, allocations, reversals and opening items,
 * back-dated and in any order. After every step, on every day: open items add up to the books, nothing is open below 0, and no day has
 * changed before the first date of what the step made.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, type Reply, useWorld } from "../../../../test/support/world/world.ts";

const HISTORIES = Number(process.env.TEST_HISTORIES ?? 3);
const STEPS = 30;
const START = "2026-03-01";
/** The last day that is looked at. */
const END = "2026-05-31";

const world = useWorld();

/** A step: what is done, which of the known documents it concerns, and how much of them. */
interface Step {
  readonly what: (typeof KINDS)[number];
  readonly which: number;
  readonly other: number;
  /** Thousandths of what is open or of a usual amount. */
  readonly share: number;
  /** Days before today. */
  readonly back: number;
}

const KINDS = [
  "invoice",
  "invoice",
  "credit",
  "payment",
  "payment",
  "prepayment",
  "refund",
  "allocation",
  "reversal",
  "release",
  "opening",
  "days",
] as const;

const stepOf: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...KINDS),
  which: fc.nat(1000),
  other: fc.nat(1000),
  share: fc.integer({ min: 1, max: 1300 }),
  back: fc.nat(6),
});

/** What an account has, by its ids, and the day that it is. */
interface Known {
  readonly customers: readonly string[];
  readonly product: string;
  readonly key: string;
  readonly account_id: string;
  today: number;
  count: number;
  readonly invoices: { id: string; line: string; net: number; currency: string }[];
  readonly credits: { id: string; kind: "credit_note" | "payment" | "opening"; currency: string }[];
  readonly payments: string[];
  readonly openings: { id: string; currency: string }[];
}

const DAY_MS = 86_400_000;
const dayOf = (number: number): string =>
  new Date(Date.parse(START) + number * DAY_MS).toISOString().slice(0, 10);

const RATES = { DKK: 1, EUR: 7.4613, JPY: 0.0437 } as const;
const CURRENCIES = ["DKK", "EUR", "JPY"] as const;
const digitsOf = (currency: string): number => (currency === "JPY" ? 0 : 2);
const rounded = (amount: number, currency: string): number =>
  Number(amount.toFixed(digitsOf(currency)));

async function begin(): Promise<Known> {
  const { account_id, keys } = await world.openAnother();
  const key = keys.read_write;
  const done = (call: string, body?: Json): Promise<Json> => world.done(call, body, key);
  for (const currency of ["EUR", "JPY"] as const) {
    await done(`PUT /exchange-rates/${currency}/2026-01-01`, { rate: RATES[currency] });
    const later = Number((RATES[currency] * 1.01).toFixed(6));
    await done(`PUT /exchange-rates/${currency}/2026-03-20`, { rate: later });
  }
  const customers = [await done("POST /customers", { name: "Acme" })];
  customers.push(await done("POST /customers", { name: "Other" }));
  const product = await done("POST /products", { name: "Work", default_price: 100 });
  return {
    customers: customers.map(({ id }) => id),
    product: product.id,
    key,
    account_id,
    today: 9,
    count: 0,
    invoices: [],
    credits: [],
    payments: [],
    openings: [],
  };
}

const pick = <Row>(rows: readonly Row[], at: number): Row | undefined => rows[at % rows.length];

/** Does a step; the reply is undefined where there is nothing that it could concern. */
async function act(known: Known, step: Step): Promise<Reply | undefined> {
  known.count += 1;
  const external_id = `step-${known.count}`;
  const date = dayOf(Math.max(0, known.today - step.back));
  const rest = (call: string, body: Json): Promise<Reply> => world.rest(call, body, known.key);
  const customer = pick(known.customers, step.which) ?? "";
  switch (step.what) {
    case "days":
      known.today += 1 + (step.back % 4);
      world.clock.set(`${dayOf(known.today)}T10:00:00Z`);
      return undefined;
    case "invoice": {
      const currency = pick(CURRENCIES, step.other) ?? "DKK";
      const net = rounded(100 + step.share * 3.37, currency);
      const line = { product_id: known.product, recognition_method: "value", agreed_value: net };
      const draft = {
        customer_id: customer,
        currency,
        issue_date: date,
        auto_send: false,
        lines: [line],
      };
      const { body } = await rest("POST /invoices", draft);
      const reply = await rest(`POST /invoices/${body.id}/issue`, {});
      if (reply.status === 200) {
        known.invoices.push({ id: body.id, line: body.lines[0].id, net, currency });
      }
      return reply;
    }
    case "credit": {
      const invoice = pick(known.invoices, step.which);
      if (invoice === undefined) return undefined;
      const amount = rounded((invoice.net * step.share) / 1500, invoice.currency);
      const reply = await rest("POST /credit-notes", {
        external_id,
        invoice: invoice.id,
        kind: "partial",
        credit_date: date,
        lines: [{ invoice_line_id: invoice.line, amount }],
      });
      if (reply.status < 300) {
        known.credits.push({ id: reply.body.id, kind: "credit_note", currency: invoice.currency });
      }
      return reply;
    }
    case "payment":
    case "prepayment": {
      const invoice = pick(known.invoices, step.which);
      if (invoice === undefined) return undefined;
      const { currency } = invoice;
      const second = known.invoices.find(
        (one) => one.currency === currency && one.id !== invoice.id && step.other % 3 === 0,
      );
      const allocations = step.what === "prepayment" ? [] : [invoice, ...(second ? [second] : [])];
      const amount = rounded((invoice.net * 1.25 * step.share) / 1000, currency);
      const reply = await rest("POST /payments", {
        external_id,
        date,
        amount,
        currency,
        customer,
        fee: step.other % 5 === 0 ? 0.25 : 0,
        remainder: "customer_credit",
        allocations: allocations.map(({ id }) => ({ invoice: id })),
        ...(currency !== "DKK" && {
          bank_amount: rounded(amount * RATES[currency as "EUR"] * 1.003 + 1, "DKK"),
        }),
      });
      if (reply.status < 300) {
        known.payments.push(reply.body.id);
        known.credits.push({ id: reply.body.id, kind: "payment", currency });
      }
      return reply;
    }
    case "refund": {
      const credit = pick(known.credits, step.which);
      if (credit === undefined) return undefined;
      const amount = rounded(1 + step.share / 10, credit.currency);
      const bank_amount = rounded(amount * RATES[credit.currency as "EUR"] + 1, "DKK");
      const reply = await rest("POST /payments", {
        external_id,
        kind: "refund",
        date,
        amount,
        customer,
        allocations: [{ [credit.kind]: credit.id }],
        ...(credit.currency !== "DKK" && { bank_amount }),
      });
      if (reply.status < 300) known.payments.push(reply.body.id);
      return reply;
    }
    case "allocation": {
      const credit = pick(known.credits, step.which);
      const debits = [
        ...known.invoices.map((one) => ({ ...one, kind: "invoice" })),
        ...(credit?.kind === "opening"
          ? []
          : known.openings.map((one) => ({ ...one, kind: "opening" }))),
      ].filter(({ currency }) => currency === credit?.currency);
      const debit = pick(debits, step.other);
      if (credit === undefined || debit === undefined) return undefined;
      return rest("POST /allocations", {
        external_id,
        [credit.kind]: credit.id,
        [debit.kind]: debit.id,
        ...(step.share < 600 && { amount: rounded(1 + step.share / 20, credit.currency) }),
      });
    }
    case "reversal": {
      const id = pick(known.payments, step.which);
      if (id === undefined) return undefined;
      const fee = step.other % 4 === 0 ? 5 : 0;
      return rest(`POST /payments/${id}/reverse`, { reason: "random", fee });
    }
    case "release": {
      const { data } = await world.done("GET /allocations?limit=100", undefined, known.key);
      const allocation = pick<Json>(data, step.which);
      if (allocation === undefined) return undefined;
      return rest(`POST /allocations/${allocation.id}/reverse`, { reason: "random" });
    }
    case "opening": {
      const currency = pick(CURRENCIES, step.other) ?? "DKK";
      const is_credit = step.which % 2 === 0;
      const reply = await rest("POST /opening-items", {
        external_id,
        number: `A-${known.count}`,
        customer,
        date,
        due_date: "2026-02-01",
        currency,
        amount: rounded(50 + step.share, currency),
        counter_account: 6950,
        is_credit,
      });
      if (reply.status < 300) {
        const { id } = reply.body;
        if (is_credit) known.credits.push({ id, kind: "opening", currency });
        else known.openings.push({ id, currency });
      }
      return reply;
    }
  }
}

/** What is open on a day, as a text, and how far the two accounts are from it. */
interface DayState {
  readonly open: string;
  readonly receivables: bigint;
  readonly credit: bigint;
  readonly least: bigint;
}

async function daysOf(account_id: string): Promise<Map<string, DayState>> {
  const rows = await world.sql(
    `with days as (select d::date as day from generate_series($2::date, $3::date, '1 day') d),
     items as (
       select d.day, i.id, i.kind, i.is_credit,
         case when i.ended_on <= d.day then 0 else i.amount - t.amount end as open,
         case when i.ended_on <= d.day then 0 else i.functional - t.functional end as functional
       from days d join open_items i on i.account_id = $1 and i.date <= d.day
       cross join lateral (
         select coalesce(sum(case when i.is_credit then a.amount else a.amount + a.rounding end), 0) as amount,
           coalesce(sum(case when i.is_credit then a.credit_functional else a.debit_functional end), 0) as functional
         from allocations a where a.account_id = $1 and i.id in (a.debit_id, a.credit_id)
           and a.date <= d.day and (a.reversed_on is null or a.reversed_on > d.day)) t),
     books as (
       select e.entry_date as date, p.account_number, sum(p.amount) as amount
       from ledger_postings p join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
       where p.account_id = $1 and p.account_number in (6190, 7410) group by 1, 2)
     select d.day::text as day,
       coalesce(string_agg(i.id || ' ' || i.open || ' ' || i.functional, ',' order by i.id) filter (where i.open <> 0), '') as open,
       coalesce(min(least(i.open, i.functional)), 0)::bigint as least,
       (coalesce(sum(case when i.kind in ('payment', 'refund') then 0 when i.is_credit then -i.functional else i.functional end), 0)
         - (select coalesce(sum(b.amount), 0) from books b where b.account_number = 6190 and b.date <= d.day))::bigint as receivables,
       (coalesce(sum(case when i.kind = 'payment' then -i.functional when i.kind = 'refund' then i.functional else 0 end), 0)
         - (select coalesce(sum(b.amount), 0) from books b where b.account_number = 7410 and b.date <= d.day))::bigint as credit
     from days d left join items i on i.day = d.day group by d.day order by d.day`,
    [account_id, START, END],
  );
  return new Map(rows.map(({ day, ...state }) => [day, state as unknown as DayState]));
}

/** The first date of what an account has got since a number of events, items and allocations. */
async function firstDateSince(account_id: string, moment: string): Promise<string> {
  const [row] = await world.sql(
    `select least(
       (select min(date) from open_items where account_id = $1 and updated_at > $2),
       (select min(least(date, reversed_on)) from allocations where account_id = $1 and created_at > $2),
       (select min(entry_date) from ledger_entries where account_id = $1 and registered_at > $2),
       (select min(reversed_on) from allocations where account_id = $1 and updated_at > $2 and reversed_on is not null))::text as day`,
    [account_id, moment],
  );
  return row?.day ?? END;
}

const EXPECTED = new Set([
  "PAYMENT_EXCEEDS_OPEN",
  "CREDIT_EXCEEDS_OPEN",
  "PAYMENT_REVERSED",
  "PAYMENT_REFUNDED",
  "ALLOCATION_REVERSED",
  "INVOICE_FULLY_CREDITED",
  "CREDIT_EXCEEDS_LINE",
  "VALIDATION_FAILED",
]);

async function play(steps: readonly Step[]): Promise<void> {
  const known = await begin();
  world.clock.set(`${dayOf(known.today)}T10:00:00Z`);
  let before = await daysOf(known.account_id);
  for (const step of steps) {
    const [{ moment }] = (await world.sql("select clock_timestamp()::text as moment")) as [Json];
    const reply = await act(known, step);
    const said = `${JSON.stringify(step)} ${reply?.status} ${JSON.stringify(reply?.body?.error ?? {})}`;
    if (reply !== undefined && reply.status >= 300) {
      expect(EXPECTED.has(reply.body.error.code), said).toBe(true);
    }
    const after = await daysOf(known.account_id);
    const first = await firstDateSince(known.account_id, moment);
    for (const [day, state] of after) {
      const { receivables, credit, least } = state;
      expect([receivables, credit], `${day} ${said}`).toEqual([0n, 0n]);
      expect(least >= 0n, `${day} ${said}`).toBe(true);
      if (day < first) expect(state.open, `${day} changed by ${said}`).toBe(before.get(day)?.open);
    }
    before = after;
  }
  const found = await world.done("GET /ledger/verification?fresh=true", undefined, known.key);
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
}

describe("a random history", () => {
  it("has open items that meet the books on every day, and never changes an earlier day", async () => {
    const seed = Number(process.env.TEST_HISTORY_SEED ?? Date.now() % 1_000_000);
    const histories = fc.sample(fc.array(stepOf, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: HISTORIES,
      seed,
    });
    for (const [at, steps] of histories.entries()) {
      await play(steps).catch((error) => {
        throw new Error(`TEST_HISTORY_SEED=${seed}, history ${at}: ${error.message}`, {
          cause: error,
        });
      });
    }
  });
});
