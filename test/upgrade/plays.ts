/**
 * The plays after the backup, each on its own copy. A play uses only data that a caller of the older version had
 * (`stage.before`) or that is in an answer: it reads nothing from the database or the code.
 */
import type { Json } from "../support/world/world.ts";
import type { AccountName, KnownRequest } from "./before.ts";
import { lookAtAll, lookAtBooks, lookAtOutcome, lookAtRevenue } from "./look.ts";
import type { Stage } from "./stage.ts";

type Play = (stage: Stage) => Promise<void>;

/** Reads all accounts without changes. */
async function everythingIsRead(stage: Stage): Promise<void> {
  for (const account of ["main", "external", "sandbox"] as const) await lookAtAll(stage, account);
}

/** Reads through assistants, as an admin and as a standard user. */
async function assistantsRead(stage: Stage): Promise<void> {
  const { ids } = stage.before;
  for (const [person, scope] of [
    ["admin", "all"],
    ["bo", "mine"],
  ]) {
    const tool = (name: string, args?: Json): Promise<Json> => stage.tool(`${person}`, name, args);
    for (const list of ["customers", "invoices", "series", "credit_notes"]) {
      await tool(`list_${list}`, { scope, limit: 100 });
    }
    for (const invoice of ["worked_draft", "deferred", "credited"]) {
      await tool("get_invoice", { invoice: ids[invoice] });
    }
    for (const series of ["care", "progress", "weekly", "quarterly", "edited"]) {
      await tool("get_series", { series: ids[series] });
      await tool("list_occurrences", { series: ids[series], from: "2025-10-01", to: "2026-12-31" });
    }
    for (const customer of ["acme", "beta", "delta"]) {
      await tool("get_customer", { customer: ids[customer] });
      await tool("get_accrual", { customer: ids[customer], month: "2025-12" });
    }
    await tool("get_my_work");
    await tool("list_work_registrations", { limit: 100 });
    for (const group_by of ["line", "customer", "month"]) {
      await tool("get_revenue", { from: "2025-10", to: "2026-06", group_by });
    }
    await tool("list_products");
    await tool("list_users");
    await tool("get_configuration");
  }
}

/** Repeats earlier requests with an external id or an idempotency key, then with another body. */
async function requestsAreRepeated(stage: Stage): Promise<void> {
  for (const one of stage.before.repeats) await repeat(stage, one);
  for (const { account, call, body, headers } of stage.before.repeats) {
    const other = Object.entries(OTHERWISE).find(([path]) => call.endsWith(path))?.[1];
    if (other) await stage.rest(account, call, { ...body, ...other }, headers);
  }
  await lookAtBooks(stage, "main");
}

/** A field that makes the request a different one, by the end of its path. */
const OTHERWISE: Readonly<Record<string, Json>> = {
  "/customers": { city: "Elsewhere" },
  "/products": { comments: "Another" },
  "/users": { name: "Another person" },
  "/invoices": { title: "Another" },
  "/recurring-series": { end_date: "2030-12-31" },
  "/credit-notes": { credit_date: "2026-03-09" },
  "/work-registrations": { hours: 7 },
};

async function repeat(stage: Stage, { account, call, body, headers }: KnownRequest): Promise<Json> {
  return stage.rest(account, call, body, headers);
}

/** Commits each plan twice: plans of drafts and of bookings, and ended plans. */
async function plansAreCommitted(stage: Stage): Promise<void> {
  const in_main = stage.before.plans.filter(({ person }) => person !== "outside");
  for (const { person, plan_id } of in_main) {
    await stage.tool(person, "commit", { plan_id });
    await stage.tool(person, "commit", { plan_id });
  }
  await lookAtOutcome(stage, "main");
}

/** Repeats bookings without an answer of the external ledger, with the same requests and with the begun plan. */
async function bookingsInDoubtAreSettled(stage: Stage): Promise<void> {
  for (const one of stage.before.doubts) {
    await repeat(stage, one);
    await repeat(stage, one);
  }
  for (const { person, plan_id } of stage.before.plans) {
    if (person !== "outside") continue;
    await stage.tool(person, "commit", { plan_id });
    await stage.tool(person, "commit", { plan_id });
  }
  // Only hashes of earlier documents are compared: the hash of a new document includes its new id.
  const booked = stage.ledger.books.map(({ payload_hash, ...one }) => ({
    ...one,
    ...(stage.isKnown(one.guid) ? { payload_hash } : {}),
  }));
  stage.note("what the ledger has booked", booked);
  await lookAtOutcome(stage, "external");
}

/**
 * Resumes the close in progress and closes the three months after it: with issued periods and drafts of accruals booked
 * before, late work, and a reopening.
 */
