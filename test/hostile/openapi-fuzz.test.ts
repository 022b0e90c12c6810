/**
 * Random requests from the OpenAPI document, valid and invalid: each answer is documented, each refusal has the envelope, none
 * is a 5xx, and the books pass the verification afterwards. FUZZ_RUNS and FUZZ_SEED change the number and the choice of
 * requests; a failure shows the seed and the smallest request found.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyJournal } from "../../src/features/ledger/reports/verify.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { branchesOf, type Operation, operations } from "../support/http/openapi.ts";
import { UNKNOWN_ID } from "../support/http/target.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_310);

interface Request {
  readonly operation: Operation;
  readonly path: string;
  readonly body: Json;
}

/** The existing resources, by the first part of their path. */
let existing: Readonly<Record<string, readonly string[]>>;
let ids: readonly string[];
let names: string[];
let series_lines: readonly string[];
const seen = new Map<number, number>();
const world = useWorld();
beforeAll(async () => {
  const customer = await world.done("POST /customers", { name: "Acme", external_id: "c-1" });
  const product = await world.done("POST /products", { name: "Hours", external_id: "p-1" });
  const user = await world.done("POST /users", { name: "Ada", email: "ada@studio.example" });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 12.5 };
  const invoice = { customer_id: customer.id, lines: [line] };
  const drafts = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      world.done("POST /invoices", { ...invoice, external_id: `i-${index}` }),
    ),
  );
  const issued = await world.done("POST /invoices", { ...invoice, external_id: "issued" });
  await world.done(`POST /invoices/${issued.id}/issue`);
  const note = await world.done("POST /credit-notes", {
    external_id: "n-1",
    invoice: issued.id,
    kind: "partial",
    credit_date: "2026-03-10",
    lines: [{ invoice_line_id: issued.lines[0].id, amount: 1 }],
  });
  const monthly = { ...invoice, frequency: "monthly", start_date: "2026-03-01" };
  const series = await Promise.all(
    ["s-1", "s-2", "s-3"].map((external_id) =>
      world.done("POST /recurring-series", { ...monthly, external_id }),
    ),
  );
  await world.done("POST /recurring-series/ext:s-2/activate");
  await world.done("POST /recurring-series/ext:s-3/occurrences/2026-03/issue");
  const cancelled = await world.done("POST /recurring-series/ext:s-3/cancel", {});
  existing = {
    customers: [customer.id],
    products: [product.id],
    users: [user.id],
    invoices: [...drafts, issued].map((one) => one.id),
    "credit-notes": [note.id, cancelled.credit_notes[0].id],
    "recurring-series": series.map((one) => one.id),
  };
  ids = [...Object.values(existing).flat(), issued.lines[0].id];
  names = ["c-1", "p-1", "i-1", "i-2", "issued", "n-1", "s-1", "s-2"];
  series_lines = await Promise.all(
    series.map(async ({ id }) => {
      const { data } = await world.done(`GET /recurring-series/${id}/lines`);
      return data[0].line_id;
    }),
  );
});

describe("any request to a route that writes", () => {
  it(
    "receives a documented answer",
    async () => {
      const writes = operations.filter((operation) => operation.method !== "GET");
      await fc.assert(fc.asyncProperty(requestTo(writes), requireDocumentedAnswer), {
        numRuns: RUNS,
        seed: SEED,
      });
      // Requests that are all refused at the entry point find nothing: some must have been executed.
      const kinds = [200, 201, 400, 404, 409, 422].filter((status) => seen.has(status));
      expect(kinds).toEqual([200, 201, 400, 404, 409, 422]);
    },
    30_000 + 100 * RUNS,
  );

  it("leaves books that pass the verification", async () => {
    const { account_id } = world.account;
    expect(await verifyAuditTrail(world.db, account_id)).toBeNull();
    expect(await verifyJournal(world.db, account_id)).toBeNull();
    const { accounts } = await world.done("GET /ledger/trial-balance");
    const cents = accounts.map((row: Json) => Math.round((row.debit - row.credit) * 100));
    expect(cents.reduce((sum: number, entry: number) => sum + entry, 0)).toBe(0);
  });
});

async function requireDocumentedAnswer({ operation, path, body }: Request): Promise<void> {
  const { status, body: answer } = await world.rest(`${operation.method} ${path}`, body);
  seen.set(status, (seen.get(status) ?? 0) + 1);
  expect(status).toBeLessThan(500);
  const documented = operation.responses[String(status)];
  expect(documented, `${status} of ${operation.operationId}`).toBeDefined();
  if (status < 400) return;
  expect(Object.keys(answer)).toEqual(["error"]);
  expect(answer.error.message).toMatch(/\S/);
  expect(documented.description).toContain(`\`${answer.error.code}\``);
}

/** One of the operations, more often one with a body; its path, and a body from its schema. */
function requestTo(candidates: readonly Operation[]): fc.Arbitrary<Request> {
  return fc
    .constantFrom(...candidates, ...candidates.filter(({ body }) => body))
    .chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        path: pathOf(operation),
        body: operation.body ? anyOf(operation.body) : fc.constant(undefined),
      }),
    );
}

