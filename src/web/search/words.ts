/** The texts of the search, on its page and in the palette, in both languages. */
import type { SearchHit } from "../../features/overview/search/find-all.ts";

type FoundKind = SearchHit["kind"];

export const enPalette = {
  open: "Search or jump",
  label: "Customers, invoices, numbers, amounts, commands",
  results: "Results",
  sections: { opened: "Recently opened", go: "Go to", do: "Do", found: "Found" },
  kinds: {
    customer: "Customer",
    invoice: "Invoice",
    credit_note: "Credit note",
    recurring_series: "Retainer",
    product: "Product",
    user: "Person",
    ledger_account: "Account",
  } satisfies Record<FoundKind, string>,
  invoice: (number: string) => `Invoice ${number}`,
  credit_note: (number: string, of: string) => `Credit note ${number} of invoice ${of}`,
  draft: (customer: string) => `draft for ${customer}`,
  none: "Nothing matches this name, number or amount.",
  count: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  lost: "No connection: the search only finds pages.",
  choose: "choose",
  open_it: "open",
  close: "close",
  close_keys: "Close",
  hint: "The beginning of each word is enough: “gr lo” finds Grøn Logistik. Numbers and amounts are exact.",
  keys: {
    title: "Keys",
    anywhere: "Everywhere",
    these: "These keys",
    single: "Use single keys outside of fields",
    single_hint:
      "Without them Ctrl K or ⌘K still opens the search. This browser remembers the choice.",
    followed_by: "then",
  },
};

export const daPalette: typeof enPalette = {
  open: "Søg eller gå til",
  label: "Kunder, fakturaer, numre, beløb, kommandoer",
  results: "Resultater",
  sections: { opened: "Senest åbnet", go: "Gå til", do: "Gør", found: "Fundet" },
  kinds: {
    customer: "Kunde",
    invoice: "Faktura",
    credit_note: "Kreditnota",
    recurring_series: "Fast aftale",
    product: "Ydelse",
    user: "Medarbejder",
    ledger_account: "Konto",
  },
  invoice: (number) => `Faktura ${number}`,
  credit_note: (number, of) => `Kreditnota ${number} til faktura ${of}`,
  draft: (customer) => `kladde til ${customer}`,
  none: "Intet matcher navnet, nummeret eller beløbet.",
  count: (count) => (count === 1 ? "1 resultat" : `${count} resultater`),
  lost: "Ingen forbindelse: kun sider kan findes.",
  choose: "vælg",
  open_it: "åbn",
  close: "luk",
  close_keys: "Luk",
  hint: "Begyndelsen af hvert ord er nok: ”gr lo” finder Grøn Logistik. Numre og beløb skal passe præcist.",
  keys: {
    title: "Genvejstaster",
    anywhere: "Overalt",
    these: "Genvejstaster",
    single: "Brug genvejstaster uden for felter",
    single_hint: "Uden dem åbner Ctrl K eller ⌘K stadig søgningen. Valget huskes i denne browser.",
    followed_by: "derefter",
  },
};
