/** The Danish texts of the pages. */

import { daAssistants } from "../assistants/words.ts";
import { daBankAccounts } from "../bank/account-words.ts";
import { daAssigning } from "../close/assign-words.ts";
import { daClosing, daReopening } from "../close/confirm-words.ts";
import { daClose } from "../close/words.ts";
import { daCustomers } from "../customers/words.ts";
import { daDocumentLinks } from "../document-links/words.ts";
import { daBeside } from "../draft/beside-words.ts";
import { daBilling } from "../draft/billing-words.ts";
import { daMaker } from "../draft/maker-words.ts";
import { daRegistered } from "../draft/registered-words.ts";
import { daUnbilled } from "../draft/unbilled-words.ts";
import { daDraft } from "../draft/words.ts";
import { daFiles, daImports } from "../imports/words.ts";
import { daIssuing } from "../invoices/issue-words.ts";
import {
  daCredit,
  daInvoices,
  daIssuedRecord,
  daIssueMany,
  daMilestones,
  daSendAgain,
  daSendMany,
} from "../invoices/words.ts";
import { daLedgerChecks } from "../ledger/check-words.ts";
import { daConnection } from "../ledger/connection-words.ts";
import { daQueue } from "../ledger/queue-words.ts";
import { daLedger } from "../ledger/words.ts";
import { daCures } from "../parts/cure-words.ts";
import { danishReason } from "../parts/delivery-words.ts";
import { daEntries } from "../parts/entry-words.ts";
import { daReferences } from "../parts/reference-words.ts";
import { daPayments } from "../payments/words.ts";
import { daPeople } from "../people/words.ts";
import { daProductForm, daProducts } from "../products/words.ts";
import { daBegin } from "../receivables/begin-words.ts";
import { daStatement } from "../receivables/statement-words.ts";
import { daUseCredit } from "../receivables/use-words.ts";
import { daReceivables } from "../receivables/words.ts";
import { daReminders } from "../reminders/words.ts";
import { daActivating, daRetainerDraft } from "../retainers/draft-words.ts";
import { daRetainerEnd } from "../retainers/end-words.ts";
import { daRetainerLines } from "../retainers/lines-words.ts";
import { daRetainer } from "../retainers/retainer-words.ts";
import { daRetainers } from "../retainers/words.ts";
import { daAccruals } from "../revenue/accrual-words.ts";
import { daBalances } from "../revenue/balance-words.ts";
import { daExplanation } from "../revenue/explanation-words.ts";
import { daRevenue } from "../revenue/words.ts";
import { daPalette } from "../search/words.ts";
import { daCompany, daFurtherFields, daSettingsTabs } from "../settings/company-words.ts";
import { daDeveloper } from "../settings/developer-words.ts";
import { daFactors } from "../settings/factor-words.ts";
import { daInvoicing, daMonths, daVatSettings } from "../settings/invoicing-words.ts";
import { daMailCard, daMailTexts } from "../settings/mail-text-words.ts";
import { daSignIns } from "../settings/sign-in-words.ts";
import { daStart } from "../start/words.ts";
import { daToday } from "../today/words.ts";
import { daHours } from "../week/words.ts";
import { daStudioWait, daWelcome } from "../welcome/words.ts";
import { daAccount } from "./da-account.ts";
import { daRefusals } from "./da-refusals.ts";
import { danishWarning } from "./da-warnings.ts";
import type { Words } from "./en.ts";
import { daNotices } from "./notice-words.ts";

