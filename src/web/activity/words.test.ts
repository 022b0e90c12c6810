/** The texts of audit events. */
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

describe("the label of an event", () => {
  it.each<[string, object | null, object | null, string | null]>([
    [
      "is the number of its invoice",
      null,
      { ledger_invoice_number: 12, title: "Website" },
      "no. 12",
    ],
    ["is the number of its credit note", null, { ledger_credit_note_number: 3 }, "no. 3"],
    [
      "is the summary of its plan",
      null,
      { summary: "Issue the invoice", name: "x" },
      "Issue the invoice",
    ],
    ["is its name", null, { name: "Acme", external_id: "a" }, "Acme"],
    [
      "is its title if it has no number",
      null,
      { ledger_invoice_number: null, title: "Website" },
      "Website",
    ],
    ["is the month of a close", null, { month: "2027-01" }, "2027-01"],
    ["is its last name after a deletion", { name: "Acme" }, null, "Acme"],
    ["is its new name after an update", { name: "Acme" }, { name: "Acme A/S" }, "Acme A/S"],
    [
      "is null if name, title and number are missing or empty",
      { title: "" },
      { title: null },
      null,
    ],
    ["is null if the event contains no data", null, null, null],
  ])("%s", (_case, before, after, label) => {
    expect(event({ before, after }).label).toBe(label);
  });
});

describe("the changed fields of an event", () => {
  it.each<[string, object | null, object | null, string[]]>([
    [
      "are the fields with different values",
      { a: 1, b: { c: [1] }, d: 1 },
      { a: 1, b: { c: [2] }, d: 2 },
      ["b", "d"],
    ],
    ["include added and removed fields", { a: 1 }, { b: null }, ["a", "b"]],
    [
      "exclude the fields that every change updates",
      { updated_at: "x", revision: 1 },
      { updated_at: "y", revision: 2 },
      [],
    ],
  ])("%s", (_case, before, after, changed) => {
    expect(event({ before, after }).changed).toEqual(changed);
  });

  it("are listed only for updates: the names of other actions state the change", () => {
    const fields = { before: { status: "draft" }, after: { status: "issued" } };
    expect(event({ ...fields, action: "issued" }).changed).toEqual([]);
  });
});

it("shows an id only if the event has no name or the id is meant for people", () => {
  const id = "0190a000-0000-7000-8000-000000000000";
  expect(event({ resource_id: id }).id).toBe(id);
  expect(event({ resource_id: id, after: { name: "Acme" } }).id).toBeNull();
  expect(event({ resource_id: "plan_x", after: { summary: "Does it" } }).id).toBeNull();
  expect(event({ resource_id: "1010", after: { name: "Sales" } }).id).toBe("1010");
  expect(event({ resource_id: "2027-01", after: { month: "2027-01" } }).id).toBeNull();
});

it("shows types and actions without underscores", () => {
  const { type, action } = event({ action: "written_off" });
  expect([type, action]).toEqual(["recurring series", "written off"]);
});
