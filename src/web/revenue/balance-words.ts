/** The texts of balances and obligations, in both languages. Months, days and amounts arrive as the reader's language writes them. */

export const enBalances = {
  moves: (before: string, month: string) => `From ${before} to ${month}`,
  moves_hint: (sign: string) => `earned less invoiced, ${sign}`,
  moves_of: (month: string) => `Balances of ${month}`,
  balance: (day: string) => `Balance ${day}`,
  credited: "Credited",
  brought_along: "Brought along",
  exchange: "Exchange",
  carried: (amount: string) => `Of these movements, ${amount} belongs to months that are closed.`,
  unknown: (count: number) =>
    count === 1
      ? "One contract is left out because a closing rate is missing."
      : `${count} contracts are left out because a closing rate is missing.`,
  agrees: "Agrees with the ledger",
  differs: "Differs from the ledger",
  to_the_cent: "To the øre",
  see: "See below",
  difference: (ledger: string, difference: string) =>
    `in the ledger ${ledger}, difference ${difference}`,
  not_compared: "The balances of a connected accounting system are not known here.",
  compared_at: (month: string) => `Booked accruals against accounts, at the end of ${month}.`,
  all_comparisons: "All comparisons",
  roll: (month: string) => `Roll-forward of ${month}, by contract`,
  roll_hint:
    "opening + earned − invoiced + exchange = closing; below 0 is owed to the customer as work",
  contract: "Contract",
  opening: "Opening",
  closing: "Closing",
  no_contracts: "No contract has a balance in this month.",
  more: (count: number) => `and ${count} more contracts, which are part of the sums`,
  show: "Show the balances",
  revenue: "Revenue",
  deferred: "Deferred revenue",
  remaining: "Remaining obligations",
  deferred_lead: (day: string) =>
    `Invoiced and not earned on ${day}, by the month in which it is expected to be earned.`,
  remaining_lead: (day: string) =>
    `What is agreed and not earned on ${day}, by the year in which it is expected to be earned (IFRS 15.120).`,
  month: "Month",
  total: "Total",
  later: "Later",
  undated: "Without a date",
  sum: "All customers",
  no_deferred: "Nothing is invoiced and not earned at the end of this month.",
  no_remaining: "Nothing that is agreed waits to be earned at the end of this month.",
  undated_means:
    "Without a date: milestones that are not reached, and progress, which depends on work to come.",
  left_out:
    "Left out: lines by hours, which are invoiced as they are worked (IFRS 15.121 b), and periods of retainers that have not begun. Drafts count with their present prices.",
  release_means:
    "A contract's liability is released by the earliest revenue that is expected of its invoiced lines.",
  without_rate: (count: number) =>
    count === 1
      ? "One line is left out because a rate is missing."
      : `${count} lines are left out because a rate is missing.`,
};

export const daBalances: typeof enBalances = {
  moves: (before, month) => `Fra ${before} til ${month}`,
  moves_hint: (sign) => `optjent minus faktureret, ${sign}`,
  moves_of: (month) => `Saldi for ${month}`,
  balance: (day) => `Saldo ${day}`,
  credited: "Krediteret",
  brought_along: "Medbragt",
  exchange: "Kursdifference",
  carried: (amount) => `Heraf vedrører ${amount} måneder, der er lukket.`,
  unknown: (count) =>
    count === 1
      ? "Én aftale er udeladt, fordi en ultimokurs mangler."
      : `${count} aftaler er udeladt, fordi en ultimokurs mangler.`,
  agrees: "Stemmer med bogholderiet",
  differs: "Afviger fra bogholderiet",
  to_the_cent: "På øren",
  see: "Se nedenfor",
  difference: (ledger, difference) => `i bogholderiet ${ledger}, difference ${difference}`,
  not_compared: "Saldi i et tilsluttet regnskabssystem er ikke kendt her.",
  compared_at: (month) => `Bogførte periodiseringer mod konti, ultimo ${month}.`,
  all_comparisons: "Alle afstemninger",
  roll: (month) => `Bevægelser i ${month}, pr. aftale`,
  roll_hint:
    "primo + optjent − faktureret + kursdifference = ultimo; under 0 skyldes kunden som arbejde",
  contract: "Aftale",
  opening: "Primo",
  closing: "Ultimo",
  no_contracts: "Ingen aftale har en saldo i denne måned.",
  more: (count) => `og ${count} aftaler mere, som indgår i summerne`,
  show: "Vis saldiene",
  revenue: "Omsætning",
  deferred: "Forudfaktureret omsætning",
  remaining: "Resterende forpligtelser",
  deferred_lead: (day) =>
    `Faktureret og ikke optjent den ${day}, efter den måned hvor det ventes optjent.`,
  remaining_lead: (day) =>
    `Aftalt og ikke optjent den ${day}, efter det år hvor det ventes optjent (IFRS 15.120).`,
  month: "Måned",
  total: "I alt",
  later: "Senere",
  undated: "Uden dato",
  sum: "Alle kunder",
  no_deferred: "Intet er faktureret og ikke optjent ved udgangen af denne måned.",
  no_remaining: "Intet aftalt mangler at blive optjent ved udgangen af denne måned.",
  undated_means:
    "Uden dato: milepæle, der ikke er nået, og fremdrift, som afhænger af kommende arbejde.",
  left_out:
    "Udeladt: linjer efter timer, som faktureres efterhånden som der arbejdes (IFRS 15.121 b), og perioder af faste aftaler, der ikke er begyndt. Kladder tæller med deres nuværende priser.",
  release_means:
    "En aftales forudfakturering optjenes med den tidligste omsætning, der ventes af dens fakturerede linjer.",
  without_rate: (count) =>
    count === 1
      ? "Én linje er udeladt, fordi en kurs mangler."
      : `${count} linjer er udeladt, fordi en kurs mangler.`,
};
