/** The events of an endpoint, and their order. */
import { describe, expect, it } from "vitest";
import { isFor, isOwnRoot, rootOf } from "./event-order.ts";

describe("an endpoint", () => {
  it.each<[string[], string, boolean]>([
    [["invoice.issued"], "invoice.issued", true],
    [["invoice.issued"], "invoice.created", false],
    [["invoice.*"], "invoice.created", true],
    [["invoice.*"], "invoice_line.completed", false],
    [["*"], "delivery.sent", true],
    [["*"], "user.created", false],
    [["user.*"], "user.created", false],
    [["*", "user.created"], "user.created", true],
    [["api_key.created"], "api_key.created", true],
    [["*"], "oauth_grant.revoked", false],
    [["*"], "plan.committed", false],
    [["*"], "test_clock.advanced", false],
    [["*"], "unheard_of.changed", true],
  ])("of %j gets %s: %s", (event_types, type, expected) => {
    const [resource_type = "", action = ""] = type.split(".");
    const event = { resource_type, action, resource_id: "r" };
    expect(isFor({ id: "e", event_types }, event)).toBe(expected);
  });

  it("gets the events of others, and never its own", () => {
    const failing = { resource_type: "webhook_endpoint", action: "failing" };
    const all = { id: "e", event_types: ["*", "webhook_endpoint.failing"] };
    expect(isFor(all, { ...failing, resource_id: "other" })).toBe(true);
    expect(isFor(all, { ...failing, resource_id: "e" })).toBe(false);
  });
});

it.each([
  ["invoice", "i1", "i1"],
  ["invoice_line", "l1", "i1"],
  ["delivery", "d1", "n1"],
  ["occurrence", "s1/2027-01", "s1"],
  ["work_registration", "w1", "w1"],
  ["customer", "c1", "c1"],
])(
  "the events of a %s %s are in order with those of %s",
  (resource_type, resource_id, expected) => {
    const related = { invoice_id: "i1", series_id: "s1" };
    const document_id = resource_type === "delivery" ? "n1" : null;
    expect(rootOf({ resource_type, resource_id, related, document_id })).toBe(expected);
    expect(isOwnRoot(resource_type)).toBe(resource_id === expected);
  },
);

it("a resource that belongs to nothing any more is its own root", () => {
  const related = { invoice_id: null, series_id: null };
  for (const resource_type of ["invoice_line", "delivery", "occurrence"]) {
    expect(rootOf({ resource_type, resource_id: "x", related, document_id: null })).toBe("x");
  }
});
