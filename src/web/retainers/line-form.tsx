/** The form of a line of a retainer, as plain fields: product, text, how it is earned, price, and by whom. */
import { currencyDigits } from "../../domain/base/currency.ts";
import type { LineInput } from "../../domain/sales/line.ts";
import { recognitionMethods } from "../../domain/sales/line.ts";
import { inputOf, type LineContent } from "../../domain/series/series.ts";
import { readProducts } from "../../features/catalogue/products/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { assignable } from "../draft/draft-facts.ts";
import type { Named } from "../draft/draft-stored.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { plainNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";

const MOST_PRODUCTS = 200;

/** The methods that a line of a retainer may have: it has no milestones. */
const METHODS = recognitionMethods.filter((method) => method !== "milestone");

/** The products and people that a line may name. */
export interface LineChoices {
  readonly products: readonly Named[];
  readonly people: readonly Named[];
}

/** Returns the choices; `known` is the product of the line, which may be inactive. */
export async function lineChoices(
  cx: PersonContext,
  known: Named | null = null,
): Promise<LineChoices> {
  const page = { limit: MOST_PRODUCTS, cursor: undefined } as const;
  const [found, people] = await Promise.all([readProducts(page).answer(cx), assignable(cx)]);
  const { data } = pageFrom<Named>(found);
  const products = [...data].sort((a, b) => a.name.localeCompare(b.name));
  const is_known = known === null || products.some(({ id }) => id === known.id);
  return { products: is_known ? products : [known, ...products], people };
}

/** Returns the line as it is typed, in the form that the API takes. Texts that are no numbers stay texts, which it refuses. */
export function sentLine(
  form: TypedFields,
  language: Language,
  people: readonly Named[],
  before: LineContent | null,
): Record<string, unknown> {
  const number = (typed: string | undefined): number | string | null => {
    const value = numberFrom(language, typed);
    return value === undefined ? null : Number.isNaN(value) ? (typed ?? "") : value;
  };
  const method = form.recognition_method ?? "";
  const is_by_hours = method === "hours";
  const price = number(form.price);
  const own_rates = new Map(
    (before === null ? [] : (inputOf(before, 2).assignees ?? [])).map((one) => [
      one.user_id as string,
      one.hourly_rate_override ?? null,
    ]),
  );
  return {
    product_id: form.product_id ?? "",
    recognition_method: method,
    description_override: form.description_override?.trim() || null,
    agreed_value: is_by_hours ? null : price,
    hourly_rate: is_by_hours ? price : null,
    discount: number(form.discount) ?? 0,
    budget_hours: method === "progress" ? number(form.budget_hours) : null,
    assignees: people
      .filter(({ id }) => form[`who_${id}`] === "on")
      .map(({ id }) => ({
        user_id: id,
        distribution_percentage: is_by_hours ? null : number(form[`share_${id}`]),
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

/** Returns the faults by the names of the form's fields. */
export function lineFaultsShown(prefix: string, faults: Faults): Faults {
  const shown = new Map<string, Refusal>();
  for (const [field, fault] of faults) {
    const name = field.startsWith(`${prefix}.`) ? field.slice(prefix.length + 1) : field;
    const is_price = name === "agreed_value" || name === "hourly_rate";
    shown.set(is_price ? "price" : name.startsWith("assignees") ? "assignees" : name, fault);
  }
  return shown;
}

export function LineFields(props: { typed: TypedFields; faults: Faults; choices: LineChoices }) {
  const { typed, faults, choices } = props;
  const { words: all } = useReader();
  const words = all.retainer_draft;
  const { entry, select } = fieldsOf(typed, faults);
  return (
    <fieldset class="fields two-columns">
      <legend>{words.line}</legend>
      {select(
        "product_id",
        all.draft.product,
        choices.products.map(({ id, name }) => [id, name]),
      )}
      {entry("description_override", all.draft.text, { most: 1000, hint: words.text_hint })}
      {select(
        "recognition_method",
        all.draft.method,
        METHODS.map((method) => [method, all.draft.methods[method]]),
      )}
      {entry("price", words.price, { hint: words.price_hint, most: 30 })}
      {entry("discount", words.discount, { most: 10 })}
      {entry("budget_hours", words.budget, { hint: words.budget_hint, most: 20 })}
      <Who typed={typed} faults={faults} people={choices.people} />
    </fieldset>
  );
}

/** Shows a box for each person, with the share of those who are chosen. */
function Who(props: { typed: TypedFields; faults: Faults; people: readonly Named[] }) {
  const { typed, faults, people } = props;
  const { words: all } = useReader();
  const words = all.retainer_draft;
  const fault = faults.get("assignees");
  return (
    <fieldset class="who-fields">
      <legend class="small">{all.draft.who}</legend>
      {people.map(({ id, name }) => (
        <div class="row">
          <label class="row">
            <input type="checkbox" name={`who_${id}`} checked={typed[`who_${id}`] === "on"} />
            {name}
          </label>
          <input
            class="input share"
            name={`share_${id}`}
            value={typed[`share_${id}`] ?? ""}
            maxLength={10}
            inputMode="decimal"
            autocomplete="off"
            aria-label={words.share_of(name)}
            placeholder="%"
          />
        </div>
      ))}
      <p class="tiny quiet">{words.shares_hint}</p>
      {fault !== undefined && <p class="fault">{all.refused(fault)}</p>}
    </fieldset>
  );
}
