/** Search results as the API shows them. */
import type * as z from "zod";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { SearchHit } from "./find-all.ts";
import type { SearchResults } from "./schemas.ts";

type Result = z.output<typeof SearchResults>["data"][number];

/** The pages of kinds that have one. */
const pagesOfKinds: Readonly<Partial<Record<SearchHit["kind"], string>>> = {
  customer: "/customers",
  invoice: "/invoices",
  credit_note: "/credit-notes",
  payment: "/payments",
  reminder: "/reminders",
  product: "/products",
  recurring_series: "/retainers",
  bank_line: "/bank/lines",
};

export function presentFound(found: SearchHit): Result {
  const { kind, id, beside, amount, currency } = found;
  const page = pagesOfKinds[kind];
  return {
    object: "search_result",
    kind,
    id,
    title: titleOf(found),
    subtitle: beside,
    amount:
      amount === null || currency === null
        ? null
        : scaledToNumber(amount, currencyDigits(currency)),
    currency,
    url: page === undefined ? null : `${page}/${id}`,
  };
}

function titleOf({ kind, name, number, credits, is_refund }: SearchHit): string {
  if (kind === "ledger_account") return `${number} ${name}`;
  if (kind === "credit_note") return `Credit note ${number} of invoice ${credits}`;
  if (kind === "payment") return `${is_refund ? "Refund" : "Payment"} ${number}`;
  if (kind === "reminder") return number === null ? `Reminder of ${name}` : `Reminder ${number}`;
  if (kind !== "invoice") return name ?? "";
  if (number === null) return name ?? "Draft";
  return name === null ? `Invoice ${number}` : `Invoice ${number}: ${name}`;
}
