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
    question: "From January Fjordbank pays 39,500 for the design retainer.",
    by: "owner",
    calls: () => [
      ["get_series", { series: "Fjordbank" }],
      [
        "plan_edit_series_line",
        ([series]) => ({
          series: idsIn(series, "Fjordbank")[0],
          action: "change",
          scope: "this_and_following",
          period: "2027-01",
          line_id: idsIn(series, "Design retainer")[0],
          line: { agreed_value: 39_500 },
        }),
      ],
      ["commit", ([, plan]) => ({ plan_id: planIn(plan) })],
    ],
    async expected({ done, idOf }) {
      const id = idOf("retainer", "fjord");
      const { occurrences } = await done(`GET /recurring-series/${id}/preview?until=2027-01-31`);
      const [before, first] = occurrences.slice(-2);
      return {
        amounts: [money(before.net), money(first.net)],
        words: [
          "from 1 January 2027",
          `invoice of ${first.issue_date}: ${money(before.net)} becomes`,
        ],
      };
    },
    most_tokens: 750,
  },
  {
    question: "My last two registrations on the campaign site belong to the webshop.",
    by: "sofie",
    calls: () => [
      ["list_work_registrations", { from: "2026-11-01" }],
      [
        "plan_register_work",
        ([list]) => {
          const [line] = idsIn(list, "Havnens Bryggeri").slice(-1);
          const rows = [
            ["2026-11-09", "Lindegaard"],
            ["2026-11-02", "Lindegaard"],
          ] as const;
          return {
            changes: rows.map((words) => ({ registration_id: idsIn(list, ...words)[0], line })),
          };
        },
      ],
      ["commit", ([, plan]) => ({ plan_id: planIn(plan) })],
    ],
    async expected({ done, idOf }, [, plan]) {
      const moved: Json[] = [];
      for (const { registration_id } of (plan?.args.changes ?? []) as Json[]) {
        moved.push(await done(`GET /work-registrations/${registration_id}`));
      }
      // Only what the API has on the line counts.
      const on_line = moved.filter(({ line_id }) => line_id === idOf("line", "Webshop"));
      return {
        amounts: on_line.map(({ amount }: Json) => money(amount)),
        words: on_line.map(({ date }: Json) => date),
      };
    },
    most_tokens: 1_000,
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
      const { net, gross } = await done(`GET ${path}/totals`);
      const { lines } = await done(`GET ${path}/recognition`);
      const months = lines.flatMap((line: Json) => line.months);
      return {
        amounts: [net, gross, ...months.map(({ earned }: Json) => earned)].map((amount) =>
          money(amount),
        ),
        words: [issue_date, `number ${number}`, ...months.map(({ month }: Json) => month)],
      };
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
