/** The texts of the page of checks, in both languages. */

export const enLedgerChecks = {
  lead: "Every night the books are checked from the first entry. A check that finds something is reported to the operator, too.",
  none_yet: "The books have not been checked yet: the first check runs tonight, or now.",
  run_now: "Check now",
  unbroken: (entries: string, since: string) => `${entries} entries, unbroken since ${since}.`,
  check: "Check",
  result: "Result",
  examined: "Examined",
  when: "Checked",
  ok: "In order",
  faults: (count: number) => (count === 1 ? "1 fault" : `${count} faults`),
  checks: {
    audit_trail: "Audit trail",
    journal: "Journal",
    balances: "Balances",
    numbers: "Numbers",
    documents: "Documents",
    vouchers: "Vouchers",
    receivables: "Receivables",
    einvoices: "E-invoices",
  },
  means: {
    audit_trail: "Every event follows from the one before.",
    journal: "Every entry follows from the one before.",
    balances: "Debit and credit of each entry, and of all together, are equal.",
    numbers: "No number is missing or used twice.",
    documents: "Every issued document is frozen, and booked once with its own amounts.",
    vouchers: "Every accrual has its voucher, and every voucher its accrual.",
    receivables:
      "Open items add up to the books, and every entry of a payment has its own amounts.",
    einvoices: "Every e-invoice is unchanged, and its amounts are the booked ones.",
  },
};

export const daLedgerChecks: typeof enLedgerChecks = {
  lead: "Hver nat kontrolleres bogholderiet fra den første postering. Findes der noget, får driften det også at vide.",
  none_yet: "Bogholderiet er ikke kontrolleret endnu: den første kontrol kører i nat eller nu.",
  run_now: "Kontrollér nu",
  unbroken: (entries, since) => `${entries} posteringer, ubrudt siden ${since}.`,
  check: "Kontrol",
  result: "Resultat",
  examined: "Gennemgået",
  when: "Kontrolleret",
  ok: "I orden",
  faults: (count) => (count === 1 ? "1 fejl" : `${count} fejl`),
  checks: {
    audit_trail: "Revisionsspor",
    journal: "Journal",
    balances: "Saldi",
    numbers: "Numre",
    documents: "Dokumenter",
    vouchers: "Bilag",
    receivables: "Debitorer",
    einvoices: "E-fakturaer",
  },
  means: {
    audit_trail: "Hver hændelse følger af den forrige.",
    journal: "Hver postering følger af den forrige.",
    balances: "Debet og kredit er lige store i hver postering og i alt.",
    numbers: "Intet nummer mangler eller er brugt to gange.",
    documents: "Hvert udstedt dokument er låst og bogført én gang med sine egne beløb.",
    vouchers: "Hver periodisering har sit bilag, og hvert bilag sin periodisering.",
    receivables:
      "De åbne poster svarer til bogføringen, og hver betaling er bogført med sine egne beløb.",
    einvoices: "Hver e-faktura er uændret, og dens beløb er de bogførte.",
  },
};
