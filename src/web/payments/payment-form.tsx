/** The form of a payment or refund, with its effect beside it. It works without scripts: one button shows the effect, one records it. */
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import type { Fields } from "../../platform/http/form.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { moneyOfNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import { Select } from "../parts/select.tsx";
import type { AccountNames } from "./entry-table.tsx";
import type { Difference } from "./payment-draft.ts";
import { type DifferenceShown, PaymentEffect } from "./payment-effect.tsx";
import { PaidItems } from "./payment-items.tsx";
import type { PaymentSource } from "./payment-source.ts";

export const PAYMENTS = "/payments";
export const NEW_PAYMENT = `${PAYMENTS}/new` as const;

/** The characters of an amount, and those of a reference. */
const MOST_OF_AMOUNT = 20;
const MOST_OF_REFERENCE = 140;

interface PaymentFormProps {
  readonly source: PaymentSource;
  readonly banks: readonly BankAccount[];
  /** The currency of the books. */
  readonly functional: string;
  readonly typed: Fields;
  readonly faults: Faults;
  /** Whether something has changed since the effect was shown. */
  readonly is_stale: boolean;
  readonly effects: readonly DifferenceShown[];
  readonly chosen: Difference;
  readonly today: string;
  readonly csrf: string;
  /** The page from which the person came. */
  readonly back: string;
  readonly accounts: AccountNames;
  /** Whether the chosen credit notes cover everything that is chosen. */
  readonly is_credited: boolean;
}

export function PaymentForm(props: PaymentFormProps) {
  const { source, typed, faults, is_stale, effects, chosen, csrf } = props;
  const { words: all } = useReader();
  const words = all.payments;
  return (
    <>
      {is_stale ? (
        <Fault text={words.changed} />
      ) : (
        <FormFaults faults={faults} words={all.see_fields} />
      )}
      <OtherCurrencies source={source} />
      <form method="post" action={NEW_PAYMENT}>
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="external_id" value={typed.external_id ?? ""} />
        <input type="hidden" name="proposed" value={typed.proposed ?? ""} />
        <input type="hidden" name={source.field} value={source.id} />
        {source.field === "customer" && (
          <input type="hidden" name="currency" value={source.currency} />
        )}
        <div class="document editor">
          <div class="stack">
            <Money {...props} />
            {source.kind === "payment" && (
              <PaidItems source={source} typed={typed} is_credited={props.is_credited} />
            )}
          </div>
          <div class="stack">
            <PaymentEffect
              effects={effects}
              chosen={chosen}
              functional={props.functional}
              accounts={props.accounts}
            />
            <Buttons {...props} />
          </div>
        </div>
      </form>
    </>
  );
}

/** Leads to the same form in another currency in which the customer owes something. */
function OtherCurrencies({ source }: { source: PaymentSource }) {
  const words = useReader().words.payments;
  const { other_currencies, customer } = source;
  if (other_currencies.length === 0) return null;
  return (
    <p class="small">
      {words.also_owes}{" "}
      {other_currencies.map((currency) => (
        <>
          <a class="link" href={`${NEW_PAYMENT}?customer=${customer.id}&currency=${currency}`}>
            {currency}
          </a>{" "}
        </>
      ))}
    </p>
  );
}

/** What the bank says: day, account and amounts. */
function Money(props: PaymentFormProps) {
  const { source, banks, functional, typed, faults, today } = props;
  const { words: all, language } = useReader();
  const words = all.payments;
  const { currency, kind } = source;
  const is_refund = kind === "refund";
  const is_foreign = currency !== functional;
  const usual = banks.find(({ is_default }) => is_default)?.id ?? "";
  const amount = (name: "amount" | "bank_amount" | "fee", label: string, hint?: string) => (
    <Entry
      name={name}
      label={label}
      value={typed[name] ?? ""}
      most={MOST_OF_AMOUNT}
      faults={faults}
      note={Number.isNaN(numberFrom(language, typed[name])) ? all.not_a_number : undefined}
      is_required={name === "amount"}
      {...(hint === undefined ? {} : { hint })}
    />
  );
  return (
    <section class="card pad" aria-label={words.money}>
      <div class="fields">
        <DayEntry
          name="date"
          label={is_refund ? words.paid_back_on : words.paid_on}
          value={typed.date ?? ""}
          today={today}
          faults={faults}
          is_required
        />
        <Select
          name="bank_account"
          label={words.bank_account}
          value={typed.bank_account || usual}
          options={banks.map((bank) => [bank.id, bank.name])}
          faults={faults}
        />
        {amount("amount", words.amount_in(currency))}
        {is_foreign &&
          amount(
            "bank_amount",
            is_refund ? words.bank_debited(functional) : words.bank_credited(functional),
            banks.some((bank) => bank.currency === currency) ? words.by_rate(currency) : undefined,
          )}
        {(is_foreign || is_refund) &&
          amount("fee", is_refund ? words.fee_taken(functional) : words.fee_kept(functional))}
        <Entry
          name="reference"
          label={words.reference}
          value={typed.reference ?? ""}
          most={MOST_OF_REFERENCE}
          faults={faults}
        />
      </div>
    </section>
  );
}

function Buttons({ source, effects, chosen, back }: PaymentFormProps) {
  const { words: all, language } = useReader();
  const words = all.payments;
  const is_shown = effects.some(({ difference }) => difference === chosen);
  const [first] = effects;
  return (
    <div class="buttons">
      <a class="button" href={back}>
        {all.issuing.not_yet}
      </a>
      <button type="submit" class="button" name="step" value="show">
        {words.show}
      </button>
      {first !== undefined && is_shown && (
        <button type="submit" class="button main" name="step" value="record">
          {words[source.kind === "refund" ? "refund_now" : "record_now"](
            moneyOfNumber(language, typedAmount(first), source.currency),
          )}
        </button>
      )}
    </div>
  );
}

/** Returns the amount that came: a payment whose fee was kept is larger. */
function typedAmount({ difference, ahead }: DifferenceShown): number {
  return difference === "fee" ? ahead.payment.bank_amount : ahead.payment.amount;
}
