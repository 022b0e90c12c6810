/**
 * The strictness of the OpenAPI document for requests: bodies have only the fields of the schema, and parsed texts
 * have their pattern. Schemas of answers stay open, because the API grows.
 */
import { expect, it } from "vitest";
import { fieldsOf, openApi, operations, resolved } from "../support/http/openapi.ts";
import type { Json } from "../support/world/world.ts";

/** Every object schema within a schema, including itself. */
function objectsIn(schema: Json): Json[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsIn);
  if (typeof schema !== "object" || schema === null) return [];
  if (schema.$ref !== undefined) return objectsIn(resolved(schema));
  const { properties = {}, items, anyOf, oneOf, allOf } = schema;
  const inner = [...Object.values(properties), items, anyOf, oneOf, allOf].flatMap(objectsIn);
  return schema.type === "object" ? [schema, ...inner] : inner;
}

it("closes every object of a request body, or says which names it may have", () => {
  const bodies = operations.flatMap(({ body }) => (body === undefined ? [] : [body]));
  const objects = bodies.flatMap(objectsIn);
  expect(objects.length).toBeGreaterThan(bodies.length);
  const is_closed = ({ additionalProperties, propertyNames }: Json): boolean =>
    additionalProperties === false || propertyNames?.pattern !== undefined;
  expect(objects.filter((one) => !is_closed(one))).toEqual([]);
});

it("leaves every object of an answer open", () => {
  const answers = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => content?.["application/json"]?.schema ?? []),
  );
  const objects = answers.flatMap(objectsIn);
  expect(objects.length).toBeGreaterThan(answers.length);
  expect(objects.filter((one) => one.additionalProperties === false)).toEqual([]);
});

/** Texts that the service checks against a list, or only compares. */
const WITHOUT_FORM = [
  "invoices.create: lines.0.id",
  "invoices.update: lines.0.id",
  "configuration.update: time_zone",
];

it("gives every other text of a path, a query or a body a pattern, a format or a list of values", () => {
  const open = operations.flatMap(({ operationId, parameters, body }) => {
    const sent = parameters
      .filter((parameter) => parameter.in !== "header")
      .flatMap((parameter) => fieldsOf(parameter.schema, [parameter.name]));
    return [...sent, ...(body === undefined ? [] : fieldsOf(body))]
      .filter(({ schema }) => schema.type === "string")
      .filter(({ schema }) => !schema.pattern && !schema.format && !schema.enum && !schema.const)
      .map(({ path }) => `${operationId}: ${path.join(".")}`);
  });
  expect(open).toEqual(WITHOUT_FORM);
});

it("states how many decimals a number in a request may have", () => {
  const numbers = operations.flatMap(({ body }) =>
    (body === undefined ? [] : fieldsOf(body)).filter(({ schema }) => schema.type === "number"),
  );
  expect(numbers.length).toBeGreaterThan(20);
  const without = numbers.filter(({ schema }) => !schema["x-decimals"] && !schema.maximum);
  expect(without.map(({ path }) => path)).toEqual([]);
  expect(JSON.stringify(openApi)).toContain("At most 2 decimals.");
});
