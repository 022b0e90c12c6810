/** The shared parts of plans of drafts: their arguments, and the description of a draft. */

import { unseenWarning } from "../../domain/base/visibility.ts";
import { factsOf } from "../../features/sales/invoices/issue-inputs.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import type { InvoiceResource } from "../../features/sales/invoices/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { Currency, Day, text } from "../../platform/http/schemas.ts";
import { moneyText, quoted } from "../protocol/words.ts";
import { namedPrinted } from "./named-lines.ts";

export const fields = {
  currency: Currency.optional().describe(
    "Default: the customer's preferred currency, else that of the books.",
  ),
  issue_date: Day.nullable().optional().describe("Default: the day of the issue."),
  title: text(200).nullable().optional(),
  ...namedPrinted,
};

/** Returns the customer's name and the net amount, as they are inside the transaction. */
export async function described(inside: PersonReader, id: string) {
  const { invoice } = await getInvoice(inside, id);
  const { document } = await factsOf(inside, invoice);
  return {
    customer: quoted(document.customer.name),
    net: moneyText(document.totals.net, document.currency),
  };
}

export function warningsOf({ caller }: PersonReader, { lines }: InvoiceResource): string[] {
  return [
    ...(lines.length === 0 ? ["It has no lines, so it cannot be issued."] : []),
    ...unseenWarning(caller.person, lines),
  ];
}
