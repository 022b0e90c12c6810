/** Writes events as sentences for chats: an issued document with its customer and amount, everything else in the words of the activity page. */
import { findWriter } from "../../features/access/people/find-language.ts";
import { totalsOfCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { totalsOfInvoice } from "../../features/sales/invoices/documents.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import type { Context } from "../../platform/commands/context.ts";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import { moneyOfNumber } from "../parts/format.ts";
import { wordsOf } from "../words/words.ts";
import { eventFrom, idsIn, shownEvent } from "./words.ts";

/** The fields of an event of the feed that a sentence needs. */
interface FeedEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly customer_id: string | null;
  readonly actor: unknown;
  readonly reason: string | null;
  readonly data: { readonly resource: unknown; readonly previous: unknown };
}

type AuditEvent = ReturnType<typeof eventFrom>;

const TOTALS: Readonly<
  Record<string, { readonly number: string; readonly read: typeof totalsOfInvoice }>
> = {
  "invoice.issued": { number: "ledger_invoice_number", read: totalsOfInvoice },
  "credit_note.issued": { number: "ledger_credit_note_number", read: totalsOfCreditNote },
};

/** Returns a sentence for each event, in the language of the account's invoices. */
export async function eventSentences(cx: Context, events: readonly JsonText[]): Promise<string[]> {
  const { language } = await findWriter(cx.db, cx.caller.account_id);
  const words = wordsOf(language);
  const fed = events.map((text) => JSON.parse(text) as FeedEvent);
  const shown = fed.map((event) => ({ event, audit: auditEventOf(event) }));
  const ids = shown.flatMap(({ event, audit }) => [
    ...idsIn(audit),
    ...(event.customer_id === null ? [] : [event.customer_id]),
  ]);
  const names = await namesOf(cx, ids, null, words.activity.names);
  const sentences: string[] = [];
  for (const { event, audit } of shown) {
    const document = await documentOf(cx, event, audit);
    if (document !== null) {
      const { number, gross, currency } = document;
      const name = names.get(event.customer_id ?? "") ?? "";
      const amount = moneyOfNumber(language, gross, currency);
      const write = words.activity.issued_documents[event.resource_type];
      if (write !== undefined) {
        sentences.push(write({ number, name, amount }));
        continue;
      }
    }
    const { who, action, type, label } = shownEvent(audit, names, { words, language });
    sentences.push([who, action, type, ...(label === null ? [] : [label])].join(" "));
  }
  return sentences;
}

/** Returns the number and the amount of an issued document; null for other events. */
async function documentOf(cx: Context, { type, resource_id }: FeedEvent, { after }: AuditEvent) {
  const found = TOTALS[type];
  const number = found && after?.[found.number];
  if (found === undefined || typeof number !== "number") return null;
  const totals = JSON.parse(await found.read(cx, resource_id));
  return { number, gross: Number(totals.gross), currency: String(totals.currency) };
}

function auditEventOf(event: FeedEvent): AuditEvent {
  const { type, timestamp, data, resource_type, resource_id, actor, reason } = event;
  const action = type.slice(resource_type.length + 1);
  const { resource: after, previous: before } = data;
  return eventFrom(
    jsonText({ at: timestamp, actor, action, resource_type, resource_id, before, after, reason }),
  );
}
