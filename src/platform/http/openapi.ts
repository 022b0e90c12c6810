/** Makes the OpenAPI 3.1 document from the routes alone, so that both agree. Schemas with an id become components. */
import * as z from "zod";
import { type ProblemCode, problemCatalogue } from "../../domain/base/problem.ts";
import { INSTANCE_HEADER, MOST_INSTANCE_LENGTH } from "./body.ts";
import { columnTable, fileOf } from "./csv-page.ts";
import { type ApiExample, type ApiExamples, readExamples } from "./examples.ts";
import { KEY_HEADER, MOST_KEY_LENGTH } from "./idempotency.ts";
import { eventSchemas } from "./openapi-events.ts";
import { described, withWords } from "./openapi-fields.ts";
import { INTRODUCTION, TAGS } from "./openapi-texts.ts";
import { statusOfKind } from "./problems.ts";
import { frameRefusals, type ReplyShape, type Route } from "./route.ts";
import { API_VERSION } from "./version.ts";
import { formOf } from "./written-forms.ts";

type Json = Record<string, unknown>;

/** Returns the document as a plain value. `base_url` is the public origin. */
export function openApiOf(routes: readonly Route[], base_url: string): Json {
  const examples: ApiExamples = readExamples();
  const components = componentsOf(routes);
  const events = eventSchemas(components.Event as Json);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, examples[route.operation]),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Matchbook",
      version: "1.0.0",
      "x-matchbook-version": API_VERSION,
      description: INTRODUCTION,
      contact: { name: "Matchbook" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: "{origin}/api/v1",
        variables: {
          origin: { default: base_url, description: "Where this Matchbook is served." },
        },
      },
    ],
    security: [{ api_key: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      description: TAGS[name] ?? "",
    })),
    paths,
    webhooks: events.webhooks,
    components: {
      securitySchemes: {
        api_key: { type: "http", scheme: "bearer", description: "An API key, `mbk_…`." },
      },
      schemas: { ...components, ...events.schemas },
    },
  };
}

/** The envelope of every refusal (spec 11.7). The schema's id makes it a component. */
z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    request_id: z.string().describe("As in the header `X-Request-Id`; the log contains it."),
    field_errors: z
      .array(z.object({ field: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe("Only with status 422."),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
}).meta({ id: "Error" });

const IDEMPOTENCY_KEY: Json = {
  name: KEY_HEADER,
  in: "header",
  required: false,
  description:
    "For 24 hours a repetition with the same key, path and body receives the answer of the first call, with `Idempotent-Replayed: true`, and changes nothing.",
  schema: { type: "string", minLength: 1, maxLength: MOST_KEY_LENGTH },
};

const IF_NONE_MATCH: Json = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "An `ETag` that was answered before: while the resource is the same, the answer is 304.",
  schema: { type: "string" },
};

const IF_MATCH: Json = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of the resource as it was read: once it is another one, the answer is 412 `PRECONDITION_FAILED`, and nothing is changed.",
  schema: { type: "string" },
};

const TAGGED: Json = {
  headers: {
    ETag: { description: "The tag of the resource as it is answered.", schema: { type: "string" } },
  },
};

const INSTANCE_ID: Json = {
  name: INSTANCE_HEADER,
  in: "header",
  required: false,
  description:
    "The id of the envelope, by which a document that arrives twice is known; an empty one counts as none.",
  schema: { type: "string", maxLength: MOST_INSTANCE_LENGTH },
};

function operationOf(route: Route, example: ApiExample | undefined): Json {
  const parameters = [
    ...parametersOf(route.params, "path", example),
    ...parametersOf(route.query, "query", example),
    ...(route.method === "POST" ? [IDEMPOTENCY_KEY] : []),
    ...(route.shown ? [route.method === "GET" ? IF_NONE_MATCH : IF_MATCH] : []),
    ...(route.file?.has_instance_id ? [INSTANCE_ID] : []),
  ];
  const file = fileOf(route);
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecated ? { deprecated: true } : {}),
    description: [
      ...(route.description ? [route.description] : []),
      ...(file ? [columnTable(file)] : []),
      `Scope: \`${route.access === "read" ? "read" : "read_write"}\`.`,
    ].join("\n\n"),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.file ? { requestBody: fileBodyOf(route.file) } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: !route.body_is_optional,
            content: {
              "application/json": {
                schema: schemaOf(route.body, "input"),
                ...(example?.body === undefined ? {} : { example: example.body }),
              },
            },
          },
        }
      : {}),
    responses: { ...successesOf(route, example), ...refusalsOf(route) },
  };
}

function fileBodyOf({ content_types }: NonNullable<Route["file"]>): Json {
  const schema = { type: "string", format: "binary" };
  return {
    required: true,
    content: Object.fromEntries(content_types.map((type) => [type, { schema }])),
  };
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: "path" | "query",
  example: ApiExample | undefined,
): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const schema = described(schemaOf(field, "output"), [name]);
    const { description, ...rest } = schema as { description?: string };
    return {
      name,
      in: place,
      required: place === "path" || !field.safeParse(undefined).success,
      ...(description ? { description } : {}),
      schema: rest,
      ...exampleOf(example?.parameters[name], rest),
    };
  });
}

