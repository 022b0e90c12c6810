/**
 * The schemas of tools in `tools/list`: short, because assistants read them all, and readable for strict clients.
 * They promise only what results contain and accept all that calls accept. The original schemas validate calls.
 */
import * as z from "zod";

/** The JSON Schema of an object: the root of a tool's input or output. */
export type ListedSchema = { readonly type: "object" } & Readonly<Record<string, unknown>>;

type Json = Readonly<Record<string, unknown>>;

const shown_briefly = new WeakSet<object>();
const BRIEF: Pick<WeakSet<object>, "has"> = shown_briefly;

/** Marks a schema whose fields the catalogue leaves out because another tool, the description or the text of the result names them. */
export function briefly<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone() as Schema;
  shown_briefly.add(marked);
  return marked;
}

/** Returns the listed schema of a tool's input. */
export function listedInput(input: z.ZodObject): ListedSchema {
  return { ...(shortened(jsonOf(input, "input"), INPUT) as Json), type: "object" };
}

/** Returns the listed schema of a tool's input with the fields that the catalogue leaves out: a refusal names them. */
export function wholeInput(input: z.ZodObject): ListedSchema {
  return { ...(shortened(jsonOf(input, "input", NONE), INPUT) as Json), type: "object" };
}

/**
 * Returns the listed schema of a tool's output. No field is required and others are allowed, because some clients
 * also validate refusals (`{error}`) with it. Optional fields of resources without a description are left out.
 */
export function listedOutput(output: z.ZodObject): ListedSchema {
  return { ...(shortened(jsonOf(output, "output"), OUTPUT) as Json), type: "object" };
}

interface Form {
  /** Keywords that only validation needs. */
  readonly left_out: ReadonlySet<string>;
  readonly is_output: boolean;
}

const INPUT: Form = {
  left_out: new Set(["example", "examples", "minLength", "maxLength", "maxItems", "minItems"]),
  is_output: false,
};

const OUTPUT: Form = {
  left_out: new Set([
    ...INPUT.left_out,
    "additionalProperties",
    "propertyNames",
    "required",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
  ]),
  is_output: true,
};

const NONE: Pick<WeakSet<object>, "has"> = new WeakSet();

function jsonOf(schema: z.ZodObject, io: "input" | "output", brief = BRIEF): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      // Schema ids are names of the REST API's components.
      delete jsonSchema.id;
      if (!brief.has(zodSchema)) return;
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, { type: "object", ...(description && { description }) });
    },
  });
  return inlined(json);
}

/** Returns the schema without `$defs`: many clients cannot resolve references. */
function inlined(json: Json): Json {
  const { $defs = {}, ...root } = json as Json & {
    readonly $defs?: Readonly<Record<string, Json>>;
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    const { $ref, ...rest } = value;
    const entries = Object.entries(rest).map(([key, entry]) => [key, walk(entry)]);
    const name = typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;
    const target = name === undefined ? {} : (walk($defs[name] ?? {}) as Json);
    return { ...target, ...Object.fromEntries(entries) };
  };
  return walk(root) as Json;
}

/** The position of a schema: the number of lists around it, and whether it is the root. */
interface Place {
  readonly lists: number;
  readonly is_root: boolean;
}

function shortened(schema: Json, form: Form, place: Place = { lists: 0, is_root: true }): Json {
  if (schema.format === "date" && !form.is_output) {
    return shortened(withDayWords(schema, place), form, place);
  }
  const { type, anyOf, oneOf, allOf, properties, items, enum: values, ...rest } = schema;
  if (allOf !== undefined) throw new Error("a tool's schema cannot be shown with allOf");
  const kept = Object.fromEntries(
    Object.entries(rest).filter(
      ([key, value]) => !form.left_out.has(key) && !isNoBound(key, value),
    ),
  );
  const choices = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (choices) return { ...kept, anyOf: choices.map((one) => shortened(one, form, place)) };
  if (Array.isArray(type)) return oneForEach(schema, type, form, place);
  if (type === "array") {
    const within = { lists: place.lists + 1, is_root: false };
    return { type, ...kept, items: shortened((items ?? {}) as Json, form, within) };
  }
  if (type === "object") {
    // An input shows everything; an output shows no objects within lists of lists.
    if (properties === undefined || (form.is_output && place.lists > 1)) {
      return { type, ...(kept.description === undefined ? {} : { description: kept.description }) };
    }
    return { type, ...kept, properties: shownProperties(schema, form, place) };
  }
  if (type === undefined && values === undefined && kept.const === undefined) {
    return { ...kept, anyOf: ANYTHING };
  }
  const of_values = values === undefined ? {} : { enum: values };
  return { type: type ?? typeof kept.const, ...kept, ...of_values };
}

/** The form of a day, by which its listed schema is known. */
export const DAY_FORM = "YYYY-MM-DD";

/** Returns the schema of a day with its forms in words: tools take more than its format says (`day-words.ts`). */
function withDayWords({ format: _, description, ...schema }: Json, { lists }: Place): Json {
  const forms = lists > 0 ? `${DAY_FORM}.` : `${DAY_FORM}, today or yesterday.`;
  return { ...schema, description: description === undefined ? forms : `${description} ${forms}` };
}

/** Splits a list of types into one schema for each type, because not all clients understand such a list. */
function oneForEach(
  { description, default: initial, type: _, ...schema }: Json,
  types: readonly unknown[],
  form: Form,
  place: Place,
): Json {
  return {
    ...(description === undefined ? {} : { description }),
    ...(initial === undefined ? {} : { default: initial }),
    anyOf: types.map((type) =>
      type === "null" ? { type } : shortened({ ...schema, type }, form, place),
    ),
  };
}

const ANYTHING = ["string", "number", "boolean", "object", "null"].map((type) => ({ type }));

function shownProperties(schema: Json, form: Form, { lists, is_root }: Place): Json {
  const { properties = {}, required = [] } = schema;
  const always = new Set(required as readonly string[]);
  const within = { lists, is_root: false };
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Json>>)
      .filter(([name, of]) => !form.is_output || isListed(of, always.has(name), is_root))
      .map(([name, property]) => {
        // For a new line, an omitted field means the same as null.
        const shown = !form.is_output && lists > 0 ? withoutNull(property) : property;
        return [name, shortened(shown, form, within)];
      }),
  );
}

/** Whether a property is listed: never a constant, and only with a description if it may be null or absent. */
function isListed(property: Json, is_always: boolean, is_root: boolean): boolean {
  if (property.const !== undefined) return false;
  return is_root || property.description !== undefined || (is_always && !mayBeNull(property));
}

function mayBeNull({ type, anyOf }: Json): boolean {
  if (Array.isArray(type)) return type.includes("null");
  return Array.isArray(anyOf) && anyOf.some((one: Json) => one.type === "null");
}

function withoutNull(property: Json): Json {
  if (!mayBeNull(property)) return property;
  const { type, anyOf, ...rest } = property;
  if (Array.isArray(type)) {
    const left = type.filter((one) => one !== "null");
    return { ...rest, type: left.length === 1 ? left[0] : left };
  }
  const left = (anyOf as readonly Json[]).filter((one) => one.type !== "null");
  return left.length === 1 ? { ...rest, ...left[0] } : { ...rest, anyOf: left };
}

/** Whether a keyword is a bound that an integer has by default. */
function isNoBound(key: string, value: unknown): boolean {
  const is_bound = key === "minimum" || key === "maximum";
  return is_bound && typeof value === "number" && Math.abs(value) >= Number.MAX_SAFE_INTEGER;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
