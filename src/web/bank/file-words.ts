/**
 * The texts of bank files, in both languages: the question about their columns, and what they brought. They are no group of the texts
 * of all pages, so that only the bank page loads them.
 */
import { useReader } from "../frame/reader.ts";
import type { Words } from "../words/en.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";

const enBankFiles = {
  separators: { ";": "Semicolons", ",": "Commas", "\t": "Tabs", "|": "Bars" },
  encodings: { "utf-8": "UTF-8", "iso-8859-1": "ISO 8859-1", "windows-1252": "Windows 1252" },
  decimals: { ",": "As 1.234,50", ".": "As 1,234.50" },
  columns: {
    date: "Date",
    amount: "Amount",
    credit: "Money in",
    debit: "Money out",
    text: "Text",
    value_date: "Day of interest",
    balance: "Balance",
    reference: "Payer's reference",
    counterparty: "Name of payer or payee",
    counterparty_account: "Their bank account",
    currency: "Currency",
    id: "The bank's own reference",
  },
  title: "Files of the bank",
  drop: "Drop a file from your bank here, or choose it",
  choose: "Choose a file from your bank",
  limits:
    "Export the movements of your account in your online bank, as CSV or camt.053 (XML), at most 10 MB. Days may overlap: no line is read twice.",
  of_account: "CSV files are of",
  send: "Read the file",
  no_file: "Choose a file first.",
  this_file: "The file",
  to_bank: "To the bank page",
  to_accounts: "Open the bank accounts",
  too_large: "The file is larger than 10 MB. Ask the bank for fewer days.",
  lost: "No connection: it is not known whether the file was read. Sending it again reads nothing twice.",
  again: "Send it again",
  skip: "Leave this file out",
  reading: (name: string, at: number, all: number) =>
    all === 1 ? `Reading ${name} …` : `Reading ${name} … (${at} of ${all})`,
  refused: (name: string, why: string) => `${name} was not read: ${why} Nothing of it was stored.`,
  /** By the code of the refusal of the file; other refusals have the texts of all pages. */
  why: {
    invalid_format: "it is neither a camt.053 statement nor a CSV file that can be read.",
    invalid_value: "its balances do not add up, or its currency is not that of the bank account.",
    unknown_reference:
      "it is of a bank account whose number is not known here. Enter the number at your bank account, or add the account.",
    duplicate: "some of its days came already in a file of another form.",
  },
  rule_said: (sentence: string) => `(${sentence})`,
  asks: "What are the columns of this file?",
  asks_means:
    "This is asked once for each bank account. You find your answer in the settings of the bank account.",
  asks_changed:
    "This file has other columns than those before. Your answer replaces the earlier one.",
  asks_again: "Some cells cannot be read like this:",
  sample: "The first rows of the file",
  column: (number: number) => `Column ${number}`,
  not_read: "not read",
  how_written: "How the file is written",
  separator: "Between columns",
  encoding: "Characters",
  skip_lines: "Lines before the headings",
  has_header: "The first line",
  is_heads: "has the headings",
  is_row: "is a row already",
  decimal: "Amounts",
  date_format: "Dates",
  keep: "Save and read the file",
  keep_only: "Save",
  choose_again: "Choose the file again: it is read with the columns that you have saved.",
  no_rows: "No rows can be seen: choose another sign between columns.",
  faults: {
    date: "Say which column has the date.",
    text: "Say which column has the text.",
    amount: "Say which column has the amount, or which ones have money in and money out.",
    both: "Amounts are in one column, or in one for money in and one for money out.",
    twice: "Only the text may be in several columns.",
  },
  brought: "What the file brought",
  known_file: "This file was read before: nothing new.",
  brought_lines: (fresh: number, known: number) => {
    const lines = fresh === 1 ? "1 new line" : `${fresh} new lines`;
    return known === 0 ? `${lines}.` : `${lines}, ${known} were read before.`;
  },
  balances: (from: string, to: string) => `Balance from ${from} to ${to}.`,
  warnings: {
    STATEMENT_GAP:
      "The balances do not follow those of the statement before or after: one may be missing.",
  },
  imports: "Statements",
  no_imports: "No file was read yet.",
  account: "Bank account",
  days: "Days",
  lines: "Lines",
  new_lines: "New",
  known_lines: "Read before",
  closing: "Closing balance",
  notes: "Notes",
  gap: "Gap",
  in_ledger: (system: string) =>
    `${system} keeps the payments of this account: read the files of your bank there. Matchbook shows what is paid.`,
};

