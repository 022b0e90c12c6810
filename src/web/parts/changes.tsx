/** What a change does to a resource, field by field, in the words of the reader. Only the server renders it. */
import type { FieldChange } from "../../domain/base/field-changes.ts";
import { type PageReader, useReader } from "../frame/reader.ts";
import { daFields } from "../words/da-fields.ts";
import { enFields, type FieldWords } from "../words/en-fields.ts";
import { dayOf, momentOf, monthOf } from "./format.ts";

/** Names by id of the resources that values refer to. */
export type NamesOfValues = ReadonlyMap<string, string>;

const MOST_CHANGES = 40;
const MOST_ENTRIES = 10;

/** Fields that say nothing to people: keys, hashes and counters of the service. */
const HIDDEN =
  /(^|\.)(object|id|line_id|series_id|series_line_id|document_id|grant_id|sha256|revision|updated_at|created_at|ledger|plain)$|_guid$/;

/** Shows the changes as pairs of a field's name and its value before and after. */
export function Changes(props: { changes: readonly FieldChange[]; names: NamesOfValues }) {
  const reader = useReader();
  const words = fieldWords(reader);
  const shown = shownChanges(props.changes);
  const left = shown.length - MOST_CHANGES;
  return (
    <>
      <dl class="changes">
        {shown.slice(0, MOST_CHANGES).map(({ field, before, after }) => (
          <>
            <dt>{fieldName(words, field)}</dt>
            <dd>
              {before !== null && <del>{textOfValue(reader, field, before, props.names)}</del>}
              {before !== null && " → "}
              <ins>{textOfValue(reader, field, after, props.names)}</ins>
            </dd>
          </>
        ))}
      </dl>
      {left > 0 && <p class="small quiet">{words.more(left)}</p>}
    </>
  );
}

/** Returns the changes that say something to people. */
export function shownChanges(changes: readonly FieldChange[]): FieldChange[] {
  return changes.filter(({ field }) => !HIDDEN.test(field));
}

/** Returns the ids that the values of changes refer to. */
export function idsOfValues(changes: readonly FieldChange[]): string[] {
  const ids = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string" && UUID.test(value)) ids.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  for (const { before, after } of changes) {
    collect(before);
    collect(after);
  }
  return [...ids];
}

function fieldWords({ language }: PageReader): FieldWords {
  return language === "da" ? daFields : enFields;
}

/** Returns the name of a field by its path: `Line 1, agreed price` for `lines[0].agreed_value`. */
export function fieldName(words: FieldWords, path: string): string {
  const parts = path.split(".").flatMap((part) => {
    const [, name = part, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(part) ?? [];
    if (index === undefined) return [plainName(words, name)];
    const entry = Object.hasOwn(words.entries, name)
      ? words.entries[name as keyof FieldWords["entries"]]
      : plainName(words, name);
    return [`${entry} ${Number(index) + 1}`];
  });
  return parts.map((part, at) => (at === 0 ? part : uncapitalized(part))).join(", ");
}

function plainName({ names }: FieldWords, name: string): string {
  if (Object.hasOwn(names, name)) return names[name as keyof FieldWords["names"]];
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Keeps the capitals of an abbreviation. */
function uncapitalized(text: string): string {
  return /^\p{Lu}(\p{Lu}|\d|-)/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** Fields that contain text of people, which no fixed value may replace. */
const TYPED =
  /(^|\.)(name|title|note|comments|description_override|city|street|unit|client_name|summary|external_id|external_reference|product_number|att_person|order_reference|buyer_reference|accounting_cost|footer)$/;

/** Returns a value as text in the reader's language. Days, months, moments, fixed values and known ids are put into words. */
export function textOfValue(
  reader: PageReader,
  field: string,
  value: unknown,
  names: NamesOfValues,
): string {
  const words = fieldWords(reader);
  const { language, time_zone } = reader;
  if (value === null || value === undefined || value === "") return words.none;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number") return numberOf(language, value);
  if (typeof value === "string") {
    if (TYPED.test(field)) return value;
    if (DAY.test(value)) return dayOf(language, value);
    if (MONTH.test(value)) return monthOf(language, value);
    if (MOMENT.test(value)) return momentOf(language, value, time_zone).text;
    if (UUID.test(value)) return names.get(value) ?? words.none;
    return Object.hasOwn(words.values, value)
      ? words.values[value as keyof FieldWords["values"]]
      : value;
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ENTRIES).map((one) => textOfValue(reader, field, one, names));
    const left = value.length - shown.length;
    return [...shown, ...(left > 0 ? [words.more(left)] : [])].join("; ");
  }
  return Object.entries(value)
    .filter(([name, entry]) => !HIDDEN.test(name) && !isEmpty(entry))
    .map(([name, entry]) => `${plainName(words, name)}: ${textOfValue(reader, name, entry, names)}`)
    .join(", ");
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

const numbers = {
  en: new Intl.NumberFormat("en-GB", { maximumFractionDigits: 6 }),
  da: new Intl.NumberFormat("da-DK", { maximumFractionDigits: 6 }),
};

/** Formats a number that may have any unit, with the decimals that it has. */
function numberOf(language: PageReader["language"], value: number): string {
  return numbers[language].format(value).replace("-", "\u2212");
}
