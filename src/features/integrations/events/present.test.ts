/** The text of an event from that of an audit event. */
import { describe, expect, it } from "vitest";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { auditParts, eventText } from "./present.ts";

const audit = (before: unknown, after: unknown, reason: string | null = null): string =>
  JSON.stringify({
    object: "audit_event",
    id: "e",
    at: "2026-03-01T12:00:00.000Z",
    actor: { kind: "user", id: "u" },
    action: "updated",
    resource_type: "product",
    resource_id: 'a","before":1',
    before,
    after,
    reason,
  });

const facts = {
  feed_id: "f",
  sequence: 7n,
  customer_id: null,
  related: { series_id: null, period: null, invoice_id: null },
  sandbox: false,
};

describe("an event", () => {
  it.each(["0198f2a0-0000-7000-8000-000000000001", "EUR:2027-01-31", "\\", '"', "æ\u2028"])(
    "has the same fields in the same order for the resource %j, whether its id has escapes or not",
    (resource_id) => {
      const payload = audit({ a: 1 }, { a: 2 }).replace(
        JSON.stringify('a","before":1'),
        JSON.stringify(resource_id),
      );
      const { id, at, actor, reason } = JSON.parse(payload);
      const expected = {
        ...{
          object: "event",
          id,
          feed_id: "f",
          sequence: 7,
          type: "product.updated",
          timestamp: at,
        },
        ...{ resource_type: "product", resource_id, customer_id: null, related: facts.related },
        ...{ actor, reason, data: { resource: { a: 2 }, previous: { a: 1 } }, sandbox: false },
      };
      expect(eventText(auditParts(payload), facts)).toBe(JSON.stringify(expected));
    },
  );

  it.each([
    ["of a creation", null, { name: "A" }, null],
    ["of a deletion", { name: "A" }, null, "asked"],
    ["without either", null, null, null],
    ["of a resource with the field `after`", { after: 1, list: [{ after: 2 }] }, { after: 3 }, "r"],
    [
      "of texts that look like its own fields",
      { a: ',"after":' },
      { b: ',"reason":null}' },
      ',"reason":"',
    ],
    ["of values that are lists and numbers", [1, { after: [] }], 1.5, '"'],
  ])("%s has the resource, what was before and the reason", (_case, before, after, reason) => {
    const payload = audit(before, after, reason);
    expect(JSON.parse(eventText(auditParts(payload), facts))).toEqual({
      object: "event",
      id: "e",
      feed_id: "f",
      sequence: 7,
      type: "product.updated",
      timestamp: "2026-03-01T12:00:00.000Z",
      resource_type: "product",
      resource_id: 'a","before":1',
      customer_id: null,
      related: facts.related,
      actor: { kind: "user", id: "u" },
      reason,
      data: { resource: after, previous: before },
      sandbox: false,
    });
  });

  it("has them character for character", () => {
    const payload = audit("X", "Y").replace('"X"', '{"a": 1.10}').replace('"Y"', '{"a":1e2 }');
    const text: JsonText = eventText(auditParts(payload), facts);
    expect(text).toContain('"data":{"resource":{"a":1e2 },"previous":{"a": 1.10}}');
  });
});
