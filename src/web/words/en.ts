/** What the pages say in English. `da.ts` has the same keys, by type. */

import { enBeside } from "./beside.ts";
import { enCustomers } from "./customers.ts";
import { enDraft } from "./draft.ts";
import { enAccount } from "./en-account.ts";
import { enHours } from "./hours.ts";
import { enFiles, enImports } from "./imports.ts";
import { enCredit, enIssueMany, enSendAgain } from "./issuing.ts";
import { enPalette } from "./palette.ts";
import type { Refusal } from "./refusal.ts";
import { enToday } from "./today.ts";
import { enUnbilled } from "./unbilled.ts";

export const en = {
  name: "English",
  nav: {
    main: "Main",
    skip: "Skip to the page",
    billing: "Billing",
    account: "Account",
    today: "Today",
    customers: "Customers",
    invoices: "Invoices",
    my_work: "My work",
    products: "Products",
    assistants: "Assistants",
    activity: "Activity",
    developer: "Developer",
    password: "Password",
    switch_account: "Switch account",
    sign_out: "Sign out",
    dark: "Dark",
    light: "Light",
    system: "As the system",
    other_language: "Dansk",
    more: "More",
  },
  waiting: {
    drafts: (count: number): string => (count === 1 ? "draft" : "drafts"),
    plans: (count: number): string => (count === 1 ? "plan that waits" : "plans that wait"),
  },
  roles: { admin: "Admin", standard: "Standard" },
  never: "never",
  faults: {
    failed: "That did not work",
    absent: "There is no such page",
    nothing_here: "Nothing is at this address.",
    to_start: "Go to the start",
    unreadable: "The request cannot be read.",
    ours: (request_id: string) => `Something went wrong on our side. Request ${request_id}.`,
  },
  save: "Save",
  saving: { saving: "Saving…", saved: "Saved", unsaved: "Not saved: no connection" },
  not_a_number: "This is no number.",
  activate: "Activate",
  deactivate: "Deactivate",
  older: "Older",
  see_fields: "Something is not right yet: see the fields below. Nothing was saved.",
  customers: enCustomers,
  hours: enHours,
  files: enFiles,
  imports: enImports,
  palette: enPalette,
  today: enToday,
  products: {
    add: "New product",
    name: "Name",
    number: "Number",
    unit: "Unit",
    hours_unit: "hours",
    unit_hint: "“hours” is priced by the hour.",
    price: "Price",
    price_of: (name: string) => `Price of ${name}`,
    drafts: "Drafts",
    price_hint: (drafts: number) => {
      if (drafts === 0)
        return "New lines take the new price; drafts that use the product keep theirs.";
      const keep =
        drafts === 1 ? "draft that uses it keeps its own" : "drafts that use it keep theirs";
      return `New lines take the new price. The ${drafts} ${keep}.`;
    },
    account: "Revenue account",
    account_hint: "Empty: the account that the configuration names for sales.",
    comments: "Text on the document",
    inactive: "Inactive",
    search: "Search products",
    none: "No products yet. What you sell stands here, with its price and the account that its revenue goes to.",
    none_found: "No product has that in it.",
    with_inactive: "Show inactive products too",
    activate_means: "The product is offered for new lines again.",
    deactivate_means:
      "The product is not offered for new lines any more. Documents that have it keep it.",
  },
  draft: enDraft,
  beside: enBeside,
  unbilled: enUnbilled,
  issue_many: enIssueMany,
  credit: enCredit,
  send_again: enSendAgain,
  invoices: {
    tabs: { drafts: "Drafts", issued: "Issued", "credit-notes": "Credit notes" },
    search: "Number, title or customer",
    from: "From",
    to: "To",
    filter: "Filter",
    all: "Show all",
    only_of: "Only those of",
    of_everybody: "Show those of everybody",
    none_found: "Nothing here has that in it.",
    none: {
      drafts: "No drafts. What is about to be billed stands here until it is issued.",
      issued: "No invoice has been issued yet.",
      "credit-notes": "Nothing has been credited yet.",
    },
    number: "Number",
    customer: "Customer",
    title: "Title",
    untitled: "Without a title",
    date: "Date",
    net: "Net",
    gross: "With VAT",
    delivery: "Delivery",
    credited: "Credited",
    credits: "Credits",
    its_invoice: "Its invoice",
    queued: "Waits",
  },
  delivery: {
    email: "E-mail",
    einvoice: "E-invoice",
    none: "Not sent",
    queued: "Waits to be sent",
    sending: "On its way",
    written_to_outbox: "In the outbox",
    accepted: "Sent",
    failed_temporary: "Will be tried again",
    failed_permanent: "Could not be sent",
    unknown: "Unknown whether it left",
  },
  invoice: {
    document: "The document as the customer reads it",
    facts: "Facts",
    status: "State",
    draft: "Draft",
    draft_for: (customer: string) => `Draft for ${customer}`,
    being_issued: "Is being issued",
    issued: "Issued",
    numbered: (number: string) => `Invoice ${number}`,
    customer: "Customer",
    date: "Invoice date",
    date_of_issue: "The day on which it is issued",
    after_issue: "When it is issued",
    is_sent: "It is sent to the customer.",
    is_not_sent: "It is not sent by itself.",
    booked: "Booked",
    pdf: "PDF",
    open_pdf: "Open the PDF",
    preview: "Preview the PDF",
    credit_notes: "Credit notes",
    no_credits: "Nothing of it has been credited.",
    waits: "Waits",
    issue: "Issue…",
    warnings: "To look at first",
    warning: (_code: string, message: string) => message,
  },
  issuing: {
    title: "Issue the invoice?",
    title_for: (customer: string) => `Issue the invoice for ${customer}?`,
    books: "Books",
    dated: (day: string) => `An invoice dated ${day}.`,
    amounts: (net: string, vat: string, gross: string) =>
      `Net ${net} and VAT ${vat}, in all ${gross}`,
    sends: "Sends",
    sends_to: (address: string) => `An e-mail with the PDF to ${address}.`,
    sends_nothing: "Nothing. You can send it later.",
    unsent: {
      no_address:
        "Nothing: the customer has no e-mail address. The invoice is booked all the same.",
      einvoice_not_configured:
        "Nothing: e-invoices are not set up. The invoice is booked all the same.",
    },
    freezes: "Freezes",
    frozen: "The invoice and the hours on it. A mistake is put right with a credit note.",
    goes_on:
      "The issue of this invoice has begun, and its outcome is not known yet. Going on never books twice.",
    go_on: "Go on with the issue",
    issue: (amount: string) => `Issue ${amount}`,
    issue_and_send: (amount: string) => `Issue and send ${amount}`,
    not_yet: "Not yet",
    back: "To the invoice",
    changed: "Something changed since you saw this, and nothing was issued. This is how it is now.",
  },
  credit_note: {
    numbered: (number: string) => `Credit note ${number}`,
    waiting: "Credit note that waits",
    kind: "Credits",
    kinds: { full: "All of the invoice", partial: "A part of the invoice" },
  },
  sign_in: {
    title: "Sign in",
    email: "E-mail address",
    password: "Password",
    forgot: "Forgot your password?",
    wrong: "The address or the password is not right.",
    choose: "Choose an account",
    signed_in_as: "You are signed in as",
    no_account: "This address is not a user of any account at the moment.",
    other_address: "Use another address",
  },
  start: {
    title: "Matchbook",
    what: "Invoicing and revenue recognition for firms that sell work and retainers.",
    sign_in: "Sign in",
    api: "API reference",
    openapi: "OpenAPI document",
  },
  ...enAccount,
  /** Of a request, or of what stands in a field: the rules say it in English themselves. */
  refused: ({ message }: Refusal): string => message,
};

/** Every language has what English has. */
export type Words = typeof en;
