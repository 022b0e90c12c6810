/**
 * A line of a retainer's form as typed: from the stored line to the texts of its fields, and back to the line as the API takes it.
 * The command decides everything again.
 */
import { currencyDigits } from "../../domain/base/currency.ts";
import type { LineInput, RecognitionMethod } from "../../domain/sales/line.ts";
import { inputOf, type LineContent } from "../../domain/series/series.ts";
import {
  draftNumber,
  hoursUnderstood,
  percentUnderstood,
  priceUnderstood,
} from "../draft/draft-number.ts";
import type { Named } from "../draft/draft-stored.ts";
import type { Faults } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { plainNumber } from "../parts/format.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";

/** A product that a line may name, with what it proposes; its unit is empty where the product is no longer offered. */
export interface OfferedProduct extends Named {
  readonly product_number: string | null;
  readonly unit: string;
  readonly default_recognition_method: RecognitionMethod | null;
}

/** What the lines of a retainer may name, and the currency of their prices. */
export interface LineChoices {
  /** Those that are shown as a list where no script searches for them, and those that the lines have. */
  readonly products: readonly OfferedProduct[];
  readonly people: readonly Named[];
  readonly currency: string;
}

/**
 * Returns a text as its field shows it once it is left: numbers as they were understood, others as they are. `name` is that of the
 * field, with or without what precedes it.
 */
export function fieldUnderstood(
  name: string,
  text: string,
  language: Language,
  currency: string,
): string {
  const field = name.replace(/^l\d+\./, "");
  if (field === "price") return priceUnderstood(language, text, currency);
  if (field === "budget_hours") return hoursUnderstood(language, text);
  if (field !== "discount" && !field.startsWith("share_")) return text;
  return percentUnderstood(language, text);
}

/** Returns the texts of a form as they are once all fields are left: two forms that mean the same have the same ones. */
export function formUnderstood(
  typed: TypedFields,
  language: Language,
  currency: string,
): TypedFields {
  const understood = Object.entries(typed).map(([name, text]) => [
    name,
    text && fieldUnderstood(name, text, language, currency),
  ]);
  return Object.fromEntries(understood);
}

/**
 * Returns the line as it is typed, in the form that the API takes. Texts that are no numbers stay texts, which it refuses. `at`
 * precedes the names of the line's fields.
 */
export function sentLine(
  form: TypedFields,
  language: Language,
  people: readonly Named[],
  before: LineContent | null,
  at = "",
): Record<string, unknown> {
  const field = (name: string): string | undefined => form[`${at}${name}`];
  const number = (typed: string | undefined): number | string | null => {
    const value = draftNumber(language, typed ?? "");
    return value === undefined ? null : Number.isNaN(value) ? (typed ?? "") : value;
  };
  const method = field("recognition_method") ?? "";
  const is_by_hours = method === "hours";
  const price = number(field("price"));
  const own_rates = new Map(
    (before === null ? [] : (inputOf(before, 2).assignees ?? [])).map((one) => [
      one.user_id as string,
      one.hourly_rate_override ?? null,
    ]),
  );
  return {
    // An empty field is a product that is not chosen, and none of another form.
    product_id: field("product_id") || undefined,
    recognition_method: method,
    description_override: field("description_override")?.trim() || null,
    agreed_value: is_by_hours ? null : price,
    hourly_rate: is_by_hours ? price : null,
    discount: number(field("discount")) ?? 0,
    budget_hours: method === "progress" ? number(field("budget_hours")) : null,
    assignees: people
      .filter(({ id }) => field(`who_${id}`) === "on")
      .map(({ id }) => ({
        user_id: id,
        distribution_percentage: is_by_hours ? null : number(field(`share_${id}`)),
        hourly_rate_override: own_rates.get(id) ?? null,
      })),
  };
}

/** Returns the values of the fields for a line, with numbers as fields show them once they are left. */
export function typedLine(content: LineContent, currency: string, language: Language): TypedFields {
  const input: LineInput = inputOf(content, currencyDigits(currency));
  const number = (value: number | null | undefined): string =>
    value == null ? "" : plainNumber(language, value);
  const is_by_hours = input.recognition_method === "hours";
  const people = (input.assignees ?? []).flatMap(({ user_id, distribution_percentage }) => [
    [`who_${user_id}`, "on"],
    [`share_${user_id}`, number(distribution_percentage)],
  ]);
  const typed: Record<string, string> = {
    product_id: input.product_id,
    recognition_method: input.recognition_method,
    description_override: input.description_override ?? "",
    price: number(is_by_hours ? input.hourly_rate : input.agreed_value),
    discount: number(input.discount),
    budget_hours: number(input.budget_hours),
    ...Object.fromEntries(people),
  };
  const understood = Object.entries(typed).map(([name, text]) => [
    name,
    fieldUnderstood(name, text, language, currency),
  ]);
  return Object.fromEntries(understood);
}

const FIELDS = [
  "product_id",
  "recognition_method",
  "description_override",
  "agreed_value",
  "hourly_rate",
  "discount",
  "budget_hours",
  "assignees",
];
const OF_ASSIGNEE = ["user_id", "distribution_percentage"];

/** Returns the API's names of the fields of a line at `prefix`, as refusals name them. */
export function lineFields(prefix: string, people: readonly Named[]): string[] {
  return [
    ...FIELDS.map((field) => `${prefix}.${field}`),
    ...people.flatMap((_, at) => OF_ASSIGNEE.map((field) => `${prefix}.assignees[${at}].${field}`)),
  ];
}

/** Returns the faults of the line at `prefix` by the names of the form's fields, which `at` precedes; others as they are. */
export function lineFaultsShown(prefix: string, faults: Faults, at = ""): Faults {
  const shown = new Map<string, Refusal>();
  for (const [field, fault] of faults) {
    if (!field.startsWith(`${prefix}.`)) {
      shown.set(field, fault);
      continue;
    }
    const name = field.slice(prefix.length + 1);
    const is_price = name === "agreed_value" || name === "hourly_rate";
    shown.set(
      `${at}${is_price ? "price" : name.startsWith("assignees") ? "assignees" : name}`,
      fault,
    );
  }
  return shown;
}
