/** The texts of fields in forms, in both languages. */

export const enEntries = {
  more: "More fields",
  notes: {
    vat_form: "This does not have the form of a VAT number of the country.",
    vat_country: "This is a VAT number of another country.",
    vat_digit: "The check digit does not match. Is a digit mistyped?",
    location_form: "An EAN number has 13 digits.",
    location_digit: "The check digit does not match. Is a digit mistyped?",
    iban: "The check digits do not match. Is a character mistyped?",
    fik_creditor: "A creditor number has 8 digits.",
    number: "This cannot be read as a number. Write it as 1,450.00.",
  },
};

export const daEntries: typeof enEntries = {
  more: "Flere felter",
  notes: {
    vat_form: "Det har ikke form som et momsnummer i landet.",
    vat_country: "Det er et momsnummer fra et andet land.",
    vat_digit: "Kontrolcifferet passer ikke. Er et ciffer tastet forkert?",
    location_form: "Et EAN-nummer har 13 cifre.",
    location_digit: "Kontrolcifferet passer ikke. Er et ciffer tastet forkert?",
    iban: "Kontrolcifrene passer ikke. Er et tegn tastet forkert?",
    fik_creditor: "Et kreditornummer har 8 cifre.",
    number: "Det kan ikke læses som et tal. Skriv det som 1.450,00.",
  },
};
