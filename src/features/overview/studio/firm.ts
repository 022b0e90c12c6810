/**
 * The studio of the example year: its firm, people, products, customers and retainers. All of them are fictitious. References
 * between them are external ids, so that a step of the year finds what an earlier one created.
 */
import type { CustomerCreate } from "../../catalogue/customers/schemas.ts";
import type { ProductCreate } from "../../catalogue/products/schemas.ts";
import type { ConfigurationUpdate } from "../../settings/configuration/schemas.ts";

/** The name of the account. */
export const STUDIO_NAME = "Nordlys Studio ApS";
/** The name of the login's own user in the studio. */
export const OWNER_NAME = "Anna Holm";

export const CONFIGURATION: ConfigurationUpdate = {
  default_payment_terms: { type: "Netto", days: 14 },
  seller: {
    name: STUDIO_NAME,
    street: "Mejlgade 41, 2. sal",
    zip_code: "8000",
    city: "Aarhus C",
    country_key: "DK",
    vat_number: "DK41253614",
    email: "faktura@nordlys.example",
    phone: "+45 86 12 40 55",
    bank_registration_number: "5347",
    bank_account_number: "0000246810",
    iban: "DK5000400440116243",
    swift: "DABADKKK",
    accent_color: "#1f5c57",
  },
};

/** What the firm's bank account gains. Its statements come by its IBAN. */
export const BANK_ACCOUNT = {
  name: "Driftskonto",
  registration_number: "5347",
  account_number: "0000246810",
  iban: "DK5000400440116243",
};

/** A star over the horizon, as a PNG in base64. */
export const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAAKAAAAAwAgMAAADrx5n9AAAACVBMVEX///8fXFfyoTuXv8/wAAABX0lEQVR42rWVy7HDIAxFYSZ0EPqhBBYoC5eQflJCFlaVz5IAC4NntHhh48E+lsTVB+d+tJINCwDFwnk4VjaAkUAwgAf1AUgmzx+L7yggWDwzmP4LpBBf3xuBdEShgWXtDPRZGIQbgYvabfsKDBS37zFBB9MUfBHgBN84g7659dUk7RFnfTg+ZiJ0dRAnfSJ5DPI3fyFwQ9wvYGhuC28q+EZEBrMWtzLNpOcQOcjsQB9EXAhe+N1G4M6gkkyiPL6TSQZfyOt7UHI+dpzpwWcmk49jt2Fde6mxu5amSNZ8lW2wKEZCV4D/q26GGMlYcWchBDGZ2wH7qasuZ5KUyUHHVlpKz9RUHzKThFQpqibzJdf0Yiz1mplyqR6YZ0bPzFCPcS5LUf15rfA4d21/o3vGL5rWN1J34bJnY6+4s6/XA6j3zjkp4G7olJ8MKft8NE9c8wy33wrme8Z8c9nvQsv6A0a74EP0PlgqAAAAAElFTkSuQmCC";

/** The external id of a person: `owner` is the login's own user. */
export type PersonId = "owner" | "lene" | "sofie" | "mikkel" | "jonas";

export const COLLEAGUES: readonly {
  readonly external_id: PersonId;
  readonly name: string;
  readonly role: "admin" | "standard";
}[] = [
  { external_id: "lene", name: "Lene Friis", role: "admin" },
  { external_id: "sofie", name: "Sofie Bang", role: "standard" },
  { external_id: "mikkel", name: "Mikkel Juhl", role: "standard" },
  { external_id: "jonas", name: "Jonas Krogh", role: "standard" },
];

export type ProductKey =
  | "design"
  | "development"
  | "advice"
  | "retainer"
  | "support"
  | "licence"
  | "workshop"
  | "project";

/** The account of the licences, which the chart of a new account lacks, with its name among the others. */
export const LICENCES = { number: 1020, name: "Salg af licenser" };

