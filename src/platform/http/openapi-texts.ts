/** The sentences of the OpenAPI document that belong to no route: rules that apply everywhere, and what each group is about. */

export const INTRODUCTION = `Invoicing and revenue recognition.

Amounts are JSON numbers in units of their currency, net of VAT unless they say otherwise. Days are
\`YYYY-MM-DD\`, months \`YYYY-MM\`, timestamps ISO 8601 in UTC. Lists run from the newest to the oldest;
follow \`next_cursor\` while \`has_more\` is true. Lists answer \`Accept: text/csv\` too, whole, with a
column for each field; files for accountants end in \`.csv\`. A reference in a path is a UUID or \`ext:\` and the
external id. Parameters and fields that there are not are refused; fields of a resource as it is answered
may be sent back and are ignored where they cannot be set, although the schemas of bodies do not list them.
Errors have the form
\`{"error": {"code", "message", "request_id", "field_errors"?, "details"?}}\`.`;

/** The five recognition methods of a line. */
const METHODS = `- \`value\`: the agreed value, evenly over the line's service period (\`service_from\` to \`service_to\`); without one, all of it on the date of the invoice.
- \`hours\`: hours worked × hourly rate, in the month of the work. Without hours, nothing.
- \`progress\`: agreed value × hours worked ÷ \`budget_hours\`, at most all of it; what is left on completion or invoice.
- \`milestone\`: the agreed value, all of it on the day on which the line is said to be complete.
- \`on_issue\`: the agreed value, all of it on the date of the invoice.`;

/** By the routes' tag. */
export const TAGS: Readonly<Record<string, string>> = {
  Customers:
    "Who is invoiced: addresses, numbers for VAT, terms of payment, and how documents are sent.",
  Invoices:
    "Drafts, and the invoices that were issued from them: numbered, booked in the ledger and frozen.",
  "Credit notes":
    "What takes back an issued invoice, whole or in part. An invoice that was issued never changes.",
  Deliveries: "Attempts to send issued documents, and what became of each.",
  "Recurring series":
    "Retainers: lines that are invoiced period after period. A period is computed, and becomes an invoice when it falls due.",
  "Work registrations":
    "Hours that people worked on a line: what lines by `hours` and `progress` earn by.",
  Products: "What lines sell: account, unit and prices that lines take over.",
  Users:
    "People: whom lines are assigned to and who registers work. What they may see follows from their role.",
  Accruals:
    "What a customer has earned through a month, less what was booked of it: the voucher that brings the ledger to it.",
  "Period closes":
    "A month is closed by booking the accruals of all customers and locking its last day.",
  Recognition: `Revenue by the month in which it is earned. A line's \`recognition_method\` says how it earns:\n\n${METHODS}`,
  Configuration:
    "What holds for the whole account: seller, VAT, currency, locks, accounts by role, and exchange rates.",
  Ledger:
    "The built-in double-entry ledger: accounts, entries, balances, and reports made from them.",
  Search:
    "A few of each kind by name, number or amount: where people begin who know what they look for.",
  Audit: "Who changed what and when; a chain of hashes that nobody can rewrite unseen.",
  Sandbox: "The clock of an account made for trying things out.",
};
