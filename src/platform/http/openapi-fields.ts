/** Adds missing descriptions of properties from `field-words.ts`. A test reports properties without a description. */
import { WORDS } from "./field-words.ts";
import { INTEGRATIONS_WORDS } from "./field-words-integrations.ts";
import { RECEIVABLES_WORDS } from "./field-words-receivables.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns the schema with descriptions. `path` names the enclosing component, then the fields. */
export function withWords(schema: unknown, path: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withWords(one, path));
  if (typeof schema !== "object" || schema === null) return schema;
  const { says: _, ...written } = schema as Json;
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => {
      if (key === "properties") return [key, describedProperties(value as Json, path)];
      const is_schema = ["items", "anyOf", "oneOf", "allOf", "additionalProperties"].includes(key);
      return [key, is_schema ? withWords(value, path) : value];
    }),
  );
}

function describedProperties(properties: Json, path: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      described(withWords(property, [...path, name]) as Json, [...path, name], property as Json),
    ]),
  );
}

/**
 * Describes a property or a parameter. The description of a branch becomes that of the whole; an amount gets its unit, and the
 * sentence from the form of `whole` ends the description.
 */
export function described(schema: Json, path: readonly string[], whole: Json = schema): Json {
  const branches = (schema.anyOf ?? []) as readonly Json[];
  const own = [schema, ...branches].find((one) => one.description !== undefined)?.description;
  const says = own ?? wordsOf(path);
  if (typeof says !== "string") return schema;
  const unit = isNumber(schema) && !NAMES_A_UNIT.test(says) ? unitOf(path) : undefined;
  const more = [whole, ...((whole.anyOf ?? []) as readonly Json[])].find((one) => one.says)?.says;
  return { ...schema, description: [says, unit, more].filter(Boolean).join(" ") };
}

/** Matches the description of a number that already names its unit. */
export const NAMES_A_UNIT = /currency|percent|hours|DKK|worth|units/i;

/** Whether the number may have decimals, such as amounts, rates and hours. */
export function isNumber({ type, anyOf = [] }: Json): boolean {
  const types = [type, ...(anyOf as readonly Json[]).map((one) => one.type)].flat();
  return types.includes("number");
}

/** `Owner, Owner.field: the description` */
const LINE = /^([^:.]+)(\.\w+)?: (.*)$/;

const words = new Map(
  (WORDS.trim() + RECEIVABLES_WORDS.trimEnd() + INTEGRATIONS_WORDS.trimEnd())
    .split("\n")
    .flatMap((line) => {
      const [, owners = "", field = "", says = ""] = LINE.exec(line) ?? [];
      return owners.split(", ").map((owner) => [owner + field, says] as const);
    }),
);

/** Returns the description of a field by its innermost owner that has one. `path` begins with the outermost name. */
export function wordsOf(path: readonly string[]): string | undefined {
  const name = path.at(-1) ?? "";
  const owners = path.slice(0, -1).reverse();
  for (const owner of owners) {
    const found = words.get(`${owner}.${name}`);
    if (found !== undefined) return found;
  }
  return words.get(name);
}

/** Returns the unit of a component's amounts; undefined when each amount names its own. */
export function unitOf([component]: readonly string[]): string | undefined {
  return words.get(`*${component}`);
}

/** All keys of the descriptions, for the test that checks that each key is used. */
export const wordKeys: readonly string[] = [...words.keys()];
