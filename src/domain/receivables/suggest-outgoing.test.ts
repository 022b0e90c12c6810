/** What money out probably is. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import {
  type BookedPayment,
  type OpenCredit,
  type OutgoingLine,
  suggestOutgoing,
} from "./suggest-outgoing.ts";

const names = new Map([
  ["C", "Nordlys ApS"],
  ["D", "Fjord A/S"],
]);
const day = "2026-03-10" as CalendarDate;
const line: OutgoingLine = {
  reference: "",
  end_to_end_id: "",
  text: "",
  date: day,
  bank_account_id: "bank",
  amount: 500_00n,
  currency: "DKK",
  instructed: null,
  counterparty_name: "",
  counterparty_account: "",
};

function credit(id: string, fields: Partial<OpenCredit> = {}): OpenCredit {
  const kind = "credit_note";
  const of = { customer_id: "C", number: "12", date: day, currency: "DKK", reference: null };
  return { id, kind, open: 500_00n, ...of, ...fields };
}

function booked(
  id: string,
  {
    end_to_end_id = "",
    reference = "",
    text = "",
    ...fields
  }: Partial<BookedPayment & OutgoingLine> = {},
): BookedPayment {
  const written = [{ end_to_end_id, reference, text }];
  const of = { customer_id: "D", number: "7", date: day, bank_account_id: "bank", currency: "DKK" };
  return { id, bank_amount: 500_00n, counterparty_account: "DK1", written, ...of, ...fields };
}

const note = credit("n");
const payment = booked("p", { end_to_end_id: "E2E-7" });

/** `confidence ids: reasons` of each suggestion. */
const said = (
  changes: Partial<OutgoingLine>,
  credits: readonly OpenCredit[] = [note],
  payments: readonly BookedPayment[] = [payment],
  by_counterparty: ReadonlyMap<string, string> = new Map(),
) =>
  suggestOutgoing({ ...line, ...changes }, { credits, payments, names, by_counterparty }).map(
    ({ confidence, reasons, given, returned, fee }) => {
      const shares = given.map((one) => `${one.credit.id} ${one.amount}`);
      const what = returned === null ? shares.join(" + ") : `${returned.id} fee ${fee}`;
      return `${confidence} ${what}: ${reasons.join(", ")}`;
    },
  );

const NOTE = "possible n 50000: amount";
const RETURN = "possible p fee 0: amount";

describe("money out", () => {
  it.each<[string, Partial<OutgoingLine>, string[]]>([
    ["an amount alone", {}, [NOTE, RETURN]],
    ["a number and the amount", { text: "nota nr. 12" }, ["exact n 50000: number, amount", RETURN]],
    ["a number and a part", { text: "nr. 12", amount: 200_00n }, ["likely n 20000: number"]],
    [
      "the number of an invoice",
      { text: "faktura 12" },
      ["likely n 50000: number, amount", RETURN],
    ],
    ["more than the credit", { text: "nr. 12", amount: 600_00n }, []],
    [
      "the account that has paid",
      { counterparty_account: "DK1" },
      ["likely p fee 0: counterparty, amount", NOTE],
    ],
    [
      "its own id and account",
      { end_to_end_id: "e2e-7", counterparty_account: "DK1" },
      ["exact p fee 0: reference, counterparty, amount", NOTE],
    ],
    ["its own id alone", { end_to_end_id: "E2E-7" }, ["likely p fee 0: reference, amount", NOTE]],
    [
      "its own id, to another account",
      { end_to_end_id: "E2E-7", counterparty_account: "DK2" },
      ["possible p fee 0: reference, amount", NOTE],
    ],
    [
      "its own id, with a charge",
      { end_to_end_id: "E2E-7", amount: 550_00n },
      ["likely p fee 5000: reference"],
    ],
    [
      "its own id and account, with a charge",
      { end_to_end_id: "E2E-7", counterparty_account: "DK1", amount: 550_00n },
      ["likely p fee 5000: reference, counterparty"],
    ],
    [
      "its own id, with a charge, to another account",
      { end_to_end_id: "E2E-7", counterparty_account: "DK2", amount: 550_00n },
      [],
    ],
    ["its account, with a charge", { counterparty_account: "DK1", amount: 550_00n }, []],
    ["its own id and less", { end_to_end_id: "E2E-7", amount: 450_00n }, []],
    [
      "the name of a customer",
      { counterparty_name: "Fjord" },
      ["possible p fee 0: amount, name", NOTE],
    ],
    ["another currency", { currency: "EUR" }, []],
    ["another amount", { amount: 499_99n }, []],
    ["another bank account", { bank_account_id: "other" }, [NOTE]],
    ["a day before", { date: "2026-03-09" as CalendarDate }, []],
  ])("of %s", (_case, changes, expected) => {
    expect(said(changes)).toEqual(expected);
  });

  it("has at most three suggestions", () => {
    const many = ["a", "b", "c", "d"].map((id) => credit(id));
    expect(said({}, many)).toHaveLength(3);
  });
});

