/** The form of a line of a retainer, as plain fields: product, text, how it is earned, price, and by whom. */
import { recognitionMethods } from "../../domain/sales/line.ts";
import { hasTwoMeanings } from "../draft/draft-number.ts";
import type { Named } from "../draft/draft-stored.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { ProductPicker } from "./product-picker.tsx";
import { fieldUnderstood, type LineChoices, type OfferedProduct } from "./typed-line.ts";

/** The methods that a line of a retainer may have: it has no milestones. */
const METHODS = recognitionMethods.filter((method) => method !== "milestone");

interface LineFieldsProps {
  readonly typed: TypedFields;
  readonly faults: Faults;
  readonly choices: LineChoices;
  /** Precedes the names of the fields, where a form has several lines. */
  readonly at?: string;
  readonly legend?: string;
  /** Whether fields appear when they apply: only where a script shows them in time. */
  readonly is_alive?: boolean;
  /** Receives the product that was found and chosen, with the name of its field. */
  onProduct?(name: string, product: OfferedProduct): void;
}

export function LineFields(props: LineFieldsProps) {
  const { typed, faults, choices, at = "", is_alive = false } = props;
  const { words: all, language } = useReader();
  const words = all.retainer_draft;
  const { entry, select } = fieldsOf(typed, faults);
  const method = typed[`${at}recognition_method`];
  /** A number that could be read two ways says below its field how it is read. */
  const number = (field: string, label: string, most: number, hint?: string) => {
    const name = `${at}${field}`;
    const text = typed[name] ?? "";
    const shown = hasTwoMeanings(text)
      ? all.draft.read_as(fieldUnderstood(name, text, language, choices.currency))
      : hint;
    return entry(name, label, { most, ...(shown === undefined ? {} : { hint: shown }) });
  };
  return (
    <fieldset class="fields retainer-line">
      <legend>{props.legend ?? words.line}</legend>
      <Product {...props} />
      {number(
        "price",
        words.price,
        30,
        method === "hours" && is_alive ? words.rate_hint : words.price_hint,
      )}
      {number("discount", words.discount, 10)}
      {entry(`${at}description_override`, all.draft.text, { most: 1000, hint: words.text_hint })}
      {select(
        `${at}recognition_method`,
        all.draft.method,
        METHODS.map((one) => [one, all.draft.methods[one]]),
      )}
      {(!is_alive || method === "progress") &&
        number("budget_hours", words.budget, 20, words.budget_hint)}
      <Who {...props} people={choices.people} />
    </fieldset>
  );
}

/** Lets a person search for the product; without scripts they choose it from a list, which has the first products only. */
function Product({
  typed,
  faults,
  choices,
  at = "",
  legend,
  is_alive,
  onProduct,
}: LineFieldsProps) {
  const { words: all } = useReader();
  const name = `${at}product_id`;
  const id = typed[name] ?? "";
  const chosen = choices.products.find((one) => one.id === id);
  if (is_alive && onProduct !== undefined) {
    return (
      <ProductPicker
        name={name}
        of={legend}
        id={id}
        shown={chosen?.name ?? ""}
        faults={faults}
        choose={(product) => onProduct(name, product)}
      />
    );
  }
  const options = choices.products.map((one) => [one.id, one.name] as const);
  return fieldsOf(typed, faults).select(
    name,
    all.draft.product,
    id === "" ? [["", all.retainer_draft.choose_product], ...options] : options,
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
