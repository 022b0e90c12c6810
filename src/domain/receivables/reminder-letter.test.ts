/** Which letter a customer gets on a day. */
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate } from "../base/calendar.ts";
import type { OpenItem } from "./open-item.ts";
import {
  letterOn,
  type RemindedCustomer,
  type RemindedItem,
  type ReminderRules,
} from "./reminder-letter.ts";

const DUE = "2026-03-01" as CalendarDate;
const late = (days: number) => addDays(DUE, days);

const CUSTOMER: RemindedCustomer = {
  is_person: false,
  takes_reminders: true,
  credit: 0n,
  has_unmatched_payment: false,
  is_functional: true,
};

const RULES: ReminderRules = {
  levels: [3, 13, 23, 33].map((days_after_due) => ({
    days_after_due,
    fee: days_after_due === 3 ? 0n : 10_000n,
    compensation: days_after_due > 3,
  })),
  minimum_days: 10,
  compensation: 31_000n,
  minimum_amount: 0n,
  is_danish: true,
  rateOn: () => 0n,
};

function reminded(given: Partial<RemindedItem> & { takes?: OpenItem["takes"] } = {}): RemindedItem {
  const item: OpenItem = {
    id: "1001",
    kind: "invoice",
    is_credit: false,
    customer_id: "acme",
    currency: "DKK",
    date: addDays(DUE, -14),
    ended_on: null,
    amount: 1_000_000n,
    functional: 1_000_000n,
    takes: given.takes ?? [],
  };
  return {
    item,
    due_date: DUE,
    counted_on: [],
    fees_on: [],
    is_compensated: false,
    charged_through: null,
    hold_until: null,
    ...given,
  };
}

describe("a letter", () => {
  it("is due when the days of the next level are over", () => {
    expect(letterOn(late(2), CUSTOMER, [reminded()], RULES)).toBeNull();
    expect(letterOn(late(3), CUSTOMER, [reminded()], RULES)).toMatchObject({ level: 1, fee: 0n });
    const second = reminded({ counted_on: [late(3)] });
    expect(letterOn(late(12), CUSTOMER, [second], RULES)).toBeNull();
    expect(letterOn(late(13), CUSTOMER, [second], RULES)).toMatchObject({
      level: 2,
      fee: 10_000n,
      compensation: 31_000n,
      total: 1_041_000n,
    });
  });

  it("waits the least days after a reminder that came late", () => {
    const second = reminded({ counted_on: [late(20)] });
    expect(letterOn(late(29), CUSTOMER, [second], RULES)).toBeNull();
    expect(letterOn(late(30), CUSTOMER, [second], RULES)).toMatchObject({ level: 2 });
  });

  it("ends after the last level", () => {
    const all = reminded({ counted_on: [late(3), late(13), late(23), late(33)] });
    expect(letterOn(late(90), CUSTOMER, [all], RULES)).toBeNull();
  });

  it("lists everything overdue, has the highest level, and counts for what is due", () => {
    const older = reminded({ counted_on: [late(3)] });
    const newer = reminded({ due_date: late(5), item: { ...reminded().item, id: "1002" } });
    const just_due = reminded({ due_date: late(12), item: { ...reminded().item, id: "1003" } });
    const letter = letterOn(late(13), CUSTOMER, [older, newer, just_due], RULES);
    expect(letter?.level).toBe(2);
    expect(letter?.items.map(({ id, counts }) => [id, counts])).toEqual([
      ["1001", true],
      ["1002", true],
      ["1003", false],
    ]);
    // Each of the two that count is compensated once.
    expect(letter?.compensation).toBe(62_000n);
  });

  it("is not made for what is paid", () => {
    const takes = [
      { date: late(4), reversed_on: null, amount: 1_000_000n, functional: 1_000_000n },
    ];
    expect(letterOn(late(5), CUSTOMER, [reminded({ takes })], RULES)).toBeNull();
  });
});

