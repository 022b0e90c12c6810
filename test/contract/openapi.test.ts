/**
 * The committed OpenAPI document matches the routes, is valid, and contains what the interface
 * promises. After a change of routes or schemas run `npm run update-contract` and read the diff.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { problemCatalogue } from "../../src/domain/base/problem.ts";
import { recognitionMethods } from "../../src/domain/sales/line.ts";
import {
  isNumber,
  NAMES_A_UNIT,
  unitOf,
  wordKeys,
  wordsOf,
} from "../../src/platform/http/openapi-fields.ts";
import { statusOfKind } from "../../src/platform/http/problems.ts";
import { frameRefusals } from "../../src/platform/http/route.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { routes } from "../../src/routes.ts";
import { openApi, operations, resolved } from "../support/http/openapi.ts";
import type { Json } from "../support/world/world.ts";

/** Operations of the contract since its first version, with their query parameters. */
const INTERFACE: readonly (readonly [call: string, query: readonly string[]])[] = [
  ["GET /customers", ["limit", "cursor", "external_id", "updated_since"]],
  ["POST /customers", []],
  ["GET /customers/{ref}", []],
  ["PATCH /customers/{ref}", []],
  ["GET /invoices", ["limit", "cursor", "external_id", "customer", "status", "updated_since"]],
  ["POST /invoices", []],
  ["GET /invoices/{ref}", []],
  ["PATCH /invoices/{ref}", []],
  ["POST /invoices/{ref}/issue", []],
  ["GET /products", ["limit", "cursor", "external_id", "updated_since"]],
  ["POST /products", []],
  ["PATCH /products/{ref}", []],
  ["POST /credit-notes", []],
  ["GET /invoices/{ref}/credit-notes", ["limit", "cursor", "updated_since"]],
  [
    "GET /recurring-series",
    ["limit", "cursor", "external_id", "customer", "status", "updated_since"],
  ],
  ["POST /recurring-series", []],
  ["GET /recurring-series/{ref}", []],
  ["PATCH /recurring-series/{ref}", []],
  ["POST /recurring-series/{ref}/cancel", []],
  ["POST /recurring-series/{ref}/lines", []],
  ["GET /recurring-series/{ref}/occurrences/{period}", []],
  ["POST /recurring-series/{ref}/occurrences/{period}/issue", []],
  [
    "GET /credit-notes",
    ["limit", "cursor", "external_id", "customer", "invoice", "status", "updated_since"],
  ],
  ["GET /credit-notes/{ref}", []],
  ["POST /credit-notes/{ref}/issue", []],
  ["POST /recurring-series/{ref}/activate", []],
  ["GET /recurring-series/{ref}/lines", ["period"]],
  ["PATCH /recurring-series/{ref}/lines/{line_id}", []],
  ["DELETE /recurring-series/{ref}/lines/{line_id}", ["scope", "period"]],
  ["GET /recurring-series/{ref}/occurrences", ["limit", "cursor", "from", "to", "status"]],
  ["GET /recurring-series/{ref}/occurrences/{period}/lines", []],
  ["POST /recurring-series/{ref}/occurrences/{period}/skip", []],
  ["POST /recurring-series/{ref}/occurrences/{period}/unskip", []],
  ["POST /scheduler-runs", []],
  ["GET /test-clock", []],
  ["PUT /test-clock", []],
];

/** The parameters of these lists beyond the interface. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  "GET /customers": ["search", "active"],
  "GET /invoices": [
    "origin",
    "issued_from",
    "issued_to",
    "number",
    "delivery_state",
    "search",
    "include",
    "payment_state",
    "overdue",
  ],
  "GET /products": ["search", "active"],
  "GET /recurring-series": ["search", "include"],
  "GET /credit-notes": [
    "issued_from",
    "issued_to",
    "number",
    "delivery_state",
    "search",
    "include",
  ],
};

/** Operations with a success other than 200 alone (spec 5.5 and 11.2). */
const SUCCESSES: Readonly<Record<string, readonly string[]>> = {
  "POST /allocations": ["200", "201"],
  "POST /bank-accounts": ["200", "201"],
  "POST /bank-statements": ["200", "201"],
  "POST /customers/{ref}/statements": ["201"],
  "POST /credit-notes": ["200", "201"],
  "POST /customers": ["201"],
  "POST /invoices": ["200", "201"],
  "POST /opening-contracts": ["200", "201"],
  "POST /opening-items": ["200", "201"],
  "POST /payments": ["200", "201"],
  "POST /period-closes": ["200", "201"],
  "POST /products": ["200", "201"],
  "POST /recurring-series": ["200", "201"],
  "POST /recurring-series/{ref}/lines": ["201"],
  "POST /scheduler-runs": ["201"],
  "POST /users": ["200", "201"],
  "POST /work-registrations": ["200", "201"],
  "POST /webhook-endpoints": ["200", "201"],
  "POST /webhook-endpoints/{ref}/replay": ["202"],
  "DELETE /invoices/{ref}": ["204"],
  "DELETE /configuration/logo": ["204"],
  "DELETE /invoices/{ref}/reminder-hold": ["204"],
  "DELETE /work-registrations/{ref}": ["204"],
  "DELETE /webhook-endpoints/{ref}": ["204"],
};

