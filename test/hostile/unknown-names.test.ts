/**
 * Unknown names are refused (spec 11.5): every operation of the OpenAPI document is sent an unknown parameter and unknown fields
 * at every depth; and every resource can be sent back as it was read.
 */
import { describe, expect, it } from "vitest";
import {
  branchesOf,
  fieldName,
  type Operation,
  operations,
  smallestOf,
  withField,
} from "../support/http/openapi.ts";
import { callPlainly } from "../support/http/plain-call.ts";
import { refusal } from "../support/http/refusal.ts";
import { callOf, useTarget } from "../support/http/target.ts";
import type { Json } from "../support/world/world.ts";

const target = useTarget();

/** A call that takes a file, of the type, has no body of fields. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  "POST /bank-statements": "application/xml",
  "POST /einvoice/inbound": "application/xml",
  "POST /customers/batch": "application/x-ndjson",
  "POST /products/batch": "application/x-ndjson",
  "POST /work-registrations/batch": "application/x-ndjson",
  "POST /invoices/batch": "application/x-ndjson",
};
const FILE_CALLS = Object.keys(FILE_TYPES);
const every = operations
  .map((operation) => [callOf(operation), operation] as const)
  .filter(([call]) => !FILE_CALLS.includes(call));

/** The paths of all objects within a body. */
function objectsIn(schema: Json, path: readonly (string | number)[] = []): (string | number)[][] {
  return branchesOf(schema).flatMap((branch): (string | number)[][] => {
    if (branch.type === "array") return objectsIn(branch.items, [...path, 0]);
    if (!branch.properties) return [];
    const inner = Object.entries<Json>(branch.properties).flatMap(([name, property]) =>
      objectsIn(property, [...path, name]),
    );
    return [[...path], ...inner];
  });
}

async function faultsOf(operation: Operation, path: string, body?: Json): Promise<string[]> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { status, body: answer } = await target.send(operation.method, path, sent);
  if (status !== 422) return [`${status}`];
  return answer.error.field_errors.map(({ field, code }: Json) => `${field} ${code}`);
}

describe("an unknown parameter is refused by", () => {
  it.each(every)("%s", async (_call, operation) => {
    const path = `${target.pathOf(operation)}?unknown=1`;
    const body = operation.body ? smallestOf(operation.body) : undefined;

    expect(await faultsOf(operation, path, body)).toContain("unknown unknown_parameter");
  });

  it.each(FILE_CALLS)("%s, which takes a file", async (call) => {
    const path = `${call.slice("POST ".length)}?bank_account=ext:a&unknown=1`;
    const { status, text } = await callPlainly(
      target.world,
      "POST",
      path,
      target.world.account.keys.read_write,
      { body: "<x/>", headers: { "content-type": FILE_TYPES[call] ?? "" } },
    );
    expect([status, JSON.parse(text).error.field_errors]).toEqual([
      422,
      expect.arrayContaining([
        expect.objectContaining({ field: "unknown", code: "unknown_parameter" }),
      ]),
    ]);
  });

  it("a refusal that suggests the intended name", async () => {
    const { body } = await target.world.rest("GET /invoices?state=draft&Limit=5&pageSize=5");

    expect(body.error.field_errors).toEqual([
      {
        field: "state",
        code: "unknown_parameter",
        message: expect.stringMatching(/mean status\?$/),
      },
      {
        field: "Limit",
        code: "unknown_parameter",
        message: expect.stringMatching(/mean limit\?$/),
      },
      { field: "pageSize", code: "unknown_parameter", message: "There is no such parameter." },
    ]);
  });
});

describe("an unknown field is refused by", () => {
  it.each(every.filter(([, { method }]) => method !== "GET"))("%s", async (_call, operation) => {
    const places = operation.body ? objectsIn(operation.body) : [[]];
    for (const place of places) {
      const smallest = operation.body ? smallestOf(operation.body) : {};
      const body = withField(smallest, [...place, "unknown"], 1);
      const faults = await faultsOf(operation, target.pathOf(operation), body);
      expect(faults).toContain(`${fieldName([...place, "unknown"])} unknown_field`);
    }
  });

  it("a call without a body, which accepts an empty object and null", async () => {
    const issue = `POST /invoices/${target.draft.id}/issue`;

    for (const [body, expected] of [
      [{ send: false }, "422 VALIDATION_FAILED send unknown_field"],
      ["[1]", "400 MALFORMED_REQUEST"],
      ["7", "400 MALFORMED_REQUEST"],
      [{}, "409 INVOICE_EMPTY"],
      ["null", "409 INVOICE_EMPTY"],
      [target.draft, "409 INVOICE_EMPTY"],
    ]) {
      expect(refusal(await target.world.rest(issue, body))).toBe(expected);
    }
  });
});

describe("a resource can be sent back as it was read, without changes:", () => {
  const READ_AND_SENT_BACK: readonly (readonly [read: string, send: string])[] = [
    ["GET /customers/ext:here", "PATCH /customers/ext:here"],
    ["GET /customers/ext:here", "POST /customers"],
    ["GET /products", "PATCH /products/{id}"],
    ["GET /invoices?status=draft", "PATCH /invoices/{id}"],
    ["GET /recurring-series", "PATCH /recurring-series/{id}"],
    ["GET /users", "PATCH /users/{id}"],
    ["GET /configuration", "PATCH /configuration"],
    ["GET /ledger/accounts", "PATCH /ledger/accounts/{number}"],
  ];

  it.each(READ_AND_SENT_BACK)("%s, then %s", async (read, send) => {
    const answer = await target.world.done(read);
    const resource = answer.object === "list" ? answer.data[0] : answer;
    const call = send.replace(/\{(\w+)\}/, (_, name) => resource[name]);

    const { updated_at: _, ...shown } = await target.world.done(call, resource);

    const { updated_at: __, ...before } = resource;
    expect(shown).toEqual(before);
  });

  it("an issued invoice, as a new draft", async () => {
    const { data } = await target.world.done("GET /invoices?status=issued");

    const { status } = await target.world.done("POST /invoices", { ...data[0], send_error: "x" });

    expect(status).toBe("draft");
  });

  it("a line of a series, as its own change", async () => {
    const [series] = (await target.world.done("GET /recurring-series")).data;
    const path = `/recurring-series/${series.id}/lines`;
    const [line] = (await target.world.done(`GET ${path}`)).data;
    const misspelled = { ...line, agred_value: 5 };

    const kept = await target.world.rest(`PATCH ${path}/${line.line_id}`, { scope: "all", line });
    const refused = await target.world.rest(`PATCH ${path}/${line.line_id}`, {
      scope: "all",
      line: misspelled,
    });

    expect(kept.status).toBe(200);
    expect((await target.world.done(`GET ${path}`)).data[0]).toEqual(line);
    expect(refusal(refused)).toBe("422 VALIDATION_FAILED line.agred_value unknown_field");
    expect(refused.body.error.field_errors[0].message).toContain("Did you mean agreed_value?");
  });
});
