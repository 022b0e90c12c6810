/** Commits of plans that run in parallel with each other, or with changes of their facts. */
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf, type Called } from "../support/mcp/mcp.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const sales = useSales();
const { world, draft, issued, line } = sales;

let admin: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
});

const commit = (plan_id: string): Promise<Called> => admin.call("commit", { plan_id });

/** Locks the counters of the books, so that every booking waits while `meanwhile` runs. */
async function whileBooksAreHeld(meanwhile: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: world.database_url });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from ledger_books for update");
    await meanwhile();
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
}

/** Waits until so many connections wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = async (): Promise<number> => {
    const [row] = await world.sql(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return row.n;
  };
  while ((await waiting()) < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("twenty parallel commits of one plan", () => {
  const kinds: [string, () => Promise<[tool: string, args: Json]>, string][] = [
    [
      "an issue",
      async () => ["plan_issue_invoice", { invoice: (await draft([100])).id }],
      "select count(*)::int as n from issued_documents",
    ],
    [
      "a credit note",
      async () => [
        "plan_create_credit_note",
        { invoice: (await issued([100])).id, kind: "partial", lines: undefined },
      ],
      "select count(*)::int as n from credit_notes",
    ],
    [
      "a draft",
      async () => ["plan_create_invoice", { customer: sales.customer.id, lines: [line(5)] }],
      "select count(*)::int as n from invoices",
    ],
    [
      "work",
      async () => {
        const by_hours = { recognition_method: "hours", hourly_rate: 10, agreed_value: undefined };
        const { lines } = await draft([], { lines: [line(0, by_hours)] });
        return ["plan_register_work", { line_id: lines[0].id, hours: 0.5 }];
      },
      "select count(*)::int as n from work_registrations",
    ],
  ];

  it.each(kinds)(
    "carry out %s once, and the others receive its id",
    async (_what, plan, counting) => {
      const [tool, args] = await plan();
      if (args.kind === "partial") {
        const { lines } = await world.done(`GET /invoices/${args.invoice}`);
        args.lines = [{ invoice_line_id: lines[0].id, amount: 1 }];
      }
      const count = async (): Promise<number> => (await world.sql(counting))[0].n;
      const { plan_id } = await admin.done(tool, args);
      const before = await count();

      const results = await Promise.all(Array.from({ length: 20 }, () => commit(plan_id)));

      expect(await count()).toBe(before + 1);
      const [done, ...more] = results.filter(({ is_error }) => !is_error);
      expect(more).toEqual([]);
      const reported = results.filter(({ is_error }) => is_error).map(({ data }) => data);
      expect(reported.map(({ code, details }) => [code, details.id])).toEqual(
        Array.from({ length: 19 }, () => ["PLAN_ALREADY_COMMITTED", done?.data.id]),
      );
      const { data } = await world.done("GET /audit-events?resource_type=plan&limit=2");
      expect(data.map(({ action }: Json) => action)).toEqual(["committed", "created"]);
    },
  );
});

describe("the recipient of an issued document", () => {
  it.each(["invoice", "credit note"])(
    "is the one in the plan of the %s, even if the address changes during the commit",
    async (what) => {
      const customer = await world.done("POST /customers", { name: "R", email: "old@r.example" });
      const fields = { customer_id: customer.id, auto_send: true };
      const invoice = what === "invoice" ? await draft([10], fields) : await issued([10], fields);
      const { plan_id, effects } = await (what === "invoice"
        ? admin.done("plan_issue_invoice", { invoice: invoice.id })
        : admin.done("plan_create_credit_note", { invoice: invoice.id, kind: "full" }));
      expect(effects).toContain("E-mails it to old@r.example.");

      let results: readonly unknown[] = [];
      await whileBooksAreHeld(async () => {
        const committing = commit(plan_id);
        await untilWaiting(1);
        const changing = world.done(`PATCH /customers/${customer.id}`, {
          email: "new@r.example",
        });
        await Promise.race([changing, untilWaiting(2)]);
        results = [committing, changing];
      });
      const [done] = (await Promise.all(results)) as [Called];

      expect(done.is_error).toBe(false);
      const { data } = await world.done(
        `GET /${what === "invoice" ? "invoices" : "credit-notes"}/${done.data.id}/deliveries`,
      );
      expect(data.map(({ address }: Json) => address)).toEqual(["old@r.example"]);
    },
  );
});
