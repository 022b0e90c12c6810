/** The English texts of the pages. By type, `da.ts` has the same keys. */

import { enAssistants } from "../assistants/words.ts";
import { enBankAccounts } from "../bank/account-words.ts";
import { enAssigning } from "../close/assign-words.ts";
import { enClosing, enReopening } from "../close/confirm-words.ts";
import { enClose } from "../close/words.ts";
import { enCustomers } from "../customers/words.ts";
import { enDocumentLinks } from "../document-links/words.ts";
import { enBeside } from "../draft/beside-words.ts";
import { enBilling } from "../draft/billing-words.ts";
import { enMaker } from "../draft/maker-words.ts";
import { enRegistered } from "../draft/registered-words.ts";
import { enUnbilled } from "../draft/unbilled-words.ts";
import { enDraft } from "../draft/words.ts";
import { enFiles, enImports } from "../imports/words.ts";
import { enIssuing } from "../invoices/issue-words.ts";
import {
  enCredit,
  enInvoices,
  enIssuedRecord,
  enIssueMany,
  enMilestones,
  enSendAgain,
  enSendMany,
} from "../invoices/words.ts";
import { enLedgerChecks } from "../ledger/check-words.ts";
import { enConnection } from "../ledger/connection-words.ts";
import { enQueue } from "../ledger/queue-words.ts";
import { enLedger } from "../ledger/words.ts";
import { enCures } from "../parts/cure-words.ts";
import { englishReason } from "../parts/delivery-words.ts";
import { enEntries } from "../parts/entry-words.ts";
import { enReferences } from "../parts/reference-words.ts";
import { enPayments } from "../payments/words.ts";
import { enPeople } from "../people/words.ts";
import { enProductForm, enProducts } from "../products/words.ts";
import { enBegin } from "../receivables/begin-words.ts";
import { enStatement } from "../receivables/statement-words.ts";
import { enUseCredit } from "../receivables/use-words.ts";
import { enReceivables } from "../receivables/words.ts";
import { enReminders } from "../reminders/words.ts";
import { enActivating, enRetainerDraft } from "../retainers/draft-words.ts";
import { enRetainerEnd } from "../retainers/end-words.ts";
import { enRetainerLines } from "../retainers/lines-words.ts";
import { enRetainer } from "../retainers/retainer-words.ts";
import { enRetainers } from "../retainers/words.ts";
import { enAccruals } from "../revenue/accrual-words.ts";
import { enBalances } from "../revenue/balance-words.ts";
import { enExplanation } from "../revenue/explanation-words.ts";
import { enRevenue } from "../revenue/words.ts";
import { enPalette } from "../search/words.ts";
import { enCompany, enFurtherFields, enSettingsTabs } from "../settings/company-words.ts";
import { enDeveloper } from "../settings/developer-words.ts";
import { enFactors } from "../settings/factor-words.ts";
import { enInvoicing, enMonths, enVatSettings } from "../settings/invoicing-words.ts";
import { enMailCard, enMailTexts } from "../settings/mail-text-words.ts";
import { enSignIns } from "../settings/sign-in-words.ts";
import { enStart } from "../start/words.ts";
import { enToday } from "../today/words.ts";
import { enHours } from "../week/words.ts";
import { enStudioWait, enWelcome } from "../welcome/words.ts";
import { enAccount } from "./en-account.ts";
import { enNotices } from "./notice-words.ts";
import type { Refusal } from "./refusal.ts";

