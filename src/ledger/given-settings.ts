/** Reads the settings and secrets that a person gives for a connection, by the fields that its connector declares. */
import { invalidField, type Problem } from "../domain/base/problem.ts";
import type { ConnectionSettings, ConnectorField, GivenSettings } from "./connector.ts";

/** What a connector says about its settings. */
interface DeclaredFields {
  /** The name for people. */
  readonly title: string;
  readonly fields: readonly ConnectorField[];
}

/**
 * Returns the given values, secrets apart from the others. Throws VALIDATION_FAILED for a field that the connector does not
 * declare, for one that is missing, and for alternatives of which not exactly one is given. An empty value counts as missing.
 */
export function givenSettings(
  { title, fields }: DeclaredFields,
  given: ConnectionSettings,
): GivenSettings {
  for (const name of Object.keys(given)) {
    if (fields.some((field) => field.name === name)) continue;
    throw invalidField(name, "unknown_field", `${title} has no such setting.`);
  }
  for (const { name, is_required, description } of fields) {
    if (is_required && !given[name]) throw invalidField(name, "required", description);
  }
  requireEither(fields, given);
  const of = (is_secret: boolean): ConnectionSettings =>
    Object.fromEntries(
      fields.flatMap(({ name, ...field }) => {
        const value = given[name];
        return field.is_secret === is_secret && value ? [[name, value]] : [];
      }),
    );
  return { settings: of(false), secrets: of(true) };
}

/** Returns the refusal of settings of which the connector says in an Error why it cannot use them. */
export function unusableSettings(error: unknown): Problem {
  const message = error instanceof Error ? error.message : "The settings are not usable.";
  return invalidField("settings", "invalid_value", message);
}

function requireEither(fields: readonly ConnectorField[], given: ConnectionSettings): void {
  for (const either of new Set(fields.flatMap((field) => field.either ?? []))) {
    const names = fields.filter((field) => field.either === either).map(({ name }) => name);
    const [given_name = names[0] ?? either, ...more] = names.filter((name) => given[name]);
    const is_given = Boolean(given[given_name]);
    if (is_given && more.length === 0) continue;
    const message = `Exactly one of ${names.join(" and ")} is required.`;
    throw invalidField(more[0] ?? given_name, is_given ? "not_allowed" : "required", message);
  }
}
