/** Describes the effects of booking an invoice, and reads the facts that a plan depends on in addition to its document. */

import type { CalendarDate } from "../../domain/base/calendar.ts";
import { missingOf } from "../../domain/einvoice/missing.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { isOwnEinvoice, unreachable } from "../../features/documents/deliveries/find-refusal.ts";
import { holdRecipient } from "../../features/documents/deliveries/queue.ts";
import { readReceiver } from "../../features/documents/einvoice-files/read-electronic-invoice.ts";
import { contentForRules } from "../../features/documents/einvoice-readiness/read-readiness.ts";
import { earnedIfIssued } from "../../features/revenue/outlook/preview-issue.ts";
import { einvoiceTerms, getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Reader } from "../../platform/commands/context.ts";
import type { Tx } from "../../platform/commands/tx.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Shown } from "../protocol/plan-words.ts";
import { moneyText } from "../protocol/words.ts";

/**
 * Returns whether the document is booked and where it is sent, as sentences, and its warnings with codes. Locks
 * the customer until the transaction ends, so that it is sent to the address to which the person has agreed.
 */
export async function bookingEffects(
  tx: Tx,
  invoice: Pick<Invoice, "id" | "customer_id" | "auto_send">,
  document: DocumentSnapshot,
  document_warnings: readonly Warning[],
): Promise<Pick<Shown, "effects" | "warnings" | "document_warnings">> {
  const noun = document.kind === "invoice" ? "invoice" : "credit note";
  const books = `Books the ${noun} in ${ledgerName(tx)}, dated ${document.issue_date}.`;
  const warnings = document_warnings.map(({ message }) => message);
  const coded = warnings.length === 0 ? {} : { document_warnings };
  if (!invoice.auto_send) {
    return { effects: [books, "Does not e-mail it."], warnings, ...coded };
  }
  const recipient = await holdRecipient(tx, invoice.id, invoice.customer_id);
  const refusal = await unreachable(tx, recipient);
  if (refusal !== null) {
    const [first = "", ...others] = refusal.error_text;
    const why = `${first.toUpperCase()}${others.join("")}`;
    const warning = `${why}: the ${noun} is booked, but not sent.`;
    return { effects: [books, "Does not send it."], warnings: [...warnings, warning], ...coded };
  }
  if (recipient.channel === "email") {
    return { effects: [books, `E-mails it to ${recipient.address}.`], warnings, ...coded };
  }
  if (!isOwnEinvoice(tx, recipient)) {
    return { effects: [books, "Sends it as an e-invoice."], warnings, ...coded };
  }
  const { address, format } = await readReceiver(tx, invoice.customer_id);
  if (document.kind === "credit_note") {
    // An invoice that lacks something is refused; a credit note is booked without a sending.
    const terms = einvoiceTerms(await getConfiguration(tx));
    const content = contentForRules(document, address);
    const missing = missingOf(content, format, terms);
    if (missing.length > 0) {
      const fields = [...new Set(missing.map(({ field }) => field))].join(", ");
      const warning = `The e-invoice lacks ${fields}: the credit note is booked, but not sent. ${CURE}`;
      return { effects: [books, "Does not send it."], warnings: [...warnings, warning], ...coded };
    }
  }
  const to = address === null ? "" : ` to ${address}`;
  const sends = `Sends it as an e-invoice (${format})${to}.`;
  return { effects: [books, sends], warnings, ...coded };
}

/** How the missing fields of a credit note are set; a refusal says it of invoices. */
const CURE =
  "Fields of the customer are set with plan_save_customer; references are corrected when a person sends it again.";

/** The most months that a plan names. */
const MOST_MONTHS = 6;

/** Returns when the revenue of a draft is earned if it is issued on its date: `Revenue by month: 2026-11 4,000.00 DKK.` */
export async function revenueText(
  cx: Reader,
  invoice: Invoice,
  issue_date: CalendarDate,
  currency: string,
): Promise<string> {
  const { months, rest } = await earnedIfIssued(cx, invoice, issue_date);
  const named = months
    .slice(0, MOST_MONTHS)
    .map(({ month, earned }) => `${month} ${moneyText(earned, currency)}`);
  const more = months.length - named.length;
  const parts = [
    ...named,
    ...(more > 0 ? [`${more} more months through ${months.at(-1)?.month}`] : []),
    ...(rest === 0n ? [] : [`${moneyText(rest, currency)} when milestones are completed`]),
  ];
  return parts.length === 0 ? "It earns no revenue." : `Revenue by month: ${parts.join(", ")}.`;
}

function ledgerName({ caller }: Reader): string {
  return caller.ledger_kind === "builtin" ? "the built-in ledger" : caller.ledger_kind;
}

/** Returns the lock date, the customer's version and the lines' registrations, whose changes the plan may not show. */
export async function factsOfBooking(
  inside: Reader,
  invoice: Pick<Invoice, "customer_id" | "lines">,
): Promise<unknown> {
  const { account_id } = inside.caller;
  const line_ids = invoice.lines.map((line) => line.id);
  const { period_lock_date } = await getConfiguration(inside);
  const customer = await versionOf(inside, "customers", invoice.customer_id);
  const work = await inside.rows(sql`select id, updated_at::text from work_registrations
     where account_id = ${account_id} and line_id = any(${line_ids}) order by id`);
  return { period_lock_date, customer, work };
}
