/**
 * What each person's assistant is offered: a catalogue for each role and each level of scopes, made once
 * at the start. Calls are validated by the very schemas that made it.
 */
import * as z from "zod";
import { type Role, roles } from "../../domain/user.ts";
import { type McpScope, mcpScopes } from "../context.ts";
import type { Tool } from "./tool.ts";

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
  readonly outputSchema: { readonly type: "object" };
  readonly annotations: Tool["annotations"] & { readonly title: string };
}

export interface OfferedTool {
  readonly tool: Tool;
  readonly input: z.ZodObject;
  /** Whether `scope: "all"` is for admins only, and this role is none. */
  readonly forbids_all: boolean;
}

export interface Catalogue {
  readonly listed: readonly ListedTool[];
  readonly offered: ReadonlyMap<string, OfferedTool>;
}

export interface Catalogues {
  /** By role and the highest scope; without any scope, nothing is offered. */
  of(role: Role, scopes: ReadonlySet<McpScope>): Catalogue;
  /** The scope that a tool needs; undefined for a tool that there is not. */
  scopeOf(name: string): McpScope | undefined;
}

export function openCatalogues(tools: readonly Tool[]): Catalogues {
  const scope_of = new Map(tools.map((tool) => [tool.name, tool.scope]));
  if (scope_of.size !== tools.length) throw new Error("two tools have the same name");
  const made = new Map<string, Catalogue>();
  for (const role of roles) {
    for (let level = 0; level <= mcpScopes.length; level += 1) {
      const scopes = mcpScopes.slice(0, level);
      const seen = tools.filter((tool) => scopes.includes(tool.scope));
      made.set(`${role} ${level}`, catalogueOf(seen, role));
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

/** Scopes are layered: a higher one includes those beneath it (interface 5.3). */
export function levelOf(scopes: ReadonlySet<McpScope>): number {
  return mcpScopes.reduce((level, scope, index) => (scopes.has(scope) ? index + 1 : level), 0);
}

function catalogueOf(tools: readonly Tool[], role: Role): Catalogue {
  return {
    listed: tools.map((tool) => listedOf(tool, role)),
    offered: new Map(
      tools.map((tool) => [
        tool.name,
        { tool, input: inputOf(tool, role), forbids_all: forbidsAll(tool, role) },
      ]),
    ),
  };
}

function listedOf(tool: Tool, role: Role): ListedTool {
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(inputOf(tool, role), "input"),
    outputSchema: outputSchemaOf(tool.output),
    annotations: { title, ...annotations },
  };
}

/** No other arguments: a filter that is misspelt would show too much, and nobody would notice. */
function inputOf(tool: Tool, role: Role): z.ZodObject {
  return tool.input(role).strict();
}

type Schema = { readonly type: "object" } & Record<string, unknown>;

function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output"): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => {
      // Ids are names of the REST API's components.
      delete jsonSchema.id;
      if (io === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return inlined(json) as Schema;
}

/**
 * Some clients compare refusals, too, with the schema of a tool's output: it has both, of which there is
 * always one.
 */
function outputSchemaOf(output: z.ZodObject): Schema {
  const { required, properties, ...rest } = jsonSchemaOf(output, "output");
  return {
    ...rest,
    type: "object",
    properties: { ...(properties as object), error: REFUSAL },
    anyOf: [{ required: required ?? [] }, { required: ["error"] }],
  };
}

/** As short as it can be: it stands in every tool, and assistants read them all. */
const REFUSAL = {
  type: "object",
  properties: { code: { type: "string" }, message: { type: "string" } },
  required: ["code", "message"],
};

function forbidsAll(tool: Tool, role: Role): boolean {
  return role !== "admin" && takesAll(tool.input("admin")) && !takesAll(tool.input(role));
}

function takesAll({ shape }: z.ZodObject): boolean {
  const scope = shape.scope as z.ZodType | undefined;
  return scope?.safeParse("all").success ?? false;
}

type Json = Readonly<Record<string, unknown>>;

/** The schema without `$defs`: clients understand references badly. */
function inlined(json: Json): Json {
  const { $defs = {}, ...root } = json as Json & {
    readonly $defs?: Readonly<Record<string, Json>>;
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as { readonly $ref?: string };
    const entries = Object.entries(rest).map(([key, entry]) => [key, walk(entry)]);
    const name = $ref?.replace("#/$defs/", "");
    const target = name === undefined ? {} : (walk($defs[name] ?? {}) as Json);
    return { ...target, ...Object.fromEntries(entries) };
  };
  return walk(root) as Json;
}
