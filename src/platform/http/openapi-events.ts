/**
 * The webhooks of the OpenAPI document: the types of events with the schemas of their resources, as a union that `type` discriminates.
 * Schemas are named here as components, which features define.
 */
import * as z from "zod";
import { ALL_EVENT_TYPES, type EventResource } from "../../domain/events/event-types.ts";
import { component, shownText } from "./schemas.ts";

type Json = Record<string, unknown>;

/** The component of each kind of resource, as its events have it. */
const COMPONENTS: Readonly<Record<EventResource, string | null>> = {
  customer: "Customer",
  product: "Product",
  invoice: "Invoice",
  invoice_line: "LineCompletion",
  credit_note: "CreditNote",
  recurring_series: "RecurringSeries",
  occurrence: "Occurrence",
  delivery: "Delivery",
  work_registration: "WorkRegistration",
  accrual: "Accrual",
  period_close: "PeriodClose",
  payment: "Payment",
  allocation: "Allocation",
  opening_item: "OpenItem",
  receivables: "ReceivablesBegin",
  bank_account: "BankAccount",
  bank_import: "BankImport",
  bank_line: "BookedBankLine",
  reference_rate: "ReferenceRate",
  statement: "StatementRow",
  reminder: "Reminder",
  reminder_hold: "ReminderHold",
  configuration: "Configuration",
  exchange_rate: "ExchangeRate",
  ledger_account: "LedgerAccount",
  ledger_connection: "ConnectedLedger",
  ledger_intent: "LedgerIntent",
  ledger_move: "LedgerMove",
  einvoice_connection: "ConnectedEinvoices",
  account: "Account",
  user: "User",
  plan: "Plan",
  oauth_grant: "OauthGrant",
  api_key: "CreatedApiKey",
  test_clock: "TestClock",
  webhook_endpoint: "WebhookEndpoint",
  opening_contract: "OpeningContract",
};

/** The components of types whose resource is another one than that of their kind. */
const OF_TYPES: Readonly<Record<string, string>> = {
  "invoice.links_revoked": "RevokedLinks",
  "credit_note.links_revoked": "RevokedLinks",
  "recurring_series.cancelled": "CancelledSeries",
  "bank_line.restored": "BankLine",
  "user.invited": "LoginEvent",
  "user.joined": "LoginEvent",
  "user.signed_in": "LoginEvent",
  "user.signed_out": "LoginEvent",
  "user.sign_in_link_made": "LoginEvent",
  "user.password_changed": "LoginEvent",
  "user.factor_added": "LoginEvent",
  "user.factor_removed": "LoginEvent",
  "user.factors_reset": "LoginEvent",
  "user.recovery_codes_made": "LoginEvent",
};

/** The component of `previous` of a type whose other state has another one. */
const PREVIOUS_OF: Readonly<Record<string, string>> = { delivery: "FrozenEinvoiceFields" };

/** Returns the component of the resource of a type; null for a type that nothing writes yet. */
export function componentOfType(type: string, resource_type: EventResource): string | null {
  return OF_TYPES[type] ?? COMPONENTS[resource_type];
}

/**
 * Returns the components of the events of each kind of resource, their union, and the webhook that sends it. They share the fields of
 * `event`, the schema of every event, except those that they narrow: generators of clients refuse two types of one field.
 */
export function eventSchemas(event: Json): { readonly schemas: Json; readonly webhooks: Json } {
  const types = ALL_EVENT_TYPES.flatMap(({ type, resource_type }) => {
    const of = componentOfType(type, resource_type);
    return of === null ? [] : [{ type, resource_type, of, name: nameOf(resource_type) }];
  });
  const names = [...new Set(types.map(({ name }) => name))];
  const ofName = (name: string) => types.filter((one) => one.name === name);
  const mapping = Object.fromEntries(types.map(({ type, name }) => [type, ref(name)]));
  const union = {
    description: "Any event, by its type. A program ignores types that it does not know.",
    oneOf: names.map((name) => ({ $ref: ref(name) })),
    discriminator: { propertyName: "type", mapping },
  };
  const schemas = Object.fromEntries(names.map((name) => [name, schemaOf(ofName(name))]));
  return {
    schemas: { ...schemas, [SHARED]: sharedOf(event), AnyEvent: union },
    webhooks: { event: WEBHOOK },
  };
}

/** The component of the fields that events of all types have in the same form. */
const SHARED = "EventFields";
const NARROWED = ["type", "resource_type", "data"];

function sharedOf({ properties, required }: Json): Json {
  const isShared = (name: string): boolean => !NARROWED.includes(name);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties as Json).filter(([name]) => isShared(name)),
    ),
    required: (required as string[]).filter(isShared),
  };
}

