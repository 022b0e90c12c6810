/** When a line's revenue is earned: the tables of spec 2.6. */
import { describe, expect, it } from "vitest";
import {
  earned,
  factsOf,
  type GivenLine,
  lineOf,
  schedule,
} from "../../../test/support/revenue/revenue.ts";
import { lineAmount } from "./recognition.ts";

const hourly: GivenLine = {
  method: "hours",
  rate: 1200,
  discount: 5,
  assignees: [["bo"], ["cia", null, 950]],
  worked: [
    ["bo", "2025-02-03", 20],
    ["cia", "2025-02-28", 12.5],
    ["bo", "2025-03-01", 7.5],
    ["cia", "2025-03-31", 10],
  ],
  idle: [["bo", "2025-03-04", 3]],
};
const progress: GivenLine = {
  method: "progress",
  agreed: 150_000_00n,
  budget: 200,
  worked: [
    ["anna", "2025-02-10", 50],
    ["anna", "2025-03-10", 80],
    ["anna", "2025-04-10", 40],
  ],
};
const quarter: GivenLine = {
  method: "value",
  agreed: 18_000_00n,
  service: ["2025-01-16", "2025-04-15"],
  issued: "2025-02-01",
};

describe("value without a service period", () => {
  const line: GivenLine = { method: "value", agreed: 50_000_00n, discount: 10 };

  it("is earned in the month of its issue", () => {
    expect(schedule({ ...line, issued: "2025-03-14" })).toEqual([
      ["2025-03", 45_000, 45_000, 45_000],
    ]);
  });

  it("a draft earns nothing, however long it waits", () => {
    expect(schedule({ ...line, worked: [["anna", "2025-01-10", 8]] })).toEqual([]);
  });

  it.each(["2025-01-31", "2025-02-01", "2025-02-28"])(
    "issued on %s counts on that day",
    (issued) => {
      expect(earned({ ...line, issued })).toEqual({ [issued.slice(0, 7)]: 45_000 });
    },
  );
});

describe("value with a service period", () => {
  it("is earned by months, and a partial month counts by its days", () => {
    expect(schedule(quarter, "monthly")).toEqual([
      ["2025-01", 3_080.21, 3_080.21, 0],
      ["2025-02", 5_967.92, 9_048.13, 18_000],
      ["2025-03", 5_967.91, 15_016.04, 18_000],
      ["2025-04", 2_983.96, 18_000, 18_000],
    ]);
  });

  it("is earned by days under the other convention", () => {
    expect(schedule(quarter, "daily")).toEqual([
      ["2025-01", 3_200, 3_200, 0],
      ["2025-02", 5_600, 8_800, 18_000],
      ["2025-03", 6_200, 15_000, 18_000],
      ["2025-04", 3_000, 18_000, 18_000],
    ]);
  });

  it("gives a yearly licence of 12,000 as 1,000 a month", () => {
    const licence: GivenLine = {
      method: "value",
      agreed: 12_000_00n,
      service: ["2025-01-01", "2025-12-31"],
    };
    const months = schedule({ ...licence, issued: "2025-01-01" });
    expect(months.map(([, amount]) => amount)).toEqual(Array(12).fill(1_000));
    expect(months.map(([, , to_date, invoiced]) => invoiced - to_date)).toEqual([
      11_000, 10_000, 9_000, 8_000, 7_000, 6_000, 5_000, 4_000, 3_000, 2_000, 1_000, 0,
    ]);
  });

  it("is fully earned by an issue after it, and not yet by an issue before it", () => {
    expect(schedule({ ...quarter, issued: "2025-06-30" }).at(-2)).toEqual([
      "2025-04",
      2_983.96,
      18_000,
      0,
    ]);
    expect(schedule({ ...quarter, issued: "2025-06-30" }).at(-1)).toEqual([
      "2025-06",
      0,
      18_000,
      18_000,
    ]);
    expect(schedule({ ...quarter, issued: "2024-12-31" })[0]).toEqual(["2024-12", 0, 0, 18_000]);
  });

  it("a service of one day is earned in its month", () => {
    const line: GivenLine = { method: "value", agreed: 1n, service: ["2025-02-28", "2025-02-28"] };
    expect(earned(line, "monthly")).toEqual({ "2025-02": 0.01 });
    expect(earned(line, "daily")).toEqual({ "2025-02": 0.01 });
  });

  it("29 February is a day by days, and part of a whole month by months", () => {
    const line: GivenLine = {
      method: "value",
      agreed: 60_00n,
      service: ["2024-02-01", "2024-03-31"],
    };
    expect(earned(line, "daily")).toEqual({ "2024-02": 29, "2024-03": 31 });
    expect(earned(line, "monthly")).toEqual({ "2024-02": 30, "2024-03": 30 });
  });

  it("bills the days of a partial period, and spreads that over them", () => {
    const share = { days: 10, of: 31 };
    const line: GivenLine = {
      method: "value",
      agreed: 31_000_00n,
      share,
      service: ["2025-03-01", "2025-03-10"],
    };
    expect(earned(line)).toEqual({ "2025-03": 10_000 });
  });
});