describe("what is charged", () => {
  const second = { counted_on: [late(3)] };

  it.each<[string, Partial<RemindedCustomer>, Partial<RemindedItem>, object]>([
    ["no compensation from a person", { is_person: true }, second, { compensation: 0n }],
    ["compensation once", {}, { ...second, is_compensated: true }, { compensation: 0n }],
    ["no fee in another currency", { is_functional: false }, second, { fee: 0n }],
    ["no fee within ten days", {}, { ...second, fees_on: [late(5)] }, { fee: 0n }],
    ["no fourth fee", {}, { ...second, fees_on: [late(-40), late(-30), late(-20)] }, { fee: 0n }],
  ])("%s", (_name, customer, item, expected) => {
    const letter = letterOn(late(13), { ...CUSTOMER, ...customer }, [reminded(item)], RULES);
    expect(letter).toMatchObject(expected);
  });

  it("is interest by day, from the last day that was charged", () => {
    const rules = { ...RULES, rateOn: () => 1015n };
    const first = letterOn(late(30), CUSTOMER, [reminded()], rules);
    expect(first).toMatchObject({ interest: 8_342n });
    const charged = { counted_on: [late(3)], charged_through: late(20) };
    expect(letterOn(late(30), CUSTOMER, [reminded(charged)], rules)).toMatchObject({
      interest: 2_781n,
    });
  });

  it("is interest also on an invoice that was paid late", () => {
    const takes = [
      { date: late(10), reversed_on: null, amount: 1_000_000n, functional: 1_000_000n },
    ];
    const paid = reminded({ takes, item: { ...reminded({ takes }).item, id: "paid" } });
    const rules = { ...RULES, rateOn: () => 1015n };
    const letter = letterOn(late(13), CUSTOMER, [reminded(), paid], rules);
    expect(letter?.items.map(({ id, open, interest }) => [id, open, interest])).toEqual([
      ["1001", 1_000_000n, 3_615n],
      ["paid", 0n, 2_503n],
    ]);
  });
});

describe("interest of an item that is paid", () => {
  const rules = { ...RULES, rateOn: () => 1015n };
  const paidOn = (days: number, given: Partial<RemindedItem> = {}) =>
    reminded({
      takes: [{ date: late(days), reversed_on: null, amount: 1_000_000n, functional: 1_000_000n }],
      ...given,
    });

  it("is a letter of its own, without a fee, that counts for nothing", () => {
    const counted = paidOn(10, { counted_on: [late(3)], charged_through: late(3) });
    expect(letterOn(late(12), CUSTOMER, [counted], rules)).toBeNull();
    expect(letterOn(late(13), CUSTOMER, [counted], rules)).toMatchObject({
      level: 1,
      fee: 0n,
      interest: 1_668n,
      compensation: 0n,
      total: 1_668n,
      items: [{ open: 0n, days_overdue: 0, counts: false, charged_through: late(13) }],
      left_out: null,
    });
  });

  it("is charged once, and not below the least amount or where a credit covers it", () => {
    const charged = paidOn(10, { counted_on: [late(3)], charged_through: late(13) });
    expect(letterOn(late(30), CUSTOMER, [charged], rules)).toBeNull();
    const owing = [paidOn(10)];
    const least = { ...rules, minimum_amount: 2_504n };
    expect(letterOn(late(13), CUSTOMER, owing, least)?.left_out).toBe("BELOW_MINIMUM");
    const held = { ...CUSTOMER, credit: 2_503n };
    expect(letterOn(late(13), held, owing, rules)?.left_out).toBe("COVERED_BY_CREDIT");
  });
});

describe("a letter of an earlier day", () => {
  it("does not remind of what was paid since", () => {
    const takes = [
      { date: late(9), reversed_on: null, amount: 1_000_000n, functional: 1_000_000n },
    ];
    expect(letterOn(late(5), CUSTOMER, [reminded({ takes })], RULES)).toBeNull();
    const part = [{ date: late(9), reversed_on: null, amount: 400_000n, functional: 400_000n }];
    expect(letterOn(late(5), CUSTOMER, [reminded({ takes: part })], RULES)?.total).toBe(600_000n);
  });
});

describe("a letter that is left out", () => {
  it.each<
    [string, Partial<RemindedCustomer>, Partial<RemindedItem>, Partial<ReminderRules>, string]
  >([
    ["the customer takes none", { takes_reminders: false }, {}, {}, "REMINDERS_OFF"],
    ["on hold through the day", {}, { hold_until: late(3) }, {}, "ON_HOLD"],
    ["a payment is not matched", { has_unmatched_payment: true }, {}, {}, "UNMATCHED_PAYMENT"],
    ["credits cover it", { credit: 1_000_000n }, {}, {}, "COVERED_BY_CREDIT"],
    ["little is owed", {}, {}, { minimum_amount: 1_000_001n }, "BELOW_MINIMUM"],
  ])("%s", (_name, customer, item, rules, reason) => {
    const letter = letterOn(late(3), { ...CUSTOMER, ...customer }, [reminded(item)], {
      ...RULES,
      ...rules,
    });
    expect(letter?.left_out).toBe(reason);
  });

  it("is sent when the hold is over", () => {
    const letter = letterOn(late(4), CUSTOMER, [reminded({ hold_until: late(3) })], RULES);
    expect(letter?.left_out).toBeNull();
  });
});
