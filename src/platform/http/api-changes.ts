/**
 * The change log of the API as data, which `GET /changelog` answers (spec 15.8). A difference of the OpenAPI document that no entry
 * declares fails `test/contract/changelog.test.ts`, and so does a removal.
 */

export interface ApiChange {
  /** The day of the change, `YYYY-MM-DD`. */
  readonly date: string;
  readonly kind: "added" | "deprecated" | "fixed";
  /** Operations that are new, deprecated or fixed, as `GET /customers`. */
  readonly operations: readonly string[];
  /**
   * What is new in operations and schemas that were there before, as `Customer.phone` or `GET /customers query search`; `*` is any
   * text. Schemas that are new belong to what names them.
   */
  readonly fields: readonly string[];
  /** What a client has to know of it, in a sentence. */
  readonly text: string;
}

/** The newest first. The first entry's day is the version of the API. */
export const API_CHANGES: readonly [ApiChange, ...ApiChange[]] = [
  {
    date: "2026-11-28",
    kind: "added",
    operations: [],
    fields: ["GET /exports/{dataset} query after*", "Export.filters*"],
    text: "Exports of what changed since a sequence of the feed, and of what is gone.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [],
    fields: [
      "GET /exports/{dataset} query format = parquet",
      "GET /exports/{dataset} answer 200 application/vnd.apache.parquet*",
      "Export.formats = parquet",
    ],
    text: "Datasets as Parquet: amounts in minor units, days and moments with their types.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [],
    fields: [
      "EventOfRecurringSeries.type = recurring_series.ends_soon",
      "EventOfRecurringSeries.type = recurring_series.ended",
      "EventOfPeriodClose.type = period_close.ready",
    ],
    text: "Events of time: recurring_series.ends_soon and recurring_series.ended, and period_close.ready.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [],
    fields: [
      "GET /exports/{dataset} path dataset*",
      "GET /exports/{dataset} query from*",
      "GET /exports/{dataset} query to*",
      "Export.filters*",
    ],
    text: "Datasets of occurrences, opening contracts, accruals, the ledger and revenue; from and to select months.",
  },
  {
    date: "2026-11-28",
    kind: "fixed",
    operations: ["GET /recognition"],
    fields: [],
    text: "By booking month, a range of months that are read together lost the amounts of a reopened month whose line was booked in a later one.",
  },
  {
    date: "2026-11-28",
    kind: "fixed",
    operations: [
      "GET /webhook-endpoints/{ref}",
      "PATCH /webhook-endpoints/{ref}",
      "DELETE /webhook-endpoints/{ref}",
    ],
    fields: [],
    text: "If-Match of a webhook endpoint no longer fails because events were sent meanwhile: it ignores backlog, through and last_success_at. GET still answers 304 only where all is the same.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: ["GET /exports", "GET /exports/{dataset}"],
    fields: [],
    text: "Whole datasets as NDJSON and CSV, of one moment that is named in the feed of events.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: ["POST /webhook-endpoints/{ref}/test"],
    fields: [],
    text: "The example of a type is sent to a webhook endpoint at once.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [],
    fields: ["GET /events query wait*"],
    text: "GET /events waits for the next event where the page is empty.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [
      "GET /opening-contracts",
      "POST /opening-contracts",
      "POST /opening-contracts/preview",
      "GET /opening-contracts/{ref}",
      "POST /opening-contracts/{ref}/end",
    ],
    fields: [
      "AccrualDetail.contracts.opening_contract_id*",
      "AccrualDetail.lines.opening_contract_id*",
      "RecognitionEntry.opening_contract_id*",
      "RecognitionExplanation.contract.opening_contract_id*",
      "RollforwardEntry.opening_contract_id*",
      "RollforwardEntry.brought_along*",
    ],
    text: "Opening contracts bring along what was invoiced elsewhere and is not yet earned. What names an invoice and a series of revenue names its opening contract too, and the roll-forward has a movement for it.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [
      "POST /webhook-endpoints/{ref}/rotate-secret",
      "POST /webhook-endpoints/{ref}/pause",
      "POST /webhook-endpoints/{ref}/enable",
      "POST /webhook-endpoints/{ref}/replay",
      "GET /webhook-endpoints/{ref}/deliveries",
      "GET /webhook-deliveries/{id}",
      "POST /webhook-deliveries/{id}/redeliver",
    ],
    fields: [],
    text: "Deliveries to webhook endpoints are listed for 30 days and sent again on request. Endpoints are paused, enabled, and given new secrets.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: ["POST /products/batch", "POST /work-registrations/batch", "POST /invoices/batch"],
    fields: [],
    text: "Products, hours and drafts in batches, as customers.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [],
    fields: ["EventOfOccurrence.type = occurrence.issued"],
    text: "A period that is invoiced is an event, and so is the delivery that an issue queues.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: ["POST /customers/batch"],
    fields: [],
    text: "Up to 10,000 rows in one call, each with its own outcome.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: [
      "GET /webhook-endpoints",
      "POST /webhook-endpoints",
      "GET /webhook-endpoints/{ref}",
      "PATCH /webhook-endpoints/{ref}",
      "DELETE /webhook-endpoints/{ref}",
    ],
    fields: [],
    text: "Webhook endpoints: programs to which the events of the account are sent.",
  },
  {
    date: "2026-11-28",
    kind: "added",
    operations: ["GET /event-types"],
    fields: [],
    text: "GET /event-types lists the types of events with their schemas and examples, and the OpenAPI document has them as webhooks. GET /events answers Accept: application/x-ndjson with the rest of the feed.",
  },
  {
    date: "2026-11-27",
    kind: "added",
    operations: [],
    fields: [
      "GET /work-registrations query include*",
      "WorkRegistration.line*",
      "GET /recurring-series query include = *",
      "RecurringSeriesRow.next*",
      "InvoiceRow.delivery*",
      "CreditNoteRow.delivery*",
    ],
    text: "Lists include more on request: the delivery of documents, the next period of series, and the line of registered work.",
  },
  {
    date: "2026-11-27",
    kind: "added",
    operations: ["GET /events", "GET /events/{id}"],
    fields: [],
    text: "Every change of the account is an event, which programs follow in the order of commits.",
  },
  {
    date: "2026-11-27",
    kind: "added",
    operations: [],
    fields: [
      "* header If-None-Match*",
      "* header If-Match*",
      "GET * status 304",
      "* status 412",
      "* refusal 412 PRECONDITION_FAILED",
    ],
    text: "The GET of one resource answers with an ETag, and with 304 for If-None-Match. If-Match on PATCH and DELETE refuses a change of what the client has not seen.",
  },
  {
    date: "2026-11-27",
    kind: "added",
    operations: ["GET /key", "GET /requests"],
    fields: [],
    text: "A key can read its own scope and limits, and what the keys of its account have asked.",
  },
  {
    date: "2026-11-27",
    kind: "added",
    operations: [],
    fields: ["* refusal 400 VERSION_UNKNOWN"],
    text: "Every answer names the version of the API in Matchbook-Version, and a request may name one. GET /changelog, which needs no key, lists the changes.",
  },
  {
    date: "2026-11-23",
    kind: "added",
    operations: [],
    fields: [],
    text: "The API of the first release.",
  },
];