describe("a refund", () => {
  it("of several credits of one customer is exact by their numbers and their sum", () => {
    const two = [note, credit("m", { number: "13", open: 100_00n })];
    const text = "nr. 12 og nr. 13";
    expect(said({ text, amount: 600_00n }, two, [])).toEqual([
      "exact n 50000 + m 10000: number, amount",
    ]);
    expect(said({ text }, two, [])).toEqual(["likely n 50000: number, amount"]);
  });

  it("is exact by the reference with which the payment was recorded", () => {
    const held = credit("h", { kind: "payment", reference: "Order 55 b" });
    expect(said({ reference: "ORDER55B" }, [held], [])).toEqual([
      "exact h 50000: reference, amount",
    ]);
  });

  it("goes to the account that has only paid for its customer", () => {
    expect(said({ counterparty_account: "DK3" }, [note], [], new Map([["DK3", "C"]]))).toEqual([
      "likely n 50000: counterparty, amount",
    ]);
    expect(said({ counterparty_account: "DK3" }, [note], [], new Map([["DK3", "D"]]))).toEqual([
      NOTE,
    ]);
  });

  it("of a foreign credit is compared with what was instructed", () => {
    const foreign = credit("e", { currency: "EUR", open: 67_00n });
    const instructed = { amount: 67_00n, currency: "EUR" };
    expect(said({ text: "#12", instructed }, [foreign], [])).toEqual([
      "exact e 6700: number, amount",
    ]);
  });
});

describe("of two choices that fit alike", () => {
  const exact = { text: "nr. 12" };

  it.each<[string, readonly OpenCredit[], readonly BookedPayment[], Partial<OutgoingLine>]>([
    ["two credits with one number", [note, credit("m", { kind: "payment" })], [], exact],
    ["credits of two customers", [note, credit("m", { customer_id: "D" })], [], exact],
    [
      "the numbers of two customers",
      [note, credit("m", { customer_id: "D", number: "13" })],
      [],
      { text: "nr. 12, nr. 13" },
    ],
    ["a namesake of another amount", [note, credit("m", { open: 1n })], [], exact],
    [
      "two payments with one id",
      [],
      [payment, { ...payment, id: "q" }],
      { end_to_end_id: "E2E-7", counterparty_account: "DK1" },
    ],
    [
      "a credit by its number and a payment by its id",
      [note],
      [payment],
      { ...exact, end_to_end_id: "E2E-7", counterparty_account: "DK1" },
    ],
  ])("neither is exact: %s", (_case, credits, payments, changes) => {
    const all = said(changes, credits, payments);
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter((one) => one.startsWith("exact"))).toEqual([]);
  });

  it("one is exact where the other goes to another account, or is of another amount", () => {
    const back = { end_to_end_id: "E2E-7", counterparty_account: "DK1" };
    const elsewhere = { ...payment, id: "q", counterparty_account: "DK2" };
    const smaller = { ...payment, id: "r", bank_amount: 400_00n };
    expect(said(back, [], [elsewhere, payment, smaller])).toEqual([
      "exact p fee 0: reference, counterparty, amount",
      "likely r fee 10000: reference, counterparty",
      "possible q fee 0: reference, amount",
    ]);
  });

  it("in random accounts, at most one suggestion is exact, and a copy of it makes none exact", () => {
    let seed = 20_260_310;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const one = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
    const AMOUNTS = [100_00n, 200_00n, 300_00n];
    const accounts = ["", "DK1", "DK2"];
    const ids = ["", "E1", "E2"];
    const facts = () => ({ customer_id: one(["C", "D"]), number: one(["12", "13", "14"]) });
    let exact = 0;
    for (let round = 0; round < 4000; round += 1) {
      const credits = Array.from({ length: random(4) }, (_, at) =>
        credit(`c${at}`, { ...facts(), kind: one(["credit_note", "payment"]), open: one(AMOUNTS) }),
      );
      const payments = Array.from({ length: random(4) }, (_, at) =>
        booked(`p${at}`, {
          ...{ ...facts(), bank_amount: one(AMOUNTS), end_to_end_id: one(ids) },
          counterparty_account: one(accounts),
        }),
      );
      const changes = {
        ...{ text: one(["", "nr. 12", "nr. 12, #13", "faktura 14"]), end_to_end_id: one(ids) },
        ...{ counterparty_account: one(accounts), amount: one([...AMOUNTS, 500_00n]) },
      };
      const asked = { ...line, ...changes };
      const by_counterparty = new Map<string, string>();
      const suggest = (of: readonly OpenCredit[], back: readonly BookedPayment[]) =>
        suggestOutgoing(asked, { credits: of, payments: back, names, by_counterparty });
      const [best, ...others] = suggest(credits, payments);
      expect(others.filter(({ confidence }) => confidence === "exact")).toEqual([]);
      if (best?.confidence !== "exact") continue;
      exact += 1;
      const { returned, given } = best;
      const moved = given.reduce((sum, { amount }) => sum + amount, returned?.bank_amount ?? 0n);
      expect(moved).toBe(asked.amount);
      const copies = given.map(({ credit: of }) => ({ ...of, id: `copy of ${of.id}` }));
      const again =
        returned === null
          ? suggest([...copies, ...credits], payments)
          : suggest(credits, [{ ...returned, id: "copy" }, ...payments]);
      expect(again.filter(({ confidence }) => confidence === "exact")).toEqual([]);
    }
    expect(exact).toBeGreaterThan(100);
  });
});