async function monthsAreClosed(stage: Stage): Promise<void> {
  const { ids } = stage.before;
  const main = (call: string, body?: Json): Promise<Json> => stage.rest("main", call, body);
  stage.at("2026-04-02");
  await main("GET /period-closes/2026-01");
  await main("POST /period-closes", { month: "2026-01" });
  await main("GET /ledger/trial-balance?to=2026-01-31");
  await main("POST /period-closes", { month: "2026-02" });
  const issued: string[] = [];
  for (const [series, period] of [
    ["care", "2025-11"],
    ["care", "2025-12"],
    ["care", "2026-01"],
    ["progress", "2025-12"],
    ["dollars", "2025-12"],
    ["weekly", "2026-W02"],
  ] as const) {
    const path = `/recurring-series/${ids[series]}/occurrences/${period}/issue`;
    issued.push((await main(`POST ${path}`)).id);
  }
  for (const draft of ["worked_draft", "dollar_draft", "milestone"]) {
    issued.push((await main(`POST /invoices/${ids[draft]}/issue`)).id);
  }
  stage.at("2026-05-04");
  await main("GET /period-closes/2026-03/preview");
  for (const month of ["2026-03", "2026-04"]) {
    await main("POST /period-closes", { month });
    await main(`GET /accruals/reconciliation?month=${month}`);
  }
  for (const id of issued) {
    await main(`GET /invoices/${id}/recognition`);
    await main(`GET /recognition?invoice=${id}&from=2025-10&to=2026-04&basis=booking_month`);
  }
  await lookAtRevenue(stage, "main", ["2026-01", "2026-02", "2026-04"], ["2026-01", "2026-04"]);
  await main("POST /period-closes/2026-04/reopen", { reason: "Late hours" });
  const accrual = await main(`GET /accruals?customer=${ids.acme}&month=2026-04`);
  await main(`POST /accruals/${accrual.id}/reopen`, { reason: "Late hours" });
  await main("POST /work-registrations", {
    line_id: ids.late_line,
    user_id: ids.eva,
    date: "2026-03-30",
    hours: 3,
  });
  await main("POST /period-closes", { month: "2026-04" });
  await main(`GET /accruals/${accrual.id}/history`);
  await lookAtBooks(stage, "main");
}

/** Registers and moves hours on periods that are not stored, edits lines, skips periods, and cancels series. */
async function seriesContinue(stage: Stage): Promise<void> {
  const { ids } = stage.before;
  const main = (call: string, body?: Json): Promise<Json> => stage.rest("main", call, body);
  const of = (series: string, rest = ""): string => `/recurring-series/${ids[series]}${rest}`;
  const linesIn = async (series: string, period: string): Promise<Json[]> =>
    (await main(`GET ${of(series, `/occurrences/${period}/lines`)}`)).data;
  stage.at("2026-03-12");
  for (const line_id of [ids.care_march, ids.care_april, ids.care_series_line]) {
    const work = { line_id, user_id: ids.eva, date: "2026-03-11", hours: 1.5 };
    const { id = ids.other_work } = await main("POST /work-registrations", work);
    await main(`PATCH /work-registrations/${id}`, { hours: 2.25 });
    await main(`PATCH /work-registrations/${id}`, { line_id: ids.weekly_line });
  }
  const moved = { line_id: ids.care_march, date: "2026-03-03" };
  await main(`PATCH /work-registrations/${ids.open_work}`, moved);
  await main(`DELETE /work-registrations/${ids.other_work}`);
  await main(`POST ${of("care", "/occurrences/2026-02/issue")}`);
  await main(`POST ${of("edited", "/occurrences/2026-04/skip")}`, {});
  await main(`POST ${of("edited", "/occurrences/2026-03/unskip")}`, {});
  const [line] = (await main(`GET ${of("edited", "/lines")}`)).data;
  const change = { scope: "this_and_following", period: "2026-05", line: { agreed_value: 4321 } };
  await main(`PATCH ${of("edited", `/lines/${line.line_id}`)}`, change);
  const [in_june] = await linesIn("edited", "2026-06");
  const once = { scope: "this_only", line: { discount: 10 } };
  await main(`PATCH ${of("edited", `/lines/${in_june.id}`)}`, once);
  await main(`PATCH ${of("quarterly")}`, { issue_timing: { mode: "end-of-period" } });
  await main("POST /scheduler-runs");
  for (const series of ["care", "yearly", "half_yearly"]) {
    await main(`POST ${of(series, "/cancel")}`, { end_date: "2026-04-15" });
  }
  await main("POST /scheduler-runs");
  for (const kind of ["partial", "full"] as const) {
    const invoice = await main(`GET /invoices/${ids.deferred}`);
    const lines = [{ invoice_line_id: invoice.lines[0].id, amount: 100 }];
    const note = { invoice: ids.deferred, kind, credit_date: "2026-03-12" };
    const body = {
      ...note,
      external_id: `later-${kind}`,
      ...(kind === "partial" ? { lines } : {}),
    };
    await main("POST /credit-notes/preview", body);
    await main("POST /credit-notes", body);
  }
  await lookAtOutcome(stage, "main");
}

/** Advances the clock of the sandbox: its scheduler issues and sends, and its months are closed. */
async function theSandboxContinues(stage: Stage): Promise<void> {
  const account: AccountName = "sandbox";
  const sandbox = (call: string, body?: Json): Promise<Json> => stage.rest(account, call, body);
  await sandbox("GET /test-clock");
  for (const [day, month] of [
    ["2026-03-02", "2026-02"],
    ["2026-04-02", "2026-03"],
  ]) {
    await sandbox("PUT /test-clock", { now: `${day}T08:00:00Z` });
    await sandbox("POST /scheduler-runs");
    await sandbox("POST /period-closes", { month });
  }
  await lookAtAll(stage, account);
}

/** By the names under which `before/answers.json.br` stores their answers. */
export const plays: Readonly<Record<string, Play>> = {
  "everything is read": everythingIsRead,
  "assistants read": assistantsRead,
  "requests are repeated": requestsAreRepeated,
  "plans are committed": plansAreCommitted,
  "bookings in doubt are settled": bookingsInDoubtAreSettled,
  "months are closed": monthsAreClosed,
  "series go on": seriesContinue,
  "the sandbox goes on": theSandboxContinues,
};
