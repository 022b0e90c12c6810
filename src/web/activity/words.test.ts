/** Audit events in words. */
import { describe, expect, it } from "vitest";
import { jsonText } from "../../platform/runtime/json.ts";
import { en } from "../words/en.ts";
import { eventFrom, shownEvent } from "./words.ts";

const event = (fields: Readonly<Record<string, unknown>>) =>
  shownEvent(
    eventFrom(
      jsonText({
        object: "audit_event",
        id: "e",
        at: "2027-01-04T08:00:00.000Z",
        actor: { kind: "user", id: "u" },
        action: "updated",
        resource_type: "recurring_series",
        resource_id: "r",
        before: null,
        after: null,
        reason: null,
        ...fields,
      }),
    ),
    new Map(),
    en,
  );

describe("an event is called", () => {
  it.each<[string, object | null, object | null, string | null]>([
    ["by its document's number", null, { ledger_invoice_number: 12, title: "Website" }, "no. 12"],
    ["by a credit note's", null, { ledger_credit_note_number: 3 }, "no. 3"],
    [
      "by what its plan was to do",
      null,
      { summary: "Issue the invoice", name: "x" },
      "Issue the invoice",
    ],
    ["by its name", null, { name: "Acme", external_id: "a" }, "Acme"],
    [
      "by its title, while it has no number",
      null,
      { ledger_invoice_number: null, title: "Website" },
      "Website",
    ],
    ["by the month of a close", null, { month: "2027-01" }, "2027-01"],
    ["by its name before it ended", { name: "Acme" }, null, "Acme"],
    ["by its new name", { name: "Acme" }, { name: "Acme A/S" }, "Acme A/S"],
    ["nothing, when it has nothing to be called by", { title: "" }, { title: null }, null],
    ["nothing, when nothing was said of it", null, null, null],
  ])("%s", (_case, before, after, label) => {
    expect(event({ before, after }).label).toBe(label);
  });
});

describe("the fields that changed", () => {
  it.each<[string, object | null, object | null, string[]]>([
    [
      "are those that differ",
      { a: 1, b: { c: [1] }, d: 1 },
      { a: 1, b: { c: [2] }, d: 2 },
      ["b", "d"],
    ],
    ["are also those that came and went", { a: 1 }, { b: null }, ["a", "b"]],
    [
      "are not the marks of every change",
      { updated_at: "x", revision: 1 },
      { updated_at: "y", revision: 2 },
      [],
    ],
  ])("%s", (_case, before, after, changed) => {
    expect(event({ before, after }).changed).toEqual(changed);
  });

  it("are told of updates only: other actions say it themselves", () => {
    const fields = { before: { status: "draft" }, after: { status: "issued" } };
    expect(event({ ...fields, action: "issued" }).changed).toEqual([]);
  });
});

it("shows an id only where there is no name, or where people read it", () => {
  const id = "0190a000-0000-7000-8000-000000000000";
  expect(event({ resource_id: id }).id).toBe(id);
  expect(event({ resource_id: id, after: { name: "Acme" } }).id).toBeNull();
  expect(event({ resource_id: "plan_x", after: { summary: "Does it" } }).id).toBeNull();
  expect(event({ resource_id: "1010", after: { name: "Sales" } }).id).toBe("1010");
  expect(event({ resource_id: "2027-01", after: { month: "2027-01" } }).id).toBeNull();
});

it("has words without underscores", () => {
  const { type, action } = event({ action: "written_off" });
  expect([type, action]).toEqual(["recurring series", "written off"]);
});
