/** To whom a month's revenue is attributed (spec 2.5, the tables of 2.6). */
import { describe, expect, it } from "vitest";
import { earnedBy, factsOf, type GivenLine } from "../../../test/support/revenue/revenue.ts";
import type { Month } from "../base/calendar.ts";
import { earnedByUser, measuredWork } from "./recognition.ts";

const quarter: GivenLine = {
  method: "value",
  agreed: 1_000_00n,
  service: ["2025-01-01", "2025-03-31"],
};
const users = (given: GivenLine, month: string, amount: bigint) =>
  earnedByUser(factsOf(given), month as Month, amount).map((one) => [one.user_id, one.amount]);

describe("revenue by user of a fixed line", () => {
  it("applies the percentages to each month separately", () => {
    const line: GivenLine = {
      ...quarter,
      assignees: [
        ["anna", 33.34],
        ["bo", 33.33],
        ["cia", 33.33],
      ],
    };
    expect(earnedBy(line)).toEqual([
      ["2025-01", { anna: 111.13, bo: 111.1, cia: 111.1 }],
      ["2025-02", { anna: 111.14, bo: 111.1, cia: 111.1 }],
      ["2025-03", { anna: 111.13, bo: 111.1, cia: 111.1 }],
    ]);
  });

  it("is 60 to 40 for 60 % and 40 %", () => {
    const assignees = [
      ["anna", 60],
      ["bo", 40],
    ] as const;
    const line: GivenLine = {
      method: "value",
      agreed: 50_000_00n,
      discount: 10,
      assignees,
      issued: "2025-03-14",
    };
    expect(earnedBy(line)).toEqual([["2025-03", { anna: 27_000, bo: 18_000 }]]);
  });

  it("is equal without percentages, and the first user has the odd unit", () => {
    const assignees = [["anna"], ["bo"], ["cia"]] as const;
    expect(users({ ...quarter, assignees }, "2025-01", 100n)).toEqual([
      ["anna", 34n],
      ["bo", 33n],
      ["cia", 33n],
    ]);
  });

  it("of a negative month is negative for every user", () => {
    const assignees = [["anna"], ["bo"], ["cia"]] as const;
    expect(users({ ...quarter, assignees }, "2025-01", -5n)).toEqual([
      ["anna", -2n],
      ["bo", -2n],
      ["cia", -1n],
    ]);
  });

  it("is in whole yen", () => {
    expect(
      earnedBy({
        ...quarter,
        agreed: 10n,
        digits: 0,
        assignees: [
          ["anna", 50],
          ["bo", 50],
        ],
      }),
    ).toEqual([
      ["2025-01", { anna: 2, bo: 1 }],
      ["2025-02", { anna: 2, bo: 2 }],
      ["2025-03", { anna: 2, bo: 1 }],
    ]);
  });

  it("is unassigned without assignees, even if users worked on the line", () => {
    const line: GivenLine = { ...quarter, worked: [["anna", "2025-01-10", 8]] };
    expect(users(line, "2025-01", 333_33n)).toEqual([[null, 333_33n]]);
  });

  it("leaves out users without a share, and months without revenue", () => {
    const line: GivenLine = {
      ...quarter,
      assignees: [
        ["anna", 0],
        ["bo", 100],
      ],
    };
    expect(users(line, "2025-01", 1n)).toEqual([["bo", 1n]]);
    expect(users(line, "2025-01", 0n)).toEqual([]);
  });
});

describe("revenue by user of hours", () => {
  const line: GivenLine = {
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

  it("follows the hours of the month and their rates", () => {
    expect(earnedBy(line)).toEqual([
      ["2025-02", { bo: 22_800, cia: 11_281.25 }],
      ["2025-03", { bo: 8_550, cia: 9_025 }],
    ]);
  });

  it("follows the hours of earlier months in a month without hours", () => {
    const one: GivenLine = {
      ...line,
      worked: [
        ["bo", "2025-02-03", 1],
        ["cia", "2025-06-30", 1],
      ],
    };
    expect(users(one, "2025-04", -10n)).toEqual([["bo", -10n]]);
  });

  it("follows all hours in a month before the first ones", () => {
    const one: GivenLine = {
      method: "hours",
      rate: 100,
      worked: [
        ["bo", "2025-02-03", 1],
        ["cia", "2025-06-30", 3],
      ],
    };
    expect(users(one, "2025-01", 100n)).toEqual([
      ["bo", 25n],
      ["cia", 75n],
    ]);
  });

  it("is unassigned when no user worked", () => {
    expect(users({ method: "hours", rate: 100 }, "2025-01", 100n)).toEqual([[null, 100n]]);
  });

  it("gives odd units to assignees first, then in the order of registration", () => {
    const worked = [
      ["dan", "2025-02-03", 1],
      ["cia", "2025-02-03", 1],
      ["anna", "2025-02-03", 1],
    ] as const;
    const one: GivenLine = { method: "hours", rate: 100, assignees: [["bo"], ["anna"]], worked };
    expect(users(one, "2025-02", 4n)).toEqual([
      ["anna", 2n],
      ["dan", 1n],
      ["cia", 1n],
    ]);
    expect(users(one, "2025-02", 5n)).toEqual([
      ["anna", 2n],
      ["dan", 2n],
      ["cia", 1n],
    ]);
  });

  it("stays as frozen at the issue, with the earned amount of each month", () => {
    const facts = factsOf({ ...line, issued: "2025-04-02" });
    const measured = measuredWork(facts);
    const frozen = { ...facts, worked: [], measured };
    expect(measured.months).toEqual([
      { month: "2025-02", earned_to_date: 34_081_25n },
      { month: "2025-03", earned_to_date: 51_656_25n },
    ]);
    expect(earnedByUser(frozen, "2025-03" as Month, 17_575_00n)).toEqual(
      earnedByUser(facts, "2025-03" as Month, 17_575_00n),
    );
  });

  it("has one total for the month in which a line by progress is completed", () => {
    const reported: GivenLine = {
      method: "progress",
      agreed: 100_00n,
      budget: 10,
      worked: [
        ["bo", "2025-02-03", 4],
        ["bo", "2025-03-03", 1],
        ["bo", "2025-04-03", 1],
      ],
      completed: "2025-03-31",
    };
    expect(measuredWork(factsOf(reported)).months).toEqual([
      { month: "2025-02", earned_to_date: 40_00n },
      { month: "2025-03", earned_to_date: 100_00n },
    ]);
  });
});