/** Refusals only of people, their assistants and the command line: a key has the rights of an admin, and makes no plans. */
const REFUSED_TO_PEOPLE: readonly string[] = [
  "REAUTHENTICATION_REQUIRED",
  "USER_NOT_ASSIGNED",
  "REGISTRATION_FOR_OTHERS_FORBIDDEN",
  "WORK_PERIOD_LOCKED",
  "OUT_OF_SCOPE",
  "USER_HAS_LOGIN",
  "PLAN_NOT_FOUND",
  "PLAN_EXPIRED",
  "PLAN_STALE",
  "CHANGED_MEANWHILE",
  "PLAN_ALREADY_COMMITTED",
  "MOVE_BLOCKED",
];

/** Refusals that concern one row of a request alone: its outcome names them, and no answer has them as its own. */
const OUTCOMES: readonly string[] = ["BANK_LINE_IGNORED", "MATCH_NOT_EXACT"];

/** The fields of each body; those with a star are required. */
const BODIES: Readonly<Record<string, string>> = {
  "POST /credit-notes": "external_id* invoice* kind* credit_date* lines reason",
  "POST /recurring-series": `customer_id* currency frequency* start_date* end_date issue_timing
    external_id lines alignment auto_send buyer_reference order_reference accounting_cost footer
    hours_specification`,
  "PATCH /recurring-series/{ref}": `customer_id currency frequency start_date end_date issue_timing
    alignment auto_send buyer_reference order_reference accounting_cost footer
    hours_specification`,
  "POST /recurring-series/{ref}/cancel": "end_date credit reason",
  "POST /recurring-series/{ref}/activate": "past_periods",
  "POST /work-registrations": "line_id* user_id* hours* date billable note external_id",
  "PATCH /work-registrations/{ref}": "line_id user_id date hours billable note",
  "POST /invoices/{ref}/lines/{line_id}/complete": "completed_on",
  "POST /recurring-series/{ref}/lines": "scope* line* period",
  "PATCH /recurring-series/{ref}/lines/{line_id}": "scope* line* period",
  "PUT /test-clock": "now*",
};

/** The values of fields: all of them where the interface lists all, otherwise at least these. */
const VALUES: readonly (readonly [schema: string, field: string, values: readonly string[]])[] = [
  ["CreditNote", "kind", ["full", "partial"]],
  ["CreditNote", "status", ["draft", "issued"]],
  ["CreditNoteCreate", "kind", ["full", "partial"]],
  ["RecurringSeries", "status", ["draft", "active"]],
  ["RecurringSeries", "frequency", ["weekly", "monthly", "quarterly", "half_yearly", "yearly"]],
  ["Occurrence", "status", ["scheduled", "issued", "skipped", "failed", "dropped"]],
  ["SeriesLineEdit", "scope", ["this_only", "this_and_following", "all"]],
  ["SeriesLineEdit", "line_kind", ["series", "occurrence"]],
];

/** All fields of each resource. */
const FIELDS: Readonly<Record<string, string>> = {
  Customer: `object id external_id name country_key is_person send_method street zip_code city phone
    email webpage att_person vat_number se_number p_number ean_number use_cvr company_type_key
    preferred_invoice_language_key preferred_invoice_currency_key external_reference
    payment_condition_type payment_condition_number_of_days invoice_mail_out_option_key payment_mean`,
  Invoice: `object id external_id customer_id currency issue_date title auto_send status
    ledger_invoice_guid ledger_invoice_number issued_at lines`,
  InvoiceLine: `id product_id recognition_method agreed_value hourly_rate discount
    description_override position assignees`,
  CreditNote: `object id external_id invoice_id customer_id kind status ledger_credit_note_guid
    ledger_credit_note_number issued_at send_error lines`,
  RecurringSeries: `object id external_id customer_id currency frequency start_date end_date
    issue_timing status cancelled_at lines`,
  CancelledSeries: `object id external_id customer_id currency frequency start_date end_date
    issue_timing status cancelled_at lines discarded credit_notes dropped_occurrences`,
  Occurrence: `object series_id period period_from period_to issue_date is_final_partial status
    invoice_id`,
  SeriesLineEdit: "object line_id line_kind scope period",
  Product: `object id product_number name account_number unit default_price quantity comments
    external_id external_reference`,
};

