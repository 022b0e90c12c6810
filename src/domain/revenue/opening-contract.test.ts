/** What an opening contract brings along, when it may be posted, and what it gives back. */
import { describe, expect, it } from "vitest";
import type { CalendarDate, Month } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import {
  endFaults,
  leftAfter,
  type OpeningPostingFacts,
  openingFaults,
  requireOpeningPostable,
} from "./opening-contract.ts";
import type { LineFacts } from "./recognition.ts";

const day = (text: string) => text as CalendarDate;

const TERMS = {
  invoiced: 24_000_00n,
  earned: 16_000_00n,
  service_from: day("2025-03-01"),
  service_to: day("2026-02-28"),
  cutover: day("2025-10-31"),
};

describe("the terms of an opening contract", () => {
  it.each<readonly [string, Partial<typeof TERMS>, string]>([
    ["what is invoiced and earned in part", {}, ""],
    ["nothing earned", { earned: 0n }, ""],
    ["all but one unit earned", { earned: 23_999_99n }, ""],
    ["all earned", { earned: 24_000_00n }, "earned too_large"],
    ["the last day of February", { cutover: day("2026-02-28"), service_to: day("2026-03-01") }, ""],
    ["a day within a month", { cutover: day("2025-10-30") }, "cutover invalid_value"],
    [
      "the last day of this month",
      { cutover: day("2026-03-31"), service_to: day("2026-04-01") },
      "cutover invalid_value",
    ],
    [
      "a service that ends with the cutover",
      { service_to: day("2025-10-31") },
      "service_to invalid_value",
    ],
    ["a service of one day", { service_from: day("2026-02-28") }, ""],
    [
      "a service that ends before it begins",
      { service_from: day("2026-03-01") },
      "service_to too_small",
    ],
    ["a service of more than ten years", { service_to: day("2036-01-01") }, "service_to too_large"],
  ])("are judged for %s", (_case, change, fault) => {
    const faults = openingFaults({ ...TERMS, ...change }, day("2026-03-31"));

    expect(faults.map(({ field, code }) => `${field} ${code}`).join()).toBe(fault);
  });
});

describe("an entry of an opening contract", () => {
  const OPEN: OpeningPostingFacts = {
    date: day("2025-10-31"),
    lock: { period_lock_date: null },
    later_close: null,
    booked_through: null,
    requireRate: () => {},
    has_liability_account: true,
  };
  const missing = () => {
    throw new Problem("EXCHANGE_RATE_MISSING");
  };
  // Each row has the faults of the rows below it, too: the first one is answered.
  const cases: readonly [string, Partial<OpeningPostingFacts>][] = [
    ["PERIOD_LOCKED", { lock: { period_lock_date: day("2025-10-31") } }],
    ["LATER_PERIOD_CLOSED", { later_close: "2025-11" as Month }],
    ["LATER_ACCRUAL_BOOKED", { booked_through: "2025-11" as Month }],
    ["EXCHANGE_RATE_MISSING", { requireRate: missing }],
    ["ACCOUNT_ROLE_MISSING", { has_liability_account: false }],
  ];
  it.each(cases)("is refused with %s before what comes after it", (code) => {
    const from = cases.findIndex(([one]) => one === code);
    const facts = Object.assign({ ...OPEN }, ...cases.slice(from).map(([, fault]) => fault));

    expect(() => requireOpeningPostable(facts)).toThrow(expect.objectContaining({ code }));
  });

  it.each<readonly [string, Partial<OpeningPostingFacts>]>([
    ["nothing is in its way", {}],
    ["the month before is locked", { lock: { period_lock_date: day("2025-09-30") } }],
    ["its own month is booked", { booked_through: "2025-10" as Month }],
  ])("is booked when %s", (_case, change) => {
    expect(() => requireOpeningPostable({ ...OPEN, ...change })).not.toThrow();
  });
});

describe("the end of an opening contract", () => {
  it.each([
    ["2025-10-31", ""],
    ["2025-12-31", ""],
    ["2030-02-28", ""],
    ["2025-09-30", "date invalid_value"],
    ["2025-12-30", "date invalid_value"],
  ])("on %s has the fault '%s'", (date, fault) => {
    const faults = endFaults(day(date), TERMS.cutover);

    expect(faults.map(({ field, code }) => `${field} ${code}`).join()).toBe(fault);
  });

  const facts = {
    line: {
      recognition_method: "value",
      service_from: day("2025-11-01"),
      service_to: day("2026-02-28"),
    },
    issue_date: TERMS.cutover,
    amount: 99_99n,
    completed_on: null,
    worked: [],
    credits: [],
    measured: null,
  } as unknown as LineFacts & { readonly amount: bigint };
  const conversion = { rate_micro: 7_432_100n, from_digits: 2, to_digits: 2 };

  it.each<readonly [string, bigint, bigint]>([
    ["2025-10-31", 99_99n, 743_14n],
    ["2025-11-30", 74_99n, 557_34n],
    ["2026-01-31", 25_00n, 185_81n],
    ["2026-02-28", 0n, 0n],
    ["2027-12-31", 0n, 0n],
  ])("on %s leaves what is not earned: %s, %s in functional currency", (date, own, books) => {
    const booked = { conversion, booked: 743_14n };

    expect(leftAfter(facts, "monthly", day(date), booked)).toEqual({
      returned: own,
      returned_functional: books,
    });
    expect(leftAfter(facts, "monthly", day(date), { conversion: null, booked: 99_99n })).toEqual({
      returned: own,
      returned_functional: own,
    });
  });
});
