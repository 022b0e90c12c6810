/** A seller of the configuration with all data that a document shows. */
export const completeSeller = {
  name: "Nordlys ApS",
  street: "Nygade 1",
  zip_code: "8000",
  city: "Aarhus",
  country_key: "DK",
  vat_number: "12345674",
  iban: "DK5000400440116243",
} as const;