describe("docs/openapi.json", () => {
  it("is what the routes generate; if not, run `npm run update-contract`", () => {
    const file = join(packageRoot, "docs", "openapi.json");
    const committed = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : "(no file)";
    expect(committed, "run `npm run update-contract`").toEqual(openApi);
  });
});

describe("the OpenAPI document", () => {
  it("is OpenAPI 3.1 of interface version 1.0.0", () => {
    expect(openApi).toMatchObject({
      openapi: "3.1.0",
      info: { version: "1.0.0", title: "Matchbook" },
      servers: [
        { url: "{origin}/api/v1", variables: { origin: { default: "http://localhost:3000" } } },
      ],
    });
  });

  it("has an operation with a unique id for every route", () => {
    expect(operations).toHaveLength(routes.length);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(routes.length);
  });

  it("names operations by their group and their verb", () => {
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z_]+\.[a-z_]+$/);
    const named = operations.find(
      (operation) => operation.method === "POST" && operation.path === "/invoices/{ref}/issue",
    );
    expect(named?.operationId).toBe("invoices.issue");
  });

  it("explains every group, and the five recognition methods", () => {
    for (const { name, description } of openApi.tags) expect(description, name).toMatch(/\S.*\.$/);
    const { description } = openApi.tags.find((tag: Json) => tag.name === "Recognition");
    expect(recognitionMethods).toHaveLength(5);
    for (const method of recognitionMethods) expect(description).toContain(`- \`${method}\`: `);
  });

  it("resolves every reference", () => {
    const broken = referencesIn(openApi).filter((ref) => resolved({ $ref: ref }) === undefined);
    expect([...new Set(broken)]).toEqual([]);
    expect(resolved({ $ref: "#/components/schemas/Nothing" })).toBeUndefined();
  });

  it("has no unused component", () => {
    const used = new Set(referencesIn(openApi));
    const names = Object.keys(openApi.components.schemas);
    expect(names.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  });

  it("describes exactly the parameters in each path", () => {
    for (const { path, parameters } of operations) {
      const named = parameters.filter((p) => p.in === "path").map((p) => `{${p.name}}`);
      expect(named, path).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(parameters.every((p) => p.in !== "path" || p.required === true)).toBe(true);
    }
  });

  it("declares the header by which access points name an envelope, where one is read", () => {
    const named = operations.filter(({ parameters }) =>
      parameters.some((p) => p.in === "header" && p.name === "X-SBDH-Instance-ID"),
    );
    expect(named.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /einvoice/inbound",
    ]);
  });

  it("declares the tags of all operations, and describes every response", () => {
    const tags = new Set(openApi.tags.map((tag: Json) => tag.name));
    for (const item of Object.values<Json>(openApi.paths)) {
      for (const operation of Object.values<Json>(item)) {
        expect(operation.tags.every((tag: string) => tags.has(tag))).toBe(true);
        expect(operation.summary).toMatch(/\S/);
        for (const response of Object.values<Json>(operation.responses)) {
          expect(response.description).toMatch(/\S/);
        }
      }
    }
  });

  it("has schemas that are valid JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });
    addFormats.default(ajv);
    // Keywords of OpenAPI, which permits further ones.
    ajv.addVocabulary(["example", "components", "x-decimals"]);
    ajv.addSchema({ $id: "http://matchbook.example/openapi", components: openApi.components });
    for (const schema of schemasIn(openApi.paths)) {
      expect(() => ajv.compile(absolute(schema))).not.toThrow();
    }
  });
});

describe("every field", () => {
  it("is described, in components, bodies, answers and parameters", () => {
    const { components, paths } = openApi;
    const found = Object.entries<Json>({ ...components.schemas, ...paths }).flatMap(
      ([name, schema]) => undescribed(schema, name),
    );
    expect(found, "describe it in its schema or in field-words.ts").toEqual([]);
    expect(undescribed({ properties: { what: { type: "string" } } }, "Thing")).toEqual([
      "Thing.what",
    ]);
  });

  it("states its unit if it is a number with decimals", () => {
    const numbers = Object.entries<Json>(openApi.components.schemas).flatMap(([name, schema]) =>
      propertiesIn(schema, name).filter(([, property]) => isNumber(property)),
    );
    expect(numbers.length).toBeGreaterThan(100);
    const without = numbers.filter(([, { description }]) => !NAMES_A_UNIT.test(description));
    expect(without.map(([where, { description }]) => `${where}: ${description}`)).toEqual([]);
  });

  it("has a description that the document uses", () => {
    const text = JSON.stringify(openApi);
    const unused = wordKeys.filter((key) => {
      const words = key.startsWith("*") ? unitOf([key.slice(1)]) : wordsOf(key.split("."));
      return !text.includes(JSON.stringify(words).slice(1, -1));
    });
    expect(unused).toEqual([]);
  });
});

