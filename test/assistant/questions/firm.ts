/**
 * The studio whose owner, bookkeeper and consultants ask: ten people, thirteen customers, seven retainers and the projects of a
 * year. References between them are external ids.
 */

export const PEOPLE = {
  lene: { name: "Lene Friis", role: "admin" },
  sofie: { name: "Sofie Bang", role: "standard" },
  mikkel: { name: "Mikkel Juhl", role: "standard" },
  jonas: { name: "Jonas Krogh", role: "standard" },
  ida: { name: "Ida Lund", role: "standard" },
  peter: { name: "Peter Dam", role: "standard" },
  nina: { name: "Nina Vig", role: "standard" },
  oskar: { name: "Oskar Beck", role: "standard" },
  rie: { name: "Rie Toft", role: "standard" },
} as const;
/** The owner is the admin with whom the account was opened. */
type PersonKey = keyof typeof PEOPLE | "owner";

export const PRODUCTS = {
  design: { name: "Product design", unit: "hours", default_price: 1_150 },
  development: { name: "Software development", unit: "hours", default_price: 1_250 },
  retainer: { name: "Design retainer", unit: "month", default_price: 28_000 },
  support: { name: "Support agreement", unit: "month", default_price: 9_500 },
  licence: { name: "Matchboard licence, yearly", unit: "year", default_price: 24_000 },
  workshop: { name: "Workshop, one day", unit: "parts", default_price: 18_500 },
  project: { name: "Project, fixed price", unit: "parts", default_price: 0 },
} as const;
type ProductKey = keyof typeof PRODUCTS;

/** Two of them are called alike, one has no address, and one asks for e-invoices, which cannot be sent before the last day. */
export const CUSTOMERS = {
  fjord: { name: "Fjordbank A/S" },
  bryg: { name: "Havnens Bryggeri ApS" },
  ministry: {
    name: "Kystministeriet",
    ean_number: "5798009811578",
    att_person: "Mette Krogh",
    send_method: "einvoice",
  },
  arkitekt: { name: "Lindegaard Arkitekter" },
  muller: {
    name: "Müller & Söhne GmbH",
    country_key: "DE",
    vat_number: "DE136695976",
    preferred_invoice_currency_key: "EUR",
  },
  solvang: { name: "Solvang Energi A/S" },
  museum: { name: "Museum Vest" },
  gron: { name: "Grøn Logistik A/S" },
  bright: {
    name: "Bright Harbour Ltd",
    country_key: "GB",
    preferred_invoice_currency_key: "EUR",
  },
  dahl: { name: "Kirsten Dahl", is_person: true, email: null },
  marine: { name: "Nordsø Marine A/S" },
  service: { name: "Nordsø Marine Service ApS" },
  bogtryk: { name: "Vester Bogtryk ApS" },
} as const;
type CustomerKey = keyof typeof CUSTOMERS;

export interface FirmLine {
  readonly product: ProductKey;
  readonly method: "value" | "hours" | "progress" | "milestone" | "on_issue";
  /** The agreed value, or by hours the rate. */
  readonly price: number;
  readonly people?: readonly PersonKey[];
  readonly budget_hours?: number;
  /** First and last day of service. */
  readonly service?: readonly [string, string];
}

export interface Retainer {
  readonly customer: CustomerKey;
  readonly frequency: "monthly" | "quarterly" | "yearly";
  readonly mode: "start-of-period" | "end-of-period";
  readonly from: string;
  readonly to?: string;
  /** The month at whose beginning it is activated; then its earlier periods are left to a person. */
  readonly active_from?: string;
  readonly lines: readonly FirmLine[];
}

export const RETAINERS: readonly Retainer[] = [
  {
    customer: "fjord",
    frequency: "monthly",
    mode: "start-of-period",
    from: "2026-01-01",
    lines: [
      { product: "retainer", method: "value", price: 36_000, people: ["sofie", "mikkel"] },
      { product: "support", method: "value", price: 6_400 },
    ],
  },
  {
    customer: "gron",
    frequency: "monthly",
    mode: "end-of-period",
    from: "2026-01-01",
    lines: [
      { product: "development", method: "hours", price: 1_250, people: ["jonas", "mikkel"] },
      { product: "support", method: "value", price: 6_500, people: ["jonas"] },
    ],
  },
  {
    customer: "solvang",
    frequency: "quarterly",
    mode: "start-of-period",
    from: "2026-01-01",
    lines: [{ product: "retainer", method: "value", price: 135_000, people: ["sofie", "owner"] }],
  },
  {
    customer: "muller",
    frequency: "yearly",
    mode: "start-of-period",
    from: "2026-02-01",
    lines: [{ product: "licence", method: "value", price: 14_400 }],
  },
  // Its next invoice is due in the middle of the month, and it ends.
  {
    customer: "bryg",
    frequency: "monthly",
    mode: "start-of-period",
    from: "2026-07-15",
    to: "2027-01-14",
    lines: [{ product: "retainer", method: "value", price: 22_000, people: ["ida"] }],
  },
  {
    customer: "museum",
    frequency: "monthly",
    mode: "start-of-period",
    from: "2026-02-01",
    lines: [{ product: "support", method: "value", price: 7_500, people: ["nina"] }],
  },
  {
    customer: "service",
    frequency: "monthly",
    mode: "start-of-period",
    from: "2026-02-01",
    to: "2026-12-31",
    active_from: "2026-05",
    lines: [{ product: "support", method: "value", price: 11_300, people: ["peter"] }],
  },
];

