/**
 * The contents of a refusal: the record that was not found, the id of the request in the log, and the faults in our own
 * words. Operations and fields come from the OpenAPI document, so that new ones are tested as well.
 */
import { describe, expect, it } from "vitest";
import { fieldsOf, operations, smallestOf, withField } from "../support/http/openapi.ts";
import { callPlainly } from "../support/http/plain-call.ts";
import { callOf, UNKNOWN_ID, useTarget } from "../support/http/target.ts";
import type { Json } from "../support/world/world.ts";

const target = useTarget();

describe("a 404 names the missing resource:", () => {
  it.each([
    ["GET /customers/ext:first", "customer", "ext:first"],
    ["GET /products/ext:first", "product", "ext:first"],
    ["PATCH /products/ext:first", "product", "ext:first"],
    ["GET /users/ext:first", "user", "ext:first"],
    ["GET /invoices/ext:first", "invoice", "ext:first"],
    ["GET /invoices/ext:first/totals", "invoice", "ext:first"],
    ["POST /invoices/ext:first/issue", "invoice", "ext:first"],
    [`DELETE /invoices/${UNKNOWN_ID}/lines/${UNKNOWN_ID}/complete`, "invoice", UNKNOWN_ID],
    ["GET /credit-notes/ext:first", "credit_note", "ext:first"],
    ["GET /recurring-series/ext:first", "recurring_series", "ext:first"],
    ["POST /recurring-series/ext:first/cancel", "recurring_series", "ext:first"],
    ["GET /work-registrations/ext:first", "work_registration", "ext:first"],
    [`GET /accruals/${UNKNOWN_ID}`, "accrual", UNKNOWN_ID],
    ["GET /accruals?customer=ext:here&month=2020-01", "accrual", "2020-01"],
    ["GET /accruals?customer=ext:first&month=2026-01", "customer", "ext:first"],
    ["GET /period-closes/2026-01", "period_close", "2026-01"],
    ["PATCH /ledger/accounts/4711", "ledger_account", "4711"],
    ["GET /nowhere?at=all", "endpoint", "GET /api/v1/nowhere"],
  ])("%s", async (call, resource, ref) => {
    const [method = "", path = ""] = call.split(/ (.*)/s);
    const has_body = method === "PATCH" || path.endsWith("/cancel");
    const { status, body } = await target.send(method, path, has_body ? "{}" : undefined);

    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(body.error.message).toBe(`There is no ${resource.replaceAll("_", " ")} ${ref}.`);
    expect(body.error.details).toEqual({ resource, ref });
  });

  it("also in the body of a credit note", async () => {
    const note = { external_id: "x", invoice: "ext:gone", kind: "full", credit_date: "2026-03-01" };
    const { body } = await target.send("POST", "/credit-notes", JSON.stringify(note));

    expect(body.error.message).toBe("There is no invoice ext:gone.");
  });

  it("an unknown line of an existing invoice", async () => {
    const path = `/invoices/${target.draft.id}/lines/${UNKNOWN_ID}/complete`;
    const { body } = await target.send("DELETE", path);

    expect(body.error.details).toEqual({ resource: "invoice_line", ref: UNKNOWN_ID });
  });

  it("with a shortened reference, without control characters", async () => {
    const name = encodeURIComponent(`a\r\n\u202eb${"x".repeat(3000)}`);
    const { body } = await target.send("GET", `/customers/ext:${name}`);

    expect(body.error.message).toMatch(/^There is no customer ext:a\?\?\?bx+….$/);
    expect(body.error.message.length).toBeLessThan(200);
  });
});

describe("every refusal contains the id of its request:", () => {
  it.each([
    ["400", "GET", "/customers/nonsense", undefined],
    ["400", "POST", "/customers", "{"],
    ["401", "GET", "/customers", null],
    ["401", "GET", "/nowhere", null],
    ["404", "GET", "/customers/ext:gone", undefined],
    ["404", "GET", "/nowhere", undefined],
    ["409", "POST", "DRAFT/issue", undefined],
    ["422", "POST", "/customers", "{}"],
  ])("%s of %s %s", async (status, method, place, body) => {
    const path = place.replace("DRAFT", `/invoices/${target.draft.id}`);
    const key = body === null ? null : target.world.account.keys.read_write;
    const headers = { "x-request-id": "sent-by-the-client.1" };
    const sent = { body: body ?? undefined, headers };
    const reply = await callPlainly(target.world, method, path, key, sent);

    expect(String(reply.status)).toBe(status);
    expect(JSON.parse(reply.text).error.request_id).toBe("sent-by-the-client.1");
    expect(reply.headers.get("x-request-id")).toBe("sent-by-the-client.1");
  });

  it("403 for a key with the scope read", async () => {
    const { read } = target.world.account.keys;
    const { body, headers } = await target.world.rest("POST /customers", {}, read);

    expect(body.error.request_id).toBe(headers.get("x-request-id"));
  });
});

const NO_ADDRESS = "email invalid_format: Not exactly one e-mail address.";

/** Each of these codes says enough about a value. */
const ONE_OF = /^(required|invalid_type|invalid_format|too_short|too_long|too_small|too_large)$/;

/** The terms of the schema library for its types. */
const RAW =
  /\b(Invalid|expected|received|Too (big|small)|Unrecognized|undefined|NaN|>=|<=|regex)\b/;

