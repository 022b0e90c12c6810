import { describe, expect, it } from "vitest";
import { leaveIfLong, MOST_LINES, TakesLong } from "./takes-long.ts";

const linesOf = (count: number) => ({ lines: Array(count).fill("a line") });

describe("work on long documents", () => {
  it("leaves the thread that serves all requests", () => {
    const serving = { leaves_if_long: true };
    expect(() => leaveIfLong(serving, linesOf(MOST_LINES + 1))).toThrow(TakesLong);
    expect(() => leaveIfLong(serving, linesOf(MOST_LINES), linesOf(1))).toThrow(TakesLong);
    expect(() => leaveIfLong(serving, linesOf(MOST_LINES))).not.toThrow();
    expect(() => leaveIfLong(serving)).not.toThrow();
  });

  it("leaves the thread earlier if the document is sent", () => {
    const sent = (count: number) => ({ ...linesOf(count), auto_send: true });
    const serving = { leaves_if_long: true };
    expect(() => leaveIfLong(serving, sent(MOST_LINES / 2 + 1))).toThrow(TakesLong);
    expect(() => leaveIfLong(serving, sent(MOST_LINES / 2))).not.toThrow();
  });

  it("leaves the thread for many registrations on few lines", () => {
    const worked = (registrations: number) => ({ ...linesOf(1), registrations });
    const serving = { leaves_if_long: true };
    expect(() => leaveIfLong(serving, worked(MOST_LINES))).toThrow(TakesLong);
    expect(() => leaveIfLong(serving, worked(MOST_LINES - 1))).not.toThrow();
    const sent = { ...worked(MOST_LINES / 2), auto_send: true };
    expect(() => leaveIfLong(serving, sent)).toThrow(TakesLong);
  });

  it("is completed in any other thread", () => {
    const other_thread = { leaves_if_long: false };
    expect(() => leaveIfLong(other_thread, linesOf(MOST_LINES + 1))).not.toThrow();
  });
});