export interface Project {
  readonly title: string;
  readonly customer: CustomerKey;
  /** The first day of work. */
  readonly begins: string;
  /** The day of the invoice; a project without one is a draft. */
  readonly issued?: string;
  readonly is_sent?: true;
  readonly lines: readonly FirmLine[];
}

/** Returns a project; `issued` is null for a draft. */
function project(
  customer: CustomerKey,
  title: string,
  begins: string,
  issued: string | null,
  lines: readonly FirmLine[],
  more: { readonly is_sent?: true } = {},
): Project {
  return { title, customer, begins, ...(issued !== null && { issued }), lines, ...more };
}

function fixed(price: number, people: readonly PersonKey[], service?: [string, string]): FirmLine {
  return { product: "project", method: "value", price, people, ...(service && { service }) };
}

function byHours(price: number, people: readonly PersonKey[]): FirmLine {
  return { product: "development", method: "hours", price, people };
}

function progress(price: number, budget_hours: number, people: readonly PersonKey[]): FirmLine {
  return { product: "project", method: "progress", price, budget_hours, people };
}

const WORKSHOP: FirmLine = { product: "workshop", method: "on_issue", price: 18_500 };
const SENT = { is_sent: true } as const;

/** Twenty-three projects are invoiced, and one more on the last day. The last four are drafts. */
export const PROJECTS: readonly Project[] = [
  project("arkitekt", "Website, phase 1", "2026-01-05", "2026-01-30", [fixed(96_000, ["ida"])]),
  project("bogtryk", "Price list", "2026-01-12", "2026-01-29", [fixed(14_800, ["rie"])]),
  project("ministry", "Citizen portal: discovery", "2026-01-12", "2026-02-26", [
    progress(148_000, 120, ["mikkel", "oskar"]),
  ]),
  project("marine", "Spare parts catalogue", "2026-02-02", "2026-02-27", [
    byHours(1_150, ["peter"]),
  ]),
  project("museum", "Exhibition app", "2026-02-09", "2026-03-24", [
    { product: "project", method: "milestone", price: 124_000, people: ["nina"] },
    WORKSHOP,
  ]),
  project("dahl", "Advice on a heritage site", "2026-03-02", "2026-03-27", [
    byHours(1_450, ["owner"]),
  ]),
  project("solvang", "Tariff model", "2026-03-02", "2026-04-23", [
    byHours(1_300, ["sofie", "jonas"]),
  ]),
  project("bright", "Brand sprint", "2026-04-07", "2026-04-29", [fixed(9_800, ["rie", "owner"])]),
  project("fjord", "Onboarding flow", "2026-04-07", "2026-06-25", [
    progress(286_000, 200, ["mikkel", "oskar", "sofie"]),
    WORKSHOP,
  ]),
  project("bogtryk", "Order forms", "2026-04-13", "2026-05-21", [byHours(1_100, ["ida"])]),
  project("marine", "Dealer pages", "2026-05-04", "2026-05-28", [fixed(43_500, ["peter"])]),
  project("gron", "Driver app: concept", "2026-05-04", "2026-05-29", [
    fixed(67_200, ["jonas"]),
    WORKSHOP,
  ]),
  project("ministry", "Citizen portal: build", "2026-06-01", "2026-08-27", [
    progress(338_000, 260, ["oskar", "nina"]),
  ]),
  project("dahl", "Advice on a barn", "2026-06-08", "2026-06-26", [byHours(1_450, ["owner"])]),
  project("muller", "Catalogue in three languages", "2026-06-08", "2026-07-09", [
    fixed(7_350, ["rie"]),
  ]),
  project("arkitekt", "Portfolio", "2026-07-06", "2026-07-30", [fixed(38_900, ["ida"])]),
  project("museum", "Opening campaign", "2026-07-13", "2026-08-20", [byHours(1_150, ["nina"])]),
  project("bright", "Brand manual", "2026-08-03", "2026-08-28", [fixed(6_400, ["rie"])]),
  project("solvang", "Forecast of prices", "2026-08-03", "2026-09-17", [
    progress(118_000, 90, ["jonas"]),
  ]),
  project("arkitekt", "Website, phase 2", "2026-08-17", "2026-09-24", [
    fixed(58_000, ["sofie", "ida"]),
  ]),
  project(
    "dahl",
    "Advice on windows",
    "2026-09-14",
    "2026-10-08",
    [byHours(1_450, ["owner"])],
    SENT,
  ),
  project(
    "ministry",
    "Accessibility review",
    "2026-09-14",
    "2026-10-15",
    [fixed(52_400, ["oskar"])],
    SENT,
  ),
  project(
    "solvang",
    "Customer survey",
    "2026-10-05",
    "2026-10-22",
    [fixed(31_500, ["sofie"], ["2026-10-05", "2027-01-31"]), WORKSHOP],
    SENT,
  ),
  project("ministry", "Accessibility workshop", "2026-11-02", "2026-11-10", [WORKSHOP], SENT),
  project("bryg", "Webshop", "2026-09-07", null, [byHours(1_250, ["sofie", "mikkel"])]),
  project("arkitekt", "Campaign site", "2026-10-05", null, [byHours(1_200, ["sofie", "owner"])]),
  project("fjord", "Card controls", "2026-10-05", null, [
    progress(198_000, 150, ["mikkel", "oskar"]),
  ]),
  project("marine", "Ticket shop", "2026-10-12", null, [
    fixed(84_000, ["peter"], ["2026-10-12", "2026-12-15"]),
  ]),
];
