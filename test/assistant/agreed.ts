/** A commit does what the person has agreed to: a plan, its commit, and the state before and after. */
import { expect } from "vitest";
import type { Studio } from "../revenue/studio.ts";
import { type Agent, type Called, digestOf } from "../support/mcp/mcp.ts";
import { invoiceOf, type Json } from "../support/world/world.ts";

/** A plan that waits for a person's decision. */
export interface Asked {
  readonly agent: Agent;
  readonly tool: string;
  readonly args: Json;
  readonly plan: Json;
  /** The number of steps before the plan. */
  readonly at: number;
}

/** Plans, and checks that planning changes nothing. Undefined for a refusal. */
export async function ask(
  studio: Studio,
  agent: Agent,
  tool: string,
  args: Json,
): Promise<Asked | undefined> {
  const before = await digestOf(studio.world);
  const { is_error, data } = await agent.call(tool, args);
  studio.history.push(`${tool} ${JSON.stringify(args)} -> ${is_error ? data.code : data.summary}`);
  expect(await digestOf(studio.world), `${tool} has changed something`).toBe(before);
  expect(is_error ? data.code : "", tool).not.toBe("INTERNAL_ERROR");
  return is_error ? undefined : { agent, tool, args, plan: data, at: studio.history.length };
}

const MAY_REFUSE = ["PLAN_STALE", "OUT_OF_SCOPE"];

/** The number of commits by outcome: `<tool> <outcome>`, and whether another step came after the plan. */
export const outcomes = new Map<string, number>();

/** Commits a plan, and checks that it did what it stated, once, in the person's name, or nothing at all. */
export async function agree(studio: Studio, asked: Asked): Promise<void> {
  const { agent, tool, args, plan } = asked;
  const is_untouched = studio.history.slice(asked.at).every((given) => given.startsWith("plan_"));
  const now = await agent.call(tool, args);
  const would_be = now.is_error ? now.data.code : comparable(now.data);
  const before = await digestOf(studio.world);
  const marks = await marksOf(studio);

  const called = await agent.call("commit", { plan_id: plan.plan_id });

  const outcome = called.is_error ? called.data.code : "done";
  studio.history.push(`commit ${tool} ${plan.plan_id} -> ${outcome}`);
  const key = `${tool} ${outcome} ${is_untouched ? "at once" : "later"}`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  if (called.is_error) {
    expect(MAY_REFUSE, called.text).toContain(outcome);
    expect(await digestOf(studio.world), `a refused ${tool} has changed something`).toBe(before);
    expect(is_untouched, `${tool}: nothing has happened, and it is ${called.text}`).toBe(false);
  } else {
    expect(would_be, `${tool} does what it would not have said`).toEqual(comparable(plan));
    await requireDone(studio, asked, called, marks);
  }
  await requireEnded(studio, asked, called);
}

/**
 * Commits several plans in parallel, each twice: each is carried out once or refused, and booked as often as it is carried out.
 */
export async function agreeAtOnce(studio: Studio, asked: readonly Asked[]): Promise<void> {
  const before = await marksOf(studio);
  const calls = [...asked, ...asked].map(async ({ agent, tool, plan: { plan_id } }) => ({
    tool,
    plan_id,
    called: await agent.call("commit", { plan_id }),
  }));
  const results = await Promise.all(calls);
  const after = await marksOf(studio);
  for (const { tool, plan } of asked) {
    const codes = results
      .filter(({ plan_id }) => plan_id === plan.plan_id)
      .map(({ called }) => (called.is_error ? called.data.code : "done"))
      .sort();
    studio.history.push(`commits at once ${tool} ${plan.plan_id} -> ${codes.join(", ")}`);
    expect(ENDS).toContain(codes.join());
  }
  const booked = results.filter(({ tool, called }) => tool in BOOKS && !called.is_error);
  expect(after.entries - before.entries).toBe(booked.length);
}

/** The possible outcomes of two parallel commits of one plan. */
const ENDS = [
  "PLAN_ALREADY_COMMITTED,done",
  "PLAN_EXPIRED,PLAN_STALE",
  "PLAN_STALE,PLAN_STALE",
  "OUT_OF_SCOPE,PLAN_EXPIRED",
  "OUT_OF_SCOPE,OUT_OF_SCOPE",
];

/** The content of a plan, without its own id and times. */
function comparable({ summary, changes, effects, warnings }: Json): Json {
  return { summary, changes, effects, warnings };
}

interface Marks {
  readonly audit: number;
  readonly entries: number;
}

async function marksOf(studio: Studio): Promise<Marks> {
  const [row] = await studio.sql(
    `select (select coalesce(max(seq), 0)::int from audit_events where account_id = $1) as audit,
       (select count(*)::int from ledger_entries where account_id = $1) as entries`,
  );
  return row;
}

