/** What an account with many issued lines and much registered work reads of them: the indexes of what it asks for. */
import { beforeAll, describe, expect, it } from "vitest";
import { vacuumWhole } from "../../../../test/support/database/vacuum.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { factsOfCustomers } from "../../revenue/revenue-facts/read-facts.ts";
import { waitingDrafts } from "../../work/registrations/queries.ts";
import { draftsWith } from "./read-customer-summary.ts";

const ISSUED = 3_000;
const DRAFTS = 200;
const FEW = 3;

const { world, draft, product, issued, line } = useSales();
let few: string;
let user_id: string;

/** Copies of the invoice $1 with its lines, each for the customer $2 and with work of the user $4 on each line. */
const COPIES = `
  with made as (
    insert into invoices (account_id, id, customer_id, currency, issue_date, title, auto_send, status,
      ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
    select account_id, m.id, $2, currency, issue_date, title, auto_send, status, case when status = 'issued' then m.id end,
      case when status = 'issued' then 1000 + n end, issued_at, document, updated_at
    from invoices i, (select n, gen_random_uuid() as id from generate_series(1, $3::int) n) m where i.id = $1
    returning account_id, id, status),
  lines as (
    insert into invoice_lines select (jsonb_populate_record(l,
      jsonb_build_object('id', gen_random_uuid(), 'invoice_id', m.id))).*
    from made m join invoice_lines l on l.invoice_id = $1 returning id, invoice_id)
  insert into work_registrations (account_id, id, line_id, invoice_id, user_id, date, hours, billable, status,
    created_at, updated_at)
  select m.account_id, gen_random_uuid(), l.id, m.id, $4, '2026-03-02', 100, true,
    case m.status when 'issued' then 'invoiced' else 'open' end, now(), now()
  from lines l join made m on m.id = l.invoice_id`;

beforeAll(async () => {
  const customer = async () => (await world.done("POST /customers", { name: "Copies ApS" })).id;
  const { id } = await world.done("POST /users", { name: "Bo", email: "bo@studio.example" });
  user_id = id;
  few = await customer();
  const many = await customer();
  const sold = await issued([100]);
  const open = await draft([100, 200]);
  for (const table of ["invoice_lines", "work_registrations"]) {
    await world.sql(`alter table ${table} disable trigger user`);
  }
  await world.sql(COPIES, [sold.id, many, ISSUED, user_id]);
  await world.sql(COPIES, [open.id, many, DRAFTS, user_id]);
  await world.sql(COPIES, [open.id, few, FEW, user_id]);
  for (const table of ["invoice_lines", "work_registrations"]) {
    await world.sql(`alter table ${table} enable trigger user`);
  }
  const tables = ["invoices", "invoice_lines", "work_registrations", "invoice_line_assignees"];
  await vacuumWhole(world, tables);
});

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly Plan[];
}

function partsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)];
}

/** Returns the indexes by which the one statement of a read finds rows of a table; the name of the node without one. */
async function indexesOf(table: string, read: (cx: Reader) => Promise<unknown>) {
  const cx = await schedulerContext(world.services, world.account.account_id);
  const sent: Sql[] = [];
  const rows = (statement: Sql) => {
    sent.push(statement);
    return cx.rows<never>(statement);
  };
  await read({ ...cx, rows });
  expect(sent.length).toBe(1);
  const [statement] = sent as [Sql];
  const [row] = await world.sql(`explain (format json) ${statement.text}`, statement.sent);
  const all = partsOf((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan);
  const found = all.filter((part) => part["Relation Name"] === table);
  return [...new Set(found.map((part) => part["Index Name"] ?? part["Node Type"]))];
}

describe("among many issued lines", () => {
  it("finds the products of drafts in indexes of drafts alone", async () => {
    const read = (cx: Reader) => draftsWith(cx, [product.id]);
    expect(await indexesOf("invoice_lines", read)).toEqual(["invoice_lines_draft"]);
    expect(await indexesOf("invoices", read)).toEqual(["invoices_draft"]);
  });

  it("counts a draft once, and no issued invoice", async () => {
    const cx = await schedulerContext(world.services, world.account.account_id);
    const counted = await draftsWith(cx, [product.id]);
    expect(counted.get(product.id)).toBe(1 + DRAFTS + FEW);
  });

  it("finds the drafts of a person by their lines on drafts", async () => {
    const mine = await draft([], { lines: [line(100, { assignees: [{ user_id }] })] });
    const cx = await schedulerContext(world.services, world.account.account_id);
    expect((await waitingDrafts(cx, user_id)).map(({ id }) => id)).toEqual([mine.id]);
  });

  it("finds the work of one customer by its invoices", async () => {
    const indexes = await indexesOf("work_registrations", (cx) => factsOfCustomers(cx, [few]));
    expect(indexes.toSorted()).toEqual(["work_registrations_invoice", "work_registrations_period"]);
  });
});