export const da: Words = {
  name: "Dansk",
  nav: {
    bank: "Bank",
    main: "Hovedmenu",
    tabs: "Faner",
    skip: "Gå til indholdet",
    billing: "Fakturering",
    books: "Bogholderi",
    revenue: "Omsætning",
    close: "Månedslukning",
    ledger: "Bogholderi",
    people: "Personer",
    account: "Konto",
    today: "I dag",
    customers: "Kunder",
    invoices: "Fakturaer",
    receivables: "Tilgodehavender",
    reminders: "Rykkere",
    payments: "Betalinger",
    retainers: "Faste aftaler",
    my_work: "Mit arbejde",
    work: "Arbejde",
    products: "Ydelser",
    assistants: "Assistenter",
    activity: "Aktivitet",
    settings: "Indstillinger",
    developer: "Udvikler",
    me: "Mig",
    switch_account: "Skift konto",
    sign_out: "Log ud",
    dark: "Mørk",
    light: "Lys",
    system: "Som systemet",
    other_language: "English",
    more: "Mere",
  },
  me: {
    title: "Mig",
    person: "Dig",
    name: "Navn",
    email: "E-mailadresse",
    account: "Konto",
    role: "Rolle",
    password: "Adgangskode",
    change_password: "Skift adgangskoden",
    preferences: "Sider",
    language: "Sprog",
    theme: "Tema",
    start_page: "Startside",
    start_pages: { today: "I dag", hours: "Mit arbejde", close: "Månedslukning" },
  },
  notices: daNotices,
  figures: {
    adding_up: "Beregnes: se igen om et minut",
    as_of: "Tal fra",
  },
  waiting: {
    drafts: (count: number): string => (count === 1 ? "kladde" : "kladder"),
    in_doubt: (count) => (count === 1 ? "bogføring i tvivl" : "bogføringer i tvivl"),
    plans: (count: number): string => (count === 1 ? "ventende plan" : "ventende planer"),
    month: "klar til at blive lukket",
  },
  roles: { admin: "Administrator", standard: "Medarbejder" },
  never: "aldrig",
  faults: {
    failed: "Det lykkedes ikke",
    absent: "Siden findes ikke",
    no_such_page: "Der er ingen side på denne adresse.",
    to_start: "Gå til forsiden",
    unreadable: "Forespørgslen kan ikke læses.",
    too_many: "Der er for mange forespørgsler lige nu. Prøv igen om lidt.",
    again: "Prøv igen",
    internal: (request_id: string) => `Noget gik galt hos os. Forespørgsel ${request_id}.`,
  },
  save: "Gem",
  saving: { saving: "Gemmer …", saved: "Gemt", unsaved: "Ikke gemt: ingen forbindelse" },
  not_a_number: "Det er ikke et tal.",
  activate: "Aktivér",
  deactivate: "Deaktivér",
  days: {
    open: "Kalender",
    before: "Forrige måned",
    after: "Næste måned",
    when_issued: "Ved udstedelse",
    any: "Alle dage",
  },
  lists: {
    actions: "Handlinger",
    any: "Alle",
    all: "Vælg alle rækker",
    picked: (count) => (count === 1 ? "1 valgt" : `${count} valgte`),
  },
  older: "Ældre",
  see_fields: "Nogle felter er ikke gyldige: se nedenfor. Intet blev gemt.",
  assistants: daAssistants,
  bank_accounts: daBankAccounts,
  company: daCompany,
  further_fields: daFurtherFields,
  developer: daDeveloper,
  invoicing: daInvoicing,
  vat_settings: daVatSettings,
  month_settings: daMonths,
  settings_tabs: daSettingsTabs,
  close: daClose,
  assigning: daAssigning,
  confirm_close: daClosing,
  reopening: daReopening,
  ledger: daLedger,
  revenue: daRevenue,
  balances: daBalances,
  accruals: daAccruals,
  explanation: daExplanation,
  ledger_checks: daLedgerChecks,
  queue: daQueue,
  connection: daConnection,
  people: daPeople,
  sign_ins: daSignIns,
  receivables: daReceivables,
  reminders: daReminders,
  begin: daBegin,
  use_credit: daUseCredit,
  statement: daStatement,
  retainers: daRetainers,
  retainer: daRetainer,
  activating: daActivating,
  retainer_draft: daRetainerDraft,
  retainer_lines: daRetainerLines,
  factors: daFactors,
  retainer_end: daRetainerEnd,
  customers: daCustomers,
  hours: daHours,
  files: daFiles,
  imports: daImports,
  palette: daPalette,
  today: daToday,
  products: daProducts,
  product_form: daProductForm,
  entries: daEntries,
  mail_texts: daMailTexts,
  mail_card: daMailCard,
  draft: daDraft,
  beside: daBeside,
  cures: daCures,
  references: daReferences,
  billed_as: daBilling,
  draft_made: daMaker,
  registered: daRegistered,
  unbilled: daUnbilled,
  issue_many: daIssueMany,
  credit: daCredit,
  milestones: daMilestones,
  issued_record: daIssuedRecord,
  send_many: daSendMany,
  send_again: daSendAgain,
  document_links: daDocumentLinks,
  invoices: daInvoices,
  payments: daPayments,
  delivery: {
    email: "E-mail",
    einvoice: "E-faktura",
    none: "Ikke sendt",
    queued: "Venter på at blive sendt",
    sending: "På vej",
    written_to_outbox: "Skrevet til en fil",
    no_mail_server: "Skrevet til en fil: der er ikke sat en mailserver op.",
    in_sandbox: "Skrevet til en fil: en sandkasse sender ingen mail.",
    reason: danishReason,
    send_pdf: (address) => `Send som PDF til ${address}`,
    read_einvoice: "Læs e-fakturaen",
    history: "Forløb",
    accepted: "Sendt",
    delivered: "Leveret",
    rejected: "Afvist af modtageren",
    failed_temporary: "Prøves igen",
    failed_permanent: "Kunne ikke sendes",
    unknown: "Det vides ikke, om den er sendt",
  },
  invoice: {
    document: "Dokumentet, som kunden ser det",
    facts: "Fakta",
    status: "Tilstand",
    draft: "Kladde",
    draft_for: (customer: string) => `Kladde til ${customer}`,
    being_issued: "Er ved at blive udstedt",
    issued: "Udstedt",
    numbered: (number: string) => `Faktura ${number}`,
    numbered_for: (number, customer) => `Faktura ${number} til ${customer}`,
    duplicate: "Kopiér som kladde",
    customer: "Kunde",
    date: "Fakturadato",
    date_of_issue: "Den dag, den udstedes",
    after_issue: "Når den udstedes",
    is_sent: "Den sendes til kunden.",
    is_not_sent: "Den sendes ikke automatisk.",
    booked: "Bogført",
    pdf: "PDF",
    open_pdf: "Åbn PDF",
    preview: "Se PDF af kladden",
    credit_notes: "Kreditnotaer",
    no_credits: "Der er ikke krediteret noget.",
    waits: "Venter",
    issue: "Udsted …",
    warnings: "Kontrollér først",
    warning: (code: string, message: string) => danishWarning(code, message) ?? message,
  },
  issuing: daIssuing,
  credit_note: {
    numbered: (number: string) => `Kreditnota ${number}`,
    waiting: "Ventende kreditnota",
    kind: "Omfang",
    kinds: { full: "Hele fakturaen", partial: "En del af fakturaen" },
  },
  sign_in: {
    title: "Log ind",
    email: "E-mailadresse",
    password: "Adgangskode",
    forgot: "Har du glemt din adgangskode?",
    wrong: "Adressen eller adgangskoden er forkert.",
    choose: "Vælg en konto",
    signed_in_as: "Du er logget ind som",
    no_account: "Adressen tilhører ikke en bruger af nogen konto.",
    other_address: "Brug en anden adresse",
  },
  start: daStart,
  welcome: daWelcome,
  studio_wait: daStudioWait,
  ...daAccount,
  refused: ({ code, seconds, ledger }) => {
    if (code === "PERIOD_LOCKED" && ledger !== undefined) {
      return `Datoen ligger i en periode, der er låst i ${ledger}.`;
    }
    if (code !== "RATE_LIMITED" || seconds === undefined) return daRefusals[code];
    const minutes = Math.ceil(seconds / 60);
    const wait =
      seconds < 60 ? "om lidt" : minutes === 1 ? "om et minut" : `om ${minutes} minutter`;
    return `Det er for mange forsøg. Prøv igen ${wait}.`;
  },
};
