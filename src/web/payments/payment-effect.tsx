/** What a payment would do: what is applied to what, what a difference may be, and the entries of each choice. */
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { moneyOf, moneyOfNumber } from "../parts/format.ts";
import { type AccountNames, EntryTables } from "./entry-table.tsx";
import type { Difference } from "./payment-draft.ts";
import type { PaymentAhead } from "./payment-dry-run.ts";

/** A choice of what the difference is, with its effect. */
export interface DifferenceShown {
  readonly difference: Difference;
  readonly ahead: PaymentAhead;
}

interface EffectProps {
  readonly effects: readonly DifferenceShown[];
  readonly chosen: Difference;
  /** The currency of the books. */
  readonly functional: string;
  readonly accounts: AccountNames;
}

/** Shows the effect; where the amount differs from what is owed, each meaning of the difference with its entries. */
export function PaymentEffect(props: EffectProps) {
  const { effects, chosen } = props;
  const { words: all } = useReader();
  const words = all.payments;
  const [first] = effects;
  if (first === undefined) return <p class="quiet">{words.none_yet}</p>;
  const shown = effects.find(({ difference }) => difference === chosen) ?? first;
  const is_refund = first.ahead.payment.kind === "refund";
  return (
    <>
      <Card title={words.pays} id="pays">
        <Applied ahead={shown.ahead} />
      </Card>
      <Card title={first.difference === "none" ? words.books : words.difference} id="books">
        {first.difference === "none" ? (
          <div class="pad">
            <Booked {...props} shown={first} label={is_refund ? words.refund : words.books} />
          </div>
        ) : (
          <Differences {...props} />
        )}
      </Card>
    </>
  );
}

function Differences(props: EffectProps) {
  const { effects, chosen } = props;
  const words = useReader().words.payments;
  return (
    <fieldset aria-labelledby="books">
      {effects.map((shown) => {
        const { difference } = shown;
        const label = words.differences[difference];
        return (
          <div class="difference">
            <label class="choice">
              <input
                type="radio"
                name="difference"
                value={difference}
                checked={difference === chosen}
              />
              <span>
                {label}
                <small class="quiet">{words.difference_hints[difference]}</small>
              </span>
            </label>
            <Booked {...props} shown={shown} label={label} />
          </div>
        );
      })}
    </fieldset>
  );
}

function Booked(props: EffectProps & { readonly shown: DifferenceShown; readonly label: string }) {
  const { shown, label, functional, accounts } = props;
  const { difference, ahead } = shown;
  const words = useReader().words.payments;
  return (
    <>
      <input type="hidden" name={`token.${difference}`} value={ahead.token} />
      <EntryTables
        entries={ahead.entries}
        label={label}
        currency={functional}
        accounts={accounts}
      />
      {ahead.has_warning && <p class="note-warn tiny">{words.on_account}</p>}
    </>
  );
}

/** States which credit notes are applied first, what of the money each item gets, and what is left with the customer. */
function Applied({ ahead }: { ahead: PaymentAhead }) {
  const { words: all, language } = useReader();
  const words = all.payments;
  const { payment, credits } = ahead;
  const nameOf = ({ kind, number }: (typeof credits)[number]["debit"]) => words.items[kind](number);
  const money = (amount: number) => moneyOfNumber(language, amount, payment.currency);
  const is_refund = payment.kind === "refund";
  return (
    <ul class="applied-list">
      {credits.map(({ debit, credit, amount }) => (
        <li>
          <span>{words.credit_applied(nameOf(credit), nameOf(debit))}</span>
          <span class="num">{moneyOf(language, amount, payment.currency)}</span>
        </li>
      ))}
      {payment.allocations.map(({ debit, credit, amount }) => {
        return (
          <li>
            <span>{nameOf(is_refund ? credit : debit)}</span>
            <span class="num">{money(amount)}</span>
          </li>
        );
      })}
      {payment.unallocated > 0 && (
        <li>
          <span>{words.customer_credit}</span>
          <span class="num">{money(payment.unallocated)}</span>
        </li>
      )}
    </ul>
  );
}
