/** The texts about files, in both languages: imports from CSV, and downloads of lists and documents. */
import type { FileFault } from "./import-file.ts";

const FAULTS: Readonly<Record<FileFault, string>> = {
  too_large: "The file is larger than 2 MB. Nothing was read: split it into smaller files.",
  too_many_rows:
    "The file has more than 5,000 rows. Nothing was read: split it into smaller files.",
  spreadsheet: "This is a workbook. Save it as CSV in the spreadsheet, and import the CSV file.",
  quotes: "A quoted cell is not closed. Nothing was read: save the file again as CSV.",
  empty: "There are no rows below the header row. Nothing was read.",
};

const FAULTS_IN_DANISH: typeof FAULTS = {
  too_large: "Filen er større end 2 MB. Intet er læst: del den op i mindre filer.",
  too_many_rows: "Filen har mere end 5.000 rækker. Intet er læst: del den op i mindre filer.",
  spreadsheet: "Det er en projektmappe. Gem den som CSV i regnearket, og importér CSV-filen.",
  quotes: "En celle i anførselstegn er ikke afsluttet. Intet er læst: gem filen som CSV igen.",
  empty: "Der er ingen rækker under overskrifterne. Intet er læst.",
};

type Counted = (count: number) => string;

export const enImports = {
  /** In lists, and where a list is empty. */
  open: "Import from CSV",
  titles: {
    customers: "Import customers from a CSV",
    products: "Import products from a CSV",
    hours: "Import hours from a CSV",
    "opening-items": "Bring in open invoices",
  },
  lead: "You first see what each row would create. Existing data is not changed.",
  opening_lead:
    "What customers still owe of invoices from another system, one row for each. You first see what each row would become; each one is booked with an entry of its own.",
  counter_account: "Counter account",
  counter_hint: "The entry of each invoice is posted against it.",
  needs_script: "A file is read in the browser, which needs JavaScript.",
  file: "CSV file",
  limits: "At most 5,000 rows and 2 MB. Separated by semicolon, comma or tab.",
  trackers: "Detailed reports of Toggl Track, Clockify and Harvest are read as they are exported.",
  or_paste: "Or paste rows with their header row",
  pasted: "Rows",
  look: "Check the rows",
  columns: "Supported columns",
  needed: "needed",
  faults: FAULTS,
  missing: (names: string) =>
    `There is no column for ${names}. Nothing was read: name the column in the first row.`,
  ignored: (names: string) => `Ignored, because the column is unknown: ${names}.`,
  unknown_heads: "What are these columns?",
  leave_out: "Leave out",
  correct: (column: string, at: number) => `${column} in row ${at}`,
  rows: ((count) => (count === 1 ? "1 row" : `${count} rows`)) as Counted,
  looking: "Checking the rows…",
  making: "Creating…",
  changed:
    "The data has changed since you saw this. This is the current state; nothing else was created.",
  lost: "There was no answer. Try again: nothing is created twice.",
  again: "Try again",
  statuses: {
    new: "Will be created",
    exists: "Exists already",
    refused: "Left out",
    same: "Twice in the file",
    unknown: "Not checked yet",
  },
  made_pill: "Made",
  all: "All",
  row: "Row",
  what: "Content",
  becomes: "Outcome",
  same_as: (at: number) => `The same as row ${at}.`,
  at_column: (column: string, reason: string) => `${column}: ${reason}`,
  more: ((count) => `Show ${count} more`) as Counted,
  make: {
    customers: ((count) =>
      count === 1 ? "Create 1 customer" : `Create ${count} customers`) as Counted,
    products: ((count) =>
      count === 1 ? "Create 1 product" : `Create ${count} products`) as Counted,
    hours: ((count) =>
      count === 1 ? "Register hours of 1 row" : `Register hours of ${count} rows`) as Counted,
    "opening-items": ((count) =>
      count === 1 ? "Book 1 open item" : `Book ${count} open items`) as Counted,
  },
  made: {
    customers: ((count) =>
      count === 1 ? "1 customer was created." : `${count} customers were created.`) as Counted,
    products: ((count) =>
      count === 1 ? "1 product was created." : `${count} products were created.`) as Counted,
    hours: ((count) =>
      count === 1
        ? "Hours of 1 row were registered."
        : `Hours of ${count} rows were registered.`) as Counted,
    "opening-items": ((count) =>
      count === 1 ? "1 open item is booked." : `${count} open items are booked.`) as Counted,
  },
  nothing: "The file contains nothing new.",
  fix: ((count) =>
    count === 1
      ? "Download the row that is left out"
      : `Download the ${count} rows that are left out`) as Counted,
  fix_file: "left-out.csv",
  reason: "Reason",
  other: "Choose another file",
  to_list: {
    customers: "To the customers",
    products: "To the products",
    hours: "To my work",
    "opening-items": "To the receivables",
  },
};

