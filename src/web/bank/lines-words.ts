/** The texts of the bank page: its lines, and what each becomes; in both languages. */

export const enBank = {
  title: "Bank",
  lead: "What came in and went out, and which invoice it belongs to.",
  tabs: { open: "Open", booked: "Booked", ignored: "Left out", statements: "Statements" },
  none: {
    open: "No line waits. Drop a file of your bank above.",
    booked: "No line is booked yet.",
    ignored: "No line is left out.",
  },
  search: "Text, name or account",
  day: "Day",
  line: "Line",
  account: "Bank account",
  amount: "Amount",
};

export const daBank: typeof enBank = {
  title: "Bank",
  lead: "Hvad der er kommet ind og gået ud, og hvilken faktura det hører til.",
  tabs: { open: "Åbne", booked: "Bogført", ignored: "Udeladt", statements: "Kontoudtog" },
  none: {
    open: "Ingen linjer venter. Slip en fil fra banken ovenfor.",
    booked: "Ingen linjer er bogført endnu.",
    ignored: "Ingen linjer er udeladt.",
  },
  search: "Tekst, navn eller konto",
  day: "Dato",
  line: "Linje",
  account: "Bankkonto",
  amount: "Beløb",
};
