/** The texts about issuing several drafts and about crediting, in both languages. */

export const enIssueMany = {
  pick: (title: string) => `Pick ${title}`,
  issue_picked: "Issue the picked ones…",
  title: (count: number) => (count === 1 ? "Issue one draft?" : `Issue ${count} drafts?`),
  drafts: "Drafts that were picked",
  left_out: "Those that cannot be issued are left as they are.",
  issue: (count: number, sum: string) =>
    count === 1 ? `Issue it: ${sum}` : `Issue ${count}: ${sum}`,
  outcomes: "What became of them",
  no_time: "Not begun: it took too long",
  again: "Look at the rest again",
  done: (issued: number, count: number) => `${issued} of ${count} issued`,
};

export const daIssueMany: typeof enIssueMany = {
  pick: (title) => `Vælg ${title}`,
  issue_picked: "Udsted de valgte …",
  title: (count) => (count === 1 ? "Udsted en kladde?" : `Udsted ${count} kladder?`),
  drafts: "De valgte kladder",
  left_out: "De, der ikke kan udstedes, bliver, som de er.",
  issue: (count, sum) => (count === 1 ? `Udsted den: ${sum}` : `Udsted ${count}: ${sum}`),
  outcomes: "Hvad der blev af dem",
  no_time: "Ikke begyndt: det tog for lang tid",
  again: "Se på resten igen",
  done: (issued, count) => `${issued} af ${count} udstedt`,
};

export const enCredit = {
  title: (number: string, customer: string) => `Credit invoice ${number} for ${customer}?`,
  action: "Credit…",
  what: "What is credited",
  everything: "All of the invoice",
  all_of_it: "All of it",
  rest: (rest: string, amount: string) => ` ${rest} of ${amount} left`,
  amount_of: (text: string) => `Amount, ${text}`,
  date: "Credit date",
  none_yet: "What it would do stands here when there is an amount.",
  credit: "Credit",
  credit_amount: (amount: string, sends: boolean) =>
    sends ? `Credit and send ${amount}` : `Credit ${amount}`,
  sends_nothing: "Nothing: the customer cannot be reached.",
  earns: "Earns",
  earns_same: "Nothing earned so far changes.",
  earns_unseen: "What it does to revenue is shown to admins.",
  earned_in: (month: string, before: string, after: string) => `${month}: ${after} (was ${before})`,
  too_much: (rest: number) => `That is more than is left of the line: ${rest}.`,
  lost: "There was no answer. Try again: it is never credited twice.",
};

export const daCredit: typeof enCredit = {
  title: (number, customer) => `Krediter faktura ${number} til ${customer}?`,
  action: "Krediter …",
  what: "Hvad der krediteres",
  everything: "Hele fakturaen",
  all_of_it: "Det hele",
  rest: (rest, amount) => ` ${rest} af ${amount} tilbage`,
  amount_of: (text) => `Beløb, ${text}`,
  date: "Kreditdato",
  none_yet: "Hvad det ville gøre, står her, når der er et beløb.",
  credit: "Krediter",
  credit_amount: (amount, sends) => (sends ? `Krediter og send ${amount}` : `Krediter ${amount}`),
  sends_nothing: "Intet: kunden kan ikke nås.",
  earns: "Optjener",
  earns_same: "Intet af det optjente ændres.",
  earns_unseen: "Hvad det gør ved omsætningen, vises for administratorer.",
  earned_in: (month, before, after) => `${month}: ${after} (var ${before})`,
  too_much: (rest) =>
    `Det er mere, end der er tilbage af linjen: ${String(rest).replace(".", ",")}.`,
  lost: "Der kom intet svar. Prøv igen: det krediteres aldrig to gange.",
};

export const enSendAgain = {
  open: "Send again…",
  address: "To",
  hint: "Empty: where the customer gets their documents.",
  send: "Send it",
};

export const daSendAgain: typeof enSendAgain = {
  open: "Send igen …",
  address: "Til",
  hint: "Tom: dér, hvor kunden får sine dokumenter.",
  send: "Send den",
};
