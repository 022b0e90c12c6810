/** The work of the studio: six retainers, and fourteen invoices of one time, five of which are still drafts at the end. */
import type { CustomerKey, PersonId, ProductKey } from "./firm.ts";

export interface StudioLine {
  readonly product: ProductKey;
  readonly method: "value" | "hours" | "progress" | "milestone" | "on_issue";
  readonly agreed_value?: number;
  readonly hourly_rate?: number;
  readonly discount?: number;
  /** The people of the line, each with their share in percent where shares are agreed. */
  readonly people?: readonly (readonly [PersonId, number?] | readonly [PersonId, undefined])[];
}

export interface Retainer {
  readonly external_id: string;
  readonly customer: CustomerKey;
  readonly currency: "DKK" | "EUR";
  readonly frequency: "monthly" | "quarterly" | "yearly";
  readonly mode: "start-of-period" | "end-of-period";
  /** The index of the month in which it begins; 13 is the month after the year. */
  readonly begins: number;
  readonly begins_on_day: number;
  /** How many days of the month after the year it still covers. */
  readonly ends_after?: number;
  readonly is_draft?: true;
  readonly lines: readonly StudioLine[];
  /** The people who register hours on its first line. */
  readonly supported_by?: readonly PersonId[];
}

export const RETAINERS: readonly Retainer[] = [
  {
    external_id: "retainer-fjord",
    customer: "fjord",
    currency: "DKK",
    frequency: "monthly",
    mode: "start-of-period",
    begins: 0,
    begins_on_day: 1,
    lines: [
      {
        product: "retainer",
        method: "value",
        agreed_value: 64_000,
        people: [
          ["sofie", 60],
          ["mikkel", 40],
        ],
      },
      { product: "support", method: "value", agreed_value: 9_500 },
    ],
  },
  {
    external_id: "retainer-gron",
    customer: "gron",
    currency: "DKK",
    frequency: "monthly",
    mode: "end-of-period",
    begins: 2,
    begins_on_day: 1,
    supported_by: ["jonas", "mikkel"],
    lines: [
      {
        product: "development",
        method: "hours",
        hourly_rate: 1_250,
        people: [["jonas"], ["mikkel"]],
      },
      { product: "support", method: "value", agreed_value: 6_500 },
    ],
  },
  {
    external_id: "retainer-solvang",
    customer: "solvang",
    currency: "DKK",
    frequency: "quarterly",
    mode: "start-of-period",
    begins: 2,
    begins_on_day: 1,
    lines: [
      {
        product: "retainer",
        method: "value",
        agreed_value: 135_000,
        people: [["sofie"], ["owner"]],
      },
    ],
  },
  {
    external_id: "retainer-muller",
    customer: "muller",
    currency: "EUR",
    frequency: "yearly",
    mode: "start-of-period",
    begins: 1,
    begins_on_day: 1,
    lines: [
      { product: "licence", method: "value", agreed_value: 14_400 },
      { product: "support", method: "value", agreed_value: 6_000, discount: 10 },
    ],
  },
  {
    external_id: "retainer-bryg",
    customer: "bryg",
    currency: "DKK",
    frequency: "monthly",
    mode: "start-of-period",
    begins: 4,
    begins_on_day: 15,
    ends_after: 10,
    lines: [{ product: "retainer", method: "value", agreed_value: 22_000, people: [["sofie"]] }],
  },
  {
    external_id: "retainer-museum",
    customer: "museum",
    currency: "DKK",
    frequency: "monthly",
    mode: "start-of-period",
    begins: 13,
    begins_on_day: 1,
    is_draft: true,
    lines: [{ product: "support", method: "value", agreed_value: 7_500 }],
  },
];

export interface Project {
  readonly external_id: string;
  readonly title: string;
  readonly customer: CustomerKey;
  readonly currency?: "EUR";
  /** The index of the month in which the draft is made. */
  readonly begins: number;
  readonly method: StudioLine["method"];
  readonly agreed_value?: number;
  readonly budget_hours?: number;
  readonly people: readonly PersonId[];
  /** The agreed shares of the people in percent, where there are any. */
  readonly shares?: readonly number[];
  /** Whether a workshop is sold with it, and its discount in percent. */
  readonly workshop?: { readonly discount: number };
  readonly further?: readonly StudioLine[];
  readonly is_completed?: true;
  readonly is_credited?: true;
}

