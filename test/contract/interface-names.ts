/** The names of an OpenAPI document and of a catalogue of tools. Descriptions are ignored. */

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { in: string; name: string; schema?: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface ToolCatalogue {
  readonly tools: readonly {
    readonly name: string;
    readonly inputSchema?: Schema;
    readonly outputSchema?: Schema;
  }[];
}

/** By operation (`METHOD path`), component or tool: the sorted names in it. A value follows ` = `. */
export type Names = Readonly<Record<string, readonly string[]>>;

export function interfaceNames({ paths, components }: OpenApiDocument): Names {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, namesOfOperation(operation)] as const,
    ),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => [name, namesOfSchema("", schema)] as const,
  );
  return sorted([...calls, ...schemas]);
}

export function toolNames({ tools }: ToolCatalogue): Names {
  return sorted(
    tools.map(({ name, inputSchema, outputSchema }) => [
      name,
      [...namesOfSchema("argument", inputSchema), ...namesOfSchema("result", outputSchema)],
    ]),
  );
}

function sorted(groups: readonly (readonly [string, readonly string[]])[]): Names {
  return Object.fromEntries(
    groups
      .map(([group, names]) => [group, [...new Set(names)].sort()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function namesOfOperation({
  operationId,
  parameters = [],
  requestBody,
  responses,
}: Operation): string[] {
  return [
    `operation ${operationId}`,
    ...parameters.flatMap(({ in: place, name, schema }) => [
      `${place} ${name}`,
      ...namesOfSchema(`${place} ${name}`, schema),
    ]),
    ...namesOfContent("body", requestBody),
    ...Object.entries(responses).flatMap(([status, reply]) => namesOfContent(status, reply)),
  ];
}

function namesOfContent(at: string, content: Content | undefined): string[] {
  return Object.values(content?.content ?? {}).flatMap(({ schema }) => namesOfSchema(at, schema));
}

function namesOfSchema(at: string, schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const { additionalProperties: others } = schema;
  const values = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
  const parts = [
    schema.items,
    typeof others === "object" ? others : undefined,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
      const name = at === "" ? field : `${at}.${field}`;
      return [name, ...namesOfSchema(name, inner)];
    }),
    ...values.map((value) => `${at} = ${value}`),
    ...parts.flatMap((part) => namesOfSchema(at, part)),
  ];
}
