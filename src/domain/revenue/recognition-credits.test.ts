/** The effect of a credit on earned revenue (spec 4.10 and 5.5). */
import { describe, expect, it } from "vitest";
import { earned, type GivenLine, schedule } from "../../../test/support/revenue/revenue.ts";

describe("a credit", () => {
  const line: GivenLine = {
    method: "value",
    agreed: 30_000_00n,
    service: ["2025-01-01", "2025-03-31"],
    issued: "2025-01-01",
  };

  it("corrects the revenue of the delivered part in its own month", () => {
    expect(schedule({ ...line, credits: [["2025-02-10", 6_000_00n]] })).toEqual([
      ["2025-01", 10_000, 10_000, 30_000],
      ["2025-02", 6_000, 16_000, 24_000],
      ["2025-03", 8_000, 24_000, 24_000],
    ]);
  });

  it("that is dated before the issue counts from the issue", () => {
    const credits = [["2024-12-01", 6_000_00n]] as const;
    expect(earned({ ...line, issued: "2025-02-01", credits })).toEqual({
      "2025-01": 10_000,
      "2025-02": 6_000,
      "2025-03": 8_000,
    });
  });

  it("of the whole line after it was fully earned reverses the revenue", () => {
    expect(schedule({ ...line, credits: [["2025-04-01", 30_000_00n]] }).at(-1)).toEqual([
      "2025-04",
      -30_000,
      0,
      0,
    ]);
  });

  it.each<[string, string, Record<string, number>]>([
    ["in the month of the issue", "2025-02-28", { "2025-02": 7_500, "2025-03": 7_500 }],
    ["in a later month", "2025-03-01", { "2025-02": 10_000, "2025-03": 5_000 }],
    ["after all hours", "2025-04-01", { "2025-02": 10_000, "2025-03": 10_000, "2025-04": -5_000 }],
  ])("on hours reduces what was earned in proportion: %s", (_, date, months) => {
    const reported: GivenLine = {
      method: "hours",
      rate: 1_000,
      worked: [
        ["anna", "2025-02-10", 10],
        ["anna", "2025-03-10", 10],
      ],
      issued: "2025-02-28",
      credits: [[date, 5_000_00n]],
    };
    expect(earned(reported)).toEqual(months);
  });

  it.each<[string, string, string, Record<string, number>]>([
    [
      "ends the service within the period",
      "2025-01-01",
      "2025-04-15",
      { "2025-01": 4_000, "2025-02": 4_000, "2025-03": 4_000, "2025-04": 1_922.65 },
    ],
    [
      "ends the service before the credit, whose month takes the difference",
      "2025-01-01",
      "2025-03-31",
      { "2025-01": 4_000, "2025-02": 4_000, "2025-03": 4_000, "2025-04": 1_922.65 },
    ],
    [
      "before the service began earns the remainder in its month",
      "2025-05-01",
      "2025-04-15",
      { "2025-04": 13_922.65 },
    ],
  ])("of a cancellation %s", (_, from, new_service_to, months) => {
    const reported: GivenLine = {
      method: "value",
      agreed: 24_000_00n,
      service: [from, "2025-06-30"],
      issued: "2025-01-01",
      credits: [["2025-04-02", 10_077_35n, new_service_to]],
    };
    expect(earned(reported)).toEqual(months);
  });

  it("of a second cancellation ends the service even earlier, and that of a third never later", () => {
    const credits = [
      ["2025-02-01", 1_000_00n, "2025-03-20"],
      ["2025-02-02", 1_000_00n, "2025-02-28"],
      ["2025-02-03", 1_000_00n, "2025-03-25"],
    ] as const;
    expect(earned({ ...line, credits })).toEqual({ "2025-01": 10_000, "2025-02": 17_000 });
  });
});
