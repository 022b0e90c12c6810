/** A draft line: the printed fields, and how and by whom it is earned. It is rendered again only after a change. */
import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Money } from "../../domain/base/money.ts";
import type { WorkedHours } from "../../domain/revenue/recognition.ts";
import { recognitionMethods } from "../../domain/sales/line.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { Combobox, type ComboboxOption } from "../parts/combobox.tsx";
import { DayInput } from "../parts/day-input.tsx";
import { amountOf, hoursOf } from "../parts/format.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Named } from "./draft-stored.ts";
import type { ProductFacts } from "./draft-sums.ts";
import type { TypedLine } from "./draft-typed.ts";
import { Who } from "./draft-who.tsx";

interface Acts {
  /** The id of the draft. */
  readonly id: string;
  /** From which typed days are read. */
  readonly today: string;
  set(key: string, next: Partial<TypedLine>): void;
  remove(key: string): void;
  move(key: string, by: number): void;
  /** Receives a product that was found, with the data that the rules need. */
  found(product: ProductFacts): void;
}

interface Props {
  readonly line: TypedLine;
  readonly index: number;
  readonly net: Money | null;
  readonly product: ProductFacts | undefined;
  readonly worked: readonly WorkedHours[] | undefined;
  /** Pairs of field name and refusal, as JSON. */
  readonly faults: string;
  readonly people: readonly Named[];
  readonly currency: string;
  readonly acts: Acts;
}

export function DraftLine(props: Props): VNode {
  const { line, index, net, product, worked, faults, people } = props;
  return useMemo(
    () => <Drawn {...props} />,
    [line, index, net, product, worked, faults, people.length],
  );
}

function Drawn({ line, index, net, product, worked, faults, people, currency, acts }: Props) {
  const { words: all, language } = useReader();
  const words = all.draft;
  const wrong = new Map(JSON.parse(faults || "[]") as [string, Refusal][]);
  const set = (next: Partial<TypedLine>) => acts.set(line.key, next);
  const is_by_hours = line.method === "hours";
  const fields = { line, index, wrong, set };
  return (
    <li class="line" aria-label={words.line(index + 1)}>
      <div class="first">
        <Product {...fields} product={product} acts={acts} />
        {is_by_hours && (
          <p class="field num worked">
            <span>{words.hours}</span>
            <span class="cell">{hoursOf(language, sumOf(worked))}</span>
          </p>
        )}
        <Cell
          {...fields}
          field={is_by_hours ? "hourly_rate" : "agreed_value"}
          place="price"
          label={is_by_hours ? words.rate : words.price}
          value={line.price}
          onTyped={(price) => set({ price })}
        />
        <Cell
          {...fields}
          field="discount"
          place="discount"
          label={words.discount}
          value={line.discount}
          onTyped={(discount) => set({ discount })}
        />
        <p class="field num net">
          <span>{words.net}</span>
          <output class="cell strong">
            {net === null ? "–" : amountOf(language, net, currency)}
          </output>
        </p>
      </div>
      <div class="second">
        <input
          class="input soft"
          aria-label={`${words.text}, ${words.line(index + 1)}`}
          placeholder={words.text_hint}
          maxLength={1000}
          value={line.text}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
        <Method {...fields} today={acts.today} />
        <Who {...fields} people={people} />
        <span class="grow" />
        <Button label={words.up(index + 1)} sign="↑" onClick={() => acts.move(line.key, -1)} />
        <Button label={words.down(index + 1)} sign="↓" onClick={() => acts.move(line.key, 1)} />
        <Button label={words.remove(index + 1)} sign="×" onClick={() => acts.remove(line.key)} />
      </div>
      {[...wrong].map(([field, refusal]) => (
        <p class="fault" id={`fault-${line.key}-${field}`} key={field}>
          {nameOf(field, words)}: {all.refused(refusal)}
        </p>
      ))}
    </li>
  );
}

/** Lets a person choose the product by number or name. A name without a product can be made into a new one. */
function Product({
  line,
  index,
  wrong,
  set,
  product,
  acts,
}: FieldProps & { product: ProductFacts | undefined; acts: Acts }) {
  const { words: all } = useReader();
  const words = all.draft;
  const known = useRef(new Map<string, ProductFacts>());

  async function find(q: string): Promise<readonly ComboboxOption[]> {
    const answer = await send<{ readonly data: readonly ProductFacts[] }>("/app/drafts/products", {
      id: acts.id,
      q,
    });
    const data = "done" in answer ? answer.done.data : [];
    for (const one of data) known.current.set(one.id, one);
    const options = data.map(({ id, name, product_number }) => ({
      id,
      label: name,
      ...(product_number === null ? {} : { note: product_number }),
    }));
    const name = q.trim();
    const is_new = name !== "" && data.every((one) => one.name !== name);
    return is_new ? [...options, { id: NEW + name, label: words.make_product(name) }] : options;
  }

  async function choose({ id }: ComboboxOption): Promise<void> {
    const chosen = id.startsWith(NEW)
      ? await make(acts.id, id.slice(NEW.length))
      : known.current.get(id);
    if (chosen === undefined) return;
    acts.found(chosen);
    // The typed price stays. A line without a price takes the product's.
    const is_first = line.product_id === "" && chosen.unit === "hours";
    set({ product_id: chosen.id, ...(is_first ? { method: "hours" as const } : {}) });
  }

  return (
    <div class="field wide">
      <label for={`product-${line.key}`}>{words.product}</label>
      <Combobox
        id={`product-${line.key}`}
        label={`${words.product}, ${words.line(index + 1)}`}
        chosen={product?.name ?? ""}
        placeholder={words.find_product}
        none={words.none_found}
        is_invalid={wrong.has("product_id")}
        find={find}
        choose={choose}
      />
    </div>
  );
}