export const PRODUCTS: readonly (Pick<ProductCreate, "name" | "unit"> & {
  readonly external_id: ProductKey;
  readonly product_number: string;
  readonly account_number: number;
  readonly default_price: number;
})[] = [
  product("design", "100", "Product design", 1000, "hours", 1150),
  product("development", "110", "Software development", 1000, "hours", 1250),
  product("advice", "120", "Advisory", 1000, "hours", 1450),
  product("retainer", "200", "Design retainer", 1010, "month", 28000),
  product("support", "210", "Support agreement", 1010, "month", 9500),
  product("licence", "300", "Matchboard licence, yearly", LICENCES.number, "year", 24000),
  product("workshop", "400", "Workshop, one day", 1000, "parts", 18500),
  product("project", "500", "Project, fixed price", 1000, "parts", 0),
];

function product(
  external_id: ProductKey,
  product_number: string,
  name: string,
  account_number: number,
  unit: "hours" | "month" | "year" | "parts",
  default_price: number,
) {
  return { external_id, product_number, name, account_number, unit, default_price };
}

export type CustomerKey =
  | "fjord"
  | "bryg"
  | "kommune"
  | "arkitekt"
  | "muller"
  | "solvang"
  | "museum"
  | "gron"
  | "bright"
  | "dahl";

export const CUSTOMERS: readonly (CustomerCreate & { readonly external_id: CustomerKey })[] = [
  customer("fjord", "Fjordbank A/S", ["Bredgade 12", "1260", "København K"], {
    vat_number: "DK28971109",
    att_person: "Pernille Voss",
  }),
  customer("bryg", "Havnens Bryggeri ApS", ["Kystpromenaden 7", "8000", "Aarhus C"], {
    vat_number: "DK37110299",
  }),
  // It asks for e-invoices, and none is connected: its deliveries fail, as they would for a real firm.
  customer("kommune", "Kystkommunen", ["Rådhusvej 1", "8400", "Ebeltoft"], {
    vat_number: "DK29189501",
    ean_number: "5798009811578",
    send_method: "einvoice",
    att_person: "IT-afdelingen",
  }),
  customer("arkitekt", "Lindegaard Arkitekter", ["Åboulevarden 60", "8000", "Aarhus C"], {
    vat_number: "DK31882044",
  }),
  customer("muller", "Müller & Söhne GmbH", ["Am Sandtorkai 30", "20457", "Hamburg"], {
    country_key: "DE",
    vat_number: "DE136695976",
    preferred_invoice_currency_key: "EUR",
    preferred_invoice_language_key: "en-GB",
  }),
  customer("solvang", "Solvang Energi A/S", ["Industrivej 22", "8800", "Viborg"], {
    vat_number: "DK25550919",
  }),
  customer("museum", "Museum Vest", ["Overdammen 5", "6760", "Ribe"], { vat_number: "DK61294414" }),
  customer("gron", "Grøn Logistik A/S", ["Jernbanegade 33", "6000", "Kolding"], {
    vat_number: "DK40117725",
  }),
  customer("bright", "Bright Harbour Ltd", ["1 Canada Square", "E14 5AB", "London"], {
    country_key: "GB",
    preferred_invoice_currency_key: "EUR",
    preferred_invoice_language_key: "en-GB",
  }),
  customer("dahl", "Kirsten Dahl", ["Strandvejen 101", "8240", "Risskov"], { is_person: true }),
];

function customer(
  external_id: CustomerKey,
  name: string,
  [street, zip_code, city]: readonly [string, string, string],
  fields: Partial<CustomerCreate>,
): CustomerCreate & { readonly external_id: CustomerKey } {
  const email = `faktura@${external_id}.example`;
  return { name, street, zip_code, city, email, country_key: "DK", ...fields, external_id };
}

/** The accounts from which customers pay. */
export const PAYERS: Readonly<Record<CustomerKey, string>> = {
  fjord: "DK6030004402817365",
  bryg: "DK5953470000361842",
  kommune: "DK5804007716204938",
  arkitekt: "DK3571700001284463",
  muller: "DE67200505501283764920",
  solvang: "DK4095700012346508",
  museum: "DK5176100001992734",
  gron: "DK7054760000831205",
  bright: "GB63BARC20658244971311",
  dahl: "DK2622770008746129",
};
