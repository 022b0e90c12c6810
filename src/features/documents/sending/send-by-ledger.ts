/**
 * Sends through a ledger that prints and sends its documents itself (spec 10.7). An uncertain sending is checked before it is
 * repeated; every outcome is checked later, because mail may bounce.
 */
import { beforeLooks } from "../../../domain/sales/delivery.ts";
import type { ConnectedLedger, SendOutcome } from "../../../ledger/connected.ts";
import type { Failure } from "../../../ledger/outcome.ts";
import { printsItself } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { ledgerGuidOf } from "../issued/queries.ts";

/** The outcome of an attempt, with the minutes until the ledger is asked about the sending. */
export type LedgerSendOutcome =
  | { readonly state: "accepted"; readonly looks_after: number }
  | {
      readonly state: "failed_temporary" | "failed_permanent" | "unknown";
      readonly error_code: string;
      readonly error_text: string;
      readonly looks_after: number | null;
    };

/** The time limit of a sending by the ledger. */
const TIMEOUT_MS = 10_000;

/** Whether the ledger of the account sends its e-invoices. */
export function sendsEinvoices(cx: Reader): boolean {
  const { ledger } = cx;
  if (ledger === null || ledger.transactional || !printsItself(ledger)) return false;
  return ledger.capabilities?.sends.includes("einvoice") ?? false;
}

/** Requests the ledger to send a booked document. Never throws: an uncertain outcome is `unknown`. */
export async function sendByLedger(
  cx: Reader,
  ledger: ConnectedLedger,
  delivery: {
    readonly document_id: string;
    readonly channel: "email" | "einvoice";
    readonly address: string | null;
  },
): Promise<LedgerSendOutcome> {
  const outcome: SendOutcome | Failure = await ask(cx, ledger, delivery).catch(
    (cause: unknown) => ({ state: "unknown", cause }) as const,
  );
  if (outcome.state !== "sent" && outcome.state !== "queued") {
    const { document_id, channel } = delivery;
    const { state, cause } = outcome;
    cx.log.warn({ document_id, channel, outcome: state, err: cause }, "not sent by the ledger");
  }
  return outcomeOf(outcome);
}

async function ask(
  cx: Reader,
  ledger: ConnectedLedger,
  { document_id, channel, address }: Parameters<typeof sendByLedger>[2],
): Promise<SendOutcome | Failure> {
  const document = await cx.row<DocumentToSend>(sql`
    select kind, ${ledgerGuidOf(sql`d`)} as ledger_guid, snapshot::json ->> 'order_reference' as order_reference,
      snapshot::json -> 'customer' ->> 'att_person' as att_person,
      snapshot::json -> 'customer' ->> 'payment_mean' as payment_mean
    from issued_documents d where account_id = ${cx.caller.account_id} and document_id = ${document_id}`);
  if (document === undefined) throw new Error(`document ${document_id} is not issued`);
  if (ledger.send === undefined) return { state: "failed", code: "unsupported" };
  const { kind, ledger_guid, ...einvoice } = document;
  const how =
    channel === "email"
      ? ({ type: channel, receiver: address } as const)
      : ({ type: channel, ...einvoice } as const);
  const urgency = cx.caller.actor.kind === "scheduler" ? "bulk" : "interactive";
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return ledger.send(kind, ledger_guid, how, { signal, urgency });
}

interface DocumentToSend {
  readonly kind: "invoice" | "credit_note";
  readonly ledger_guid: string;
  readonly order_reference: string | null;
  readonly att_person: string | null;
  readonly payment_mean: string | null;
}

function outcomeOf(outcome: SendOutcome | Failure): LedgerSendOutcome {
  switch (outcome.state) {
    case "sent":
    case "queued":
      return { state: "accepted", looks_after: beforeLooks() };
    case "failed":
      return {
        state: "failed_permanent",
        error_code: `ledger_${outcome.code}`,
        error_text: REFUSALS[outcome.code],
        looks_after: null,
      };
    case "unknown":
      return {
        state: "unknown",
        error_code: "ledger_unconfirmed",
        error_text:
          "the sending is unconfirmed: the ledger is asked whether it has sent the document",
        looks_after: beforeLooks(),
      };
    default:
      return {
        state: "failed_temporary",
        error_code: "ledger_away",
        error_text: "the ledger that sends the document gives no answer",
        looks_after: null,
      };
  }
}

const REFUSALS: Readonly<Record<(SendOutcome & { state: "failed" })["code"], string>> = {
  no_address: "the customer has no address in the ledger that it could be sent to",
  rejected: "the ledger refuses to send the document",
  bounced: "the ledger could not deliver the document",
  unsupported: "the ledger does not send documents in this way",
};