describe("hours", () => {
  it("are earned when they are worked, at the rate of the user who worked them", () => {
    expect(schedule({ ...hourly, issued: "2025-04-02" })).toEqual([
      ["2025-02", 34_081.25, 34_081.25, 0],
      ["2025-03", 17_575, 51_656.25, 0],
      ["2025-04", 0, 51_656.25, 51_656.25],
    ]);
  });

  it("a raised rate raises all hours of a draft", () => {
    expect(earned({ ...hourly, rate: 1_300 })).toEqual({
      "2025-02": 35_981.25,
      "2025-03": 18_287.5,
    });
  });

  it("of users with the same rate are rounded together", () => {
    const worked = [
      ["anna", "2025-01-10", 0.01],
      ["bo", "2025-01-20", 0.01],
    ] as const;
    const line: GivenLine = { method: "hours", rate: 0.25, worked };
    expect(earned(line)).toEqual({ "2025-01": 0.01 });
    expect(earned({ ...line, assignees: [["bo", null, 0.25]] })).toEqual({ "2025-01": 0.01 });
  });

  it("earn nothing where none are registered or none are billable", () => {
    const line: GivenLine = { ...hourly, worked: [], issued: "2025-04-02" };
    expect(schedule(line)).toEqual([]);
    expect(schedule({ ...line, idle: [] })).toEqual([]);
  });
});

describe("progress", () => {
  it("is earned by hours of the budget, and the rest at the issue", () => {
    expect(schedule({ ...progress, issued: "2025-04-25" })).toEqual([
      ["2025-02", 37_500, 37_500, 0],
      ["2025-03", 60_000, 97_500, 0],
      ["2025-04", 52_500, 150_000, 150_000],
    ]);
  });

  it.each<[string, Partial<GivenLine>, Record<string, number>]>([
    [
      "hours above the budget earn no more",
      { budget: 100 },
      { "2025-02": 75_000, "2025-03": 75_000 },
    ],
    ["hours above a smaller budget earn everything", { budget: 50 }, { "2025-02": 150_000 }],
    [
      "a partial period has its share of the budget exactly, not the 3.55 hours that are shown",
      {
        agreed: 31_000_00n,
        share: { days: 11, of: 31 },
        budget: 3.55,
        nominal_budget: 10,
        worked: [["anna", "2025-02-10", 1]],
      },
      { "2025-02": 3_100 },
    ],
    [
      "the rest is earned in the month of the completion",
      { completed: "2025-03-31" },
      { "2025-02": 37_500, "2025-03": 112_500 },
    ],
    [
      "the earlier of completion and issue counts",
      { completed: "2025-06-01", issued: "2025-05-31" },
      { "2025-02": 37_500, "2025-03": 60_000, "2025-04": 30_000, "2025-05": 22_500 },
    ],
    ["non-billable hours do not count", { worked: [], idle: [["anna", "2025-02-10", 50]] }, {}],
    [
      "without hours everything is earned at the issue",
      { worked: [], issued: "2025-02-28" },
      { "2025-02": 150_000 },
    ],
  ])("%s", (_, given, months) => {
    expect(earned({ ...progress, ...given })).toEqual(months);
  });
});

