/**
 * Issuing: book the invoice in the ledger, then send it if it asks for that. The built-in ledger
 * books inside the transaction that makes the invoice issued; for an external one the transaction
 * only stores the intent, and `settle.ts` carries it out.
 */
import type { DocumentSnapshot } from "../../domain/document.ts";
import { decideIssue, type Invoice } from "../../domain/invoice.ts";
import { Problem } from "../../domain/problem.ts";
import type { BookingIntent } from "../../ledger/ledger.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import {
  findIntent,
  type Intent,
  openIntent,
  takeIntent,
} from "../../platform/database/intents.ts";
import { RefParams } from "../../platform/http/schemas.ts";
import { freeze, type JsonText, jsonText, sha256 } from "../../platform/json.ts";
import { ledgerWithin } from "../configuration/accounts.ts";
import { attemptDelivery, sendErrorOf } from "../documents/deliveries.ts";
import { factsOf } from "./facts.ts";
import { finishIssue, type Issued } from "./finish.ts";
import { getInvoice } from "./queries.ts";
import { requireBooked } from "./refusals.ts";
import { settleIntent } from "./settle.ts";

/** A frozen document and the payload that the ledger and we agree on. */
export interface IssuePlan {
  readonly invoice: Invoice;
  readonly document: DocumentSnapshot;
}

type Planned = IssuePlan | { readonly resume: Intent };
type Committed = Issued | { readonly intent: Intent };

/**
 * Books a draft and sends it. Throws NOT_FOUND, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS,
 * INVOICE_EMPTY, CUSTOMER_INACTIVE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, EXCHANGE_RATE_MISSING,
 * LEDGER_REJECTED or LEDGER_UNAVAILABLE. Answers the invoice, with `send_error` when it is booked
 * but could not be sent (interface section 3, domain.md 5.3).
 */
export const issueInvoice = defineCommand({
  name: "issue_invoice",
  access: "issue",
  input: RefParams,

  async plan(cx, { ref }): Promise<Planned> {
    const { invoice, is_being_issued } = await getInvoice(cx, ref);
    if (invoice.status === "issued") throw new Problem("INVOICE_ALREADY_ISSUED");
    if (is_being_issued) return { resume: await findIntent(cx, invoice.id) };
    const facts = await factsOf(cx, invoice);
    decideIssue(invoice, {
      today: facts.today,
      is_being_issued,
      net: facts.document.totals.net,
      customer_is_active: facts.customer.active,
      period_lock_date: facts.configuration.period_lock_date,
      ledger_is_connected: cx.ledger !== null,
      functional_currency: facts.configuration.functional_currency,
      rate_micro: facts.rate_micro,
    });
    return { invoice, document: facts.document };
  },

  async commit(cx, plan): Promise<Committed> {
    if ("resume" in plan) return { intent: await takeOver(cx, plan.resume) };
    const ledger = ledgerWithin(cx);
    const payload = freeze(plan.document);
    const booking: BookingIntent = {
      kind: "invoice",
      // The invoice's own id: whatever repeats, the ledger sees the same document.
      guid: plan.invoice.id,
      payload_hash: sha256(payload),
      document: plan.document,
      requested_by: `${cx.caller.actor.kind}:${cx.caller.actor.id}`,
    };
    if (ledger === undefined) return { intent: await openIntent(cx, booking, payload) };
    const booked = requireBooked(await ledger.ensureBooked(booking, { signal: NEVER }));
    return finishIssue(cx, plan.invoice, booking, payload, booked);
  },

  async after(cx, committed): Promise<JsonText> {
    const issued = "intent" in committed ? await settleIntent(cx, committed.intent) : committed;
    const send_error = issued.delivery_id === null ? null : await trySend(cx, issued.delivery_id);
    if (send_error === null) return issued.document;
    return jsonText({ ...JSON.parse(issued.document), send_error });
  },
});

/** Inside our own transaction nothing is waited for. */
const NEVER = new AbortController().signal;

/** An attempt that another call is making right now is left alone. Throws INVOICE_ISSUE_IN_PROGRESS. */
async function takeOver(cx: Context, intent: Intent): Promise<Intent> {
  const taken = await takeIntent(cx.db, intent.account_id, intent.id);
  if (taken === undefined) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
  return taken;
}

/** A booked invoice stays booked when its sending fails; the caller is told why. */
async function trySend(cx: Context, delivery_id: string): Promise<string | null> {
  try {
    return sendErrorOf(await attemptDelivery(cx, delivery_id, true));
  } catch (error) {
    cx.log.error({ err: error, delivery_id }, "a delivery could not be attempted");
    return "The document has not been sent yet; it will be tried again.";
  }
}
