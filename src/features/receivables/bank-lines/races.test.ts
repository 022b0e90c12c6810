/**
 * Calls at the same time that want the same money: each is done once or refused, nothing is open below 0, no number is missing, and the
 * books verify. Which call comes first is left to chance.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";

const { world, customer, issued, fullCredit, post } = useSales();
const ROUNDS = 4;

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
});

let count = 0;
const sent = (amount: number, fields: Json = {}): Json => {
  count += 1;
  return { external_id: `race-${count}`, date: "2026-03-05", amount, ...fields };
};
const pay = (amount: number, fields: Json = {}): Promise<Reply> =>
  world.rest("POST /payments", sent(amount, fields));
const kept = async (amount: number): Promise<Json> =>
  (await pay(amount, { customer: customer.id, remainder: "customer_credit" })).body;
const KEPT = { remainder: "customer_credit" };
const owed = (gross: number): Promise<Json> => issued([gross / 1.25], { issue_date: "2026-03-02" });
const openOf = async ({ id }: Json): Promise<number> =>
  (await world.done(`GET /invoices/${id}/payment`)).open;
const codeOf = ({ status, body }: Reply): string => (status < 300 ? "done" : body.error.code);

/** How often each answer came. */
function counted(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) counts[codeOf(reply)] = (counts[codeOf(reply)] ?? 0) + 1;
  return counts;
}

const times = <Result>(n: number, work: (at: number) => Result): Result[] =>
  Array.from({ length: n }, (_, at) => work(at));

/** Imports lines of one day. */
async function imported(day: string, amounts: readonly string[]): Promise<Json[]> {
  const entries = amounts.map((amount, at) => ({ day, amount, text: `line ${at}` }));
  await sendBankFile(world, camt({ entries }));
  return (await world.done(`GET /bank-lines?from=${day}&to=${day}&limit=100`)).data;
}

const book = (line: Json): Promise<Reply> => world.rest("POST /bank-lines/book", { lines: [line] });

afterEach(async () => {
  const found = await world.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
});