const MAKERS: readonly PersonId[] = ["mikkel", "sofie", "jonas"];
const ALL_FOUR: readonly PersonId[] = ["mikkel", "sofie", "jonas", "owner"];
const ADVISERS: readonly PersonId[] = ["sofie", "jonas"];

export const PROJECTS: readonly Project[] = [
  {
    begins: 0,
    external_id: "project-website-1",
    title: "Website, phase 1",
    customer: "arkitekt",
    method: "progress",
    agreed_value: 160_000,
    budget_hours: 130,
    people: MAKERS,
    workshop: { discount: 0 },
  },
  {
    begins: 1,
    external_id: "project-portal-discovery",
    title: "Citizen portal: discovery",
    customer: "kommune",
    method: "progress",
    agreed_value: 240_000,
    budget_hours: 190,
    people: MAKERS,
  },
  // It is invoiced and never completed: its amount waits as a liability.
  {
    begins: 2,
    external_id: "project-exhibition",
    title: "Exhibition app",
    customer: "museum",
    method: "milestone",
    agreed_value: 185_000,
    people: MAKERS,
    workshop: { discount: 10 },
  },
  {
    begins: 3,
    external_id: "project-tariff",
    title: "Tariff model",
    customer: "solvang",
    method: "hours",
    people: ADVISERS,
  },
  {
    begins: 4,
    external_id: "project-onboarding",
    title: "Onboarding flow",
    customer: "fjord",
    method: "progress",
    agreed_value: 310_000,
    budget_hours: 240,
    people: MAKERS,
  },
  {
    begins: 5,
    external_id: "project-portal-build",
    title: "Citizen portal: build",
    customer: "kommune",
    method: "progress",
    agreed_value: 520_000,
    budget_hours: 410,
    people: MAKERS,
    workshop: { discount: 0 },
  },
  {
    begins: 6,
    external_id: "project-brand",
    title: "Brand sprint",
    customer: "bright",
    currency: "EUR",
    method: "value",
    agreed_value: 9_800,
    people: ALL_FOUR,
    shares: [40, 30, 20, 10],
  },
  {
    begins: 7,
    external_id: "project-website-2",
    title: "Website, phase 2",
    customer: "arkitekt",
    method: "milestone",
    agreed_value: 145_000,
    people: MAKERS,
    is_completed: true,
    is_credited: true,
  },
  {
    begins: 8,
    external_id: "project-heritage",
    title: "Advice on a heritage site",
    customer: "dahl",
    method: "hours",
    people: ADVISERS,
  },
  {
    begins: 9,
    external_id: "project-driver",
    title: "Driver app",
    customer: "gron",
    method: "progress",
    agreed_value: 420_000,
    budget_hours: 330,
    people: MAKERS,
    workshop: { discount: 10 },
  },
  {
    begins: 10,
    external_id: "project-tickets",
    title: "Ticket shop",
    customer: "museum",
    method: "progress",
    agreed_value: 210_000,
    budget_hours: 165,
    people: MAKERS,
  },
  {
    begins: 11,
    external_id: "project-cards",
    title: "Card controls",
    customer: "fjord",
    method: "progress",
    agreed_value: 380_000,
    budget_hours: 300,
    people: ALL_FOUR,
  },
  {
    begins: 12,
    external_id: "project-webshop",
    title: "Webshop",
    customer: "bryg",
    method: "hours",
    people: ADVISERS,
  },
  {
    begins: 12,
    external_id: "project-campaign",
    title: "Campaign site",
    customer: "arkitekt",
    method: "hours",
    people: ["sofie", "owner"],
    workshop: { discount: 10 },
    further: [
      {
        product: "support",
        method: "value",
        agreed_value: 28_500,
        people: [
          ["jonas", 50],
          ["mikkel", 50],
        ],
      },
    ],
  },
];
