/** Which lines may be completed, and when a completion is new (spec 5.4). */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import type { ProblemCode } from "../base/problem.ts";
import { type CompletableLine, decideCompletion, requireCompletable } from "./completion.ts";
import type { RecognitionMethod } from "./line.ts";

const day = (text: string) => text as CalendarDate;

describe("a line may be completed", () => {
  it.each<[RecognitionMethod, Partial<CompletableLine>, ProblemCode | null]>([
    ["milestone", {}, null],
    ["milestone", { is_being_issued: true }, null],
    ["milestone", { status: "issued" }, null],
    ["progress", {}, null],
    ["progress", { is_being_issued: true }, "INVOICE_ISSUE_IN_PROGRESS"],
    ["progress", { status: "issued" }, "INVOICE_ALREADY_ISSUED"],
    ["value", {}, "LINE_NOT_COMPLETABLE"],
    ["hours", {}, "LINE_NOT_COMPLETABLE"],
    ["on_issue", { status: "issued" }, "LINE_NOT_COMPLETABLE"],
  ])("%s %o: %s", (recognition_method, fields, code) => {
    const line: CompletableLine = {
      recognition_method,
      status: "draft",
      is_being_issued: false,
      ...fields,
    };
    const check = expect(() => requireCompletable(line));
    if (code === null) check.not.toThrow();
    else check.toThrow(expect.objectContaining({ code }));
  });
});

describe("a completion", () => {
  const today = day("2025-03-10");

  it.each<[string, string | null, string, boolean | ProblemCode]>([
    ["dated today is new", null, "2025-03-10", true],
    ["dated earlier is new", null, "2024-12-31", true],
    ["with the same day is a repeat", "2025-03-01", "2025-03-01", false],
    ["with another day is refused", "2025-03-01", "2025-03-02", "LINE_ALREADY_COMPLETED"],
    ["dated tomorrow is refused", null, "2025-03-11", "WORK_DATE_IN_FUTURE"],
    [
      "dated tomorrow is refused for that reason first",
      "2025-03-01",
      "2025-03-11",
      "WORK_DATE_IN_FUTURE",
    ],
  ])("%s", (_, present, completed_on, answer) => {
    const decide = () =>
      decideCompletion(present === null ? null : day(present), day(completed_on), today);
    if (typeof answer === "string")
      expect(decide).toThrow(expect.objectContaining({ code: answer }));
    else expect(decide()).toBe(answer);
  });
});
