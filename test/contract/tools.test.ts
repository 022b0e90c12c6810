/**
 * The committed catalogues equal those that each role is offered at each level of scopes. After a change of tools or
 * schemas run `npm run update-contract` and read the diff as an assistant would.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { tools } from "../../src/assistant/catalogue.ts";
import { catalogueDocument } from "../../src/assistant/open-catalogues.ts";
import { INSTRUCTIONS } from "../../src/assistant/protocol/instructions.ts";
import { roles } from "../../src/domain/base/user.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import type { Json } from "../support/world/world.ts";

/** For JSON with English words; tokenizers of current models need one token for 4.2 characters. */
const CHARACTERS_OF_A_TOKEN = 4;

const catalogueOf = (role: (typeof roles)[number]): Json => catalogueDocument(role);
const toolOf = (role: (typeof roles)[number], name: string): Json =>
  catalogueOf(role).tools.find((tool: Json) => tool.name === name);

/** The schemas of a tool: a plan_* tool has none for its result, because the instructions describe it for all of them. */
const schemasOf = (input: Json, output?: Json): Json[] => [input, ...(output ? [output] : [])];

describe.each(roles)("docs/mcp-tools.%s.json", (role) => {
  it("is what the tools generate; if not, run `npm run update-contract`", () => {
    const path = join(packageRoot, `docs/mcp-tools.${role}.json`);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(
      JSON.parse(JSON.stringify(catalogueOf(role))),
    );
  });

  it("has 16, 25 and 28 tools (spec 8.2)", () => {
    const { names } = catalogueOf(role);
    expect(Object.values(names).map((of: Json) => of.length)).toEqual([16, 25, 28]);
    const [read = [], write = []] = Object.values(names) as string[][];
    expect(read.filter((name) => /^(plan_|commit)/.test(name))).toEqual([]);
    const added = write.filter((name) => !read.includes(name));
    expect(added.filter((name) => name.startsWith("plan_"))).toHaveLength(8);
    expect(added).toContain("commit");
    expect(names["mcp:issue"].slice(-3).sort()).toEqual([
      "plan_create_credit_note",
      "plan_issue_invoice",
      "plan_issue_occurrence",
    ]);
  });

  it("has schemas of JSON Schema 2020-12 with an object at the root and no references", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    addFormats.default(ajv);
    ajv.addKeyword("example");
    for (const { name, inputSchema, outputSchema } of catalogueOf(role).tools) {
      for (const schema of schemasOf(inputSchema, outputSchema)) {
        expect(schema.type, name).toBe("object");
        expect(JSON.stringify(schema), name).not.toContain("$ref");
        expect(() => ajv.compile(schema), name).not.toThrow();
      }
    }
  });

  it("has schemas that strict clients accept: one type each, choices as anyOf, none at the root", () => {
    const faults: string[] = [];
    const walk = (schema: Json, path: string): void => {
      const { type, anyOf, properties = {}, items } = schema;
      if (anyOf === undefined && typeof type !== "string") faults.push(`${path} has no type`);
      for (const key of ["oneOf", "allOf", "not", "$ref", "$defs", "const"]) {
        if (key in schema) faults.push(`${path} has ${key}`);
      }
      if (type === "array" && items === undefined) faults.push(`${path} is a list of anything`);
      for (const [name, one] of Object.entries(properties)) walk(one as Json, `${path}.${name}`);
      for (const one of anyOf ?? []) walk(one, `${path}?`);
      if (items !== undefined) walk(items, `${path}[]`);
    };
    for (const { name, inputSchema, outputSchema } of catalogueOf(role).tools) {
      for (const schema of schemasOf(inputSchema, outputSchema)) {
        expect(schema.anyOf, name).toBeUndefined();
        walk(schema, name);
      }
      expect(outputSchema?.required, name).toBeUndefined();
    }
    expect(faults).toEqual([]);
  });

  it("is short enough to be read at the start of every conversation: at most 14,000 tokens", () => {
    const sent = JSON.stringify({ tools: catalogueOf(role).tools });
    expect(sent.length / CHARACTERS_OF_A_TOKEN).toBeLessThanOrEqual(14_000);
  });

  it("describes every result except those of plans, which the instructions describe", () => {
    for (const { name, outputSchema } of catalogueOf(role).tools) {
      expect(outputSchema === undefined, name).toBe(name.startsWith("plan_"));
    }
    for (const { name, output, has_known_output = false } of tools) {
      expect(has_known_output, name).toBe(name.startsWith("plan_"));
      if (!has_known_output) continue;
      const fields = Object.keys(output.shape).filter((field) => field !== "document_warnings");
      for (const field of fields) expect(INSTRUCTIONS, name).toMatch(new RegExp(`\\b${field}\\b`));
    }
  });

  it("describes the fields of a line once, and names them in each tool that takes lines", () => {
    const { tools: listed } = catalogueOf(role);
    const inputOf = (name: string): Json =>
      listed.find((tool: Json) => tool.name === name).inputSchema.properties;
    const described = inputOf("plan_create_invoice").lines.items.properties;
    for (const line of [
      inputOf("plan_update_invoice").lines.items,
      inputOf("plan_create_series").lines.items,
      inputOf("plan_edit_series_line").line,
    ]) {
      expect(line.properties).toBeUndefined();
      const [, names = ""] = /plan_create_invoice: ([a-z_, ]+)\.$/.exec(line.description) ?? [];
      expect(Object.keys(described)).toEqual(expect.arrayContaining(names.split(", ")));
      expect(names.split(", ").length).toBeGreaterThanOrEqual(Object.keys(described).length - 1);
    }
  });

  it("states for each tool its purpose and when to use it", () => {
    for (const { name, title, description, annotations } of catalogueOf(role).tools) {
      expect(title.length, name).toBeGreaterThan(5);
      expect(description.length, name).toBeGreaterThan(40);
      expect(annotations.readOnlyHint, name).toBe(name !== "commit");
    }
  });
});

describe("the catalogues", () => {
  it("offer the scope all to admins only", () => {
    for (const name of ["list_customers", "list_invoices", "list_series", "list_credit_notes"]) {
      expect(toolOf("admin", name).inputSchema.properties.scope.enum).toEqual([
        "mine",
        "related",
        "all",
      ]);
      expect(toolOf("standard", name).inputSchema.properties.scope.enum).toEqual([
        "mine",
        "related",
      ]);
    }
  });

  it("mark commit as destructive", () => {
    expect(toolOf("standard", "commit").annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    });
  });

  it("name each tool once", () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(28);
  });
});
