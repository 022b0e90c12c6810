// The pages that benches visit in the data of `seed-firm.mjs`, and the time in which the scripts of each must work.
import { monthFromNow } from "./heavy.mjs";

const LAST_MONTH = monthFromNow(-1);
const week = `/hours/${thisWeek()}`;

/** The milliseconds from the HTML to the last island that works, with a processor at a quarter of its speed. */
const ALIVE_MS = 300;
const EDITOR_MS = 420;
const WEEK_MS = 720;

/**
 * Paths by the name of the page: `{ path, alive_ms, is_standard }`. A page of a standard user is visited with their cookie.
 * `ids` are those that `seedFirm` returns.
 */
export function pagesOfFirm(ids) {
  const { retainer, draft, long_draft, invoice, customer, product } = ids;
  const a_retainer = `/retainers/${retainer.id}`;
  const explained = `explain=${retainer.line_id}.${monthFromNow(-3)}`;
  const pages = {
    "the start page": "/today",
    "the start page of a standard user": "/today",
    drafts: "/invoices",
    "issued invoices": "/invoices?tab=issued",
    "credit notes": "/invoices?tab=credit-notes",
    "an issued invoice": `/invoices/${invoice}`,
    "the issue of a draft": `/invoices/${draft}/issue`,
    "the credit of an invoice": `/invoices/${invoice}/credit`,
    customers: "/customers",
    "a customer": `/customers/${customer}`,
    "the revenue of a customer": `/customers/${customer}?tab=revenue`,
    products: "/products",
    "a product": `/products/${product}`,
    "a new invoice": { path: "/invoices/new", alive_ms: EDITOR_MS },
    "a draft of two lines": { path: `/invoices/${draft}`, alive_ms: EDITOR_MS },
    "a draft of a hundred lines": { path: `/invoices/${long_draft}`, alive_ms: EDITOR_MS },
    "a week": { path: week, alive_ms: WEEK_MS },
    "a week of a standard user": { path: week, alive_ms: WEEK_MS },
    "the week of the team": "/hours/team",
    retainers: "/retainers",
    "a new retainer": { path: "/retainers/new", alive_ms: EDITOR_MS },
    "a retainer of 36 months": a_retainer,
    "a retainer with an explanation": `${a_retainer}?${explained}`,
    "a line of a retainer": `${a_retainer}/lines/${retainer.series_line_id}`,
    "a period of a retainer": `${a_retainer}/${LAST_MONTH}`,
    "the end of 60 periods": `${a_retainer}/end?end_date=${monthFromNow(-35)}-15&credit=prorated`,
    revenue: "/revenue",
    "revenue with an explanation": `/revenue?${explained}`,
    "deferred revenue": "/revenue/deferred",
    "remaining obligations": "/revenue/remaining",
    "the close of the last month": `/close/${LAST_MONTH}`,
    "the trial balance": "/ledger/trial-balance",
    "the chart of accounts": "/ledger/accounts",
    "the journal": "/ledger/entries",
    "the VAT return": "/ledger/vat",
    reconciliation: "/ledger/reconciliation",
    verification: "/ledger/verification",
    "the connection to the ledger": "/ledger/connection",
    "the ledger's queue": "/ledger/queue",
    assistants: "/assistants",
    people: "/people",
    "the company": "/settings/company",
    invoicing: "/settings/invoicing",
    "settings of VAT": "/settings/vat",
    "settings of months": "/settings/months",
    developer: "/settings/developer",
    "the audit trail": "/settings/audit",
    "the person's own page": "/me",
  };
  return Object.entries(pages).map(([name, page]) => ({
    ...{ name, alive_ms: ALIVE_MS, is_standard: name.includes("standard") },
    ...(typeof page === "string" ? { path: page } : page),
  }));
}

/** The current week of ISO 8601: the week of its Thursday. */
function thisWeek() {
  const thursday = new Date();
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const days = (thursday - Date.UTC(year, 0, 1)) / 864e5;
  return `${year}-W${String(Math.ceil((days + 1) / 7)).padStart(2, "0")}`;
}