/** The prefix of an option that makes a new product; its name follows. */
const NEW = "new:";

async function make(id: string, name: string): Promise<ProductFacts | undefined> {
  const answer = await send<ProductFacts>("/app/drafts/new-product", { id, name });
  return "done" in answer ? answer.done : undefined;
}

/** Returns the billable hours, in 1/100 of an hour. */
function sumOf(worked: readonly WorkedHours[] | undefined): bigint {
  return (worked ?? []).reduce(
    (sum, { hours, billable }) => (billable ? sum + BigInt(hours) : sum),
    0n,
  );
}

type Words = ReturnType<typeof useReader>["words"]["draft"];

/** Returns the name of a field on the screen; the API's name where the screen shows none. */
function nameOf(field: string, words: Words): string {
  const names: Readonly<Record<string, string>> = {
    agreed_value: words.price,
    hourly_rate: words.rate,
    discount: words.discount,
    product_id: words.product,
    service_from: words.from,
    service_to: words.to,
    budget_hours: words.budget,
    assignees: words.who,
  };
  return names[field] ?? names[field.split("[")[0] ?? ""] ?? field;
}

interface FieldProps {
  readonly line: TypedLine;
  readonly index: number;
  readonly wrong: ReadonlyMap<string, Refusal>;
  set(next: Partial<TypedLine>): void;
}

/** Shows a number field. Its label is the name of its column; screen readers also hear to which line it belongs. */
function Cell(
  props: FieldProps & {
    field: string;
    place: "price" | "discount";
    label: string;
    value: string;
    onTyped(typed: string): void;
  },
) {
  const { line, index, wrong, field, place, label, value, onTyped } = props;
  const { words } = useReader();
  return (
    <label class={`field num ${place}`}>
      <span>{label}</span>
      <input
        class="input num"
        inputMode="decimal"
        maxLength={30}
        aria-label={`${label}, ${words.draft.line(index + 1)}`}
        value={value}
        {...saidOf(line, field, wrong)}
        onInput={({ currentTarget }) => onTyped(currentTarget.value)}
      />
    </label>
  );
}

function saidOf(line: TypedLine, field: string, wrong: FieldProps["wrong"]) {
  if (!wrong.has(field)) return {};
  return { "aria-invalid": "true" as const, "aria-describedby": `fault-${line.key}-${field}` };
}

function Method({ line, index, wrong, set, today }: FieldProps & { today: string }) {
  const { words: all } = useReader();
  const words = all.draft;
  const of_line = words.line(index + 1);
  const day = (field: "service_from" | "service_to", label: string) => (
    <span class="row tiny">
      {label}
      <DayInput
        class="input soft"
        label={`${label}, ${of_line}`}
        is_named
        value={line[field]}
        today={today}
        {...saidOf(line, field, wrong)}
        onDay={(day) => set({ [field]: day })}
      />
    </span>
  );
  return (
    <>
      <select
        class={`input soft method ${line.method}`}
        aria-label={`${words.method}, ${of_line}`}
        title={words.means[line.method]}
        value={line.method}
        onInput={({ currentTarget }) => {
          const method = recognitionMethods.find((one) => one === currentTarget.value);
          // A rate is not a value. When the method changes between the two, the price comes from the product again.
          const is_other = (method === "hours") !== (line.method === "hours");
          if (method) set({ method, ...(is_other ? { price: "", other_price: null } : {}) });
        }}
      >
        {recognitionMethods.map((method) => (
          <option value={method} key={method} selected={method === line.method}>
            {words.methods[method]}
          </option>
        ))}
      </select>
      {line.method === "value" && day("service_from", words.from)}
      {line.method === "value" && day("service_to", words.to)}
      {line.method === "progress" && (
        <label class="row tiny">
          {words.budget}
          <input
            class="input soft num"
            inputMode="decimal"
            maxLength={20}
            aria-label={`${words.budget}, ${of_line}`}
            value={line.budget}
            {...saidOf(line, "budget_hours", wrong)}
            onInput={({ currentTarget }) => set({ budget: currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

function Button(props: { label: string; sign: string; onClick(): void }) {
  return (
    <button
      type="button"
      class="button bare small"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      {props.sign}
    </button>
  );
}
