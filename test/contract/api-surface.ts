/**
 * What clients can see of an OpenAPI document, a short text each, so that a difference between two documents can be named:
 * operations with parameters, bodies, statuses and refusals, and the fields of schemas with their types and values.
 */
import type { Json } from "../support/world/world.ts";
import { interfaceNames, type Names } from "./interface-names.ts";

/**
 * By operation (`GET /customers`) or component, in the order of the alphabet. Each type of a field is a text of its own, so that
 * another possible type is an addition. Answers state what is always there, requests what may be left out.
 */
export function surfaceOf(document: Json): Names {
  const names = interfaceNames(document);
  const { paths, components } = document;
  const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const requests = new Set(
    operations.flatMap(([, { requestBody }]) =>
      Object.values<Json>(requestBody?.content ?? {}).map(({ schema }) => typesOf(schema)[0]),
    ),
  );
  const isSent = (name: string) => name.endsWith("Input") || requests.has(name);
  const facts = [
    ...operations.map(([name, operation]) => [name, factsOf(operation)] as const),
    ...Object.entries<Json>(components.schemas).map(
      ([name, schema]) => [name, fieldsIn("", schema, isSent(name))] as const,
    ),
  ];
  return Object.fromEntries(
    facts
      .map(([group, found]): [string, string[]] => {
        const values = (names[group] ?? []).filter((name) => name.includes(" = "));
        return [group, [...new Set([...found, ...values])].sort()];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The parameters, bodies, statuses and refusals of an operation. */
function factsOf(operation: Json): string[] {
  const { operationId, deprecated, parameters = [], requestBody, responses } = operation;
  return [
    `operation ${operationId}`,
    ...(deprecated ? ["deprecated"] : []),
    ...parameters.flatMap(({ in: place, name, schema, required }: Json) => [
      ...typesOf(schema).map((type) => `${place} ${name}: ${type}`),
      ...(required ? [] : [`${place} ${name} is optional`]),
    ]),
    ...contentOf("body", requestBody, true),
    ...Object.entries<Json>(responses).flatMap(([status, reply]) => [
      `status ${status}`,
      ...(Number(status) < 300 ? contentOf(`answer ${status}`, reply, false) : []),
      ...[...reply.description.matchAll(/^`([A-Z_]+)`/gm)].map(
        ([, code]) => `refusal ${status} ${code}`,
      ),
    ]),
  ];
}

function contentOf(at: string, { content = {} }: Json = {}, is_sent: boolean): string[] {
  return Object.entries<Json>(content).flatMap(([media, { schema }]) => [
    ...typesOf(schema).map((type) => `${at} ${media}: ${type}`),
    ...fieldsIn(at, schema, is_sent),
  ]);
}

/** The fields inside a schema, at any depth. */
function fieldsIn(at: string, schema: Json, is_sent: boolean): string[] {
  if (schema === undefined || schema === null) return [];
  const { properties = {}, required = [], items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const others = schema.additionalProperties;
  const further = typeof others === "object" ? [others] : [];
  return [
    ...Object.entries<Json>(properties).flatMap(([field, inner]) => {
      const name = at === "" ? field : `${at}.${field}`;
      const is_required = required.includes(field);
      return [
        ...typesOf(inner).map((type) => `${name}: ${type}`),
        ...(is_sent && !is_required ? [`${name} is optional`] : []),
        ...(!is_sent && is_required ? [`${name} is always there`] : []),
        ...fieldsIn(name, inner, is_sent),
      ];
    }),
    ...[items, ...further, ...anyOf, ...oneOf, ...allOf].flatMap((part) =>
      fieldsIn(at, part, is_sent),
    ),
  ];
}

/** The types that a value may have; a component is a type. */
function typesOf(schema: Json): string[] {
  if (schema === undefined || schema === null) return ["anything"];
  if (typeof schema.$ref === "string") return [schema.$ref.split("/").at(-1)];
  const branches: Json[] | undefined = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches) return [...new Set(branches.flatMap(typesOf))];
  if (schema.items) return typesOf(schema.items).map((type) => `list of ${type}`);
  return [schema.type ?? "anything"].flat();
}

/** What one document has and another lacks: whole groups by their name, else each text within its group. */
export function lackedBy(has: Names, other: Names): string[] {
  return Object.entries(has).flatMap(([group, facts]) => {
    const known = other[group];
    if (known === undefined) return [group];
    return facts.filter((fact) => !known.includes(fact)).map((fact) => labelOf(group, fact));
  });
}

/** As entries of the change log name it. */
function labelOf(group: string, fact: string): string {
  return group.includes(" ") ? `${group} ${fact}` : `${group}.${fact}`;
}
