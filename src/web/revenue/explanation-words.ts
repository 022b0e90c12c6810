/** The texts of an explanation, in both languages. Numbers arrive as the reader's language writes them. */

export const enExplanation = {
  title: "Explanation",
  close: "Close the explanation",
  price: "Agreed price",
  price_less: (percent: string) => `Agreed price, less ${percent} %`,
  hours_at: (hours: string, price: string) => `${hours} h at ${price}`,
  less_credits: "After credit notes",
  less_before: (day: string) => `Less earned by ${day}`,
  by_whom: "By whom",
  invoiced_in: (month: string) => `Invoiced in ${month}`,
  not_invoiced: "not invoiced yet",
  in_books: "In the books",
  exchange: "Exchange difference",
  booked: "Booked",
  voucher: (number: number | null, month: string) =>
    number === null ? `Books of ${month}` : `Voucher ${number}, ${month}`,
  with_close: (month: string) => `With the close of ${month}`,
  copy: "Copy the sentence",
  copied: "Copied.",
};

export const daExplanation: typeof enExplanation = {
  title: "Forklaring",
  close: "Luk forklaringen",
  price: "Aftalt pris",
  price_less: (percent) => `Aftalt pris, minus ${percent} %`,
  hours_at: (hours, price) => `${hours} t a ${price}`,
  less_credits: "Efter kreditnotaer",
  less_before: (day) => `Minus optjent til og med ${day}`,
  by_whom: "Af hvem",
  invoiced_in: (month) => `Faktureret i ${month}`,
  not_invoiced: "ikke faktureret endnu",
  in_books: "I bogføringen",
  exchange: "Kursdifference",
  booked: "Bogført",
  voucher: (number, month) =>
    number === null ? `Bogføringen for ${month}` : `Bilag ${number}, ${month}`,
  with_close: (month) => `Ved lukningen af ${month}`,
  copy: "Kopiér sætningen",
  copied: "Kopieret.",
};
