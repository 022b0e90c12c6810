/** The texts of the page of the company, in both languages. */

export const enCompany = {
  title: "Company",
  lead: "Who you are, as your invoices say it.",
  who: "The company",
  bank: "How customers pay you",
  fields: {
    "seller.name": "Name",
    "seller.street": "Street and number",
    "seller.zip_code": "Postal code",
    "seller.city": "City",
    "seller.country_key": "Country",
    "seller.vat_number": "VAT number (CVR)",
    "seller.email": "E-mail address",
    "seller.phone": "Telephone",
    "seller.bank_registration_number": "Bank registration number",
    "seller.bank_account_number": "Account number",
    "seller.iban": "IBAN",
    "seller.swift": "BIC",
    "seller.fik_creditor_number": "Creditor number of payment slips (FIK)",
    "seller.fik_card_type": "Card type of payment slips",
  },
  fik_hint: "Eight digits, from your bank. Invoices in kroner get a payment line.",
  fik_card_types: {
    "71": "+71: the invoice's number, 15 digits",
    "75": "+75: the invoice's number, 16 digits",
    "73": "+73: without the invoice's number",
  },
  country_of_account: "The same as for VAT",
  letterhead: "On your invoices",
  bank_registration: (registration: string, account: string) =>
    `Account ${[registration, account].filter(Boolean).join(" ")}`,
  missing: "Missing for an invoice",
  missing_means: "An invoice needs these.",
  complete: "Nothing is missing for an invoice.",
  no_account: "A bank account or an IBAN: customers do not see where to pay",
  logo: "Logo",
  logo_hint: "A PNG or JPEG, at most 300 kB and 2,000 pixels wide and high.",
  choose_logo: "Choose a picture",
  logo_script: "A logo can be chosen where scripts run.",
  logo_fault: "This picture cannot be used: a PNG or JPEG of at most 300 kB is needed.",
  logo_lost: "Not saved: no connection. Choose the picture again.",
  remove_logo: "Remove the logo",
};

export const daCompany: typeof enCompany = {
  title: "Firma",
  lead: "Hvem I er, som jeres fakturaer siger det.",
  who: "Firmaet",
  bank: "Sådan betaler kunderne jer",
  fields: {
    "seller.name": "Navn",
    "seller.street": "Vej og nummer",
    "seller.zip_code": "Postnummer",
    "seller.city": "By",
    "seller.country_key": "Land",
    "seller.vat_number": "CVR-nummer (momsnummer)",
    "seller.email": "E-mailadresse",
    "seller.phone": "Telefon",
    "seller.bank_registration_number": "Registreringsnummer",
    "seller.bank_account_number": "Kontonummer",
    "seller.iban": "IBAN-nummer",
    "seller.swift": "BIC-kode",
    "seller.fik_creditor_number": "Kreditornummer for indbetalingskort (FIK)",
    "seller.fik_card_type": "Kortart for indbetalingskort",
  },
  fik_hint: "Otte cifre, fra jeres bank. Fakturaer i kroner får en betalingslinje.",
  fik_card_types: {
    "71": "+71: fakturaens nummer, 15 cifre",
    "75": "+75: fakturaens nummer, 16 cifre",
    "73": "+73: uden fakturaens nummer",
  },
  country_of_account: "Det samme som for moms",
  letterhead: "På jeres fakturaer",
  bank_registration: (registration, account) =>
    `Konto ${[registration, account].filter(Boolean).join(" ")}`,
  missing: "Mangler til en faktura",
  missing_means: "En faktura skal have disse oplysninger.",
  complete: "Der mangler intet til en faktura.",
  no_account: "Et kontonummer eller IBAN-nummer: kunderne kan ikke se, hvor de skal betale",
  logo: "Firmalogo",
  logo_hint: "En PNG eller JPEG på højst 300 kB og 2.000 pixels i bredde og højde.",
  choose_logo: "Vælg et billede",
  logo_script: "Et logo kan vælges, hvor scripts er slået til.",
  logo_fault: "Billedet kan ikke bruges: der skal bruges en PNG eller JPEG på højst 300 kB.",
  logo_lost: "Ikke gemt: ingen forbindelse. Vælg billedet igen.",
  remove_logo: "Fjern logoet",
};

/** The labels of fields that the server passes to the form: scripts do not load these texts. */
export const enFurtherFields = {
  "seller.accent_color": "Accent colour, such as #0b5b49; empty for black",
  "seller.registration_number": "CVR number, if it is not that of the VAT number",
  "seller.einvoice_address": "Electronic address, if it is not the CVR number",
  "seller.contact_name": "Contact on e-invoices",
};

export const daFurtherFields: typeof enFurtherFields = {
  "seller.accent_color": "Accentfarve, for eksempel #0b5b49; tom giver sort",
  "seller.registration_number": "CVR-nummer, hvis det ikke er momsnummerets",
  "seller.einvoice_address": "Elektronisk adresse, hvis den ikke er CVR-nummeret",
  "seller.contact_name": "Kontakt på e-fakturaer",
};

export const enSettingsTabs = {
  company: "Company",
  invoicing: "Invoicing",
  reminders: "Reminders",
  einvoices: "E-invoices",
  vat: "VAT and accounts",
  months: "Months and locks",
  "bank-accounts": "Bank accounts",
  developer: "Developer",
};

export const daSettingsTabs: typeof enSettingsTabs = {
  company: "Firma",
  invoicing: "Fakturering",
  reminders: "Rykkere",
  einvoices: "E-fakturaer",
  vat: "Moms og konti",
  months: "Måneder og låsning",
  "bank-accounts": "Bankkonti",
  developer: "Udvikler",
};
