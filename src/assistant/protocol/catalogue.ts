/** The tool catalogues, one for each role and level of scopes, made at the start. Their schemas also validate calls. */
import type * as z from "zod";
import { type Role, roles } from "../../domain/base/user.ts";
import { type McpScope, mcpScopes } from "../../platform/commands/context.ts";
import {
  allOf,
  type KnownFields,
  knownOf,
  nothingKnown,
} from "../../platform/http/known-fields.ts";
import { type ListedSchema, listedInput, listedOutput } from "./listed-schema.ts";
import type { Tool } from "./tool.ts";

/** A tool as `tools/list` shows it. */
interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ListedSchema;
  readonly outputSchema?: ListedSchema;
  readonly annotations: Tool["annotations"];
}

export interface OfferedTool {
  readonly tool: Tool;
  readonly listed: ListedTool;
  readonly input: z.ZodObject;
  /** The names that the arguments may contain: those of the tool's input, and those of results that may be sent back as read. */
  readonly writable: KnownFields;
  readonly answered: KnownFields;
  /** Whether the tool has `scope: "all"` only for admins and this role is not admin. */
  readonly forbids_all: boolean;
}

export interface Catalogue {
  readonly listed: readonly ListedTool[];
  readonly offered: ReadonlyMap<string, OfferedTool>;
}

export interface Catalogues {
  /** Returns the catalogue for a role and the highest scope. Without a scope, the catalogue is empty. */
  of(role: Role, scopes: ReadonlySet<McpScope>): Catalogue;
  /** Returns the scope that a tool needs; undefined for an unknown tool. */
  scopeOf(name: string): McpScope | undefined;
}

export function openCatalogues(tools: readonly Tool[]): Catalogues {
  const scope_of = new Map(tools.map((tool) => [tool.name, tool.scope]));
  if (scope_of.size !== tools.length) throw new Error("two tools have the same name");
  const made = new Map<string, Catalogue>();
  // A schema is listed once, not for each level: that is most of the work, and every thread does it at its start.
  const shown = tools.map((tool) => ({ tool, output: outputOf(tool) }));
  for (const role of roles) {
    const offered = shown.map(({ tool, output }) => offer(tool, role, output));
    for (let level = 0; level <= mcpScopes.length; level += 1) {
      const scopes = mcpScopes.slice(0, level);
      made.set(
        `${role} ${level}`,
        catalogueOf(offered.filter(({ tool }) => scopes.includes(tool.scope))),
      );
    }
  }
  return {
    of(role, scopes) {
      const catalogue = made.get(`${role} ${levelOf(scopes)}`);
      if (catalogue === undefined) throw new Error(`there is no catalogue for ${role}`);
      return catalogue;
    },
    scopeOf: (name) => scope_of.get(name),
  };
}

/** Returns the level of the highest scope. Scopes are layered: a higher one includes those beneath it (spec 8.2). */
export function levelOf(scopes: ReadonlySet<McpScope>): number {
  return mcpScopes.reduce((level, scope, index) => (scopes.has(scope) ? index + 1 : level), 0);
}

function catalogueOf(offered: readonly OfferedTool[]): Catalogue {
  return {
    listed: offered.map(({ listed }) => listed),
    offered: new Map(offered.map((one) => [one.tool.name, one])),
  };
}

function offer(tool: Tool, role: Role, output: Pick<ListedTool, "outputSchema">): OfferedTool {
  const { name, title, description, annotations } = tool;
  const input = inputOf(tool, role);
  const inputSchema = listedInput(input);
  return {
    tool,
    listed: { name, title, description, inputSchema, ...output, annotations },
    input,
    writable: knownOf(input),
    answered: answeredTo(tool),
    forbids_all: forbidsAll(tool, role),
  };
}

/** Returns the output schema as listed; nothing where another tool shows it. */
function outputOf({ has_known_output, output }: Tool): Pick<ListedTool, "outputSchema"> {
  return has_known_output ? {} : { outputSchema: listedOutput(output) };
}

/** Returns the input schema for a role. It rejects unknown arguments: a misspelt filter would silently show too much. */
function inputOf(tool: Tool, role: Role): z.ZodObject {
  return tool.input(role).strict();
}

function answeredTo({ takes_back = {} }: Tool): KnownFields {
  const fields = Object.entries(takes_back).map(
    ([name, shapes]) => [name, allOf(shapes.map(knownOf))] as const,
  );
  return { ...nothingKnown, fields: new Map(fields) };
}

function forbidsAll(tool: Tool, role: Role): boolean {
  return role !== "admin" && takesAll(tool.input("admin")) && !takesAll(tool.input(role));
}

function takesAll({ shape }: z.ZodObject): boolean {
  const scope = shape.scope as z.ZodType | undefined;
  return scope?.safeParse("all").success ?? false;
}
