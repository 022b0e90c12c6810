/**
 * The committed OpenAPI document is what the routes say, it is sound, and it has what the interface
 * promises. After a change of routes or schemas run `npm run update-contract` and read the diff.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { problemCatalogue } from "../../src/domain/problem.ts";
import { statusOfKind } from "../../src/platform/http/problems.ts";
import { frameRefusals } from "../../src/platform/http/route.ts";
import { packageRoot } from "../../src/platform/paths.ts";
import { routes } from "../../src/routes.ts";
import { openApi, operations, resolved } from "../support/openapi.ts";
import type { Json } from "../support/world.ts";

/** Interface 4.1 for customers, invoices and products, with the query parameters it shows. */
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
];

/** Interface 2.2, 2.3 and 2.9: a resource has these fields, all of them. */
const FIELDS: Readonly<Record<string, string>> = {
  Customer: `object id external_id name country_key is_person send_method street zip_code city phone
    email webpage att_person vat_number se_number p_number ean_number use_cvr company_type_key
    preferred_invoice_language_key preferred_invoice_currency_key external_reference
    payment_condition_type payment_condition_number_of_days invoice_mail_out_option_key payment_mean`,
  Invoice: `object id external_id customer_id currency issue_date title auto_send status
    ledger_invoice_guid ledger_invoice_number issued_at lines`,
  InvoiceLine: `id product_id recognition_method agreed_value hourly_rate discount
    description_override position assignees`,
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
      servers: [{ url: "http://localhost:3000/api/v1" }],
    });
  });

  it("has an operation for every route, each with an id of its own", () => {
    expect(operations).toHaveLength(routes.length);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(routes.length);
  });

  it("resolves every reference", () => {
    const broken = referencesIn(openApi).filter((ref) => resolved({ $ref: ref }) === undefined);
    expect([...new Set(broken)]).toEqual([]);
    expect(resolved({ $ref: "#/components/schemas/Nothing" })).toBeUndefined();
  });

  it("names no component that nothing refers to", () => {
    const used = new Set(referencesIn(openApi));
    const names = Object.keys(openApi.components.schemas);
    expect(names.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  });

  it("describes path parameters exactly where the path has them", () => {
    for (const { path, parameters } of operations) {
      const named = parameters.filter((p) => p.in === "path").map((p) => `{${p.name}}`);
      expect(named, path).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(parameters.every((p) => p.in !== "path" || p.required === true)).toBe(true);
    }
  });

  it("declares the tags that operations have, and a description of every response", () => {
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

  it("has schemas that a validator of JSON Schema 2020-12 accepts", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });
    addFormats.default(ajv);
    ajv.addVocabulary(["example", "components"]);
    ajv.addSchema({ $id: "http://matchbook.example/openapi", components: openApi.components });
    for (const schema of schemasIn(openApi.paths)) {
      expect(() => ajv.compile(absolute(schema))).not.toThrow();
    }
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

  it("of the catalogue are each used by a route or by the frame", () => {
    const used = new Set(routes.flatMap((route) => [...route.refuses, ...frameRefusals(route)]));
    const unused = problemCatalogue().filter(({ code }) => !used.has(code));
    expect(unused).toEqual([]);
  });
});

describe("the interface", () => {
  it.each(INTERFACE)("has %s", (call, query) => {
    const [method, path] = call.split(" ");
    const operation = operations.find((o) => o.method === method && o.path === path);
    const names = operation?.parameters.filter((p) => p.in === "query").map((p) => p.name);
    expect(names).toEqual(query);
  });

  it.each(Object.entries(FIELDS))("shows every field of %s, always", (name, fields) => {
    const { properties, required } = openApi.components.schemas[name];
    expect(required.toSorted()).toEqual(fields.split(/\s+/).toSorted());
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
  });
});

function referencesIn(value: Json): string[] {
  if (value === null || typeof value !== "object") return [];
  if (typeof value.$ref === "string") return [value.$ref];
  return Object.values<Json>(value).flatMap(referencesIn);
}

/** Every schema that a parameter, a body or a response has. */
function schemasIn(value: Json): Json[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries<Json>(value).flatMap(([key, entry]) =>
    key === "schema" ? [entry] : schemasIn(entry),
  );
}

/** References as a validator finds them that knows the document under its address. */
function absolute(schema: Json): Json {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"#/', '"http://matchbook.example/openapi#/'));
}