const ref = (name: string): string => `#/components/schemas/${name}`;

/** `EventOfCreditNote` for `credit_note`. */
function nameOf(resource_type: string): string {
  const words = resource_type.split("_").map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `EventOf${words.join("")}`;
}

function schemaOf(types: readonly { type: string; resource_type: string; of: string }[]): Json {
  const components = [...new Set(types.map(({ of }) => of))];
  const [resource_type = ""] = types.map((one) => one.resource_type);
  const other = PREVIOUS_OF[resource_type];
  const state = (names: readonly string[], description: string) => ({
    anyOf: [...names.map((name) => ({ $ref: ref(name) })), { type: "null" }],
    description,
  });
  const properties = {
    type: { type: "string", enum: types.map(({ type }) => type), description: "The type." },
    resource_type: {
      type: "string",
      const: resource_type,
      description: "The kind of the resource.",
    },
    data: {
      type: "object",
      description: "The resource before and after the change.",
      properties: {
        resource: state(components, "The resource after the change; null if it was deleted."),
        previous: state(
          other === undefined ? components : [...components, other],
          "The resource before the change; null if it was created.",
        ),
      },
      required: ["resource", "previous"],
    },
  };
  const own = { type: "object", properties, required: NARROWED };
  return { allOf: [{ $ref: ref(SHARED) }, own] };
}

const WEBHOOK: Json = {
  post: {
    operationId: "webhooks.event",
    tags: ["Events"],
    summary: "An event, as it is sent to an endpoint",
    description: "The body is the event, in the order of commits of its resource.",
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: ref("AnyEvent") } } },
    },
    responses: { "200": { description: "Any status from 200 to 299 takes the event." } },
  },
};

component("LineCompletion", {
  object: z.literal("line_completion"),
  invoice_id: z.string(),
  line_id: z.string(),
  completed_on: z.string().describe("The day on which the work was completed."),
});

component("RevokedLinks", {
  object: z.literal("document_links"),
  document_id: z.string().describe("Of the invoice or the credit note."),
  revoked: z.int().describe("Number of links that ended."),
});

z.record(z.string(), shownText).meta({
  id: "FrozenEinvoiceFields",
  description:
    "Before a document is sent again with other fields: what the frozen document has in them.",
});

component("BookedBankLine", {
  state: z.enum(["open", "booked", "ignored"]).describe("What the line is now."),
  payment_id: shownText.optional().describe("The payment that was booked; null if there is none."),
});

component("ConnectedLedger", {
  object: z.literal("ledger_connection"),
  id: z.string(),
  kind: z.string().describe("The kind of the accounting system."),
  state: z.string().describe("The state of the connection."),
  organisation_id: shownText.describe("The organisation there."),
  organisation_name: shownText.describe("Its name there."),
  locked_through: shownText.describe("The last day that the accounting system has locked."),
  last_error: shownText.describe("Why it was last refused."),
});

component("ConnectedEinvoices", {
  object: z.literal("einvoice_connection"),
  id: z.string(),
  kind: z.string().describe("The kind of the access point."),
  settings: z.record(z.string(), z.unknown()).describe("Its settings, without secrets."),
  state: z.string().describe("The state of the connection."),
  last_error: shownText.describe("Why it was last refused."),
});

component("Account", {
  object: z.literal("account"),
  id: z.string(),
  name: z.string().describe("The name of the account."),
  sandbox: z.boolean().optional().describe("Whether the account is a sandbox."),
});

component("LoginEvent", {
  object: z.enum(["login", "session", "invitation"]).describe("What the action is about."),
  user_id: z.string(),
  email: z.string().optional().describe("The address that the user signs in with."),
});

component("Plan", {
  object: z.literal("plan"),
  id: z.string(),
  kind: z.string().describe("The kind of the change."),
  summary: z.string().describe("What the plan does, in an English sentence."),
  user_id: z.string(),
  grant_id: z.string().describe("The access of the assistant."),
  expires_at: z.string().describe("Until when it can be carried out."),
  ended_by: z.string().optional().describe("Why the plan ended without being carried out."),
});

component("OauthGrant", {
  object: z.literal("oauth_grant"),
  id: z.string(),
  user_id: z.string(),
  client_name: z.string().describe("What the program calls itself."),
  scopes: z.array(z.string()).describe("What the assistant may do."),
});

component("CreatedApiKey", {
  object: z.literal("api_key"),
  id: z.string(),
  name: z.string().describe("The name of the key."),
  scope: z.string().describe("What the key may do."),
  prefix: z.string().describe("The first characters of the key."),
  last_day: z.string().optional().describe("The last day on which it can be used."),
});
