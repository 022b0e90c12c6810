/** Ids of the lines of occurrences: they can be decoded, are never shared, and stay the same for older lines. */
import * as fc from "fast-check";
import { v5, v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate } from "../base/calendar.ts";
import {
  keyOfNumber,
  linesById,
  occurrenceLineId,
  occurrenceLineIds,
  periodNumber,
  readLineId,
} from "./line-id.ts";
import { alignments, frequencies, periodAt, type Recurrence } from "./period.ts";

const LINE = "019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071";
const NEXT = "019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6072";
const SAME_END = "019a2b3c-4d5f-7f60-8a1b-2c3d4e5f6071";

const fresh = (line_id: string) => ({ line_id, hashed_periods: null });

describe("the number of a period", () => {
  it.each([
    ["1900-W01", 0x0_0000],
    ["2025-W07", 125 * 53 + 6],
    ["2026-W53", 126 * 53 + 52],
    ["2027-W01", 127 * 53],
    ["1900-01", 0x1_0000],
    ["2025-02", 0x1_0000 + 125 * 12 + 1],
    ["2199-12", 0x1_0000 + 299 * 12 + 11],
    ["2025-Q1", 0x2_0000 + 125 * 4],
    ["2025-Q4", 0x2_0000 + 125 * 4 + 3],
    ["2025-H2", 0x3_0000 + 125 * 2 + 1],
    ["2025", 0x4_0000 + 125],
    ["2199", 0x4_0000 + 299],
  ])("of %s is %d, and leads back to the key", (key, number) => {
    expect(periodNumber(key)).toBe(number);
    expect(keyOfNumber(number)).toBe(key);
  });

  it("is five hexadecimal digits at most, whatever the period", () => {
    for (const key of ["2200-W53", "2199-12", "2199-Q4", "2199-H2", "2199"]) {
      expect(periodNumber(key)).toBeLessThan(0x10_0000);
    }
  });

  it.each([0x5_0000, 0xf_ffff, Number.NaN])("is never %d", (number) => {
    expect(keyOfNumber(number)).toBeUndefined();
  });

  it("is unique to its key, whatever a caller writes into an id", () => {
    for (let number = 0; number < 0x10_0000; number += 7) {
      const read = keyOfNumber(number);
      if (read !== undefined && periodNumber(read) !== number) expect(read).toBe(number);
    }
  });

  it.each(["", "2025-", "2025-X1", "25", "2025-13-01"])("does not exist for %j", (text) => {
    expect(() => periodNumber(text)).toThrow("is not the key of a period");
  });

  it("grows with the periods of a series, and differs for each", () => {
    fc.assert(
      fc.property(recurrence, fc.nat(400), (series, index) => {
        const [one, next] = [periodAt(series, index), periodAt(series, index + 1)];
        const number = periodNumber(one?.key ?? "");
        expect(periodNumber(next?.key ?? "")).toBeGreaterThan(number);
        expect(keyOfNumber(number)).toBe(one?.key);
      }),
    );
  });
});

const recurrence: fc.Arbitrary<Recurrence> = fc.record({
  frequency: fc.constantFrom(...frequencies),
  alignment: fc.constantFrom(...alignments),
  start_date: fc.nat(72_000).map((days) => addDays("1900-01-01" as CalendarDate, days)),
  end_date: fc.constant(null),
});

/** All keys that a period can have. */
const key = fc
  .tuple(recurrence, fc.nat(300))
  .map(([series, index]) => periodAt(series, index)?.key ?? "");
const line_id = fc.date({ min: new Date(0), noInvalidDate: true }).map((at) => {
  return v7({ msecs: Math.min(at.getTime(), 2 ** 48 - 1) });
});