export const daImports: typeof enImports = {
  open: "Importér fra CSV",
  titles: {
    customers: "Importér kunder fra en CSV-fil",
    products: "Importér ydelser fra en CSV-fil",
    hours: "Importér timer fra en CSV-fil",
    "opening-items": "Hent åbne fakturaer ind",
  },
  lead: "Du ser først, hvad hver række ville oprette. Eksisterende data ændres ikke.",
  opening_lead:
    "Det, kunderne stadig skylder for fakturaer fra et andet system, én række for hver. Du ser først, hvad hver række bliver til; hver af dem bogføres med sin egen postering.",
  counter_account: "Modkonto",
  counter_hint: "Hver fakturas postering får denne modkonto.",
  needs_script: "Filen læses i browseren, og det kræver JavaScript.",
  file: "CSV-fil",
  limits: "Højst 5.000 rækker og 2 MB. Adskilt af semikolon, komma eller tabulator.",
  trackers:
    "Detaljerede rapporter fra Toggl Track, Clockify og Harvest læses, som de er eksporteret.",
  or_paste: "Eller indsæt rækker med deres overskrifter",
  pasted: "Rækker",
  look: "Kontrollér rækkerne",
  columns: "Mulige kolonner",
  needed: "skal angives",
  faults: FAULTS_IN_DANISH,
  missing: (names) =>
    `Der mangler en kolonne til ${names}. Intet er læst: skriv kolonnens navn i første række.`,
  ignored: (names) => `Ikke læst, fordi kolonnen er ukendt: ${names}.`,
  unknown_heads: "Hvad er disse kolonner?",
  leave_out: "Udelad",
  correct: (column, at) => `${column} i række ${at}`,
  rows: (count) => (count === 1 ? "1 række" : `${count} rækker`),
  looking: "Kontrollerer rækkerne …",
  making: "Opretter …",
  changed:
    "Data er ændret, siden du så dette. Her er den aktuelle status; der er ikke oprettet andet.",
  lost: "Der kom intet svar. Prøv igen: intet oprettes to gange.",
  again: "Prøv igen",
  statuses: {
    new: "Oprettes",
    exists: "Findes allerede",
    refused: "Udeladt",
    same: "To gange i filen",
    unknown: "Ikke kontrolleret endnu",
  },
  made_pill: "Oprettet",
  all: "Alle",
  row: "Række",
  what: "Indhold",
  becomes: "Udfald",
  same_as: (at) => `Den samme som række ${at}.`,
  at_column: (column, reason) => `${column}: ${reason}`,
  more: (count) => `Vis ${count} mere`,
  make: {
    customers: (count) => (count === 1 ? "Opret 1 kunde" : `Opret ${count} kunder`),
    products: (count) => (count === 1 ? "Opret 1 ydelse" : `Opret ${count} ydelser`),
    hours: (count) =>
      count === 1 ? "Registrér timer fra 1 række" : `Registrér timer fra ${count} rækker`,
    "opening-items": (count) =>
      count === 1 ? "Bogfør 1 åben post" : `Bogfør ${count} åbne poster`,
  },
  made: {
    customers: (count) => (count === 1 ? "1 kunde er oprettet." : `${count} kunder er oprettet.`),
    products: (count) => (count === 1 ? "1 ydelse er oprettet." : `${count} ydelser er oprettet.`),
    hours: (count) =>
      count === 1
        ? "Timer fra 1 række er registreret."
        : `Timer fra ${count} rækker er registreret.`,
    "opening-items": (count) =>
      count === 1 ? "1 åben post er bogført." : `${count} åbne poster er bogført.`,
  },
  nothing: "Der er intet nyt i filen.",
  fix: (count) =>
    count === 1 ? "Hent rækken, der er udeladt" : `Hent de ${count} rækker, der er udeladt`,
  fix_file: "udeladt.csv",
  reason: "Årsag",
  other: "Vælg en anden fil",
  to_list: {
    customers: "Til kunderne",
    products: "Til ydelserne",
    hours: "Til mit arbejde",
    "opening-items": "Til tilgodehavender",
  },
};

export const enFiles = {
  export: "Export CSV",
  pdfs: "Download PDFs of the selected documents",
  pdfs_hint: "In one zip of at most 100 documents and 50 MB.",
  names: {
    invoice: "invoices",
    credit_note: "credit-notes",
    drafts: "drafts",
    customers: "customers",
    payments: "payments",
    products: "products",
    revenue: "revenue",
    deferred: "deferred-revenue",
    remaining: "remaining-obligations",
  },
};

export const daFiles: typeof enFiles = {
  export: "Eksportér CSV",
  pdfs: "Hent PDF'er af de valgte",
  pdfs_hint: "I én zip-fil med højst 100 dokumenter og 50 MB.",
  names: {
    invoice: "fakturaer",
    credit_note: "kreditnotaer",
    drafts: "kladder",
    customers: "kunder",
    payments: "betalinger",
    products: "ydelser",
    revenue: "omsætning",
    deferred: "forudfaktureret",
    remaining: "resterende-forpligtelser",
  },
};
