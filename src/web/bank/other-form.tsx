/** The form of a person's own choice for a bank line, and what it books. */
import type { ComponentChildren } from "preact";
import type { ChoosableItem } from "../../features/receivables/bank-lines/find-choices.ts";
import type { BankLineRow } from "../../features/receivables/bank-lines/queries.ts";
import { Submit } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { CustomerAsked } from "../invoices/find-customer.ts";
import { Entry } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayOf, moneyOf } from "../parts/format.ts";
import { Select } from "../parts/select.tsx";
import { CustomerField } from "../payments/choose-customer.tsx";
import { otherAddress } from "./bank-addresses.ts";
import { LineEntry } from "./line-entry.tsx";
import type { OtherChoice } from "./other-choice.ts";
import type { OtherAhead } from "./other-dry-run.ts";
import { useOtherWords } from "./other-words.ts";

const MOST_OF_AMOUNT = 20;

/** Asks whose payment a line is. */
export function CustomerQuestion({ line, asked }: { line: BankLineRow; asked: CustomerAsked }) {
  const words = useOtherWords();
  return (
    <form method="get" action={otherAddress(line.id)} class="card pad stack">
      <CustomerField label={line.amount > 0n ? words.whose_in : words.whose_out} asked={asked} />
      <Submit text={words.next} />
    </form>
  );
}

/** Asks what of the customer a line pays or gives back. */
export function OtherForm({ choice, faults }: { choice: OtherChoice; faults: Faults }) {
  const words = useOtherWords();
  const { line, customer, currency, fields, items, returns, missing, other_currencies } = choice;
  const is_in = line.amount > 0n;
  const address = otherAddress(line.id);
  return (
    <form method="get" action={address} class="stack">
      <input type="hidden" name="customer" value={customer.id} />
      <input type="hidden" name="currency" value={currency} />
      <Card
        title={is_in ? words.paid : words.given_back}
        id="chosen"
        hint={<a href={`/customers/${customer.id}`}>{customer.name}</a>}
      >
        <div class="pad stack">
          {items.length === 0 && (
            <p class="quiet">{is_in ? words.owes_nothing : words.has_nothing}</p>
          )}
          {items.map((item) => (
            <Item item={item} is_chosen={fields[`item.${item.id}`] === "on"} />
          ))}
          {is_in && <p class="tiny quiet">{words.nothing_chosen}</p>}
          {other_currencies.length > 0 && (
            <p class="small">
              {words.other_currency}{" "}
              {other_currencies.map((one) => (
                <a class="link" href={`${address}?customer=${customer.id}&currency=${one}`}>
                  {one}
                </a>
              ))}
            </p>
          )}
          {currency !== line.currency && (
            <Entry
              name="amount"
              label={words.named(currency)}
              value={fields.amount ?? ""}
              most={MOST_OF_AMOUNT}
              faults={faults}
            />
          )}
          {missing.length > 1 && items.length > 0 && (
            <Select
              name="missing"
              label={words.difference}
              value={fields.missing ?? "owed"}
              options={missing.map((one) => [
                one,
                is_in || one === "rounding" ? words.missing[one] : words.missing_out[one],
              ])}
              faults={faults}
            />
          )}
        </div>
      </Card>
      {returns.length > 0 && <Returns choice={choice} />}
      <p class="buttons">
        <button type="submit" class="button main" name="step" value="show">
          {words.show}
        </button>
      </p>
    </form>
  );
}

function Item({ item, is_chosen }: { item: ChoosableItem; is_chosen: boolean }) {
  const { language } = useReader();
  const words = useOtherWords();
  const { id, kind, number, date, due_date, open, currency } = item;
  return (
    <label class="bank-item">
      <input type="checkbox" name={`item.${id}`} checked={is_chosen} />
      <span class="grow">
        {words.items[kind](number)}{" "}
        <small class="quiet">
          {due_date === null
            ? words.of(dayOf(language, date))
            : words.due(dayOf(language, due_date))}
        </small>
      </span>
      <span class="num">{amountOf(language, open, currency)}</span>
    </label>
  );
}

/** Offers payments that the line may take back. The first choice is none. */
function Returns({ choice: { line, returns, fields, functional } }: { choice: OtherChoice }) {
  const { language } = useReader();
  const words = useOtherWords();
  const title = line.amount > 0n ? words.returned_in : words.returned_out;
  return (
    <Card title={title} id="returned">
      <fieldset class="pad stack bank-returns" aria-labelledby="returned">
        <label class="bank-item">
          <input type="radio" name="return" value="" checked={!fields.return} />
          <span>{words.none_returned}</span>
        </label>
        {returns.map(({ id, kind, number, date, bank_amount }) => (
          <label class="bank-item">
            <input type="radio" name="return" value={id} checked={fields.return === id} />
            <span class="grow">{words[kind](`${number}`, dayOf(language, date))}</span>
            <span class="num">{moneyOf(language, bank_amount, functional)}</span>
          </label>
        ))}
      </fieldset>
    </Card>
  );
}

/** Shows the entries of a choice, and the form that books it. */
export function OtherEffect(props: {
  choice: OtherChoice;
  ahead: OtherAhead;
  accounts: ReadonlyMap<number, string>;
  children: ComponentChildren;
}) {
  const { choice, ahead, accounts, children } = props;
  const words = useOtherWords();
  return (
    <Card title={words.entries} id="entries">
      <div class="pad stack">
        {ahead.entries.map((entry) => (
          <LineEntry entry={entry} currency={choice.functional} accounts={accounts} />
        ))}
        {children}
      </div>
    </Card>
  );
}
