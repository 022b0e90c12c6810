/** The layers of the product, the groups of its features and the screens of its pages, each in order. */

/** A layer imports from itself and from the layers before it. */
export const LAYERS = [
  "domain",
  "ledger",
  "einvoice",
  "platform",
  "transport",
  "connectors",
  "features",
  "surfaces",
  "app",
  "main",
];

/** Show the features to people and to their assistants. No surface imports another. */
const SURFACES = ["assistant", "web"];
/** Files directly in `src` belong to a layer by name. */
const LAYER_OF_FILE: Readonly<Record<string, string>> = {
  "src/routes.ts": "app",
  "src/app.ts": "app",
  "src/background.ts": "app",
  "src/open-services.ts": "app",
  "src/main.ts": "main",
  "src/thread.ts": "main",
  "src/answer-task.ts": "main",
  "src/background-thread.ts": "main",
};

/** Every feature by its group, in order: a feature and its tests use only features before it. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  access: ["people", "api-keys", "accounts", "oauth", "sign-in", "factors"],
  settings: ["configuration", "audit"],
  catalogue: ["links", "customers", "products"],
  documents: [
    "printing",
    "letters",
    "issued",
    "document-links",
    "einvoice-files",
    "einvoice-connections",
    "einvoice-receivers",
    "einvoice-readiness",
    "sending",
    "deliveries",
    "delivery-outcomes",
    "einvoice-answers",
  ],
  ledger: ["connections", "booking", "moves", "sync", "reports", "reconciliation", "verification"],
  receivables: [
    "bank-accounts",
    "bank-statements",
    "ledger-items",
    "open-items",
    "allocations",
    "payments",
    "opening-items",
    "payment-states",
    "balances",
    "bank-lines",
    "reference-rates",
    "statements",
  ],
  sales: ["hours", "invoices", "credit-notes"],
  reminders: ["reminder-holds", "sent-reminders", "reminder-runs"],
  recurring: ["series", "occurrences", "test-clock"],
  work: ["registrations"],
  revenue: [
    "revenue-facts",
    "accruals",
    "closes",
    "opening-contracts",
    "moving",
    "reports",
    "outlook",
  ],
  integrations: ["events", "webhooks", "webhook-deliveries", "batches", "exports"],
  overview: ["views", "search", "today", "series-list", "inspection", "imports", "studio"],
};

/** The screens of the pages, in order: a screen uses only screens before it, and the shared folders. */
export const SCREENS = [
  "start",
  "access",
  "activity",
  "assistants",
  "document-links",
  "imports",
  "welcome",
  "settings",
  "webhooks",
  "revenue",
  "draft",
  "einvoices",
  "invoices",
  "credit",
  "receivables",
  "payments",
  "week",
  "customers",
  "bank",
  "reminders",
  "products",
  "people",
  "retainers",
  "close",
  "ledger",
  "today",
  "search",
];

/** The layer of a file or folder; a name outside of LAYERS for a path of no layer. */
export function layerOf(path: string): string {
  const [, part] = /^src\/(?:ledger|einvoice)\/(connectors|transport)(?:\/|$)/.exec(path) ?? [];
  // A register of receivers is asked over the transport, as an accounting system is.
  if (/^src\/einvoice\/registers(\/|$)/.test(path)) return "connectors";
  if (part !== undefined) return part;
  if (/^src\/cli(\/|$)/.test(path)) return "main";
  if (surfaceOf(path) !== undefined) return "surfaces";
  return LAYER_OF_FILE[path] ?? path.split("/")[1] ?? "";
}

/** The surface of a file or folder; undefined for files of other layers. */
export function surfaceOf(path: string): string | undefined {
  return SURFACES.find((surface) => `${path}/`.startsWith(`src/${surface}/`));
}
