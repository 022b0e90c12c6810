/**
 * Makes an example of each type of event from the examples of the OpenAPI document, which are answers of the service. The state in it
 * is one that the resource can have, and need not be the one after the action.
 */
import type { EventResource, EventType } from "../../../domain/events/event-types.ts";
import { type ApiExamples, readExamples } from "../../../platform/http/examples.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { eventText, type Related } from "./present.ts";

type State = Readonly<Record<string, unknown>>;

const SOME_ID = "0198f2a0-0000-7000-8000-000000000001";
const AT = "2026-02-03T09:00:00.000Z";

/** The operation whose answer shows the resource of a type or a kind; of a list the first one. Else the resource itself. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  customer: "customers.get",
  product: "products.get",
  invoice: "invoices.create",
  "invoice.issued": "invoices.issue",
  credit_note: "credit_notes.get",
  recurring_series: "recurring_series.activate",
  "recurring_series.created": "recurring_series.create",
  "recurring_series.cancelled": "recurring_series.cancel",
  occurrence: "recurring_series.get_occurrence",
  delivery: "deliveries.get",
  work_registration: "work_registrations.get",
  accrual: "accruals.list",
  "accrual.booked": "accruals.book",
  period_close: "period_closes.get",
  payment: "payments.get",
  allocation: "allocations.create",
  opening_contract: "opening_contracts.get",
  "opening_contract.ended": "opening_contracts.end",
  opening_item: "opening_items.create",
  receivables: "receivables.begin",
  bank_account: "bank_accounts.get",
  bank_import: "bank_statements.import",
  "bank_line.restored": "bank_lines.restore",
  reference_rate: "reference_rates.set",
  statement: "statements.create",
  reminder: "reminders.get",
  reminder_hold: "reminder_holds.set",
  configuration: "configuration.get",
  exchange_rate: "exchange_rates.set",
  ledger_account: "ledger.update_account",
  user: "users.get",
  test_clock: "test_clock.get",
  webhook_endpoint: "webhook_endpoints.get",
};

const LINKS: State = { object: "document_links", document_id: SOME_ID, revoked: 1 };
const LOGIN: State = { object: "login", user_id: SOME_ID };
const CONNECTION: State = { id: SOME_ID, kind: "dinero", state: "connected", last_error: null };
const ORGANISATION: State = {
  organisation_id: "1043",
  organisation_name: "Acme ApS",
  locked_through: null,
};
const BUILT_IN: State = { kind: "builtin", connection_id: null, organisation: null };
const MOVE: State = {
  state: "completed",
  from: BUILT_IN,
  to: { kind: "dinero", connection_id: SOME_ID, organisation: "Acme ApS" },
  begins_on: "2026-01-01",
  opening_account: null,
  contract_asset: 1000,
  contract_liability: 2500,
  voucher: null,
  reason: null,
  requested_by: "operator:cli",
  created_at: AT,
  ended_at: AT,
};

/** The resources that no operation answers as the trail has them. */
const WRITTEN: Readonly<Record<string, State>> = {
  invoice_line: {
    object: "line_completion",
    invoice_id: SOME_ID,
    line_id: SOME_ID,
    completed_on: "2026-02-03",
  },
  "invoice.links_revoked": LINKS,
  "credit_note.links_revoked": LINKS,
  bank_line: { state: "booked", payment_id: SOME_ID },
  ledger_connection: { object: "ledger_connection", ...CONNECTION, ...ORGANISATION },
  ledger_move: { object: "ledger_move", id: SOME_ID, ...MOVE },
  einvoice_connection: { object: "einvoice_connection", ...CONNECTION, settings: {} },
  account: { object: "account", id: SOME_ID, name: "Acme ApS", sandbox: false },
  plan: {
    object: "plan",
    id: "plan_aaaaaaaaaaaaaaaaaaaaaaaaaa",
    kind: "issue_invoice",
    summary: "Issue the invoice to Acme ApS.",
    user_id: SOME_ID,
    grant_id: SOME_ID,
    expires_at: AT,
  },
  oauth_grant: {
    object: "oauth_grant",
    id: SOME_ID,
    user_id: SOME_ID,
    client_name: "An assistant",
    scopes: ["mcp:read"],
  },
  api_key: { object: "api_key", id: SOME_ID, name: "Time tracker", scope: "read", prefix: "mbk_1" },
};

/** Types whose trail has neither the resource before nor the one after. */
const WITHOUT_STATES: readonly string[] = [
  "booking_parked",
  "booking_released",
  "booking_adopted",
  "ready",
];
/** Types of what did not exist before, and of what does not exist after. */
const BEGINS: readonly string[] = [
  "created",
  "queued",
  "issued",
  "completed",
  "begun",
  "connected",
];
const ENDS: readonly string[] = ["deleted", "completion_removed", "revoked", "disconnected"];

let read: ApiExamples | undefined;

/** Returns the text of an event of the type, as the feed shows one. */
export function exampleOfType({ type, resource_type }: EventType): JsonText {
  const action = type.slice(resource_type.length + 1);
  const shown = jsonText(resourceOf(type, resource_type));
  const is_empty = WITHOUT_STATES.includes(action);
  const { id = SOME_ID, customer_id = null, ...fields } = resourceOf(type, resource_type);
  const related = relatedOf(resource_type, String(id), fields);
  const parts = {
    id: jsonText(SOME_ID),
    at: jsonText(AT),
    actor: jsonText({ kind: "api_key", id: SOME_ID }),
    action,
    resource_type,
    resource_id:
      resource_type === "occurrence" ? `${fields.series_id}/${fields.period}` : String(id),
    before: is_empty || BEGINS.includes(action) ? ("null" as JsonText) : shown,
    after: is_empty || ENDS.includes(action) ? ("null" as JsonText) : shown,
    reason: "null" as JsonText,
  };
  const customer = resource_type === "customer" ? String(id) : customer_id;
  return eventText(parts, {
    feed_id: SOME_ID,
    sequence: 1043n,
    customer_id: customer === null ? null : String(customer),
    related,
    sandbox: false,
  });
}

function resourceOf(type: string, resource_type: EventResource): State {
  const written = WRITTEN[type] ?? WRITTEN[resource_type];
  if (written !== undefined) return written;
  const object = type.startsWith("user.") && !/created|updated/.test(type);
  if (object) return LOGIN;
  read ??= readExamples();
  const operation = SHOWN_BY[type] ?? SHOWN_BY[resource_type] ?? "";
  const answer = read[operation]?.answer as State | undefined;
  if (answer === undefined) return { object: resource_type, id: SOME_ID };
  return Array.isArray(answer.data) ? (answer.data[0] as State) : answer;
}

function relatedOf(resource_type: EventResource, id: string, fields: State): Related {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const { series_id, period, invoice_id } = fields;
  return {
    series_id: resource_type === "recurring_series" ? id : text(series_id),
    period: text(period),
    invoice_id: resource_type === "invoice" ? id : text(invoice_id),
  };
}
