/** Which settings of reminders are refused. */
import { describe, expect, it } from "vitest";
import { type ReminderSettings, reminderFaults, usualReminders } from "./reminder-settings.ts";

const level = (days_after_due: number, fee: number) => ({
  days_after_due,
  fee,
  compensation: false,
  text: null,
});

describe("usualReminders", () => {
  it("keeps the law in kroner, and has no fee in another currency", () => {
    expect(usualReminders("DKK").levels).toEqual([
      level(3, 0),
      level(13, 100),
      level(23, 100),
      level(33, 100),
    ]);
    expect(usualReminders("EUR")).toMatchObject({ rules: "own", interest: "none" });
    expect(usualReminders("EUR").levels.map(({ fee }) => fee)).toEqual([0, 0, 0, 0]);
    for (const currency of ["DKK", "EUR", "JPY"]) {
      expect(reminderFaults(usualReminders(currency), currency)).toEqual([]);
    }
  });
});

describe("reminderFaults", () => {
  it.each<[string, Partial<ReminderSettings>, string[]]>([
    ["a fee above 100 kr.", { levels: [level(3, 100.01)] }, ["levels[0].fee not_allowed"]],
    [
      "a fourth fee",
      { levels: [3, 13, 23, 33, 43].map((days) => level(days, days === 23 ? 0 : 50)) },
      ["levels[4].fee not_allowed"],
    ],
    ["less than ten days", { minimum_days: 9 }, ["minimum_days not_allowed"]],
    [
      "all of it under rules of its own",
      { rules: "own", minimum_days: 0, levels: [1, 2, 3, 4].map((days) => level(days, 500)) },
      [],
    ],
    [
      "levels out of order",
      { levels: [level(13, 0), level(13, 0)] },
      ["levels[1].days_after_due too_small"],
    ],
    [
      "a fee in a third of an øre",
      { levels: [level(3, 0.333)] },
      ["levels[0].fee too_many_decimals"],
    ],
    [
      "a compensation in half a yen",
      { compensation: [{ currency: "JPY", amount: 0.5 }] },
      ["compensation[0].amount too_many_decimals"],
    ],
    [
      "a currency twice",
      {
        compensation: [
          { currency: "EUR", amount: 40 },
          { currency: "EUR", amount: 50 },
        ],
      },
      ["compensation[1].currency duplicate"],
    ],
  ])("of %s", (_, change, expected) => {
    const faults = reminderFaults({ ...usualReminders("DKK"), ...change }, "DKK");
    expect(faults.map(({ field, code }) => `${field} ${code}`)).toEqual(
      expected.map((one) => `reminders.${one}`),
    );
  });

  it("of a fee that is not in kroner, where the law is kept", () => {
    const settings = { ...usualReminders("DKK"), levels: [level(3, 1)] };
    expect(reminderFaults(settings, "EUR").map(({ code }) => code)).toEqual(["not_allowed"]);
  });
});
