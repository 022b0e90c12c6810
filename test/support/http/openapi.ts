/**
 * The OpenAPI document in a form for tests: operations with their parameters and bodies, schemas with their references resolved.
 * It is generated from the routes, so that new routes are tested too.
 */
import { openApiOf } from "../../../src/platform/http/openapi.ts";
import { routes } from "../../../src/routes.ts";
import type { Json } from "../world/world.ts";

export const openApi: Json = JSON.parse(JSON.stringify(openApiOf(routes, "http://localhost:3000")));

export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** With `{ref}` for parameters. */
  readonly path: string;
  readonly parameters: readonly Json[];
  /** The schema of the JSON body; undefined without a body. */
  readonly body: Json | undefined;
  /** Whether the body is a file. */
  readonly takes_file: boolean;
  readonly responses: Readonly<Record<string, Json>>;
  readonly operationId: string;
}

/** Every operation of the document. */
export const operations: readonly Operation[] = Object.entries<Json>(openApi.paths).flatMap(
  ([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content["application/json"]?.schema,
      takes_file:
        operation.requestBody !== undefined &&
        !("application/json" in operation.requestBody.content),
      responses: operation.responses,
      operationId: operation.operationId,
    })),
);

/** The schema itself instead of a reference to it. */
export function resolved(schema: Json): Json {
  if (typeof schema?.$ref !== "string") return schema;
  const keys = schema.$ref.replace(/^#\//, "").split("/");
  return keys.reduce((value: Json, key: string) => value?.[key], openApi);
}

/** The alternatives of a schema: the branches of `anyOf`, or itself. `null` is left out. */
export function branchesOf(schema: Json): Json[] {
  const plain = resolved(schema);
  const branches: Json[] = plain.anyOf ?? plain.oneOf;
  if (!branches) return plain.type === "null" ? [] : [plain];
  return branches.flatMap(branchesOf);
}

/** A field somewhere in a body: its path, and its schema without `null`. */
export interface Field {
  /** Keys, and 0 for the first element of an array. */
  readonly path: readonly (string | number)[];
  readonly schema: Json;
}

/** Every scalar field of a body, including those in nested objects and array elements. */
export function fieldsOf(schema: Json, path: Field["path"] = []): Field[] {
  return branchesOf(schema).flatMap((branch): Field[] => {
    if (branch.properties) {
      return Object.entries<Json>(branch.properties).flatMap(([name, property]) =>
        fieldsOf(property, [...path, name]),
      );
    }
    if (branch.type === "array") return fieldsOf(branch.items, [...path, 0]);
    return [{ path, schema: branch }];
  });
}

/** A path in the form of `field_errors`: `lines[0].agreed_value`. */
export function fieldName(path: Field["path"]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key),
    "",
  );
}

/** A copy of the body with one field set; missing objects and arrays on its path are created. */
export function withField(body: Json, path: Field["path"], value: unknown): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = typeof key === "number" ? [...(body ?? [])] : { ...body };
  copy[key] = withField(copy[key], rest, value);
  return copy;
}

/** The smallest body that the schema accepts: only required fields, with references to nothing. */
export function smallestOf(schema: Json): Json {
  const [branch = { type: "null" }] = branchesOf(schema);
  if (branch.const !== undefined) return branch.const;
  if (branch.enum) return branch.enum[0];
  switch (branch.type) {
    case "object":
      return Object.fromEntries(
        (branch.required ?? []).map((name: string) => [name, smallestOf(branch.properties[name])]),
      );
    case "array":
      return [];
    case "integer":
    case "number":
      return Math.max(branch.minimum ?? 0, 1);
    case "boolean":
      return false;
    case "string":
      if (branch.format === "uuid") return "0190a000-0000-7000-8000-000000000000";
      if (branch.format === "date") return "2026-01-01";
      return branch.example ?? "x".repeat(Math.max(branch.minLength ?? 0, 1));
    default:
      return null;
  }
}