const daBankFiles: typeof enBankFiles = {
  separators: { ";": "Semikolon", ",": "Komma", "\t": "Tabulator", "|": "Lodret streg" },
  encodings: { "utf-8": "UTF-8", "iso-8859-1": "ISO 8859-1", "windows-1252": "Windows 1252" },
  decimals: { ",": "Som 1.234,50", ".": "Som 1,234.50" },
  columns: {
    date: "Dato",
    amount: "Beløb",
    credit: "Indbetalt",
    debit: "Udbetalt",
    text: "Tekst",
    value_date: "Rentedato",
    balance: "Saldo",
    reference: "Betalers reference",
    counterparty: "Betalers eller modtagers navn",
    counterparty_account: "Deres konto",
    currency: "Valuta",
    id: "Bankens egen reference",
  },
  title: "Filer fra banken",
  drop: "Slip en fil fra banken her, eller vælg den",
  choose: "Vælg en fil fra banken",
  limits:
    "Eksportér kontobevægelserne i netbanken som CSV eller camt.053 (XML), højst 10 MB. Dagene må overlappe: ingen linje indlæses to gange.",
  of_account: "CSV-filer hører til",
  send: "Indlæs filen",
  no_file: "Vælg en fil først.",
  this_file: "Filen",
  to_bank: "Til banksiden",
  to_accounts: "Åbn bankkontiene",
  too_large: "Filen er større end 10 MB. Bed banken om færre dage.",
  lost: "Ingen forbindelse: det er uvist, om filen blev indlæst. Send den igen; intet indlæses to gange.",
  again: "Send den igen",
  skip: "Udelad denne fil",
  reading: (name, at, all) =>
    all === 1 ? `Indlæser ${name} …` : `Indlæser ${name} … (${at} af ${all})`,
  refused: (name, why) => `${name} blev ikke indlæst: ${why} Intet af den er gemt.`,
  why: {
    invalid_format: "det er hverken et camt.053-kontoudtog eller en CSV-fil, der kan læses.",
    invalid_value: "saldiene stemmer ikke, eller valutaen er ikke bankkontoens.",
    unknown_reference:
      "den hører til en bankkonto, hvis nummer ikke kendes her. Skriv nummeret på jeres bankkonto, eller tilføj kontoen.",
    duplicate: "nogle af dens dage er allerede kommet i en fil af en anden slags.",
  },
  rule_said: () => "",
  asks: "Hvad er kolonnerne i filen?",
  asks_means: "Der spørges én gang for hver bankkonto. Svaret står i bankkontoens indstillinger.",
  asks_changed: "Filen har andre kolonner end de tidligere. Dit svar erstatter det forrige.",
  asks_again: "Nogle celler kan ikke læses på denne måde:",
  sample: "Filens første rækker",
  column: (number) => `Kolonne ${number}`,
  not_read: "læses ikke",
  how_written: "Sådan er filen skrevet",
  separator: "Mellem kolonner",
  encoding: "Tegnsæt",
  skip_lines: "Linjer før overskrifterne",
  has_header: "Den første linje",
  is_heads: "har overskrifterne",
  is_row: "er allerede en række",
  decimal: "Beløb",
  date_format: "Datoer",
  keep: "Gem, og indlæs filen",
  keep_only: "Gem",
  choose_again: "Vælg filen én gang til: den læses med de kolonner, du har gemt.",
  no_rows: "Der ses ingen rækker: vælg et andet tegn mellem kolonnerne.",
  faults: {
    date: "Vælg den kolonne, der har datoen.",
    text: "Vælg den kolonne, der har teksten.",
    amount: "Vælg den kolonne, der har beløbet, eller dem med indbetalt og udbetalt.",
    both: "Beløb står i én kolonne, eller i én for indbetalt og én for udbetalt.",
    twice: "Kun teksten kan stå i flere kolonner.",
  },
  brought: "Hvad filen gav",
  known_file: "Filen er indlæst før: intet nyt.",
  brought_lines: (fresh, known) => {
    const lines = fresh === 1 ? "1 ny linje" : `${fresh} nye linjer`;
    return known === 0 ? `${lines}.` : `${lines}, ${known} var indlæst før.`;
  },
  balances: (from, to) => `Saldo fra ${from} til ${to}.`,
  warnings: {
    STATEMENT_GAP:
      "Saldiene følger ikke kontoudtoget før eller efter: der mangler måske et kontoudtog.",
  },
  imports: "Kontoudtog",
  no_imports: "Der er ikke indlæst nogen fil endnu.",
  account: "Bankkonto",
  days: "Dage",
  lines: "Linjer",
  new_lines: "Nye",
  known_lines: "Indlæst før",
  closing: "Slutsaldo",
  notes: "Bemærkninger",
  gap: "Hul",
  in_ledger: (system) =>
    `${system} fører kontoens betalinger: indlæs filerne fra banken dér. Matchbook viser, hvad der er betalt.`,
};

const LANGUAGES: Readonly<Record<Language, typeof enBankFiles>> = {
  en: enBankFiles,
  da: daBankFiles,
};

/** Returns the texts of bank files in a language. */
export function fileWords(language: Language): typeof enBankFiles {
  return LANGUAGES[language];
}

/** Returns the texts in the language of the reader. */
export function useFileWords(): typeof enBankFiles {
  return fileWords(useReader().language);
}

/** Returns why a file was not read, as the end of a sentence that names the file. `all` has the texts of other refusals. */
export function whyText(words: typeof enBankFiles, all: Words, refusal: Refusal): string {
  const { why, rule_said } = words;
  if (!Object.hasOwn(why, refusal.code)) return all.refused(refusal);
  const said = rule_said(refusal.message);
  return [why[refusal.code as keyof typeof why], said].filter(Boolean).join(" ");
}
