/**
 * The questions of the table that change nothing, with the calls that an assistant chooses from the catalogue. What the answers
 * must say is asked from the API after the calls.
 */
import type { Json } from "../../support/world/world.ts";
import { idsIn } from "./ask.ts";
import { hours, money, type Question, sumOf } from "./table.ts";
import type { Year } from "./year.ts";

const _QUARTER = "from=2026-10-01";

export const READING: readonly Question[] = [
  {
    question: "What have we invoiced to Solvang this quarter, and what of it is not earned yet?",
    by: "owner",
    calls: () => [
      [
        "list_invoices",
        { scope: "all", customer: "Solvang", from: "2026-10-01", to: "2026-12-31" },
      ],
      ["get_customer", { customer: "Solvang" }],
    ],
    async expected({ done }) {
      const { data } = await done(
        "GET /invoices?origin=all&customer=ext:solvang&issued_from=2026-10-01&issued_to=2026-12-31",
      );
      const nets: number[] = [];
      const later: number[] = [];
      for (const { id } of data) {
        nets.push((await done(`GET /invoices/${id}/totals`)).net);
        const { lines } = await done(`GET /invoices/${id}/recognition`);
        const months = lines.flatMap((line: Json) => line.months);
        later.push(
          ...months
            .filter(({ month }: Json) => month > "2026-11")
            .map(({ earned }: Json) => earned),
        );
      }
      return {
        amounts: [...nets, sumOf(nets), sumOf(later)].map((amount) => money(amount)),
        words: ["at the end of 2026-11"],
      };
    },
    most_tokens: 600,
  },
  {
    question: "Why is September lower than we had booked it?",
    by: "lene",
    is_documented: true,
    calls: () => [
      ["get_revenue", { from: "2026-09", to: "2026-09", group_by: "month", compared_to: "booked" }],
    ],
    async expected({ done, idOf }) {
      const path = "GET /recognition?from=2026-09&to=2026-09&group_by=month";
      const [{ earned }] = (await done(path)).data;
      const booked: number[] = [];
      for (const { id } of (await done("GET /accruals?month=2026-09&limit=100")).data) {
        booked.push((await done(`GET /accruals/${id}`)).totals.earned);
      }
      const [note] = (await done("GET /credit-notes?limit=1&external_id=credit-phase-2")).data;
      const { net } = await done(`GET /credit-notes/${note.id}/totals`);
      const worked = `GET /work-registrations?line=${idOf("line", "Webshop")}&from=2026-09-29&to=2026-09-29`;
      const [late] = (await done(worked)).data.filter((one: Json) => one.note !== null);
      return {
        amounts: [earned, sumOf(booked), sumOf(booked) - earned, net, late.amount].map((amount) =>
          money(amount),
        ),
        words: [
          "2026-09 is",
          `−${money(net)} credit note ${note.ledger_credit_note_number}`,
          `+${money(late.amount)} hours registered late`,
        ],
      };
    },
    most_tokens: 400,
  },
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
    question: "Has the ministry got the invoice for the workshop?",
    by: "lene",
    calls: () => [
      ["list_invoices", { scope: "all", search: "workshop" }],
      ["get_invoice", ([list]) => ({ invoice: idsIn(list, "Accessibility workshop")[0] })],
    ],
    async expected({ done, idOf }) {
      const path = `/invoices/${idOf("project", "Accessibility workshop")}`;
      const { gross, vat, net } = await done(`GET ${path}/totals`);
      const [{ channel, state, address, response }] = (await done(`GET ${path}/deliveries`)).data;
      const [{ code, text }] = response.reasons;
      const played = "einvoice, delivered, UQ";
      if ([channel, state, response.code].join(", ") !== played) throw new Error(`not ${played}`);
      return {
        amounts: [money(net), money(vat), money(gross)],
        words: [
          `Delivered to "${address}". The buyer has answered: under query: ${code} "${text}".`,
        ],
      };
    },
    most_tokens: 700,
  },
  {
    question: "Which invoices of the last weeks were not delivered?",
    by: "lene",
    calls: () => [
      [
        "list_invoices",
        {
          scope: "all",
          from: "2026-10-01",
          delivery_state: "failed_permanent,failed_temporary,unknown",
        },
      ],
    ],
    async expected({ done }) {
      const { data } = await done("GET /deliveries?state=failed_permanent&limit=100");
      const nets: number[] = [];
      const words: string[] = [];
      for (const { document_id } of data) {
        const { title } = await done(`GET /invoices/${document_id}`);
        nets.push((await done(`GET /invoices/${document_id}/totals`)).net);
        words.push(`"${title}"`);
      }
      return {
        amounts: [...nets, sumOf(nets)].map((amount) => money(amount)),
        words: [...words, `In scope: ${words.length}.`],
      };
    },
    most_tokens: 300,
  },
  {
    question: "Which invoices are late, and how much of them is still open?",
    by: "lene",
    calls: () => [["list_invoices", { scope: "all", overdue: true }]],
    async expected({ done }) {
      const { data } = await done(
        "GET /invoices?origin=all&overdue=true&include=payment&limit=100",
      );
      const open: number[] = data.map(({ payment }: Json) => payment.open);
      const states = data.map(({ payment }: Json) => payment.state).sort();
      const played = "open,open,partly_paid,partly_paid";
      if (states.join() !== played) throw new Error(`the year has ${states}`);
      return {
        amounts: open.map((amount) => money(amount)),
        words: [`In scope: ${data.length}.`],
      };
    },
    most_tokens: 400,
  },
  {
    question: "Please close October.",
    by: "lene",
    calls: () => [],
    async expected({ done }) {
      const { month, status } = await done("GET /period-closes/2026-10/preview");
      return { amounts: [], words: status === "open" ? [`/close/${month}`] : [] };
    },
    most_tokens: 350,
  },
  {
    question: "How many hours did each of the team work last week?",
    by: "owner",
    calls: () => [
      [
        "list_work_registrations",
        { user: "all", from: "2026-11-02", to: "2026-11-08", group_by: "user" },
      ],
    ],
    async expected({ done }) {
      const { data } = await done(
        "GET /work-registrations?from=2026-11-02&to=2026-11-08&limit=100",
      );
      const by_user = groupsOf(data, "user_id", "hours");
      const names = await namesOf(done, by_user.keys());
      return {
        amounts: [...by_user.values(), sumOf([...by_user.values()])].map(hours),
        words: names,
      };
    },
    most_tokens: 400,
  },
  {
    question: "Who of us earned most this year?",
    by: "owner",
    calls: () => [
      ["get_revenue", { from: "2026-01", to: "2026-11", group_by: "user", months: "sum" }],
    ],
    async expected({ done }) {
      const path = "GET /recognition?from=2026-01&to=2026-11&group_by=user&limit=100";
      const by_user = groupsOf(await everyRow(done, path), "user_id", "earned");
      const most = [...by_user]
        .filter(([user]) => user !== "null")
        .sort(([, a], [, b]) => b - a)
        .slice(0, 3);
      return {
        amounts: most.map(([, amount]) => money(amount)),
        words: [],
        in_order: await namesOf(
          done,
          most.map(([user]) => user),
        ),
      };
    },
    most_tokens: 900,
  },
  {
    question: "What will we invoice this month, and the next?",
    by: "owner",
    is_documented: true,
    calls: () => [["get_revenue", { from: "2026-11", to: "2026-12", group_by: "month" }]],
    async expected({ done }) {
      const path = "GET /recognition?from=2026-11&to=2026-12&group_by=month";
      const [current, next] = (await done(path)).data;
      return {
        amounts: [current.invoiced, await waitingIn(done, "2026-11"), next.invoiced].map((amount) =>
          money(amount),
        ),
        words: ["2026-11 (so far)", "2026-12 (forecast)"],
      };
    },
    most_tokens: 350,
  },
  {
    question: "When is the retainer of Museum Vest invoiced next?",
    by: "lene",
    calls: () => [["list_series", { scope: "all", customer: "Museum Vest" }]],
    async expected({ done, idOf }) {
      const id = idOf("retainer", "museum");
      const { data } = await done(
        `GET /recurring-series/${id}/occurrences?from=2026-11-01&limit=2`,
      );
      const [failed, next] = data;
      const { occurrences } = await done(`GET /recurring-series/${id}/preview?until=2026-12-31`);
      const { net } = occurrences.find(({ period }: Json) => period === next.period);
      return {
        amounts: [money(net)],
        words: [`${failed.status} ${failed.period}`, `${next.period} on ${next.issue_date}`],
      };
    },
    most_tokens: 200,
  },
  {
    question: "What did I do in October, and what did I earn?",
    by: "sofie",
    calls: () => [
      ["list_work_registrations", { from: "2026-10-01", to: "2026-10-31", group_by: "line" }],
      ["get_revenue", { from: "2026-10", to: "2026-10", group_by: "customer" }],
    ],
    async expected({ done, idOf }) {
      const user = idOf("person", "sofie");
      const worked = await done(
        `GET /work-registrations?user=${user}&from=2026-10-01&to=2026-10-31&limit=100`,
      );
      const by_line = [...groupsOf(worked.data, "line_id", "hours").values()];
      const path = `GET /recognition?from=2026-10&to=2026-10&group_by=customer&user=${user}`;
      const earned: number[] = (await done(path)).data.map((row: Json) => row.earned);
      return {
        amounts: [
          ...[...by_line, sumOf(by_line)].map(hours),
          ...[...earned, sumOf(earned)].map((amount) => money(amount)),
        ],
        words: ['"Webshop"', '"Campaign site"'],
      };
    },
    most_tokens: 700,
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

type Done = Year["done"];

/** Returns all rows of a list of the API. */
async function everyRow(done: Done, path: string): Promise<Json[]> {
  const { data, next_cursor } = await done(path);
  if (next_cursor === null) return data;
  const [plain] = path.split("&cursor=");
  return [...data, ...(await everyRow(done, `${plain}&cursor=${encodeURIComponent(next_cursor)}`))];
}

/** Returns the sums of a field by another field. */
function groupsOf(rows: readonly Json[], by: string, field: string): Map<string, number> {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const key = `${row[by]}`;
    groups.set(key, [...(groups.get(key) ?? []), row[field]]);
  }
  return new Map([...groups].map(([key, amounts]) => [key, sumOf(amounts)]));
}

async function namesOf(done: Done, ids: Iterable<string>): Promise<string[]> {
  const names: string[] = [];
  for (const id of ids) names.push(`"${(await done(`GET /users/${id}`)).name}"`);
  return names;
}

/** Returns what the retainers will still invoice in a month, from the preview of each; all of them are in DKK. */
async function waitingIn(done: Done, month: string): Promise<number> {
  const nets: number[] = [];
  for (const { id } of (await done("GET /recurring-series?status=active")).data) {
    const { occurrences } = await done(`GET /recurring-series/${id}/preview?until=${month}-30`);
    const due = occurrences.filter(({ issue_date }: Json) => issue_date.startsWith(month));
    nets.push(...due.map(({ net }: Json) => net));
  }
  return sumOf(nets);
}
