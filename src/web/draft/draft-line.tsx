/** A draft line: the printed fields, and how and by whom it is earned. It is rendered again only after a change. */
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Money } from "../../domain/base/money.ts";
import type { WorkedHours } from "../../domain/revenue/recognition.ts";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { amountOf, hoursOf } from "../parts/format.ts";
import type { Refusal } from "../words/refusal.ts";
import type { LineActs } from "./draft-acts.ts";
import { Cell } from "./draft-cell.tsx";
import { Grip } from "./draft-grip.tsx";
import { Method } from "./draft-method.tsx";
import { percentUnderstood, priceText, priceUnderstood } from "./draft-number.ts";
import { ProductField } from "./draft-product-field.tsx";
import type { Named } from "./draft-stored.ts";
import type { ProductFacts } from "./draft-sums.ts";
import type { TypedLine } from "./draft-typed.ts";
import { Who } from "./draft-who.tsx";
import { LateItem } from "./late-item.tsx";

interface Props {
  readonly line: TypedLine;
  readonly index: number;
  readonly net: Money | null;
  /** The typed price or that of the product, as `DraftSums` has it. */
  readonly price: Money | null;
  readonly product: ProductFacts | undefined;
  readonly worked: readonly WorkedHours[] | undefined;
  /** Pairs of field name and refusal, as JSON. */
  readonly faults: string;
  /** The place of the line in a drag: a class name. */
  readonly drag: string;
  readonly people: readonly Named[];
  readonly currency: string;
  readonly acts: LineActs;
}

/** The lines that a window shows at first: they work at once. */
const FIRST_LINES = 10;

export function DraftLine(props: Props): VNode {
  const { line, index, net, price, product, worked, faults, drag, people, acts } = props;
  const words = useReader().words.draft;
  const content = useMemo(
    () => <Drawn {...props} />,
    [line, index, net, price, product, worked, faults, people.length],
  );
  return (
    <LateItem
      class={`line ${drag}`}
      data-key={line.key}
      aria-label={words.line(index + 1)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // The window loses the focus, and the field keeps it.
        if (relatedTarget === null && !document.hasFocus()) return;
        acts.left(line.key, !currentTarget.contains(relatedTarget as Node | null));
      }}
      content={content}
      is_late={index >= FIRST_LINES}
    />
  );
}

function Drawn(props: Props) {
  const { line, index, people, currency, acts } = props;
  const { words: all } = useReader();
  const words = all.draft;
  const wrong = new Map(JSON.parse(props.faults || "[]") as [string, Refusal][]);
  const set = (next: Partial<TypedLine>) => acts.set(line.key, next);
  const fields = { line, index, wrong, set };
  return (
    <>
      <Grip line_key={line.key} index={index} acts={acts} />
      <div class="first">
        <ProductField {...props} wrong={wrong} />
        <Printed {...props} wrong={wrong} set={set} />
      </div>
      <div class="second">
        <input
          class="input soft text"
          aria-label={`${words.text}, ${words.line(index + 1)}`}
          placeholder={words.text_hint}
          maxLength={1000}
          value={line.text}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
        <Method {...fields} acts={acts} currency={currency} />
        <Who {...fields} people={people} />
        <button
          type="button"
          class="button bare small remove"
          aria-label={words.remove(index + 1)}
          title={words.remove(index + 1)}
          onClick={() => acts.remove(line.key)}
        >
          ×
        </button>
      </div>
      {[...wrong].map(([field, refusal]) => (
        <p class="fault" id={`fault-${line.key}-${field}`} key={field}>
          {nameOf(field, words)}: {all.refused(refusal)}
        </p>
      ))}
    </>
  );
}

type Fields = Props & {
  readonly wrong: ReadonlyMap<string, Refusal>;
  set(next: Partial<TypedLine>): void;
};

/** Shows the numbers that the document prints: quantity, price, discount and net. */
function Printed({ line, index, wrong, set, net, price, worked, currency, acts }: Fields) {
  const { words: all, language } = useReader();
  const words = all.draft;
  const is_by_hours = line.method === "hours";
  const fields = { line, index, wrong };
  return (
    <>
      <p class={`field num quantity ${is_by_hours ? "" : "one"}`}>
        <span>{is_by_hours ? words.hours : words.quantity}</span>
        <span class="cell">
          {is_by_hours ? <Hours draft={acts.id} line={line} index={index} worked={worked} /> : "1"}
        </span>
      </p>
      <Cell
        {...fields}
        field={is_by_hours ? "hourly_rate" : "agreed_value"}
        place="price"
        label={is_by_hours ? words.rate : words.price}
        value={line.price}
        // An empty field takes the price of the product.
        empty={price === null ? "" : priceText(language, price, line.method, currency)}
        understood={(typed) => priceUnderstood(language, typed, currency)}
        onTyped={(price) => set({ price })}
      />
      <Cell
        {...fields}
        field="discount"
        place="discount"
        label={words.discount}
        placeholder="–"
        value={line.discount}
        understood={(typed) => percentUnderstood(language, typed)}
        onTyped={(discount) => set({ discount })}
      />
      <p class="field num net">
        <span>{words.net}</span>
        <output class="cell strong">
          {net === null ? "–" : amountOf(language, net, currency)}
        </output>
      </p>
    </>
  );
}

/** Shows the billable hours, which open their registrations. */
function Hours(props: { draft: string; line: TypedLine; index: number; worked: Props["worked"] }) {
  const { draft, line, index, worked = [] } = props;
  const { words, language } = useReader();
  const hours = hoursOf(language, sumOf(worked));
  if (line.id === null || worked.length === 0) return <>{words.draft.in_hours(hours)}</>;
  return (
    <ConfirmLink
      class="link"
      href={`/invoices/${draft}/hours?line=${line.id}`}
      label={words.registered.open(hours, index + 1)}
    >
      {words.draft.in_hours(hours)}
    </ConfirmLink>
  );
}

/** Returns the billable hours, in 1/100 of an hour. */
function sumOf(worked: readonly WorkedHours[]): bigint {
  return worked.reduce((sum, { hours, billable }) => (billable ? sum + BigInt(hours) : sum), 0n);
}

/** Returns the name of a field on the screen; the API's name where the screen shows none. */
function nameOf(field: string, words: ReturnType<typeof useReader>["words"]["draft"]): string {
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
