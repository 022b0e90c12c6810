/** The texts of the pages of what customers owe, in both languages. Amounts and days arrive as the reader's language writes them. */

/** The amounts of a sentence; null for what it leaves out. */
interface OwedInWords {
  readonly amount: string;
  readonly late: string | null;
  /** A past day. */
  readonly day: string | null;
}

export const enReceivables = {
  at: "At the end of",
  not_later: "The day is in the future.",
  currency: "Currency",
  reset: "Today, all currencies",
  customer: "Customer",
  oldest: "Oldest",
  oldest_due: "Oldest due date",
  not_late: "not late",
  days_late: (days: number) => (days === 1 ? "1 day late" : `${days} days late`),
  late_amount: (amount: string) => `${amount} is late`,
  ages: {
    not_due: "Not due",
    days_1_30: "1–30 days late",
    days_31_60: "31–60 days late",
    days_61_90: "61–90 days late",
    over_90: "Over 90 days late",
  },
  owed: "Owed",
  late: "Of which late",
  held: "Credit",
  balance: "Balance",
  balance_in: (currency: string) => `Balance in ${currency}`,
  by_age: (currency: string) => `All customers by age, in ${currency}`,
  by_currency: "By currency",
  more: "More customers",
  none: "No customer owes anything, and no credit waits.",
  owe: (count: string, { amount, late, day }: OwedInWords) => {
    const is_one = count === "One" || count === "1";
    if (count === "No") {
      return day === null ? "No customer owes anything." : `On ${day} no customer owed anything.`;
    }
    const who = `${count} customer${is_one ? "" : "s"}`;
    const of_which = late === null ? "none of it late" : `${late} of it late`;
    if (day === null) return `${who} owe${is_one ? "s" : ""} ${amount}, ${of_which}.`;
    return `${who} owed ${amount} on ${day}, ${of_which}.`;
  },
  agrees: {
    receivables: (account: string) => `Agrees with account ${account}`,
    customer_credit: (account: string) => `Credit agrees with account ${account}`,
  },
  differs: {
    receivables: (account: string, amount: string) => `Account ${account} differs by ${amount}`,
    customer_credit: (account: string, amount: string) =>
      `Credit: account ${account} differs by ${amount}`,
  },
  not_begun: "Matchbook does not know yet which invoices are paid.",
  not_begun_text:
    "There are documents from before payments could be recorded. Receivables begin when you say which of them are still open. Until then nothing is called paid or overdue.",
  begin: "Begin…",
  nothing_yet:
    "Nothing is issued yet. Receivables begin with the first invoice, or with what customers still owe of invoices from another system.",
  unknown: "What customers owe is not known yet.",
  in_ledger: (ledger: string) => `Payments are recorded in ${ledger} and only read here.`,
  in_both: (ledger: string) =>
    `Payments of what ${ledger} booked are recorded there and only read here. Payments of earlier documents are recorded in Matchbook.`,
  as_of: (ledger: string, moment: string) =>
    `What is shown was reported by ${ledger}, as of ${moment}.`,
  unreported: (ledger: string, count: number) =>
    count === 1
      ? `One invoice is missing, because ${ledger} has reported nothing of it.`
      : `${count} invoices are missing, because ${ledger} has reported nothing of them.`,
  file: "receivables",
};

export const daReceivables: typeof enReceivables = {
  at: "Ved udgangen af",
  not_later: "Dagen ligger i fremtiden.",
  currency: "Valuta",
  reset: "I dag, alle valutaer",
  customer: "Kunde",
  oldest: "Ældste",
  oldest_due: "Ældste forfaldsdato",
  not_late: "ikke forfaldent",
  days_late: (days) => (days === 1 ? "1 dag over tiden" : `${days} dage over tiden`),
  late_amount: (amount) => `${amount} er over tiden`,
  ages: {
    not_due: "Ikke forfaldent",
    days_1_30: "1–30 dage over",
    days_31_60: "31–60 dage over",
    days_61_90: "61–90 dage over",
    over_90: "Over 90 dage over",
  },
  owed: "Skyldes",
  late: "Heraf over tiden",
  held: "Til gode",
  balance: "Saldo",
  balance_in: (currency) => `Saldo i ${currency}`,
  by_age: (currency) => `Alle kunder efter alder, i ${currency}`,
  by_currency: "Efter valuta",
  more: "Flere kunder",
  none: "Ingen kunder skylder noget, og ingen har noget til gode.",
  owe: (count, { amount, late, day }) => {
    const is_one = count === "En" || count === "1";
    if (count === "Ingen") {
      return day === null
        ? "Ingen kunder skylder noget."
        : `Den ${day} skyldte ingen kunder noget.`;
    }
    const who = `${count} kunde${is_one ? "" : "r"}`;
    const of_which = late === null ? "intet er over tiden" : `heraf er ${late} over tiden`;
    if (day === null) return `${who} skylder ${amount}, ${of_which}.`;
    return `${who} skyldte ${amount} den ${day}, ${of_which}.`;
  },
  agrees: {
    receivables: (account) => `Stemmer med konto ${account}`,
    customer_credit: (account) => `Til gode stemmer med konto ${account}`,
  },
  differs: {
    receivables: (account, amount) => `Konto ${account} afviger med ${amount}`,
    customer_credit: (account, amount) => `Til gode: konto ${account} afviger med ${amount}`,
  },
  not_begun: "Matchbook ved endnu ikke, hvilke fakturaer der er betalt.",
  not_begun_text:
    "Der er dokumenter fra før, betalinger kunne registreres. Tilgodehavender begynder, når du har sagt, hvilke af dem der stadig er åbne. Indtil da kaldes intet betalt eller forfaldent.",
  begin: "Begynd …",
  nothing_yet:
    "Der er ikke udstedt noget endnu. Tilgodehavender begynder med den første faktura, eller med det, kunderne stadig skylder for fakturaer fra et andet system.",
  unknown: "Det vides endnu ikke, hvad kunderne skylder.",
  in_ledger: (ledger) => `Betalinger registreres i ${ledger}, og her læses de kun.`,
  in_both: (ledger) =>
    `Betalinger af det, ${ledger} har bogført, registreres dér, og her læses de kun. Betalinger af tidligere dokumenter registreres i Matchbook.`,
  as_of: (ledger, moment) => `Det viste er meldt af ${ledger}, pr. ${moment}.`,
  unreported: (ledger, count) =>
    count === 1
      ? `Én faktura mangler, fordi ${ledger} intet har meldt om den.`
      : `${count} fakturaer mangler, fordi ${ledger} intet har meldt om dem.`,
  file: "tilgodehavender",
};
