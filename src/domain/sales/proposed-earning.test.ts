/** What a product proposes for a new line. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { type EarningDefaults, earningFaults, proposedEarning } from "./proposed-earning.ts";

const day = (text: string) => text as CalendarDate;
const product = (fields: Partial<EarningDefaults> & { unit?: string } = {}) => ({
  unit: "parts",
  default_recognition_method: null,
  default_months: null,
  ...fields,
});

describe("a product", () => {
  it.each([
    ["without defaults", product(), null],
    ["in hours", product({ unit: "hours" }), "hours"],
    [
      "in hours with a method of its own",
      product({ unit: "hours", default_recognition_method: "progress" }),
      "progress",
    ],
    ["at a milestone", product({ default_recognition_method: "milestone" }), "milestone"],
  ])("%s proposes how a line is earned", (_case, sold, method) => {
    expect(proposedEarning(sold, day("2026-03-01"))?.recognition_method ?? null).toBe(method);
  });

  it.each([
    [12, "2026-03-15", "2027-03-14"],
    [1, "2026-01-31", "2026-02-27"],
    [3, "2026-12-01", "2027-02-28"],
  ])("over %i months from %s proposes the days through %s", (default_months, from, to) => {
    const sold = product({ default_recognition_method: "value", default_months });
    expect(proposedEarning(sold, day(from))).toEqual({
      recognition_method: "value",
      service_from: from,
      service_to: to,
    });
  });

  it("over time without months proposes no days", () => {
    const sold = product({ default_recognition_method: "value" });
    expect(proposedEarning(sold, day("2026-03-01"))).toMatchObject({ service_from: null });
  });

  it("has months only over time", () => {
    const months = { default_months: 12 };
    expect(earningFaults(product({ ...months, default_recognition_method: "value" }))).toEqual([]);
    expect(earningFaults(product(months))).toMatchObject([{ field: "default_months" }]);
    expect(earningFaults(product({ ...months, default_recognition_method: "hours" }))).toHaveLength(
      1,
    );
  });
});
