/** The form of a line of a retainer, as plain fields: product, text, how it is earned, price, and by whom. */
import { currencyDigits } from "../../domain/base/currency.ts";
import {
  type LineInput,
  type RecognitionMethod,
  recognitionMethods,
} from "../../domain/sales/line.ts";
import { inputOf, type LineContent } from "../../domain/series/series.ts";
import type { Named } from "../draft/draft-stored.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { plainNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";

/** The methods that a line of a retainer may have: it has no milestones. */
const METHODS = recognitionMethods.filter((method) => method !== "milestone");

/** A product that a line may name, with what it proposes; its unit is empty where the product is no longer offered. */
export interface OfferedProduct extends Named {
  readonly unit: string;
  readonly default_recognition_method: RecognitionMethod | null;
}

/** The products and people that a line may name. */
export interface LineChoices {
  readonly products: readonly OfferedProduct[];
  readonly people: readonly Named[];
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
    const value = numberFrom(language, typed);
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
    product_id: field("product_id") ?? "",
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

/** Returns the values of the fields for a line. */
export function typedLine(content: LineContent, currency: string, language: Language): TypedFields {
  const input: LineInput = inputOf(content, currencyDigits(currency));
  const number = (value: number | null | undefined): string =>
    value == null ? "" : plainNumber(language, value);
  const is_by_hours = input.recognition_method === "hours";
  const people = (input.assignees ?? []).flatMap(({ user_id, distribution_percentage }) => [
    [`who_${user_id}`, "on"],
    [`share_${user_id}`, number(distribution_percentage)],
  ]);
  return {
    product_id: input.product_id,
    recognition_method: input.recognition_method,
    description_override: input.description_override ?? "",
    price: number(is_by_hours ? input.hourly_rate : input.agreed_value),
    discount: number(input.discount),
    budget_hours: number(input.budget_hours),
    ...Object.fromEntries(people),
  };
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

interface LineFieldsProps {
  readonly typed: TypedFields;
  readonly faults: Faults;
  readonly choices: LineChoices;
  /** Precedes the names of the fields, where a form has several lines. */
  readonly at?: string;
  readonly legend?: string;
  /** Whether fields appear when they apply: only where a script shows them in time. */
  readonly is_alive?: boolean;
}

export function LineFields(props: LineFieldsProps) {
  const { typed, faults, choices, at = "", is_alive = false } = props;
  const { words: all } = useReader();
  const words = all.retainer_draft;
  const { entry, select } = fieldsOf(typed, faults);
  const product_id = typed[`${at}product_id`] ?? "";
  const method = typed[`${at}recognition_method`];
  const products = choices.products.map(({ id, name }) => [id, name] as const);
  return (
    <fieldset class="fields retainer-line">
      <legend>{props.legend ?? words.line}</legend>
      {select(
        `${at}product_id`,
        all.draft.product,
        product_id === "" ? [["", words.choose_product], ...products] : products,
      )}
      {entry(`${at}price`, words.price, {
        hint: method === "hours" && is_alive ? words.rate_hint : words.price_hint,
        most: 30,
      })}
      {entry(`${at}discount`, words.discount, { most: 10 })}
      {entry(`${at}description_override`, all.draft.text, { most: 1000, hint: words.text_hint })}
      {select(
        `${at}recognition_method`,
        all.draft.method,
        METHODS.map((one) => [one, all.draft.methods[one]]),
      )}
      {(!is_alive || method === "progress") &&
        entry(`${at}budget_hours`, words.budget, { hint: words.budget_hint, most: 20 })}
      <Who {...props} people={choices.people} />
    </fieldset>
  );
}

/** Shows a box for each person, with the share of those who are chosen. */
function Who(props: LineFieldsProps & { people: readonly Named[] }) {
  const { typed, faults, people, at = "", is_alive = false } = props;
  const { words: all } = useReader();
  const words = all.retainer_draft;
  const fault = faults.get(`${at}assignees`);
  const chosen = people.filter(({ id }) => typed[`${at}who_${id}`] === "on");
  const has_shares = typed[`${at}recognition_method`] !== "hours" && chosen.length > 1;
  const shown = chosen.map(({ name }) => name).join(", ") || all.draft.unassigned;
  return (
    <details class="who-fields" open={fault !== undefined}>
      <summary class={chosen.length === 0 ? "ember" : undefined}>
        {all.draft.who}: {shown}
      </summary>
      <fieldset>
        <legend class="unseen">{all.draft.who}</legend>
        {people.map(({ id, name }) => (
          <div class="row" key={id}>
            <label class="row">
              <input
                type="checkbox"
                name={`${at}who_${id}`}
                checked={typed[`${at}who_${id}`] === "on"}
              />
              {name}
            </label>
            {(!is_alive || (has_shares && typed[`${at}who_${id}`] === "on")) && (
              <input
                class="input share"
                name={`${at}share_${id}`}
                value={typed[`${at}share_${id}`] ?? ""}
                maxLength={10}
                inputMode="decimal"
                autocomplete="off"
                aria-label={words.share_of(name)}
                placeholder="%"
              />
            )}
          </div>
        ))}
        {(!is_alive || has_shares) && <p class="tiny quiet">{words.shares_hint}</p>}
      </fieldset>
      {fault !== undefined && <p class="fault">{all.refused(fault)}</p>}
    </details>
  );
}
