/**
 * The questions of the table that change something: the assistant reads, plans and commits. What the answers must say is asked from
 * the API after the commit.
 */
import type { Json } from "../../support/world/world.ts";
import { idsIn, type Said } from "./ask.ts";
import { money, type Question } from "./table.ts";

const REASON = "Half of the pages were delivered late";

export const PLANNING: readonly Question[] = [
  {
    question: `Credit half of the invoice “Portfolio”, because ${REASON.toLowerCase()}.`,
    by: "lene",
    calls: ({ idOf }) => [
      ["get_invoice", { invoice: idOf("number", "Portfolio") }],
      [
        "plan_create_credit_note",
        ([invoice]) => ({
          invoice: idsIn(invoice, "Portfolio")[0],
          kind: "partial",
          lines: [{ invoice_line_id: idsIn(invoice, '"Portfolio"', "value")[0], amount: 19_450 }],
          reason: REASON,
        }),
      ],
      ["commit", ([, plan]) => ({ plan_id: planIn(plan) })],
    ],
    async expected({ done, idOf }) {
      const path = `/invoices/${idOf("project", "Portfolio")}`;
      const [note] = (await done(`GET ${path}/credit-notes`)).data;
      const { net, gross } = await done(`GET /credit-notes/${note.id}/totals`);
      const whole = await done(`GET ${path}/totals`);
      return {
        amounts: [whole.net, net, gross].map((amount) => money(amount)),
        words: [`"${note.reason}"`, `number ${note.ledger_credit_note_number}`],
      };
    },
    most_tokens: 750,
  },
  {
    question: "I worked six hours on the webshop yesterday.",
    by: "sofie",
    is_documented: true,
    calls: () => [
      ["get_my_work", {}],
      [
        "plan_register_work",
        ([work]) => ({ line_id: idsIn(work, "Webshop").at(-1), date: "yesterday", hours: 6 }),
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
    question: "Issue the draft “Ticket shop”.",
    by: "owner",
    is_documented: true,
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
];

/** Returns the id of the plan that an answer names. */
function planIn(said: Said | undefined): string {
  const [id] = /plan_[a-z2-7]{26}/.exec(said?.text ?? "") ?? [];
  if (id === undefined) throw new Error(`no plan is named:\n${said?.text}`);
  return id;
}