describe("faults are described in sentences of the product", () => {
  const bodies = operations.filter(({ body }) => body);

  it.each(bodies.map((operation) => [callOf(operation), operation] as const))(
    "in the body of %s",
    async (_call, operation) => {
      const path = target.pathOf(operation);
      const smallest = smallestOf(operation.body);
      const values = [7, -1.23456789, 1e300, "x", "", [], {}, null, true, "x".repeat(20_000)];
      const bodies = fieldsOf(operation.body).flatMap(({ path: field }) => [
        ...values.map((value) => withField(smallest, field, value)),
        ...field
          .slice(0, -1)
          .map((_, depth) => withField(smallest, field.slice(0, depth + 1), "x")),
      ]);
      for (const body of [...bodies, {}]) {
        const reply = await target.send(operation.method, path, JSON.stringify(body));
        if (reply.status !== 422) continue;
        expectClear(reply.body.error.field_errors);
      }
    },
  );

  it("in queries", async () => {
    for (const operation of operations) {
      const asked = operation.parameters.filter((parameter) => parameter.in === "query");
      const query = asked.map(({ name }) => `${name}=%00&${name}=`).join("&");
      if (asked.length === 0) continue;
      const path = `${target.pathOf(operation)}?${query}`;
      const { status, body } = await target.send(operation.method, path);
      if (status === 422) expectClear(body.error.field_errors);
      for (const { name } of asked) {
        const alone = `${target.pathOf(operation)}?${name}=`;
        const reply = await target.send(operation.method, alone);
        if (reply.status === 422) expectClear(reply.body.error.field_errors);
      }
    }
  });

  it.each([
    ["GET", "/customers?cursor=", "cursor too_short: Must not be empty."],
    ["GET", "/customers?search=", "search too_short: Must not be empty."],
    ["POST", "/customers", "name too_short: Must not be empty.", { name: "" }],
    ["POST", "/customers", NO_ADDRESS, { name: "A", email: "a" }],
    ["POST", "/customers", NO_ADDRESS, { name: "A", email: "" }],
    ["POST", "/customers", NO_ADDRESS, { name: "A", email: `${"a".repeat(300)}@x.example` }],
    ["POST", "/users", NO_ADDRESS, { name: "A", email: "a" }],
    ["POST", "/invoices/issue", "references too_short: At least 1 entry.", { references: [] }],
  ])("%s %s: %s", async (method, path, expected, sent?: Json) => {
    const { status, body } = await target.send(method, path, sent && JSON.stringify(sent));
    const errors = (body.error.field_errors as Json[]).map(
      ({ field, code, message }) => `${field} ${code}: ${message}`,
    );
    expect([status, errors]).toEqual([422, [expected]]);
  });

  it("in paths", async () => {
    for (const path of ["/ledger/accounts/x", "/ledger/accounts/0"]) {
      expectOwn((await target.send("PATCH", path, "{}")).body.error.message);
    }
  });
});

/** Requires sentences of our own, at most one for each fault of a field. */
function expectClear(errors: readonly Json[]): void {
  for (const { message } of errors) {
    expectOwn(message);
    expect(message).not.toMatch(/\b1 (characters|entries)\b/);
  }
  const fields = errors.filter(({ code }) => ONE_OF.test(code)).map(({ field }) => field);
  expect(fields, JSON.stringify(errors)).toEqual([...new Set(fields)]);
}

function expectOwn(message: string): void {
  expect(message).not.toMatch(RAW);
  expect(message).toMatch(/^[A-Z].*[.?]$/s);
}

describe("from and to accept days and months:", () => {
  const ranged = operations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === "from"),
  );

  it("some operations have them", () => {
    expect(ranged.length).toBeGreaterThan(6);
  });

  it.each(ranged.map((operation) => [callOf(operation), operation] as const))(
    "%s",
    async (_call, operation) => {
      const required = operation.parameters
        .filter((one) => one.in === "query" && one.required && !/^(from|to)$/.test(one.name))
        .map(({ name, schema }: Json) => `&${name}=${encodeURIComponent(smallestOf(schema))}`);
      for (const [from, to] of [
        ["2026-02", "2026-03"],
        ["2026-02-11", "2026-03-12"],
        ["2026-02", "2026-03-12"],
      ]) {
        const has_end = operation.parameters.some(({ name }) => name === "to");
        const range = has_end ? `from=${from}&to=${to}` : `from=${from}`;
        const path = `${target.pathOf(operation)}?${range}${required.join("")}`;
        const { method } = operation;
        const reply = await callPlainly(target.world, method, path, target.world.account.keys.read);
        expect([path, reply.status, reply.text]).toEqual([path, 200, expect.any(String)]);
      }
      const wrong = `${target.pathOf(operation)}?from=2026-13&to=2026-02-30${required.join("")}`;
      expect((await target.send("GET", wrong)).status).toBe(422);
    },
  );

  it("a month begins with its first day and ends with its last", async () => {
    const { world } = target;
    for (const day of ["2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"]) {
      await world.done(`PUT /exchange-rates/EUR/${day}`, { rate: 7.46 });
    }
    const { data } = await world.done("GET /exchange-rates?from=2026-02&to=2026-02");

    expect(data.map(({ date }: Json) => date)).toEqual(["2026-02-28", "2026-02-01"]);
  });

  it("a day means its month in a report by months", async () => {
    const rows = async (range: string) =>
      (await target.world.done(`GET /recognition?group_by=month&${range}`)).data;

    expect(await rows("from=2026-03-15&to=2026-03-16")).toEqual(
      await rows("from=2026-03&to=2026-03"),
    );
  });
});