function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const values: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
    number: () => fc.constantFrom("1000", "1010", "99999", "0", "x"),
    currency: () => fc.constantFrom("EUR", "JPY", "eur", "XXX"),
    date: () => fc.constantFrom("2026-01-01", "1900-01-01", "2026-02-30"),
    period: () =>
      fc.constantFrom(...PERIODS, ...PERIODS, "1999-01", "2026-13", "2026-Q1", "x", "%00", "💥"),
    line_id: () => fc.constantFrom(...series_lines, ...series_lines, UNKNOWN_ID, "x", "%00"),
    ref: () =>
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...(existing[path.split("/")[1] ?? ""] ?? ids)) },
        { weight: 1, arbitrary: fc.constantFrom(...ids) },
        { weight: 2, arbitrary: fc.constantFrom(...names.map((name) => `ext:${name}`)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(UNKNOWN_ID, "ext:unknown", "ext:", "x", "%00", "ext:💥"),
        },
      ),
  };
  const [start = "", ...rest] = path.split(/[{}]/);
  const parts = rest.map((part, index) => {
    if (index % 2 === 1) return fc.constant(part);
    return (values[part]?.() ?? fc.constant(UNKNOWN_ID)).map(encodeURIComponent);
  });
  return fc
    .tuple(fc.tuple(...parts), queryOf(parameters))
    .map(([found, query]) => start + found.join("") + query);
}

const PERIODS = ["2026-03", "2026-04", "2026-05-01", "2027-01"];

/** The query parameters: nearly always the required ones, sometimes the others. */
function queryOf(parameters: Operation["parameters"]): fc.Arbitrary<string> {
  const given = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, required, schema }) =>
      fc.oneof(
        {
          weight: required ? 20 : 1,
          arbitrary: anyOf(schema).map((value) => [name, String(value).toWellFormed()]),
        },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
    );
  return fc.tuple(...given).map((pairs) => {
    const query = new URLSearchParams(pairs.filter((pair) => pair !== null)).toString();
    return query === "" ? "" : `?${query}`;
  });
}

/** Mostly a value of the schema, sometimes at its limits, rarely another value. */
function anyOf(schema: Json): fc.Arbitrary<Json> {
  const branches = branchesOf(schema).map(plainValueOf);
  const weighed = branches.map((arbitrary) => ({ weight: 30, arbitrary }));
  return fc.oneof(...weighed, { weight: 1, arbitrary: fc.constantFrom(...STRANGE) });
}

const STRANGE: readonly Json[] = [
  null,
  "",
  "\u0000",
  "\ud800",
  "NaN",
  -1,
  1e308,
  0.00001,
  Number.MAX_SAFE_INTEGER + 1,
  true,
  [],
  [[]],
  {},
  "x".repeat(2000),
];

function plainValueOf(schema: Json): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return objectOf(schema);
    case "array":
      return fc.array(anyOf(schema.items), { maxLength: 3 });
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return numberOf(schema);
    case "string":
      return textOf(schema);
    default:
      return fc.constant(null);
  }
}

/** Nearly always the required fields, sometimes the others, rarely an unknown one. */
function objectOf({ properties = {}, required = [] }: Json): fc.Arbitrary<Json> {
  const fields = Object.entries<Json>(properties).map(([name, schema]) => {
    const often = required.includes(name) ? 40 : 1;
    return fc.oneof(
      { weight: often, arbitrary: anyOf(schema).map((value) => [[name, value]]) },
      { weight: 1, arbitrary: fc.constant([]) },
    );
  });
  const unknown = fc.constantFrom([], [], [["__proto__", { id: 1 }]], [["unknown", [1]]]);
  return fc
    .tuple(...fields, unknown)
    .map((found) => Object.fromEntries(found.flat() as [string, Json][]));
}

function numberOf({ type, minimum = 0, maximum = 1e12 }: Json): fc.Arbitrary<number> {
  const whole = fc.constantFrom(minimum, maximum, 0, 1, 2, 12, 100, 1000);
  if (type === "integer") return whole;
  return fc.oneof(whole, fc.constantFrom(0.01, 12.5, 33.33, 99.99, 0.001, 1234.5678));
}

function textOf({ format, example, minLength = 0, maxLength = 40 }: Json): fc.Arbitrary<string> {
  if (format === "uuid") return fc.constantFrom(...ids, ...ids, UNKNOWN_ID);
  if (format === "date")
    return fc.constantFrom("2026-03-10", "2026-12-31", "1900-01-01", "2026-02-30");
  const known = [example ?? "x", "EUR", "DK", "da-DK", "ada@studio.example", "bo@studio.example"];
  return fc.oneof(
    fc.constantFrom(...known, ...names, ...names.map((name) => `ext:${name}`)),
    fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 40) }),
  );
}