describe("at the same time", () => {
  it("twenty payments of one invoice pay it once", async () => {
    const invoice = await owed(1000);
    const replies = await Promise.all(
      times(20, () => pay(400, { allocations: [{ invoice: invoice.id, amount: 400 }] })),
    );
    expect(counted(replies)).toEqual({ done: 2, PAYMENT_EXCEEDS_OPEN: 18 });
    expect(await openOf(invoice)).toBe(200);
  });

  it("a payment, the reversal of another and a credit note never take more than there is", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const invoice = await owed(800);
      const allocations = [{ invoice: invoice.id }];
      const { body: first } = await pay(800, { allocations });
      const [reversed, credit, payment] = await Promise.all([
        world.rest(`POST /payments/${first.id}/reverse`, { reason: "came back" }),
        post(fullCredit(invoice)),
        pay(800, { allocations }),
      ]);
      expect([codeOf(reversed), codeOf(credit)]).toEqual(["done", "done"]);
      expect(["done", "PAYMENT_EXCEEDS_OPEN"]).toContain(codeOf(payment));
      const shown = await world.done(`GET /invoices/${invoice.id}/payment`);
      expect(shown.gross).toBe(shown.paid + shown.credited + shown.open);
      expect(shown.paid).toBe(codeOf(payment) === "done" ? 800 - shown.credited : 0);
    }
  });

  it("one file of a bank is imported once", async () => {
    const entries = times(5, (at) => ({
      day: "2026-02-05",
      amount: "10.00",
      text: `in ${at % 2}`,
    }));
    const replies = await Promise.all(times(8, () => sendBankFile(world, camt({ entries }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([...times(7, () => 200), 201]);
    const { data } = await world.done("GET /bank-lines?from=2026-02-05&to=2026-02-05");
    expect(data).toHaveLength(5);
  });

  it("twenty allocations of one credit use it once", async () => {
    const [money, invoice] = [await kept(1000), await owed(5000)];
    const replies = await Promise.all(
      times(20, (at) =>
        world.rest("POST /allocations", {
          external_id: `credit-${at}`,
          payment: money.id,
          invoice: invoice.id,
          amount: 400,
        }),
      ),
    );
    expect(counted(replies)).toEqual({ done: 2, CREDIT_EXCEEDS_OPEN: 18 });
    expect(await openOf(invoice)).toBe(4200);
  });

  it("an allocation and the reversal of its payment are both done, or the allocation is refused", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [money, invoice] = [await kept(500), await owed(500)];
      const [allocated, reversed] = await Promise.all([
        world.rest("POST /allocations", {
          external_id: `against-${round}`,
          payment: money.id,
          invoice: invoice.id,
        }),
        world.rest(`POST /payments/${money.id}/reverse`, { reason: "came back" }),
      ]);
      expect(codeOf(reversed)).toBe("done");
      expect(["done", "CREDIT_EXCEEDS_OPEN"]).toContain(codeOf(allocated));
      expect(await openOf(invoice)).toBe(500);
    }
  });

  it("a credit note and a payment of one invoice never take more than it has", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const invoice = await owed(800);
      const [credit, payment] = await Promise.all([
        post(fullCredit(invoice)),
        pay(800, { allocations: [{ invoice: invoice.id }] }),
      ]);
      expect(codeOf(credit)).toBe("done");
      expect(["done", "PAYMENT_EXCEEDS_OPEN"]).toContain(codeOf(payment));
      const { open, paid, credited } = await world.done(`GET /invoices/${invoice.id}/payment`);
      expect([open, paid + credited]).toEqual([0, 800]);
    }
  });

  it("payments of the same invoices in any order wait for each other", async () => {
    const invoices = await Promise.all(times(4, () => owed(1000)));
    const replies = await Promise.all(
      times(16, (at) => {
        const order = [...invoices.slice(at % 4), ...invoices.slice(0, at % 4)];
        if (at % 2 === 1) order.reverse();
        return pay(250, { allocations: order.map(({ id }) => ({ invoice: id })) });
      }),
    );
    expect(counted(replies)).toEqual({ done: 16 });
    expect(await Promise.all(invoices.map(openOf))).toEqual([0, 0, 0, 0]);
  });

  it("a line that is booked twenty times is one payment", async () => {
    const [invoice, [line]] = [await owed(900), await imported("2026-02-01", ["900.00"])];
    const asked = { bank_line: line?.id, payment: { allocations: [{ invoice: invoice.id }] } };
    const replies = await Promise.all(times(20, () => book(asked)));
    const payments = replies.map(({ body }) => body.outcomes[0].payment_id);
    expect(new Set(payments).size).toBe(1);
    expect((await world.done(`GET /payments?invoice=${invoice.id}`)).data).toHaveLength(1);
    expect(await openOf(invoice)).toBe(0);
  });

  it("a line that is booked as two things is one of them", async () => {
    const [[line], ...invoices] = [
      await imported("2026-02-02", ["700.00"]),
      await owed(700),
      await owed(700),
    ];
    const replies = await Promise.all(
      invoices.map(({ id }) =>
        book({ bank_line: line?.id, payment: { allocations: [{ invoice: id }] } }),
      ),
    );
    const outcomes = replies.map(({ body }) => body.outcomes[0].code ?? "booked");
    expect(outcomes.sort()).toEqual(["BANK_LINE_BOOKED", "booked"]);
    const open = await Promise.all(invoices.map(openOf));
    expect(open.sort()).toEqual([0, 700]);
  });

  it("many lines of one invoice pay it once, and all others are refused", async () => {
    const invoice = await owed(300);
    const lines = await imported(
      "2026-02-03",
      times(10, () => "300.00"),
    );
    const replies = await Promise.all(
      lines.map(({ id }) =>
        book({ bank_line: id, payment: { allocations: [{ invoice: invoice.id }] } }),
      ),
    );
    const codes = replies.map(({ body }) => body.outcomes[0].code ?? "booked").sort();
    expect(codes).toEqual([...times(9, () => "PAYMENT_EXCEEDS_OPEN"), "booked"]);
  });

  it("returns in a run with payments wait for what is applied meanwhile, and meet no deadlock", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second, third] = [await owed(310), await owed(320), await owed(330)];
      const day = `2026-01-1${round}`;
      const lines = await imported(day, ["310.00", "320.00", "330.00", "-310.00", "-320.00"]);
      const idOf = (amount: number) => lines.find((line) => line.amount === amount)?.id;
      const paying = (amount: number, invoices: readonly Json[]): Json => ({
        bank_line: idOf(amount),
        payment: {
          customer: customer.id,
          allocations: invoices.map(({ id }) => ({ invoice: id })),
          remainder: "customer_credit",
        },
      });
      const paid = await Promise.all([book(paying(310, [])), book(paying(320, [second]))]);
      const [one, two] = paid.map(({ body }) => body.outcomes[0].payment_id);
      const returns = [
        { bank_line: idOf(-320), reverse: two },
        { bank_line: idOf(-310), reverse: one },
      ];
      const applied = { external_id: `meanwhile-${round}`, payment: one, invoice: third.id };
      const [run] = await Promise.all([
        world.rest("POST /bank-lines/book", { lines: [paying(330, [first]), ...returns] }),
        world.rest("POST /allocations", applied),
        pay(300, { allocations: [{ invoice: second.id }], ...KEPT }),
      ]);
      expect(run.body.outcomes.map(({ code }: Json) => code)).toEqual([null, null, null]);
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const [{ deadlocks } = {}] = await world.sql(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    expect(deadlocks).toBe(0);
  });

  it("a line is booked again while its payment is reversed, and is then one payment or none", async () => {
    const invoice = await owed(450);
    const [line] = await imported("2026-02-04", ["450.00"]);
    const asked = { bank_line: line?.id, payment: { allocations: [{ invoice: invoice.id }] } };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { body } = await book(asked);
      const [{ payment_id, state }] = body.outcomes;
      expect(state).toBe("booked");
      await Promise.all([
        world.rest(`POST /payments/${payment_id}/reverse`, { reason: "wrong" }),
        book(asked),
        book(asked),
      ]);
      const { data } = await world.done(`GET /payments?invoice=${invoice.id}&status=booked`);
      const shown = await world.done(`GET /bank-lines/${line?.id}`);
      expect(data.map(({ id }: Json) => id)).toEqual(
        shown.payment_id === null ? [] : [shown.payment_id],
      );
    }
  });
});
