/** What a payment pays, and the credit notes that are applied to it first, as choices of its form. */
import type { OwedItem } from "../../features/receivables/open-items/find-owed.ts";
import type { Fields } from "../../platform/http/form.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayOf } from "../parts/format.ts";
import { useAt } from "../receivables/use-credit.tsx";
import type { PaymentSource } from "./payment-source.ts";

/** The value of a chosen item, as browsers send it. */
const CHOSEN = "on";

/** Returns the field that chooses an item or a credit note. */
function fieldOf({ kind, id }: Pick<OwedItem, "kind" | "id">): string {
  return `${kind === "credit_note" ? "credit" : "item"}.${id}`;
}

/** Returns the fields that choose these items or credit notes. */
export function choosing(items: readonly OwedItem[]): Fields {
  return Object.fromEntries(items.map((item) => [fieldOf(item), CHOSEN]));
}

/** Returns the items or credit notes that a form has chosen. */
export function chosenIn(items: readonly OwedItem[], typed: Fields): OwedItem[] {
  return items.filter((item) => typed[fieldOf(item)] === CHOSEN);
}

interface PaidItemsProps {
  readonly source: PaymentSource;
  readonly typed: Fields;
  /** Whether the chosen credit notes cover everything that is chosen. */
  readonly is_credited: boolean;
}

/** Lists what may be paid, the earliest due date first, and below it the credit notes of the customer. */
export function PaidItems({ source, typed, is_credited }: PaidItemsProps) {
  const words = useReader().words.payments;
  const { items, credits } = source;
  return (
    <>
      <Card title={words.what} id="items" hint={words.oldest_first}>
        {items.length === 0 && <p class="pad quiet">{words.owes_nothing}</p>}
        <Choices of={items} typed={typed} />
      </Card>
      {items.length > 0 && credits.length > 0 && (
        <Card title={words.credits} id="credits" hint={words.credits_first}>
          <Choices of={credits} typed={typed} />
          {is_credited && <Credited credits={chosenIn(credits, typed)} />}
        </Card>
      )}
    </>
  );
}

/** Says that no money is needed, and leads to where a credit note alone is applied. */
function Credited({ credits }: { credits: readonly OwedItem[] }) {
  const { payments, use_credit } = useReader().words;
  const [first] = credits;
  return (
    <p class="pad small" role="status">
      {payments.credited_wholly}{" "}
      {first !== undefined && (
        <a class="link" href={useAt(first)}>
          {use_credit.open}
        </a>
      )}
    </p>
  );
}

function Choices({ of: items, typed }: { of: readonly OwedItem[]; typed: Fields }) {
  return (
    <ul class="applied-list">
      {items.map((item) => (
        <Choice key={item.id} item={item} is_chosen={typed[fieldOf(item)] === CHOSEN} />
      ))}
    </ul>
  );
}

function Choice({ item, is_chosen }: { item: OwedItem; is_chosen: boolean }) {
  const { words: all, language } = useReader();
  const words = all.payments;
  const { kind, number, due_date, open, currency, is_credit } = item;
  const has_due_date = due_date !== null && !is_credit;
  return (
    <li>
      <label class="choice">
        <input type="checkbox" name={fieldOf(item)} checked={is_chosen} />
        <span class="grow">
          {words.items[kind](number)}
          {has_due_date && <small class="quiet">{words.due(dayOf(language, due_date))}</small>}
        </span>
        <span class="num">{amountOf(language, is_credit ? -open : open, currency)}</span>
      </label>
    </li>
  );
}