function exampleOf(text: string | undefined, { type }: Json): Json {
  if (text === undefined) return {};
  return { example: type === "integer" ? Number(text) : text };
}

/** Returns an example without the fields that a shape does not have. */
function fittingIn(shape: unknown, answer: unknown): unknown {
  if (!(shape instanceof z.ZodObject) || typeof answer !== "object" || answer === null)
    return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name in shape.shape));
}

function successesOf(route: Route, example: ApiExample | undefined): Json {
  const successes = Object.fromEntries(
    Object.entries(route.replies).map(([status, shape]) => [
      status,
      {
        description: DESCRIPTION_OF_STATUS[status] ?? "Done.",
        ...(route.shown && status === "200" ? TAGGED : {}),
        // A repetition gets the first response, as far as its shape has the fields.
        ...contentOf(shape, fittingIn(shape, example?.answer)),
      },
    ]),
  );
  if (route.shown === undefined || route.method !== "GET") return successes;
  return { ...successes, 304: { description: "The resource has the tag of `If-None-Match`." } };
}

const DESCRIPTION_OF_STATUS: Readonly<Record<string, string>> = {
  "200": "Done.",
  "201": "Created.",
  "204": "Done; no content.",
};

function contentOf(shape: ReplyShape, answer: unknown): Json {
  if (shape === null) return {};
  if (shape instanceof z.ZodType) {
    // Lists also return `text/csv`; with one media type here, generated clients have one return type.
    const schema = schemaOf(shape, "output");
    return { content: { "application/json": { schema, ...(answer ? { example: answer } : {}) } } };
  }
  const { content_type, other_content_types = [], columns, example, line } = shape;
  if (line !== undefined) {
    const schema = schemaOf(line, "output");
    return { content: { [content_type]: { schema, ...(answer ? { example: answer } : {}) } } };
  }
  if (columns !== undefined) {
    return { content: { [content_type]: { schema: { type: "string" }, example } } };
  }
  const types = [content_type, ...other_content_types];
  const schema = { type: "string", format: "binary" };
  const { examples = {} } = shape;
  const mediaOf = (type: string): Json =>
    examples[type] === undefined ? { schema } : { schema, example: examples[type] };
  return { content: Object.fromEntries(types.map((type) => [type, mediaOf(type)])) };
}

/** Returns one response per status, with its possible codes. */
function refusalsOf(route: Route): Json {
  const kinds = new Map(problemCatalogue().map((entry) => [entry.code, entry]));
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...frameRefusals(route), ...route.refuses])) {
    const status = statusOfKind[kinds.get(code)?.kind ?? "conflict"];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  byStatus.set(500, [...(byStatus.get(500) ?? []), "INTERNAL_ERROR" as ProblemCode]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes
            .sort()
            .map(
              (code) =>
                `\`${code}\`: ${kinds.get(code)?.message ?? "Something went wrong on our side."}`,
            )
            .join("\n\n"),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const id = schema.meta()?.id;
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  if (schema instanceof z.ZodArray) {
    return { type: "array", items: schemaOf(schema.element as z.ZodType, io) };
  }
  return convert(schema, io);
}

/** Returns the components by direction: requests as input, replies as output. */
function componentsOf(routes: readonly Route[]): Json {
  const requests = new Set(routes.map((route) => route.body?.meta()?.id));
  const everything = (io: "input" | "output") =>
    z.toJSONSchema(z.globalRegistry, { io, uri, unrepresentable: "any", override: tidy[io] })
      .schemas;
  const asInput = everything("input");
  const asOutput = everything("output");
  const names = Object.keys(asOutput).sort();
  return Object.fromEntries(
    names.map((name) => {
      const is_request = requests.has(name) || name.endsWith("Input");
      const { $schema: _, $id: __, ...schema } = (is_request ? asInput : asOutput)[name] as Json;
      return [name, withWords(schema, [name])];
    }),
  );
}

function convert(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: tidy[io],
  }) as Json;
  return withWords(json, []) as Json;
}

const uri = (id: string): string => `#/components/schemas/${id}`;

interface Overridden {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: Json;
}

const tidy = {
  /** A request has only fields that can be set, at any depth. */
  input({ zodSchema, jsonSchema }: Overridden): void {
    Object.assign(jsonSchema, formOf(zodSchema));
    if (zodSchema instanceof z.ZodObject) jsonSchema.additionalProperties = false;
  },
  /** Replies may gain fields, because the API only grows; so no schema forbids additional ones. */
  output({ zodSchema, jsonSchema }: Overridden): void {
    Object.assign(jsonSchema, formOf(zodSchema));
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
};
