/** The sentences of the OpenAPI document that belong to no route: rules that apply everywhere, and what each group is about. */

export const INTRODUCTION = `Invoicing and revenue recognition.

Amounts are JSON numbers in units of their currency, net of VAT unless they say otherwise. Days are
\`YYYY-MM-DD\`, months \`YYYY-MM\`, timestamps ISO 8601 in UTC. Lists run from the newest to the oldest;
follow \`next_cursor\` while \`has_more\` is true. Lists answer \`Accept: text/csv\` too, whole, with a
column for each field; files for accountants end in \`.csv\`. A reference in a path is a UUID or \`ext:\` and the
external id. Unknown parameters and fields are refused; fields of a resource in an answer
may be sent back, and are ignored if they cannot be set, although the schemas of bodies do not list them.
Every answer names in the header \`Matchbook-Version\` the day of the newest addition that this service knows. A request may name
the version that it was made for: a later one is refused with \`VERSION_UNKNOWN\`, an earlier one changes nothing. \`GET /changelog\`, which needs no key, lists
what was added, deprecated and fixed, by day. What is deprecated stays, and says so in the headers \`Deprecation\` and \`Link\`.
Errors have the form
\`{"error": {"code", "message", "request_id", "field_errors"?, "details"?}}\`.`;

/** The five recognition methods of a line. */
const METHODS = `- \`value\`: the agreed value, evenly over the line's service period (\`service_from\` to \`service_to\`); without one, all of it on the date of the invoice.
- \`hours\`: hours worked × hourly rate, in the month of the work. Without hours, nothing.
- \`progress\`: agreed value × hours worked ÷ \`budget_hours\`, at most all of it; the remainder on completion or invoice.
- \`milestone\`: the agreed value, all of it on the day of completion of the line.
- \`on_issue\`: the agreed value, all of it on the date of the invoice.`;

/** Describes each group of routes, by the routes' tag. */
export const TAGS: Readonly<Record<string, string>> = {
  Customers: "Customers: addresses, VAT numbers, payment terms, and how documents are sent.",
  Invoices: "Drafts and issued invoices, which are numbered, booked in the ledger and frozen.",
  "Credit notes":
    "Credit notes reverse an issued invoice, in full or in part. An issued invoice never changes.",
  Deliveries: "Attempts to send issued documents, and their outcomes.",
  "E-invoices":
    "Who can receive e-invoices, and how they leave. A connected accounting system that sends documents sends e-invoices, too.",
  Receivables:
    "What customers owe, what they paid, and what is held for them. Money is recorded, never collected.",
  Payments:
    "Payments and refunds, and what they are applied to. Money is recorded, never collected.",
  "Recurring series":
    "Retainers: lines that are invoiced period after period. A period is computed, and becomes an invoice when it falls due.",
  "Work registrations":
    "Hours that users worked on a line. They determine the revenue of lines by `hours` and `progress`.",
  Products: "Products, whose account, unit and prices lines copy.",
  Users: "Users are assigned to lines and register work. Their role determines what they may see.",
  Accruals:
    "The revenue of a customer earned through a month, less the amount already booked: the voucher that updates the ledger.",
  "Period closes":
    "A month is closed by booking the accruals of all customers and locking its last day.",
  Recognition: `Revenue by the month in which it is earned. A line's \`recognition_method\` determines how it is earned:\n\n${METHODS}`,
  Configuration:
    "Settings of the whole account: seller, VAT, currency, locks, accounts by role, and exchange rates.",
  Bank: "Bank accounts of the firm, each with its account in the books, and the statements of their banks.",
  Reminders:
    "Reminders of overdue invoices: runs that send letters, what the letters charge, the reference rates of their interest, and invoices of which none is sent.",
  Ledger:
    "The built-in double-entry ledger: accounts, entries, balances, and reports made from them.",
  Search: "A few results of each kind by name, number or amount.",
  Events: "The changes of the account in the order of commits, for programs that follow them.",
  Webhooks:
    "Endpoints of programs, to which the events of the account are sent, signed, in order and at least once.",
  Exports: "Whole datasets as files, for warehouses; each is of one moment of the feed of events.",
  Audit: "The actor, time and content of each change; a chain of hashes reveals later alterations.",
  Keys: "The calling key with the limits of its account, and the last requests of all keys.",
  Sandbox: "The clock of a sandbox account.",
};
