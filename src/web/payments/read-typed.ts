/** Reads what was typed into the form of a payment: what is chosen, the amount that follows, and the request of each choice. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromNumber } from "../../domain/base/money.ts";
import type { OwedItem } from "../../features/receivables/open-items/find-owed.ts";
import { roundingLimit } from "../../features/receivables/payments/read-inputs.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import type { Fields } from "../../platform/http/form.ts";
import { dayAsked } from "../frame/day-asked.ts";
import type { PageRequest } from "../frame/page.tsx";
import { amountOf } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import {
  applyCredits,
  type Difference,
  differenceFields,
  differencesOf,
  type PaidItem,
  type PaymentDraft,
  totalOf,
} from "./payment-draft.ts";
import { chosenIn } from "./payment-items.tsx";
import type { PaymentSource } from "./payment-source.ts";

/** Returns the chosen items after the chosen credit notes. */
function creditedBy({ items, credits }: PaymentSource, typed: Fields) {
  // A source of a payment has these kinds only.
  const chosen = chosenIn(items, typed) as readonly (OwedItem & PaidItem)[];
  return { chosen, ...applyCredits(chosen, chosenIn(credits, typed)) };
}

/** Returns what was typed, with the amount that is owed by what is now chosen; an amount that the person has typed stays. */
export function withProposal(
  { reader }: PageRequest,
  source: PaymentSource,
  typed: Fields,
): Fields {
  const { chosen, items } = creditedBy(source, typed);
  if (source.kind === "refund" || chosen.length === 0) return typed;
  const total = totalOf(items);
  const proposed = total === 0n ? "" : amountOf(reader.language, total, source.currency);
  const is_untouched = typed.amount?.trim() === typed.proposed;
  return { ...typed, proposed, ...(is_untouched && { amount: proposed }) };
}

/** Reads what was typed: the draft, and the request for each thing that the difference may be. */
export function askedBy(
  request: PageRequest,
  configuration: Configuration,
  source: PaymentSource,
  typed: Fields,
) {
  const { kind, field, id, customer, currency } = source;
  const { language } = request.reader;
  const amount = numberFrom(language, typed.amount);
  const scaled = amount === undefined ? null : scaledFromNumber(amount, currencyDigits(currency));
  const { chosen: paid, parts, items } = creditedBy(source, typed);
  const draft: PaymentDraft = {
    currency,
    amount: typeof scaled === "bigint" ? scaled : 0n,
    items,
    credit_parts: parts,
    is_foreign: currency !== configuration.functional_currency,
    rounding_limit: roundingLimit(configuration, currency),
  };
  const is_readable = typeof scaled === "bigint" && scaled > 0n;
  const differences: readonly Difference[] =
    kind === "payment" && is_readable ? differencesOf(draft) : ["none"];
  const chosen = differences.find((one) => one === typed.difference) ?? differences[0] ?? "none";
  const fee = numberFrom(language, typed.fee);
  const money = {
    kind,
    date: dayAsked(request, typed.date),
    customer: customer.id,
    currency,
    amount,
    bank_account: typed.bank_account || undefined,
    bank_amount: numberFrom(language, typed.bank_amount),
    ...(fee === undefined ? {} : { fee }),
    reference: typed.reference?.trim() || undefined,
  };
  const bodyOf = (difference: Difference) =>
    kind === "refund"
      ? { ...money, allocations: [{ [field]: id }] }
      : { ...money, ...(is_readable && differenceFields(draft, difference)) };
  return { differences, chosen, is_credited: paid.length > 0 && items.length === 0, bodyOf };
}
