/** Presents an invoice as the API shows it. Amounts become JSON numbers only here. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import {
  HOURS_DECIMALS,
  type Line,
  PERCENT_DECIMALS,
  RATE_DECIMALS,
} from "../../../domain/sales/line.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { InvoiceResource } from "./schemas.ts";

export function presentInvoice(invoice: Invoice): JsonText {
  return jsonText(shownInvoice(invoice));
}

/** Presents a draft and its issued form, which differ only in the fields that issuing decides. */
export function presentIssue(draft: Invoice, issued: Invoice) {
  const after = shownInvoice(issued);
  const before: InvoiceResource = {
    ...after,
    issue_date: draft.issue_date,
    status: draft.status,
    ledger_invoice_guid: draft.ledger_invoice_guid,
    ledger_invoice_number: numberOrNull(draft.ledger_invoice_number, 0),
    issued_at: draft.issued_at,
  };
  return { before: jsonText(before), after: jsonText(after) };
}

function shownInvoice(invoice: Invoice): InvoiceResource {
  const digits = currencyDigits(invoice.currency);
  return InvoiceResource.parse({
    object: "invoice",
    id: invoice.id,
    external_id: invoice.external_id,
    customer_id: invoice.customer_id,
    currency: invoice.currency,
    issue_date: invoice.issue_date,
    title: invoice.title,
    auto_send: invoice.auto_send,
    status: invoice.status,
    ledger_invoice_guid: invoice.ledger_invoice_guid,
    ledger_invoice_number: numberOrNull(invoice.ledger_invoice_number, 0),
    issued_at: invoice.issued_at,
    lines: [...invoice.lines]
      .sort((a, b) => a.position - b.position)
      .map((line) => presentLine(line, digits)),
    ...invoice.printed,
  });
}

/** Presents a line. Fields that the interface does not show appear only when they have a value (spec 0.2). */
function presentLine(line: Line, currency_digits: number): InvoiceResource["lines"][number] {
  return {
    id: line.id,
    product_id: line.product_id,
    recognition_method: line.recognition_method,
    agreed_value: numberOrNull(line.agreed_value, currency_digits),
    hourly_rate: numberOrNull(line.hourly_rate, RATE_DECIMALS),
    discount: scaledToNumber(BigInt(line.discount), PERCENT_DECIMALS),
    description_override: line.description_override,
    position: line.position,
    assignees: line.assignees.map((assignee) => ({
      user_id: assignee.user_id,
      distribution_percentage: numberOrNull(assignee.distribution_percentage, PERCENT_DECIMALS),
      hourly_rate_override: numberOrNull(assignee.hourly_rate_override, RATE_DECIMALS),
    })),
    ...(line.service_from === null ? {} : { service_from: line.service_from }),
    ...(line.service_to === null ? {} : { service_to: line.service_to }),
    ...(line.budget_hours === null
      ? {}
      : { budget_hours: scaledToNumber(BigInt(line.budget_hours), HOURS_DECIMALS) }),
  };
}

function numberOrNull(value: bigint | number | null, decimals: number): number | null {
  return value === null ? null : scaledToNumber(BigInt(value), decimals);
}