describe("milestone and on_issue", () => {
  const first: GivenLine = { method: "milestone", agreed: 40_000_00n, issued: "2025-04-01" };

  it("a milestone is earned in the month of its completion, before or after the issue", () => {
    expect(schedule({ ...first, completed: "2025-03-20" })).toEqual([
      ["2025-03", 40_000, 40_000, 0],
      ["2025-04", 0, 40_000, 40_000],
    ]);
    expect(schedule({ ...first, agreed: 60_000_00n, completed: "2025-05-15" })).toEqual([
      ["2025-04", 0, 0, 60_000],
      ["2025-05", 60_000, 60_000, 60_000],
    ]);
  });

  it("without its completion a milestone has earned nothing", () => {
    expect(earned(first)).toEqual({});
  });

  it("on_issue is earned in the month of the issue", () => {
    const line: GivenLine = { method: "on_issue", agreed: 500_00n };
    expect(schedule({ ...line, issued: "2025-02-28" })).toEqual([["2025-02", 500, 500, 500]]);
    expect(schedule(line)).toEqual([]);
  });
});

describe("amounts", () => {
  it.each<[string, GivenLine, bigint]>([
    ["a discount of 100 % leaves 0", { method: "value", agreed: 100_00n, discount: 100 }, 0n],
    ["0.03 less 12.5 % is 0.03", { method: "value", agreed: 3n, discount: 12.5 }, 3n],
    ["an agreed value of 0 earns 0", { method: "value", agreed: 0n }, 0n],
    [
      "a partial period is rounded after the discount",
      { method: "value", agreed: 3n, discount: 50, share: { days: 1, of: 2 } },
      1n,
    ],
    [
      "yen have no decimals",
      { method: "hours", rate: 100.5, digits: 0, worked: [["bo", "2025-01-01", 1]] },
      101n,
    ],
    [
      "dinars have three",
      { method: "hours", rate: 100.5, digits: 3, worked: [["bo", "2025-01-01", 1]] },
      100_500n,
    ],
  ])("%s", (_, given, amount) => {
    expect(lineAmount(factsOf(given))).toBe(amount);
  });

  it("stay as they were booked, whatever the line contains now", () => {
    const facts = factsOf({ ...quarter, issued: "2025-01-01" });
    expect(lineAmount({ ...facts, line: lineOf({ ...quarter, agreed: 1n }) })).toBe(18_000_00n);
  });

  it.each<[string, GivenLine, Record<string, number>]>([
    [
      "0.01 falls in the middle of three months",
      { method: "value", agreed: 1n },
      { "2025-02": 0.01 },
    ],
    [
      "0.02 in the first and the last",
      { method: "value", agreed: 2n },
      { "2025-01": 0.01, "2025-03": 0.01 },
    ],
    [
      "1,000 as 333.33, 333.34, 333.33",
      { method: "value", agreed: 1_000_00n },
      { "2025-01": 333.33, "2025-02": 333.34, "2025-03": 333.33 },
    ],
    [
      "100 yen as 33, 34, 33",
      { method: "value", agreed: 100n, digits: 0 },
      { "2025-01": 33, "2025-02": 34, "2025-03": 33 },
    ],
    [
      "0.002 dinars in the first and the last",
      { method: "value", agreed: 2n, digits: 3 },
      { "2025-01": 0.001, "2025-03": 0.001 },
    ],
  ])("over a quarter are rounded as running totals: %s", (_, given, months) => {
    expect(earned({ ...given, service: ["2025-01-01", "2025-03-31"] })).toEqual(months);
  });
});