export const en = {
  name: "English",
  nav: {
    bank: "Bank",
    main: "Main",
    tabs: "Tabs",
    skip: "Skip to the content",
    billing: "Billing",
    books: "Books",
    revenue: "Revenue",
    close: "Month close",
    ledger: "Ledger",
    people: "People",
    account: "Account",
    today: "Today",
    customers: "Customers",
    invoices: "Invoices",
    receivables: "Receivables",
    reminders: "Reminders",
    payments: "Payments",
    retainers: "Retainers",
    my_work: "My work",
    work: "Work",
    products: "Products",
    assistants: "Assistants",
    activity: "Activity",
    settings: "Settings",
    developer: "Developer",
    me: "Me",
    switch_account: "Switch account",
    sign_out: "Sign out",
    dark: "Dark",
    light: "Light",
    system: "As the system",
    other_language: "Dansk",
    more: "More",
  },
  me: {
    title: "Me",
    person: "You",
    name: "Name",
    email: "E-mail address",
    account: "Account",
    role: "Role",
    password: "Password",
    change_password: "Change the password",
    preferences: "Pages",
    language: "Language",
    theme: "Theme",
    start_page: "Start page",
    start_pages: { today: "Today", hours: "My work", close: "Month close" },
  },
  /** What a form has just done; `of` is the number, month or name of its object. */
  notices: enNotices,
  figures: {
    adding_up: "Being calculated: check again in a minute",
    as_of: "Figures of",
  },
  waiting: {
    drafts: (count: number): string => (count === 1 ? "draft" : "drafts"),
    in_doubt: (count: number): string => (count === 1 ? "booking in doubt" : "bookings in doubt"),
    plans: (count: number): string => (count === 1 ? "waiting plan" : "waiting plans"),
    month: "ready to close",
  },
  roles: { admin: "Admin", standard: "Standard" },
  never: "never",
  faults: {
    failed: "That did not work",
    absent: "Page not found",
    no_such_page: "There is no page at this address.",
    to_start: "Go to the start page",
    unreadable: "The request cannot be read.",
    too_many: "There are too many requests right now. Try again in a moment.",
    again: "Try again",
    internal: (request_id: string) => `Something went wrong on our side. Request ${request_id}.`,
  },
  save: "Save",
  saving: { saving: "Saving…", saved: "Saved", unsaved: "Not saved: no connection" },
  not_a_number: "This is not a number.",
  activate: "Activate",
  deactivate: "Deactivate",
  days: {
    open: "Calendar",
    before: "Previous month",
    after: "Next month",
    when_issued: "When issued",
    any: "Any day",
  },
  lists: {
    actions: "Actions",
    any: "All",
    all: "Select all rows",
    picked: (count: number) => `${count} selected`,
  },
  older: "Older",
  see_fields: "Some fields are not valid: see below. Nothing was saved.",
  assistants: enAssistants,
  bank_accounts: enBankAccounts,
  company: enCompany,
  further_fields: enFurtherFields,
  developer: enDeveloper,
  invoicing: enInvoicing,
  vat_settings: enVatSettings,
  month_settings: enMonths,
  settings_tabs: enSettingsTabs,
  close: enClose,
  assigning: enAssigning,
  confirm_close: enClosing,
  reopening: enReopening,
  ledger: enLedger,
  revenue: enRevenue,
  balances: enBalances,
  accruals: enAccruals,
  explanation: enExplanation,
  ledger_checks: enLedgerChecks,
  queue: enQueue,
  connection: enConnection,
  people: enPeople,
  sign_ins: enSignIns,
  receivables: enReceivables,
  reminders: enReminders,
  begin: enBegin,
  use_credit: enUseCredit,
  statement: enStatement,
  retainers: enRetainers,
  retainer: enRetainer,
  activating: enActivating,
  retainer_draft: enRetainerDraft,
  retainer_lines: enRetainerLines,
  factors: enFactors,
  retainer_end: enRetainerEnd,
  customers: enCustomers,
  hours: enHours,
  files: enFiles,
  imports: enImports,
  palette: enPalette,
  today: enToday,
  products: enProducts,
  product_form: enProductForm,
  entries: enEntries,
  mail_texts: enMailTexts,
  mail_card: enMailCard,
  draft: enDraft,
  beside: enBeside,
  cures: enCures,
  references: enReferences,
  billed_as: enBilling,
  draft_made: enMaker,
  registered: enRegistered,
  unbilled: enUnbilled,
  issue_many: enIssueMany,
  credit: enCredit,
  milestones: enMilestones,
  issued_record: enIssuedRecord,
  send_many: enSendMany,
  send_again: enSendAgain,
  document_links: enDocumentLinks,
  invoices: enInvoices,
  payments: enPayments,
  delivery: {
    email: "E-mail",
    einvoice: "E-invoice",
    none: "Not sent",
    queued: "Waiting to be sent",
    sending: "On its way",
    written_to_outbox: "Written to a file",
    no_mail_server: "Written to a file: no mail server is set up.",
    in_sandbox: "Written to a file: a sandbox sends no mail.",
    reason: englishReason,
    send_pdf: (address: string) => `Send as PDF to ${address}`,
    read_einvoice: "Read the e-invoice",
    history: "History",
    accepted: "Sent",
    delivered: "Delivered",
    rejected: "Refused by the receiver",
    failed_temporary: "Will be tried again",
    failed_permanent: "Could not be sent",
    unknown: "Unknown whether it was sent",
  },
  invoice: {
    document: "The document as the customer sees it",
    facts: "Facts",
    status: "State",
    draft: "Draft",
    draft_for: (customer: string) => `Draft for ${customer}`,
    being_issued: "Is being issued",
    issued: "Issued",
    numbered: (number: string) => `Invoice ${number}`,
    numbered_for: (number: string, customer: string) => `Invoice ${number} for ${customer}`,
    duplicate: "Duplicate as draft",
    customer: "Customer",
    date: "Invoice date",
    date_of_issue: "The day on which it is issued",
    after_issue: "When it is issued",
    is_sent: "It is sent to the customer.",
    is_not_sent: "It is not sent automatically.",
    booked: "Booked",
    pdf: "PDF",
    open_pdf: "Open the PDF",
    preview: "Preview the PDF",
    credit_notes: "Credit notes",
    no_credits: "Nothing has been credited.",
    waits: "Waits",
    issue: "Issue…",
    warnings: "Check first",
    warning: (_code: string, message: string) => message,
  },
  issuing: enIssuing,
  credit_note: {
    numbered: (number: string) => `Credit note ${number}`,
    waiting: "Waiting credit note",
    kind: "Extent",
    kinds: { full: "The whole invoice", partial: "Part of the invoice" },
  },
  sign_in: {
    title: "Sign in",
    email: "E-mail address",
    password: "Password",
    forgot: "Forgot your password?",
    wrong: "The address or the password is incorrect.",
    choose: "Choose an account",
    signed_in_as: "You are signed in as",
    no_account: "This address does not belong to a user of any account.",
    other_address: "Use another address",
  },
  start: enStart,
  welcome: enWelcome,
  studio_wait: enStudioWait,
  ...enAccount,
  /** Returns the refusal of a request or of a field: the rules have the English sentences. */
  refused: ({ message }: Refusal): string => message,
};

/** The texts of one language: every language has the keys of English. */
export type Words = typeof en;
