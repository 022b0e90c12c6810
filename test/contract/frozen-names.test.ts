/**
 * Names of the first published interface. `frozen-names.json` has those of the OpenAPI document and of the tools at that time:
 * operations, parameters, fields, enum values, tools, arguments and results. Clients rely on them, so each of them must still
 * exist. New names are allowed; the file never changes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tools } from "../../src/assistant/catalogue.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { interfaceNames, type Names, toolNames } from "./interface-names.ts";

const jsonOf = (path: string) => JSON.parse(readFileSync(join(packageRoot, path), "utf8"));

const frozen: Readonly<Record<"openapi" | "admin" | "standard", Names>> = jsonOf(
  "test/contract/frozen-names.json",
);

/**
 * Results of tools that are replaced or no longer described: an answer has at most 256 KB, and rows of lists carry what their
 * text shows (docs/spec/assistants.md, test/assistant/list-rows.test.ts).
 */
const REPLACED: Names = {
  get_series:
    frozen.admin.get_series?.filter((name) =>
      name.startsWith("result.data.planned_changes.line."),
    ) ?? [],
  ...Object.fromEntries(
    Object.entries(frozen.admin)
      .filter(([tool]) => tool.startsWith("list_"))
      .map(([tool, names]) => [tool, names.filter((name) => name.startsWith("result.data."))]),
  ),
};

/**
 * Whether another part of the catalogue describes a name, so that its own tool need not: the instructions describe the result of
 * every plan, and `plan_create_invoice` the fields of lines (test/contract/tools.test.ts).
 */
function isDescribedElsewhere(tool: string, name: string, now: Names): boolean {
  if (!tool.startsWith("plan_")) return false;
  const [, field] = /^result\.([a-z_]+)$/.exec(name) ?? [];
  if (field !== undefined) {
    return tools.some(({ name: known, output }) => known === tool && field in output.shape);
  }
  const of_line = name.replace(/^argument\.lines?\./, "argument.lines.");
  return LIKE_INVOICE.has(tool) && (now.plan_create_invoice?.includes(of_line) ?? false);
}

const LIKE_INVOICE = new Set([
  "plan_update_invoice",
  "plan_create_series",
  "plan_edit_series_line",
]);

/** The names of `before` that `now` lacks. */
function missing(before: Names, now: Names): string[] {
  return Object.entries(before).flatMap(([group, names]) => {
    const known = now[group];
    if (known === undefined) return [group];
    return names
      .filter((name) => !known.includes(name) && !REPLACED[group]?.includes(name))
      .filter((name) => !isDescribedElsewhere(group, name, now))
      .map((name) => `${group} ${name}`);
  });
}

describe("the names of the first published interface", () => {
  it.each([
    ["openapi", interfaceNames(jsonOf("docs/openapi.json"))],
    ["admin", toolNames(jsonOf("docs/mcp-tools.admin.json"))],
    ["standard", toolNames(jsonOf("docs/mcp-tools.standard.json"))],
  ] as const)("still exist: %s", (part, now) => {
    expect(missing(frozen[part], now)).toEqual([]);
    expect(Object.keys(frozen[part]).length).toBeGreaterThan(20);
  });
});

describe("a missing name", () => {
  const names = interfaceNames({
    paths: {
      "/things": {
        get: {
          operationId: "things.list",
          parameters: [{ in: "query", name: "state", schema: { enum: ["open", "closed"] } }],
          responses: { 200: {} },
        },
      },
    },
    components: {
      schemas: { Thing: { properties: { lines: { items: { properties: { net: {} } } } } } },
    },
  });

  it("is detected at each depth", () => {
    expect(names).toEqual({
      "GET /things": [
        "operation things.list",
        "query state",
        "query state = closed",
        "query state = open",
      ],
      Thing: ["lines", "lines.net"],
    });
    expect(missing(names, { ...names, Thing: ["lines"] })).toEqual(["Thing lines.net"]);
    expect(missing(names, { Thing: ["lines", "lines.net"] })).toEqual(["GET /things"]);
  });

  it("is detected in the arguments and results of tools", () => {
    const tool = {
      name: "get_thing",
      inputSchema: { properties: { id: { anyOf: [{ const: "me" }, { type: "string" }] } } },
      outputSchema: { properties: { thing: { properties: { net: {} } } } },
    };
    expect(toolNames({ tools: [tool] })).toEqual({
      get_thing: ["argument.id", "argument.id = me", "result.thing", "result.thing.net"],
    });
  });
});
