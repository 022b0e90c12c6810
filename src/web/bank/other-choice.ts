/** What a person may choose for a bank line, read from the account, and the request that the chosen fields mean. */
import {
  type ChoosableItem,
  choosableItems,
  type ReturnablePayment,
  returnablePayments,
} from "../../features/receivables/bank-lines/find-choices.ts";
import { type BankLineRow, getBankLine } from "../../features/receivables/bank-lines/queries.ts";
import {
  BankLinesBook,
  type BookedLineInput,
} from "../../features/receivables/bank-lines/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import type { Faults } from "../frame/submitted.ts";
import { type CustomerAsked, customerAsked } from "../invoices/find-customer.ts";
import { numberFrom } from "../parts/number.ts";
import { bodyFrom, MISSING, type Missing } from "./other-draft.ts";

/** What may be chosen for a line, and what the fields choose. */
export interface OtherChoice {
  readonly line: BankLineRow;
  readonly customer: CustomerAsked;
  readonly functional: string;
  readonly items: readonly ChoosableItem[];
  readonly returns: readonly ReturnablePayment[];
  readonly currency: string;
  readonly other_currencies: readonly string[];
  readonly fields: PageRequest["query"];
  /** The choices for a difference between the items and the line. */
  readonly missing: readonly Missing[];
}

type Fields = PageRequest["query"];

/** Reads what may be chosen for the line that the page names. Throws NOT_FOUND. */
export async function choiceOf(request: PageRequest, fields: Fields): Promise<OtherChoice> {
  const { cx, id } = request;
  const line = await getBankLine(cx, id);
  const [{ functional_currency: functional }, customer] = await Promise.all([
    getConfiguration(cx),
    customerAsked({ ...request, query: fields }),
  ]);
  const of = customer.id;
  const [all, returns] =
    of === undefined
      ? [[], []]
      : await Promise.all([choosableItems(cx, of, line), returnablePayments(cx, of, line)]);
  const currencies = [...new Set([line.currency, ...all.map((one) => one.currency)])];
  const currency = currencies.find((one) => one === fields.currency) ?? line.currency;
  const may_fee = currency === functional && line.currency === functional;
  const is_in = line.amount > 0n;
  return {
    ...{ line, customer, functional, returns, currency, fields },
    items: all.filter((one) => one.currency === currency),
    other_currencies: currencies.filter((one) => one !== currency),
    missing: MISSING.filter((one) => {
      if (one === "fee") return may_fee;
      return one === "owed" || (is_in && currency === line.currency);
    }),
  };
}

/** Whether nothing is chosen for money out, which must be something; money in may be the customer's credit. */
export function choosesNothing({ line, items, returns, fields }: OtherChoice): boolean {
  const has_item = items.some(({ id }) => fields[`item.${id}`] === "on");
  return line.amount < 0n && !has_item && !returns.some(({ id }) => id === fields.return);
}

/** Returns the line of the request that the fields mean; faults where a field cannot be read. */
export function bodyOf(
  { reader }: PageRequest,
  choice: OtherChoice,
): { readonly body: BookedLineInput } | { readonly faults: Faults } {
  const { line, customer, currency, items, returns, fields, missing } = choice;
  const returned = returns.find(({ id }) => id === fields.return);
  const named = numberFrom(reader.language, fields.amount);
  if (named !== undefined && Number.isNaN(named)) {
    return { faults: new Map([["amount", { code: "invalid_format", message: "" }]]) };
  }
  const sent =
    returned === undefined
      ? bodyFrom({
          bank_line: line.id,
          moved: line.amount > 0n ? line.amount : -line.amount,
          is_in: line.amount > 0n,
          line_currency: line.currency,
          customer: customer.id ?? "",
          currency,
          named: currency === line.currency ? null : (named ?? null),
          items: items.filter(({ id }) => fields[`item.${id}`] === "on"),
          missing: missing.find((one) => one === fields.missing) ?? "owed",
        })
      : { bank_line: line.id, reverse: returned.id };
  const parsed = BankLinesBook.safeParse({ lines: [sent] });
  const [body] = parsed.data?.lines ?? [];
  if (body !== undefined) return { body };
  const [error] = parsed.error === undefined ? [] : fieldErrorsFrom(parsed.error);
  const name = error?.field.endsWith(".amount") ? "amount" : "";
  return { faults: new Map(error === undefined ? [] : [[name, error]]) };
}

/** The fields that choose, without those of the form itself. */
export function chosenIn(fields: Fields): Record<string, string> {
  const chosen = Object.entries(fields).filter(
    ([name]) =>
      ["customer", "currency", "amount", "missing", "return", "step"].includes(name) ||
      (name.startsWith("item.") && isId(name.slice(5))),
  );
  return Object.fromEntries(chosen.map(([name, value = ""]) => [name, value]));
}
