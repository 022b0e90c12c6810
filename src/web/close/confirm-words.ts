/** The texts of the pages that close a month and reopen it, in both languages. Only the server renders them. */

export const enClosing = {
  books: "Books",
  books_vouchers: (count: number, amount: string, day: string) =>
    `${count === 1 ? "One voucher" : `${count} vouchers`} of ${amount} in all, dated ${day}.`,
  books_later: (day: string) => `A voucher for each customer with something to book, dated ${day}.`,
  books_nothing: "No voucher.",
  locks: "Locks",
  locks_text: (day: string) =>
    `The books through ${day}. No document can be dated in the month then.`,
};

export const daClosing: typeof enClosing = {
  books: "Bogfører",
  books_vouchers: (count, amount, day) =>
    `${count === 1 ? "Ét bilag" : `${count} bilag`} på i alt ${amount}, dateret ${day}.`,
  books_later: (day) => `Et bilag for hver kunde, der har noget at bogføre, dateret ${day}.`,
  books_nothing: "Intet bilag.",
  locks: "Låser",
  locks_text: (day) => `Bøgerne til og med ${day}. Derefter kan intet bilag dateres i måneden.`,
};

export const enReopening = {
  title: (month: string) => `Reopen ${month}?`,
  text: (month: string, vouchers: number) =>
    vouchers === 0
      ? `Unlocks ${month}. It has no vouchers.`
      : vouchers === 1
        ? `Unlocks ${month}. Its voucher stays; it is reversed on its customer's page.`
        : `Unlocks ${month}. Its ${vouchers} vouchers stay; each is reversed on its customer's page.`,
  type_month: (month: string) => `Type ${month} to confirm`,
  wrong_month: (month: string) => `Type ${month}.`,
  reopen_now: (month: string) => `Reopen ${month}`,
};

export const daReopening: typeof enReopening = {
  title: (month) => `Genåbn ${month}?`,
  text: (month, vouchers) =>
    vouchers === 0
      ? `Låser ${month} op. Måneden har ingen bilag.`
      : vouchers === 1
        ? `Låser ${month} op. Dens bilag bliver stående; det tilbageføres på kundens side.`
        : `Låser ${month} op. Dens ${vouchers} bilag bliver stående; hvert tilbageføres på kundens side.`,
  type_month: (month) => `Skriv ${month} for at bekræfte`,
  wrong_month: (month) => `Skriv ${month}.`,
  reopen_now: (month) => `Genåbn ${month}`,
};