describe("the refusals", () => {
  const kinds = new Map(problemCatalogue().map(({ code, kind }) => [code, kind]));

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "of %s are documented",
    (_call, route) => {
      const { responses } =
        openApi.paths[route.path.replace(/:(\w+)/g, "{$1}")][route.method.toLowerCase()];
      for (const code of [...frameRefusals(route), ...route.refuses]) {
        const status = statusOfKind[kinds.get(code) ?? "conflict"];
        expect(responses[status]?.description, `${code} under ${status}`).toContain(`\`${code}\``);
        expect(responses[status].content["application/json"].schema.$ref).toMatch(/\/Error$/);
      }
      expect(responses[500].description).toContain("`INTERNAL_ERROR`");
    },
  );

  it("in the catalogue are each used by a route or by the frame", () => {
    const used = new Set(routes.flatMap((route) => [...route.refuses, ...frameRefusals(route)]));
    const unused = problemCatalogue().filter(({ code }) => !used.has(code));
    const known = new Set([...REFUSED_TO_PEOPLE, ...OUTCOMES]);
    expect(new Set(unused.map(({ code }) => code))).toEqual(known);
  });
});

describe("the published interface", () => {
  it.each(INTERFACE)("contains %s", (call, query) => {
    const [method, path] = call.split(" ");
    const operation = operations.find((o) => o.method === method && o.path === path);
    const names = operation?.parameters.filter((p) => p.in === "query").map((p) => p.name);
    expect(names).toEqual([...query, ...(BEYOND[call] ?? [])]);
  });

  it.each(
    operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
  )("states the success status of %s", (call, { responses }) => {
    const successes = Object.keys(responses).filter((status) => status < "300");
    expect(successes).toEqual(SUCCESSES[call] ?? ["200"]);
  });

  it.each(Object.entries(BODIES))("accepts exactly its fields with %s", (call, fields) => {
    const [method, path] = call.split(" ");
    const operation = operations.find((o) => o.method === method && o.path === path);
    const { properties, required = [] } = resolved(operation?.body);
    const named = Object.keys(properties).map(
      (name) => name + (required.includes(name) ? "*" : ""),
    );
    expect(named.toSorted()).toEqual(fields.split(/\s+/).toSorted());
  });

  it.each(VALUES)("lists the values of %s.%s", (name, field, values) => {
    const schema = resolved(openApi.components.schemas[name].properties[field]);
    expect(schema.enum.toSorted()).toEqual(values.toSorted());
  });

  it("shows the lines of a credit note and of a series, the latter without an id", () => {
    const lineOf = (name: string) =>
      resolved(resolved(openApi.components.schemas[name].properties.lines).items);
    expect(lineOf("CreditNote").required.toSorted()).toEqual(
      ["id", "invoice_line_id", "amount", "position"].toSorted(),
    );
    expect(lineOf("RecurringSeries").required.toSorted()).toEqual(
      (FIELDS.InvoiceLine ?? "")
        .split(/\s+/)
        .filter((field) => field !== "id")
        .toSorted(),
    );
    expect(lineOf("RecurringSeries").properties).not.toHaveProperty("id");
  });

  it.each(Object.entries(FIELDS))("always returns every field of %s", (name, fields) => {
    const { properties, required } = openApi.components.schemas[name];
    expect(required.toSorted()).toEqual(fields.split(/\s+/).toSorted());
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
  });
});

/** The properties and parameters without a description. */
function undescribed(value: Json, where: string): string[] {
  return propertiesIn(value, where)
    .filter(([, property]) => !/\S/.test(property.description ?? ""))
    .map(([name]) => name);
}

/** Every property and parameter, with its place. */
function propertiesIn(value: Json, where: string): [where: string, property: Json][] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries<Json>(value).flatMap(([key, entry]) => {
    if (key === "example" || key === "examples") return [];
    const named: [string, Json][] =
      key === "properties"
        ? Object.entries<Json>(entry)
        : key === "parameters"
          ? entry.map((parameter: Json) => [parameter.name, parameter])
          : [];
    if (named.length === 0) return propertiesIn(entry, where);
    return named.flatMap(([name, one]): [string, Json][] => [
      [`${where}.${name}`, one],
      ...propertiesIn(one, `${where}.${name}`),
    ]);
  });
}

function referencesIn(value: Json): string[] {
  if (value === null || typeof value !== "object") return [];
  if (typeof value.$ref === "string") return [value.$ref];
  return Object.values<Json>(value).flatMap(referencesIn);
}

/** Every schema of a parameter, a body or a response. */
function schemasIn(value: Json): Json[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries<Json>(value).flatMap(([key, entry]) =>
    key === "schema" ? [entry] : schemasIn(entry),
  );
}

/** References in the form for a validator that knows the document under its address. */
function absolute(schema: Json): Json {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"#/', '"http://matchbook.example/openapi#/'));
}
