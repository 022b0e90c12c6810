/**
 * Every type of event, in one table: by the kind of its resource and its action, with what has happened in a sentence. What is
 * written to the audit trail has to be here: the compiler compares.
 */

const STATES_OF_DELIVERIES = {
  sending: "The document is being sent.",
  written_to_outbox: "The document was written to the outbox folder.",
  accepted: "The receiving system has accepted the document.",
  delivered: "The receiver has got the document.",
  rejected: "The receiver has rejected the document.",
  failed_temporary: "The document was not sent, and is tried again.",
  failed_permanent: "The document was not sent, and is not tried again.",
  unknown: "It is unknown whether the document was sent.",
} as const;

/** The actions of each kind of resource, with their sentences. */
const EVENT_TYPES = {
  customer: {
    created: "A customer was created.",
    updated: "Fields of a customer were changed.",
    activated: "A customer was activated again.",
    deactivated: "A customer was deactivated.",
    refused_by_ledger:
      "The connected accounting system refused a change, so the customer is as before it.",
  },
  product: {
    created: "A product was created.",
    updated: "Fields of a product were changed.",
    activated: "A product was activated again.",
    deactivated: "A product was deactivated.",
    refused_by_ledger:
      "The connected accounting system refused a change, so the product is as before it.",
  },
  invoice: {
    created: "A draft invoice was created.",
    updated: "A draft invoice was changed.",
    deleted: "A draft invoice was deleted.",
    issued: "An invoice was issued and booked.",
    issue_refused: "The connected accounting system refused to book an invoice.",
    booking_parked: "The booking of an invoice waits for an admin.",
    links_revoked: "The links to an invoice were revoked.",
  },
  invoice_line: {
    completed: "The work of a line was completed.",
    completion_removed: "The completion of a line was removed.",
  },
  credit_note: {
    created: "A draft credit note was created.",
    queued: "A credit note was created by a cancellation, and is issued next.",
    issued: "A credit note was issued and booked.",
    issue_refused: "The connected accounting system refused to book a credit note.",
    booking_parked: "The booking of a credit note waits for an admin.",
    links_revoked: "The links to a credit note were revoked.",
  },
  recurring_series: {
    created: "A draft series was created.",
    updated: "A series was changed.",
    activated: "A series was activated.",
    cancelled: "A series was cancelled.",
    line_added: "A line was added to a series.",
    line_changed: "A line of a series was changed.",
    line_removed: "A line of a series was removed.",
    lines_reordered: "The lines of a series were put into another order.",
    ends_soon: "A series reaches its end within 30 days.",
    ended: "The end date of a series has passed.",
  },
  occurrence: {
    issued: "A period was invoiced.",
    failed: "The invoice of a period could not be issued.",
    skipped: "A period was skipped.",
    unskipped: "A skipped period is due again.",
  },
  delivery: {
    queued: "A document waits to be sent.",
    ...STATES_OF_DELIVERIES,
    answered: "The receiver of an e-invoice has answered.",
    resolved: "A person has stated what became of a delivery.",
  },
  work_registration: {
    created: "Work was registered.",
    updated: "Registered work was changed.",
    moved: "Registered work was moved to another line.",
    deleted: "Registered work was deleted.",
  },
  accrual: {
    booked: "The earned revenue of a customer's month was booked.",
    booking_refused: "The connected accounting system refused to book an accrual.",
    reopened: "The booking of an accrual was reversed.",
    reopening_refused: "The connected accounting system refused to reverse an accrual.",
  },
  period_close: {
    close_begun: "The close of a month has begun.",
    closed: "The close of a month has ended.",
    reopened: "A closed month was reopened.",
    ready: "A month has ended and waits for its close.",
  },
  payment: {
    created: "A payment or refund was recorded.",
    allocated: "A payment was allocated to documents.",
    released: "An allocation of a payment was reversed.",
    reversed: "A payment was reversed.",
  },
  allocation: {
    created: "An allocation of two open items was made.",
    reversed: "An allocation was reversed.",
  },
  opening_item: {
    created: "An open item of another system was created.",
    reversed: "An open item of another system was reversed.",
  },
  receivables: { begun: "The account began to keep its receivables here." },
  bank_account: {
    created: "A bank account was created.",
    updated: "A bank account was changed.",
  },
  bank_import: { created: "Bank statements were imported." },
  bank_line: {
    booked: "A line of a bank statement was booked.",
    ignored: "A line of a bank statement was set aside.",
    restored: "A line of a bank statement is open again.",
  },
  reference_rate: {
    created: "A reference rate was set.",
    updated: "A reference rate was changed.",
  },
  statement: { created: "A statement of a customer's account was sent." },
  reminder: {
    issued: "A reminder was issued.",
    cancelled: "A reminder was cancelled.",
  },
  reminder_hold: {
    created: "Reminders of an invoice were put on hold.",
    updated: "The hold of an invoice's reminders was changed.",
    deleted: "The hold of an invoice's reminders was ended.",
  },
  configuration: { updated: "The configuration was changed." },
  exchange_rate: {
    created: "An exchange rate was set.",
    updated: "An exchange rate was changed.",
  },
  ledger_account: { updated: "An account of the built-in books was changed." },
  ledger_connection: {
    connected: "An accounting system was connected.",
    checked: "The connection to the accounting system was found in another state.",
    mapped: "The accounts and codes of the accounting system were assigned.",
    disconnected: "The accounting system was disconnected.",
  },
  ledger_intent: {
    booking_parked: "A booking in the accounting system waits for an admin.",
    booking_released: "An admin stated that a booking had not been made.",
    booking_adopted: "An admin stated under which number a booking had been made.",
  },
  ledger_move: {
    begun: "A move to other books has begun.",
    completed: "A move to other books was completed.",
    refused: "A move to other books was refused.",
  },
  einvoice_connection: {
    connected: "An access point for e-invoices was connected.",
    checked: "The connection for e-invoices was found in another state.",
    disconnected: "The access point for e-invoices was disconnected.",
  },
  account: {
    created: "The account was created.",
    updated: "The account was renamed.",
    put_away: "A trial account was put away.",
    brought_back: "A trial account was brought back.",
  },
  user: {
    created: "A user was created.",
    updated: "A user was changed.",
    invited: "A user was invited to sign in.",
    joined: "A user has accepted the invitation.",
    signed_in: "A user has signed in.",
    signed_out: "A user has signed out, or was signed out.",
    sign_in_link_made: "The operator made a link to sign in for a user.",
    password_changed: "The password of a user was changed.",
    factor_added: "A user added a second factor.",
    factor_removed: "A second factor of a user was removed.",
    factors_reset: "The operator removed the second factors of a user.",
    recovery_codes_made: "A user made new recovery codes.",
  },
  plan: {
    created: "An assistant has made a plan.",
    committed: "The plan of an assistant was carried out.",
    declined: "A person has declined the plan of an assistant.",
  },
  oauth_grant: {
    created: "An assistant was connected.",
    revoked: "The access of an assistant was ended.",
  },
  api_key: {
    created: "An API key was created.",
    revoked: "An API key was revoked.",
  },
  test_clock: { updated: "The clock of a sandbox was set." },
  webhook_endpoint: {
    created: "An endpoint for webhooks was created.",
    updated: "An endpoint for webhooks was changed.",
    deleted: "An endpoint for webhooks was deleted.",
    secret_rotated: "An endpoint for webhooks has a new secret.",
    failing: "Five deliveries to an endpoint have failed in a row.",
    recovered: "An endpoint that was failing takes deliveries again.",
    disabled: "An endpoint for webhooks was disabled.",
  },
  opening_contract: {
    created: "A contract that was invoiced elsewhere was brought along.",
    ended: "A contract that was brought along was ended.",
  },
} as const;

