/** Previews a payment: it is recorded and rolled back. Nothing is stored, and no number is taken. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun } from "../../../platform/commands/tx.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import type { NewEntry } from "../allocations/book-entries.ts";
import { commitPayment, planPayment } from "./create.ts";
import { PaymentPreview, type PaymentPreviewBody } from "./schemas.ts";

/** Returns the payment as it would be recorded, and its entries. Throws the refusals of recording it. */
export function previewPayment(cx: Context, sent: PaymentPreviewBody): Promise<JsonText> {
  return dryRun(cx, async (tx) => {
    const plan = await planPayment(tx, sent, null);
    const { document } = await commitPayment(tx, plan);
    const { warnings, ...payment } = JSON.parse(document);
    const { configuration } = plan.inputs;
    const entries = shownEntries(plan.entries, configuration.functional_currency);
    return jsonText(
      PaymentPreview.parse({ object: "payment_preview", payment, entries, warnings }),
    );
  });
}

/** Returns entries as a preview shows them; those without postings are left out. */
export function shownEntries(entries: readonly NewEntry[], functional_currency: string) {
  const functional_digits = currencyDigits(functional_currency);
  return entries
    .filter(({ posted }) => posted.postings.length > 0)
    .map(({ posted, currency }) => ({
      date: posted.date,
      postings: posted.postings.map(({ amount, currency_amount, ...posting }) => ({
        ...posting,
        amount: scaledToNumber(amount, functional_digits),
        currency_amount: scaledToNumber(currency_amount, currencyDigits(currency)),
      })),
    }));
}