describe("the id of an occurrence's line", () => {
  it.each([
    [LINE, "2025-W07", "019e747a-9769-82d3-8a1b-2c3d4e5f6071"],
    [LINE, "2025-02", "105dd8d7-4320-8009-8a1b-2c3d4e5f6071"],
    [LINE, "2025-Q1", "201f49dd-7f09-85c0-8a1b-2c3d4e5f6071"],
    [LINE, "2025-H1", "300fa07a-1f95-83ac-8a1b-2c3d4e5f6071"],
    [LINE, "2025", "4007d82e-5b33-8adc-8a1b-2c3d4e5f6071"],
    [NEXT, "2025", "4007db4f-ccd6-8ebb-8a1b-2c3d4e5f6072"],
  ])("of %s in %s never changes", (line, period, id) => {
    expect(occurrenceLineId(fresh(line), period)).toBe(id);
  });

  it("is a UUIDv8 that contains the key and the end of the line's id", () => {
    fc.assert(
      fc.property(line_id, key, (line, period) => {
        const id = occurrenceLineId(fresh(line), period);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(readLineId(id)).toEqual({ key: period, line_bits: line.slice(19) });
        expect(line.endsWith(readLineId(id)?.line_bits ?? "")).toBe(true);
      }),
    );
  });

  it("is the same for many lines in many periods as for one alone", () => {
    const hashed = { line_id: SAME_END, hashed_periods: [125 * 53, 126 * 53] };
    const idOf = occurrenceLineIds();
    for (const key of ["2025-W07", "2025-W07", "2024-W51", "2026-W01", "2025-W53"]) {
      for (const line of [fresh(LINE), fresh(NEXT), hashed]) {
        expect(idOf(line, key)).toBe(occurrenceLineId(line, key));
      }
    }
    expect(occurrenceLineId(hashed, "2025-W07")).toBe(v5("2025-W07", SAME_END));
  });

  it("differs by period and by line, also for lines whose ids end in the same way", () => {
    fc.assert(
      fc.property(line_id, line_id, key, key, (line, other, period, another) => {
        const id = occurrenceLineId(fresh(line), period);
        fc.pre(line !== other && period !== another);
        expect(occurrenceLineId(fresh(line), another)).not.toBe(id);
        expect(occurrenceLineId(fresh(other), period)).not.toBe(id);
      }),
    );
    const [one, other] = [LINE, SAME_END].map((line) => occurrenceLineId(fresh(line), "2026-03"));
    expect(readLineId(one ?? "")).toEqual(readLineId(other ?? ""));
    expect(one).not.toBe(other);
  });

  it.each([
    ["a UUIDv7", LINE],
    ["a UUIDv5", v5("2025-02", LINE)],
    ["a number of no period", "f05dd3a5-2e8f-8ad3-8a1b-2c3d4e5f6071"],
  ])("is not read from %s", (_what, id) => {
    expect(readLineId(id)).toBeUndefined();
  });
});

describe("a line with hashed periods", () => {
  const [from, before] = ["2025-11", "2027-04"].map(periodNumber);
  const line = { line_id: LINE, hashed_periods: [from ?? 0, before ?? 0] };

  it.each(["2025-11", "2026-08", "2027-03"])("keeps its hashed id in %s", (period) => {
    expect(occurrenceLineId(line, period)).toBe(v5(period, LINE));
  });

  it.each(["2025-10", "2027-04", "2026-W10", "2026-Q3", "2026-H1", "2026"])(
    "has an id like any other line in %s",
    (period) => {
      expect(occurrenceLineId(line, period)).toBe(occurrenceLineId(fresh(LINE), period));
      expect(readLineId(occurrenceLineId(line, period))?.key).toBe(period);
    },
  );
});

describe("lines by their ids in a period", () => {
  const hashed = {
    line_id: NEXT,
    hashed_periods: [periodNumber("2025-02"), periodNumber("2025-04")],
  };
  const lines = [fresh(LINE), fresh(SAME_END), hashed];
  const find = linesById(lines);

  it.each(["2025-01", "2025-02", "2025-03", "2025-04"])("are found in %s only", (key) => {
    for (const line of lines) {
      const id = occurrenceLineId(line, key);
      expect(find(id, key)).toBe(line);
      expect(find(id, "2026-01")).toBeUndefined();
    }
  });

  it("are not found by the id of the line itself, or by that of another line", () => {
    expect(find(LINE, "2025-02")).toBeUndefined();
    expect(
      linesById([hashed])(occurrenceLineId(fresh(LINE), "2025-02"), "2025-02"),
    ).toBeUndefined();
  });
});
