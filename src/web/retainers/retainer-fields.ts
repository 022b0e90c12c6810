/** The fields of a retainer's form: those of the header, and of lines, whose names begin with the number of the line. Pure. */
import { proposedMethod } from "../../domain/sales/proposed-earning.ts";
import type { LineContent } from "../../domain/series/series.ts";
import type { Named } from "../draft/draft-stored.ts";
import type { Faults } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import { lineFaultsShown, lineFields, type OfferedProduct, sentLine } from "./typed-line.ts";

/** The most lines of a form. A form has at most 16 kB, so a retainer with more lines is changed line by line. */
export const MOST_FORM_LINES = 30;

const METHOD_OF_LINE = /^l(\d{1,3})\.recognition_method$/;
const OF_LINE = /^l(\d{1,3})\.(.+)$/;

/** Returns what precedes the names of the fields of a line. */
export function lineAt(number: number): string {
  return `l${number}.`;
}

/** Returns the numbers of the lines of a form, in order. */
export function lineNumbers(typed: TypedFields): number[] {
  return Object.keys(typed)
    .flatMap((name) => METHOD_OF_LINE.exec(name)?.[1] ?? [])
    .map((digits) => Number.parseInt(digits, 10))
    .sort((a, b) => a - b);
}

/** Returns the form with one more line; `own` is the person who is assigned to it, or null. */
export function withNewLine(typed: TypedFields, own: string | null): TypedFields {
  const numbers = lineNumbers(typed);
  if (numbers.length >= MOST_FORM_LINES) return typed;
  const at = lineAt((numbers.at(-1) ?? -1) + 1);
  return {
    ...typed,
    [`${at}recognition_method`]: "value",
    ...(own === null ? {} : { [`${at}who_${own}`]: "on" }),
  };
}

/** Returns the form without a line. */
export function withoutLineAt(typed: TypedFields, number: number): TypedFields {
  const at = lineAt(number);
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !name.startsWith(at)));
}

/** Returns the form with the line at a place, from 0, moved to another one; the same form for a place that it does not have. */
export function withLineAtPlace(typed: TypedFields, from: number, to: number): TypedFields {
  const numbers = lineNumbers(typed);
  const order = [...numbers];
  const [moved] = order.splice(from, 1);
  if (from < 0 || to < 0 || to >= numbers.length || moved === undefined) return typed;
  order.splice(to, 0, moved);
  const number_of = new Map(order.map((number, place) => [number, numbers[place] ?? number]));
  const renamed = Object.entries(typed).map(([name, value]) => {
    const [, digits = "", field = ""] = OF_LINE.exec(name) ?? [];
    const number = number_of.get(Number.parseInt(digits, 10));
    return [number === undefined ? name : `${lineAt(number)}${field}`, value] as const;
  });
  return Object.fromEntries(renamed);
}

/** Returns the form with a copy of the line at a place behind it: a new line with the same content. */
export function withLineTwice(typed: TypedFields, place: number): TypedFields {
  const numbers = lineNumbers(typed);
  const [number, last] = [numbers[place], numbers.at(-1)];
  if (number === undefined || last === undefined || numbers.length >= MOST_FORM_LINES) return typed;
  const [from, to] = [lineAt(number), lineAt(last + 1)];
  const copied = Object.entries(typed)
    .filter(([name]) => name.startsWith(from) && name !== `${from}line_id`)
    .map(([name, value]) => [to + name.slice(from.length), value] as const);
  const more = { ...typed, ...Object.fromEntries(copied) };
  return withLineAtPlace(more, numbers.length, place + 1);
}

/**
 * Returns the form with another value of a field. A product proposes how its line is earned, as long as the line has neither a
 * price nor an earlier product. A line of a retainer is earned over its period, and never at a milestone.
 */
export function withField(
  typed: TypedFields,
  name: string,
  value: string,
  products: readonly OfferedProduct[],
): TypedFields {
  const after = { ...typed, [name]: value };
  const [, at] = /^(l\d+\.|)product_id$/.exec(name) ?? [];
  if (at === undefined || (typed[name] ?? "") !== "" || typed[`${at}price`]) return after;
  const product = products.find(({ id }) => id === value);
  const method = product === undefined ? null : proposedMethod(product);
  if (method === null || method === "milestone") return after;
  return { ...after, [`${at}recognition_method`]: method };
}

/** Returns the numbers of the lines that are sent: a line in which nothing is typed is none. */
function filledNumbers(typed: TypedFields): number[] {
  const fields = ["line_id", "product_id", "price", "discount", "description_override"];
  return lineNumbers(typed).filter((number) =>
    fields.some((field) => typed[`${lineAt(number)}${field}`]?.trim()),
  );
}

/** A line as the command takes it; `line_id` is null for a new one. */
interface SentLine {
  readonly line_id: string | null;
  readonly line: Record<string, unknown>;
}

/** Returns the lines as they are typed. `before` has the contents of stored lines, by their ids. */
export function sentLines(
  typed: TypedFields,
  language: Language,
  people: readonly Named[],
  before: ReadonlyMap<string, LineContent> = new Map(),
): SentLine[] {
  return filledNumbers(typed).map((number) => {
    const at = lineAt(number);
    const line_id = typed[`${at}line_id`] || null;
    const known = line_id === null ? null : (before.get(line_id) ?? null);
    return { line_id, line: sentLine(typed, language, people, known, at) };
  });
}

/** Returns the API's names of the fields of all lines that are sent, as refusals name them. */
export function linesFields(typed: TypedFields, people: readonly Named[]): string[] {
  return filledNumbers(typed).flatMap((_, index) => lineFields(`lines[${index}]`, people));
}

/** Returns the faults by the names of the form's fields. */
export function linesFaultsShown(typed: TypedFields, faults: Faults): Faults {
  return filledNumbers(typed).reduce(
    (shown, number, index) => lineFaultsShown(`lines[${index}]`, shown, lineAt(number)),
    faults,
  );
}

/** Returns the place of the line that a fault of the API names, counted from 1 as the form shows it; null for another fault. */
export function lineOfFault(typed: TypedFields, field: string): number | null {
  const [, index] = /^lines\[(\d+)\]/.exec(field) ?? [];
  if (index === undefined) return null;
  const number = filledNumbers(typed)[Number.parseInt(index, 10)];
  return number === undefined ? null : lineNumbers(typed).indexOf(number) + 1;
}

/** Returns the fields of the lines of a stored retainer, numbered in their order. */
export function numberedLines(
  lines: readonly { readonly line_id: string; readonly typed: TypedFields }[],
): TypedFields {
  const named = lines.flatMap(({ line_id, typed }, number) =>
    Object.entries({ ...typed, line_id }).map(
      ([name, value]) => [`${lineAt(number)}${name}`, value] as const,
    ),
  );
  return Object.fromEntries(named);
}

/** Changes a form where a script runs. */
export type ChangeForm = (change: (now: TypedFields) => TypedFields) => void;

/** A fault of a field, in the form that travels to the browser. */
export type NamedFault = readonly [field: string, refusal: Refusal];