type Types = typeof EVENT_TYPES;
/** The kinds of resources that events are about. */
export type EventResource = keyof Types;
/** The actions of a kind of resource. */
export type EventAction<Resource extends EventResource> = keyof Types[Resource] & string;

/** A type of event: its name, the kind of its resource, and what has happened in an English sentence. */
export interface EventType {
  readonly type: string;
  readonly resource_type: EventResource;
  readonly sentence: string;
  /** The version of the API that first had it, `YYYY-MM-DD`. */
  readonly since: string;
}

/** The version that had the first types. */
const FIRST = "2026-11-27";

/** The versions of what came later: of types, or of all types of a resource. */
const SINCE: Readonly<Record<string, string>> = {
  "occurrence.issued": "2026-11-28",
  "recurring_series.ends_soon": "2026-11-28",
  "recurring_series.ended": "2026-11-28",
  "period_close.ready": "2026-11-28",
  webhook_endpoint: "2026-11-28",
  opening_contract: "2026-11-28",
};

/** Every type, in the order of the table. */
export const ALL_EVENT_TYPES: readonly EventType[] = Object.entries(EVENT_TYPES).flatMap(
  ([resource_type, actions]) =>
    Object.entries(actions).map(([action, sentence]) => {
      const type = `${resource_type}.${action}`;
      const since = SINCE[type] ?? SINCE[resource_type] ?? FIRST;
      return { type, resource_type: resource_type as EventResource, sentence, since };
    }),
);

/** The type of a name such as `invoice.issued`; undefined for an unknown one. */
function findEventType(name: string): EventType | undefined {
  return ALL_EVENT_TYPES.find(({ type }) => type === name);
}

/** Whether a name is a type, or `invoice.*` of a known kind of resource. */
export function namesEventTypes(name: string): boolean {
  const [resource_type = "", action] = name.split(".", 2);
  if (action === "*" && name === `${resource_type}.*`)
    return Object.hasOwn(EVENT_TYPES, resource_type);
  return findEventType(name) !== undefined;
}
