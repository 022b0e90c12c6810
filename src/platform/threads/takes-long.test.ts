import { describe, expect, it } from "vitest";
import { leaveIfLong, MOST_LINES, TakesLong } from "./takes-long.ts";

const linesOf = (count: number) => ({ lines: Array(count).fill("a line") });

describe("work on long documents", () => {
  it("leaves the thread that answers everybody", () => {
    const here = { leaves_if_long: true };
    expect(() => leaveIfLong(here, linesOf(MOST_LINES + 1))).toThrow(TakesLong);
    expect(() => leaveIfLong(here, linesOf(MOST_LINES), linesOf(1))).toThrow(TakesLong);
    expect(() => leaveIfLong(here, linesOf(MOST_LINES))).not.toThrow();
    expect(() => leaveIfLong(here)).not.toThrow();
  });

  it("leaves it earlier when they are sent", () => {
    const sent = (count: number) => ({ ...linesOf(count), auto_send: true });
    const here = { leaves_if_long: true };
    expect(() => leaveIfLong(here, sent(MOST_LINES / 2 + 1))).toThrow(TakesLong);
    expect(() => leaveIfLong(here, sent(MOST_LINES / 2))).not.toThrow();
  });

  it("leaves it by the registrations on few lines", () => {
    const worked = (registrations: number) => ({ ...linesOf(1), registrations });
    const here = { leaves_if_long: true };
    expect(() => leaveIfLong(here, worked(MOST_LINES))).toThrow(TakesLong);
    expect(() => leaveIfLong(here, worked(MOST_LINES - 1))).not.toThrow();
    const sent = { ...worked(MOST_LINES / 2), auto_send: true };
    expect(() => leaveIfLong(here, sent)).toThrow(TakesLong);
  });

  it("is done to its end in any other", () => {
    const elsewhere = { leaves_if_long: false };
    expect(() => leaveIfLong(elsewhere, linesOf(MOST_LINES + 1))).not.toThrow();
  });
});