async function requireDone(
  studio: Studio,
  { agent, tool, plan }: Asked,
  { data, text }: Called,
  marks: Marks,
): Promise<void> {
  const { entries } = await marksOf(studio);
  expect(entries - marks.entries, `bookings of ${tool}`).toBe(tool in BOOKS ? 1 : 0);
  const events = await studio.sql(
    "select action, actor_kind, actor_id from audit_events where account_id = $1 and seq > $2",
    [marks.audit],
  );
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) {
    const { action, actor_kind, actor_id } = event;
    expect([actor_kind, actor_id], `${tool} ${action}`).toEqual(["user", agent.user_id]);
  }
  await requireShown(studio, data);
  for (const { id, field, after, before } of plan.changes) {
    const is_new = id === null && before === null && field in (data.resource ?? {});
    // The commit creates new ids for new lines.
    if (is_new && field !== "lines") expect(data.resource[field], field).toEqual(after);
  }
  if (tool in BOOKS) await requireBooked(studio, plan, data, text);
}

const PATHS: Readonly<Record<string, string>> = {
  customer: "/customers",
  product: "/products",
  invoice: "/invoices",
  recurring_series: "/recurring-series",
  credit_note: "/credit-notes",
  work_registration: "/work-registrations",
};

/** The commit answers with what the API shows. */
async function requireShown(studio: Studio, data: Json): Promise<void> {
  const { resource, resource_type, id } = data;
  const reply = await studio.ask(`GET ${PATHS[resource_type]}/${id}`);
  if (resource === null) return expect(reply.status).toBe(404);
  if (resource.object === "series_line_edit") return;
  if (resource.object === "list") {
    const rows = resource.data.map(async (row: Json) =>
      expect(row).toEqual(await studio.done(`GET ${PATHS[resource_type]}/${row.id}`)),
    );
    await Promise.all(rows);
    return;
  }
  expect(invoiceOf(resource)).toEqual(invoiceOf(reply.body));
}

const BOOKS: Readonly<Record<string, true>> = {
  plan_issue_invoice: true,
  plan_issue_occurrence: true,
  plan_create_credit_note: true,
};

/** The booking has the amounts, date, number and recipient that the plan showed to the person. */
async function requireBooked(studio: Studio, plan: Json, data: Json, text: string): Promise<void> {
  const path = `${PATHS[data.resource_type]}/${data.id}`;
  const { net, gross, currency } = await studio.done(`GET ${path}/totals`);
  const reported = (amount: number): string => `${grouped(amount, currency)} ${currency}`;
  expect(plan.summary).toContain(`net ${reported(net)}`);
  const is_credit = data.resource_type === "credit_note";
  if (is_credit) expect(plan.summary).toContain(`(${reported(gross)} with VAT)`);
  const { resource } = data;
  const number = resource.ledger_invoice_number ?? resource.ledger_credit_note_number;
  expect(text).toContain(`, number ${number} in the books.`);
  const [entry] = await studio.sql(
    "select entry_date::text as date from ledger_entries where account_id = $1 order by entry_no desc limit 1",
  );
  expect(plan.effects.join()).toContain(`dated ${entry.date}`);
  const mailed = plan.effects.join("\n").match(/^E-mails it to (.*)\.$/m)?.[1];
  const { data: deliveries } = await studio.done(`GET ${path}/deliveries`);
  const accepted = deliveries.filter(({ send_error }: Json) => send_error === null);
  expect(accepted.map(({ address }: Json) => address)).toEqual(mailed ? [mailed] : []);
  expect(resource.send_error ?? null).toBe(deliveries[0]?.send_error ?? null);
  // Warnings with a code are about the document, the others about its sending.
  const of_document = new Set((plan.document_warnings ?? []).map(({ message }: Json) => message));
  const of_sending = plan.warnings.filter((warning: string) => !of_document.has(warning));
  expect(of_sending.length > 0).toBe(deliveries.length > accepted.length);
}

function grouped(amount: number, currency: string): string {
  const digits = { JPY: 0, KWD: 3 }[currency] ?? 2;
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return amount.toLocaleString("en-US", style);
}

/** A used plan cannot be used again, and its refusal states the outcome. */
async function requireEnded(studio: Studio, { agent, plan }: Asked, called: Called): Promise<void> {
  const before = await digestOf(studio.world);
  const again = await agent.call("commit", { plan_id: plan.plan_id });
  expect(await digestOf(studio.world), "a second commit has changed something").toBe(before);
  const [code, details] = called.is_error
    ? ["PLAN_EXPIRED", { ended_by: called.data.code }]
    : ["PLAN_ALREADY_COMMITTED", { id: called.data.id }];
  expect(again.data).toMatchObject({ code, details });
}
