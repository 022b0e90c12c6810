/** Presents plans: the changes field by field, and a text that a person can read before they agree. */
import * as z from "zod";
import { fieldChanges } from "../../domain/base/field-changes.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { firstOf } from "./answer-size.ts";
import { quoted } from "./words.ts";

/** One field that would change; `id` is null for a resource that does not exist yet. */
export const PlannedChange = z.object({
  resource_type: z.string(),
  id: z.string().nullable(),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type PlannedChange = z.output<typeof PlannedChange>;

/** The content of a plan that the person sees. */
export interface Shown {
  /** What `commit` would do, in one sentence. */
  readonly summary: string;
  readonly changes: readonly PlannedChange[];
  /** What happens in addition to the changes, such as bookings and e-mails. Each entry is a sentence. */
  readonly effects: readonly string[];
  readonly warnings: readonly string[];
  /** The entries of `warnings` with a code: what to check on the document that is issued. */
  readonly document_warnings?: readonly Warning[];
}

/** Returns the differences between two versions of a resource; null for a resource that does not exist before or after. */
export function changesBetween(
  resource_type: string,
  id: string | null,
  before: JsonText | null,
  after: JsonText | null,
): PlannedChange[] {
  const parsed = (document: JsonText | null) =>
    document === null ? null : (JSON.parse(document) as Readonly<Record<string, unknown>>);
  return fieldChanges(parsed(before), parsed(after)).map((change) => ({
    resource_type,
    id,
    ...change,
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A plan as the assistant gets it, with the number of changes that are left out. */
interface PlanAnswer extends Shown {
  readonly left_out: number;
}

/** Returns the plan with its first `most` changes, lines in each, and warnings. Each line has at most ten people. */
export function firstChanges(shown: Shown, most: number): PlanAnswer {
  const { changes, warnings, document_warnings } = shown;
  const first = changes.slice(0, most).map(({ before, after, ...change }) => {
    return { ...change, before: firstOf(before, most), after: firstOf(after, most) };
  });
  const rows = (some: readonly PlannedChange[]): number =>
    some.reduce((sum, change) => sum + (itemsOf(change)?.length ?? 1), 0);
  const left_out = rows(changes) - rows(first);
  const notes = warnings.slice(0, most);
  const more_notes = warnings.length - notes.length;
  return {
    ...shown,
    changes: first,
    warnings: [
      ...notes,
      ...(more_notes > 0 ? [`${more_notes} more notes of the same kinds are not shown.`] : []),
      ...(left_out > 0 ? [`${left_out} more changes are not shown.`] : []),
    ],
    ...(document_warnings && { document_warnings: document_warnings.slice(0, most) }),
    left_out,
  };
}

/** Returns the summary of a plan that has been carried out: `Issues the invoice` becomes `issued the invoice`. */
export function inThePast(summary: string): string {
  const [, verb, rest = ""] = /^([A-Z][a-z]+s) (.*)$/s.exec(summary) ?? [];
  if (verb === undefined) return summary;
  const stem = verb.slice(0, -1).toLowerCase();
  return `${stem}${stem.endsWith("e") ? "d" : "ed"} ${rest}`;
}

const MOST_CHANGES_IN_TEXT = 40;
const MOST_VALUE = 160;

/** The names of the resources to which changes refer, by id. */
export type PlanNames = ReadonlyMap<string, string>;

/** Returns the plan in plain words, with the next step. */
export function textOfPlan(
  plan: { readonly plan_id: string; readonly url: string; readonly expires_at: string },
  shown: PlanAnswer,
  names: PlanNames,
): string {
  const { plan_id, url, expires_at } = plan;
  const { summary, changes, effects, warnings, document_warnings = [], left_out } = shown;
  const codes = new Map(document_warnings.map(({ message, code }) => [message, ` (${code})`]));
  const rows = changes.flatMap((change) => rowsOf(change, names));
  const shown_rows = rows.slice(0, MOST_CHANGES_IN_TEXT);
  const left = rows.length - shown_rows.length + left_out;
  return [
    summary,
    ...shown_rows.map((row) => `- ${row}`),
    ...(left > 0 ? [`- and ${left} more`] : []),
    ...effects,
    ...warnings.map((warning) => `Note: ${warning}${codes.get(warning) ?? ""}`),
    `Nothing has changed yet. Explain to the person what this does; when they agree, call commit with plan_id "${plan_id}" before ${expires_at}. They can also decide at ${url}`,
  ].join("\n");
}

/** Returns the rows of a change. An added or removed list has one row for each of its items, such as the lines of a document. */
function rowsOf(change: PlannedChange, names: PlanNames): string[] {
  const { field, before } = change;
  const items = itemsOf(change);
  if (items === undefined) return [textOfChange(change, names)];
  return items.map((item, index) =>
    textOfChange(
      {
        ...change,
        field: `${field}[${index}]`,
        ...(before === null ? { after: item } : { before: item }),
      },
      names,
    ),
  );
}

/** Returns the items of an added or removed list. */
function itemsOf({ before, after }: PlannedChange): readonly unknown[] | undefined {
  const items = before === null ? after : after === null ? before : null;
  return Array.isArray(items) ? items : undefined;
}

function textOfChange({ field, before, after }: PlannedChange, names: PlanNames): string {
  const [was, is] = [valueText(before, names), valueText(after, names)];
  const label = labelOf(field, before ?? after, names);
  if (before === null) return `${label}: ${is}`;
  return after === null ? `${label}: ${was}, removed` : `${label}: ${was} becomes ${is}`;
}

/** Returns a field's label: `line 1, agreed value` for `lines[0].agreed_value`, `product` for a named `product_id`. */
function labelOf(field: string, value: unknown, names: PlanNames): string {
  // A name that a person has typed stays unchanged.
  if (!PATH.test(field)) return field;
  const named = isNamed(value, names) ? field.replace(/_id$/, "") : field;
  return named
    .replace(/s?\[(\d+)\]/g, (_, index: string) => ` ${Number(index) + 1}`)
    .replaceAll(".", ", ")
    .replaceAll("_", " ");
}

const PATH = /^[\w.[\]]+$/;

function isNamed(value: unknown, names: PlanNames): value is string {
  return typeof value === "string" && names.has(value);
}

/** Returns a value's text. Text from people or of unknown origin is quoted: it must not pass for the service's. */
function valueText(value: unknown, names: PlanNames): string {
  if (isNamed(value, names)) return quoted(names.get(value), MOST_VALUE);
  if (typeof value === "string") return PLAIN.test(value) ? value : quoted(value, MOST_VALUE);
  if (Array.isArray(value)) return `(${value.map((one) => valueText(one, names)).join("; ")})`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .filter(([, entry]) => entry !== null && !(Array.isArray(entry) && entry.length === 0))
    .map(([name, entry]) => `${labelOf(name, entry, names)} ${valueText(entry, names)}`)
    .join(", ");
}

/** Matches dates, months and ids. */
const PLAIN = /^(\d{4}-\d{2}(-\d{2})?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
