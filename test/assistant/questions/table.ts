/**
 * The questions that an owner, a bookkeeper and a consultant ask, with the calls that an assistant chooses from the catalogue, and
 * what the answer must say. Every amount is asked from the API after the calls.
 */
import type { Json } from "../../support/world/world.ts";
import { idsIn, type Said, type ToolCall } from "./ask.ts";
import type { Year } from "./year.ts";

/** What must be in the texts of the answers. */
interface Expected {
  /** Amounts and hours as texts: none is zero, and no two are equal. */
  readonly amounts: readonly string[];
  readonly words: readonly string[];
}

export interface Question {
  readonly question: string;
  readonly by: "owner" | "lene" | "sofie";
  readonly calls: (year: Year) => readonly ToolCall[];
  readonly expected: (year: Year, said: readonly Said[]) => Promise<Expected>;
  readonly most_tokens: number;
}

export const MOST_CALLS = 3;

export const QUESTIONS: readonly Question[] = [
  {
    question: "Which retainers end before February?",
    by: "owner",
    calls: () => [["list_series", { scope: "all" }]],
    async expected({ done }) {
      const { data } = await done("GET /recurring-series?limit=100");
      const ends = data.filter(
        ({ end_date }: Json) => end_date !== null && end_date < "2027-02-01",
      );
      const others = data.length - ends.length;
      const rows = ends.map(({ start_date, end_date }: Json) => `${start_date} to ${end_date} `);
      return { amounts: [], words: [...rows, `In scope: ${ends.length + others}.`] };
    },
    most_tokens: 750,
  },
  {
    question: "I worked six hours on the webshop yesterday.",
    by: "sofie",
    calls: () => [
      ["get_my_work", {}],
      [
        "plan_register_work",
        ([work]) => ({ line_id: idsIn(work, "Webshop").at(-1), date: "2026-11-09", hours: 6 }),
      ],
      ["commit", ([, plan]) => ({ plan_id: planIn(plan) })],
    ],
    async expected({ done, idOf }) {
      const user = idOf("person", "sofie");
      const list = await done(`GET /work-registrations?user=${user}&from=2026-11-09&to=2026-11-09`);
      const [made] = list.data.filter(({ line_id }: Json) => line_id === idOf("line", "Webshop"));
      return {
        amounts: [`${made.hours} hours`, money(made.amount)],
        words: [made.date, '"Webshop"', "Done"],
      };
    },
    most_tokens: 750,
  },
  {
    question: "Has the invoice for the customer survey been sent?",
    by: "lene",
    calls: () => [
      ["list_invoices", { scope: "all", search: "Customer survey" }],
      ["get_invoice", ([list]) => ({ invoice: idsIn(list, "Customer survey")[0] })],
    ],
    async expected({ done, idOf }) {
      const path = `/invoices/${idOf("project", "Customer survey")}`;
      const { gross, vat, net } = await done(`GET ${path}/totals`);
      const [delivery] = (await done(`GET ${path}/deliveries`)).data;
      return {
        amounts: [money(net), money(vat), money(gross)],
        words: ["Written into the outbox folder", `"${delivery.address}"`],
      };
    },
    most_tokens: 800,
  },
  {
    question: "Issue the draft “Ticket shop”.",
    by: "owner",
    calls: () => [
      ["list_invoices", { scope: "all", search: "Ticket shop" }],
      ["plan_issue_invoice", ([list]) => ({ invoice: idsIn(list, "Ticket shop")[0] })],
      ["commit", ([, plan]) => ({ plan_id: planIn(plan) })],
    ],
    async expected({ done, idOf }) {
      const path = `/invoices/${idOf("project", "Ticket shop")}`;
      const { ledger_invoice_number: number, issue_date } = await done(`GET ${path}`);
      const { net } = await done(`GET ${path}/totals`);
      return { amounts: [money(net)], words: [issue_date, `number ${number}`] };
    },
    most_tokens: 750,
  },
  {
    question: "What is the address of Nordsø Marine, and of Bogholderiet?",
    by: "lene",
    calls: () => [
      ["get_customer", { customer: "Nordsø Marine" }],
      ["get_customer", { customer: "Bogholderiet" }],
    ],
    async expected({ done }) {
      const { data } = await done(`GET /customers?search=${encodeURIComponent("Nordsø Marine")}`);
      const named = data.map(({ name, id }: Json) => `"${name}" (${id})`);
      return { amounts: [], words: [...named, 'No customer is called "Bogholderiet".'] };
    },
    most_tokens: 400,
  },
  {
    question: "Show me all invoices of the firm.",
    by: "sofie",
    calls: () => [
      ["list_invoices", { scope: "all" }],
      ["list_invoices", { scope: "mine", limit: 5 }],
    ],
    async expected({ done, idOf }) {
      const all = (await done("GET /invoices?origin=all&limit=100")).data;
      const mine = all.filter(({ lines }: Json) =>
        lines.some(({ assignees }: Json) =>
          assignees.some(({ user_id }: Json) => user_id === idOf("person", "sofie")),
        ),
      );
      const view = `View: mine. In scope: ${mine.length}. Beyond scope: ${all.length - mine.length}.`;
      return { amounts: [], words: ["ROLE_FORBIDDEN: Only an admin", view] };
    },
    most_tokens: 600,
  },
];

/** Returns an amount as a person reads it: `12,000.00 DKK`. */
function money(amount: number, currency = "DKK"): string {
  const text = amount.toLocaleString("en-US", { minimumFractionDigits: 2 });
  return `${text} ${currency}`;
}

/** Returns the id of the plan that an answer names. */
function planIn(said: Said | undefined): string {
  const [id] = /plan_[a-z2-7]{26}/.exec(said?.text ?? "") ?? [];
  if (id === undefined) throw new Error(`no plan is named:\n${said?.text}`);
  return id;
}
