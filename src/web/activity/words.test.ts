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
    { words: en, language: "en" },
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
    ["is the month of a close", null, { month: "2027-01" }, "January 2027"],
    ["is the day of a lock", null, { date: "2027-01-31" }, "31 Jan 2027"],
    ["is the period as it is named", null, { period: "2027-W03" }, "2027-W03"],
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
      "are the fields with different values, by their paths",
      { a: 1, b: { c: [1] }, d: 1 },
      { a: 1, b: { c: [2] }, d: 2 },
      ["b.c[0]", "d"],
    ],
    ["include added and removed fields", { a: 1 }, { b: 2 }, ["a", "b"]],
    [
      "exclude the fields that every change updates, and keys of the service",
      { updated_at: "x", revision: 1, ledger_invoice_guid: null },
      { updated_at: "y", revision: 2, ledger_invoice_guid: "g" },
      [],
    ],
    ["are none where the resource did not exist", null, { a: 1 }, []],
    ["are none where the resource no longer exists", { a: 1 }, null, []],
  ])("%s", (_case, before, after, changed) => {
    expect(event({ before, after }).changes.map(({ field }) => field)).toEqual(changed);
  });
});

it("shows an id only if the event has no name or the id is meant for people", () => {
  const id = "0190a000-0000-7000-8000-000000000000";
  expect(event({ resource_id: id }).id).toBe(id);
  expect(event({ resource_id: id, after: { name: "Acme" } }).id).toBeNull();
  expect(event({ resource_id: "plan_x", after: { summary: "Does it" } }).id).toBeNull();
  const account = { resource_type: "ledger_account", resource_id: "1010" };
  expect(event({ ...account, after: { name: "Sales" } }).id).toBe("1010");
  expect(event({ resource_id: "2027-01", after: { month: "2027-01" } }).id).toBeNull();
});

it("shows types and actions without underscores", () => {
  const { type, action } = event({ action: "written_off", resource_type: "credit_note" });
  expect([type, action]).toEqual(["credit note", "written off"]);
});

it("names a month close by its month, also when it begins", () => {
  const begun = { action: "close_begun", resource_type: "period_close", resource_id: "2026-10" };
  const { label, id } = event({ ...begun, after: null });
  expect([label, id]).toEqual(["October 2026", null]);
});

it("names a reference rate by the first day of its half-year", () => {
  const { label, id } = event({
    resource_type: "reference_rate",
    resource_id: "2027-01-01",
    after: { date: "2027-01-01", rate: 1.75 },
  });
  expect([label, id]).toEqual(["1 Jan 2027", null]);
});

it("names a rate by its currency and its day", () => {
  const after = { currency: "EUR", date: "2027-01-31" };
  const { label, id } = event({
    resource_type: "exchange_rate",
    resource_id: "EUR:2027-01-31",
    after,
  });
  expect([label, id]).toEqual(["EUR, 31 Jan 2027", null]);
});
