/** Who may register and change which work, in the order of spec 6.2, and which changes are allowed (6.3). */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import {
  type HolderState,
  requireChangeable,
  requireRegistrable,
  type Work,
  type WorkedPeriod,
  type WorkFacts,
  type WorkTarget,
} from "./work.ts";

const day = (text: string) => text as CalendarDate;

const onDraft: WorkTarget = { state: "open", assignees: [], period: null };
const march: WorkedPeriod = {
  from: day("2025-03-01"),
  to: day("2025-03-31"),
  start_date: day("2025-01-01"),
  containing: null,
};
const inMarch = (fields: Partial<WorkedPeriod> = {}): WorkTarget => ({
  ...onDraft,
  period: { ...march, ...fields },
});
const february = (is_open: boolean) => inMarch({ containing: { key: "2025-02", is_open } });

const work: Work = { user_id: "bo", date: day("2025-03-10"), hours: 800 };
const facts: WorkFacts = {
  actor: null,
  today: day("2025-03-10"),
  work_lock_date: null,
  user_is_active: true,
  hours_of_day: 0,
};
const bo = { role: "standard", user_id: "bo" } as const;
const eva = { role: "standard", user_id: "eva" } as const;
const admin = { role: "admin", user_id: "ann" } as const;

function answer(check: () => void): string {
  try {
    check();
    return "yes";
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

type Case = [
  what: string,
  target: Partial<WorkTarget>,
  work: Partial<Work>,
  facts: Partial<WorkFacts>,
  code: string,
];

const locked = { work_lock_date: day("2025-03-10") };

describe("work is registered", () => {
  it.each<Case>([
    ["on an open line", {}, {}, {}, "yes"],
    ["not on a draft series", { state: "not_active" }, {}, {}, "SERIES_NOT_ACTIVE"],
    ["not in a dropped occurrence", { state: "dropped" }, {}, {}, "OCCURRENCE_DROPPED"],
    ["not in a skipped one", { state: "skipped" }, {}, {}, "OCCURRENCE_SKIPPED"],
    ["not on an issued invoice", { state: "issued" }, {}, {}, "INVOICE_ALREADY_ISSUED"],
    ["not during an issue", { state: "being_issued" }, {}, {}, "INVOICE_ISSUE_IN_PROGRESS"],
    ["not for an inactive user", {}, {}, { user_is_active: false }, "USER_INACTIVE"],
    ["by a standard user for themselves", {}, {}, { actor: bo }, "yes"],
    ["not for a colleague", {}, {}, { actor: eva }, "REGISTRATION_FOR_OTHERS_FORBIDDEN"],
    ["on a line assigned to them", { assignees: ["eva", "bo"] }, {}, { actor: bo }, "yes"],
    [
      "not on lines assigned to others",
      { assignees: ["eva"] },
      {},
      { actor: bo },
      "USER_NOT_ASSIGNED",
    ],
    ["by an admin for any user", { assignees: ["eva"] }, {}, { actor: admin }, "yes"],
    ["by a key for any user", { assignees: ["eva"] }, {}, {}, "yes"],
    ["today", {}, { date: day("2025-03-10") }, {}, "yes"],
    ["not tomorrow", {}, { date: day("2025-03-11") }, {}, "WORK_DATE_IN_FUTURE"],
    ["on a draft on any earlier day", {}, { date: day("2019-01-01") }, {}, "yes"],
    ["on the first day of a period", inMarch(), { date: day("2025-03-01") }, {}, "yes"],
    [
      "not after its last day",
      inMarch({ to: day("2025-03-09") }),
      {},
      {},
      "WORK_DATE_OUTSIDE_PERIOD",
    ],
    [
      "not before it while the earlier one is open",
      february(true),
      { date: day("2025-02-28") },
      {},
      "WORK_DATE_OUTSIDE_PERIOD",
    ],
    [
      "before it when the earlier one is settled",
      february(false),
      { date: day("2025-02-28") },
      {},
      "yes",
    ],
    ["before the series started", inMarch(), { date: day("2024-12-31") }, {}, "yes"],
    ["not where a series has no period", { period: "none" }, {}, {}, "WORK_DATE_OUTSIDE_PERIOD"],
    ["up to 24 hours a day", {}, {}, { hours_of_day: 1600 }, "yes"],
    ["not beyond", {}, {}, { hours_of_day: 1601 }, "DAILY_HOURS_EXCEEDED"],
    [
      "not by a standard user in a locked period",
      {},
      {},
      { actor: bo, ...locked },
      "WORK_PERIOD_LOCKED",
    ],
    ["by an admin in a locked period", {}, {}, { actor: admin, ...locked }, "yes"],
    ["by a key in a locked period", {}, {}, locked, "yes"],
    [
      "by a standard user after the lock date",
      {},
      {},
      { actor: bo, work_lock_date: day("2025-03-09") },
      "yes",
    ],
  ])("%s", (_, target, changed, known, code) => {
    const check = () =>
      requireRegistrable(
        { ...onDraft, ...target },
        { ...work, ...changed },
        { ...facts, ...known },
      );
    expect(answer(check)).toBe(code);
  });

  it("is refused for the first reason in the order of the contract", () => {
    const reasons: [string, WorkTarget, WorkFacts][] = [];
    let target: WorkTarget = { ...inMarch({ to: day("2025-03-05") }), assignees: ["eva"] };
    let known: WorkFacts = {
      actor: eva,
      today: day("2025-03-09"),
      work_lock_date: day("2025-12-31"),
      user_is_active: false,
      hours_of_day: 2400,
    };
    const next = (code: string, t: Partial<WorkTarget>, f: Partial<WorkFacts>) => {
      reasons.push([code, target, known]);
      target = { ...target, ...t };
      known = { ...known, ...f };
    };
    target = { ...target, state: "issued" };
    next("INVOICE_ALREADY_ISSUED", { state: "open" }, {});
    next("USER_INACTIVE", {}, { user_is_active: true });
    next("REGISTRATION_FOR_OTHERS_FORBIDDEN", {}, { actor: bo });
    next("USER_NOT_ASSIGNED", { assignees: ["bo"] }, {});
    next("WORK_DATE_IN_FUTURE", {}, { today: day("2025-03-10") });
    next("WORK_DATE_OUTSIDE_PERIOD", { period: null }, {});
    next("DAILY_HOURS_EXCEEDED", {}, { hours_of_day: 0 });
    next("WORK_PERIOD_LOCKED", {}, { work_lock_date: null });

    for (const [code, to, by] of reasons) {
      expect(answer(() => requireRegistrable(to, work, by))).toBe(code);
    }
    expect(answer(() => requireRegistrable(target, work, known))).toBe("yes");
  });

  it("names the right period and the hours already registered", () => {
    const details = (check: () => void) => {
      try {
        check();
      } catch (error) {
        return (error as Problem).extras.details;
      }
      return undefined;
    };
    const late = { ...work, date: day("2025-02-28") };
    expect(details(() => requireRegistrable(february(true), late, facts))).toEqual({
      date: "2025-02-28",
      period: "2025-02",
    });
    const full = { ...facts, hours_of_day: 2025 };
    expect(details(() => requireRegistrable(onDraft, work, full))).toEqual({
      date: "2025-03-10",
      registered: 20.25,
    });
  });
});

describe("registered work is changed", () => {
  const edit = { is_move: false, is_edit: true, is_fully_credited: false };
  const move = { is_move: true, is_edit: false, is_fully_credited: false };
  const credited = { ...move, is_fully_credited: true };

  it.each<[string, HolderState, typeof edit, Partial<WorkFacts>, string]>([
    ["where the line is open", "open", edit, {}, "yes"],
    ["and moved from an open line", "open", move, {}, "yes"],
    ["not in a dropped occurrence", "dropped", edit, {}, "OCCURRENCE_DROPPED"],
    ["but moved from one", "dropped", { ...move, is_edit: true }, {}, "yes"],
    ["not in a skipped occurrence, not even moved", "skipped", move, {}, "OCCURRENCE_SKIPPED"],
    ["not on an issued invoice", "issued", edit, {}, "INVOICE_ALREADY_ISSUED"],
    ["nor moved from one", "issued", move, {}, "INVOICE_ALREADY_ISSUED"],
    ["and moved from one after a full credit", "issued", credited, {}, "yes"],
    [
      "not edited by a move after a full credit",
      "issued",
      { ...credited, is_edit: true },
      {},
      "INVOICE_ALREADY_ISSUED",
    ],
    [
      "not edited in place after a full credit",
      "issued",
      { ...edit, is_fully_credited: true },
      {},
      "INVOICE_ALREADY_ISSUED",
    ],
    ["not during an issue", "being_issued", move, {}, "INVOICE_ISSUE_IN_PROGRESS"],
    ["by the standard user who registered it", "open", edit, { actor: bo }, "yes"],
    [
      "not by another standard user",
      "open",
      edit,
      { actor: eva },
      "REGISTRATION_FOR_OTHERS_FORBIDDEN",
    ],
    ["by an admin", "open", edit, { actor: admin, ...locked }, "yes"],
    [
      "not by a standard user before the lock date",
      "open",
      edit,
      { actor: bo, ...locked },
      "WORK_PERIOD_LOCKED",
    ],
  ])("%s", (_, state, change, known, code) => {
    const check = () => requireChangeable(state, work, change, { ...facts, ...known });
    expect(answer(check)).toBe(code);
  });
});
