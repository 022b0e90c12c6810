/** PATCH and DELETE /work-registrations: editing, moving, deleting (spec 6.3). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  line,
  hours,
  at,
  cancel,
  issued,
  skip,
  linesOf,
  lineIds,
  bo,
  eva,
  newUser,
  invoice,
  draftLine,
  hourly,
  lineIn,
  registered,
  tried,
  patch,
  patched,
  removed,
  showWork,
  list,
} = useWork();

const ISSUED = "409 INVOICE_ALREADY_ISSUED";
let count = 0;

/** A draft of hours with work, issued. */
async function issuedWork(): Promise<{ draft: Json; work: Json }> {
  const draft = await invoice([hours(), line()]);
  const work = await registered(draft.lines[0].id, { date: "2026-03-02" });
  await world.done(`POST /invoices/${draft.id}/issue`);
  return { draft, work };
}

function credit(draft: Json, fields: Json): Promise<Json> {
  count += 1;
  return world.done("POST /credit-notes", {
    external_id: `credit-${count}`,
    invoice: draft.id,
    credit_date: "2027-06-01",
    ...fields,
  });
}

describe("PATCH /work-registrations", () => {
  it("changes the sent fields and recomputes the amount", async () => {
    const { id, ...before } = await registered(await draftLine(), { note: "first" });
    const changes = { hours: 3.25, date: "2026-03-02", billable: false, note: null };
    const { status, body } = await patch(id, changes);

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, id, ...changes, amount: 0, updated_at: expect.any(String) });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await patch(id, { billable: true })).body.amount).toBe(3250);
    expect((await patch(id, { user_id: eva() })).body.user_id).toBe(eva());
  });

  it("counts the hours of the day with the new value instead of the old one", async () => {
    const line_id = await draftLine();
    const { id } = await registered(line_id, { hours: 20 });
    await registered(line_id, { hours: 3 });

    expect(await patched(id, { hours: 21 })).toBe("200");
    expect(await patched(id, { hours: 21.01 })).toBe("409 DAILY_HOURS_EXCEEDED");
    await registered(line_id, { user_id: eva(), hours: 4 });
    expect(await patched(id, { user_id: eva() })).toBe("409 DAILY_HOURS_EXCEEDED");
  });

  it("writes nothing when nothing changes", async () => {
    const work = await registered(await draftLine());
    const { body } = await patch(work.id, { hours: 2, line_id: work.line_id });
    expect(body).toEqual(work);
    const { data } = await world.done(`GET /audit-events?resource_id=${work.id}`);
    expect(data).toHaveLength(1);
  });

  it("records its change in the audit trail", async () => {
    const before = await registered(await draftLine());
    const { body: after } = await patch(before.id, { hours: 1 });
    const { body: moved } = await patch(before.id, { line_id: await draftLine() });
    const { data } = await world.done(`GET /audit-events?resource_id=${before.id}`);
    expect(data).toMatchObject([
      { action: "moved", before: after, after: moved },
      { action: "updated", before, after },
      { action: "created" },
    ]);
  });

  it("is refused for a user who is inactive", async () => {
    const user_id = await newUser();
    const { id } = await registered(await draftLine(), { user_id });
    await world.done(`PATCH /users/${user_id}`, { active: false });
    expect(await patched(id, { hours: 1 })).toBe("409 USER_INACTIVE");
    expect(await patched(id, { hours: 1, user_id: bo() })).toBe("200");
  });
});

describe("moving work", () => {
  it("puts it on another draft, at the price there", async () => {
    const from = await invoice([hours()]);
    const to = await invoice([hours({ hourly_rate: 1500 })]);
    const { id } = await registered(from.lines[0].id);
    const { body } = await patch(id, { line_id: to.lines[0].id });

    expect(body).toMatchObject({ line_id: to.lines[0].id, invoice_id: to.id, amount: 3000 });
    const nets = [];
    for (const draft of [from, to]) {
      nets.push((await world.done(`GET /invoices/${draft.id}/totals`)).net);
    }
    expect(nets).toEqual([0, 3000]);
  });

  it("works between drafts and occurrences, also by the line of the series", async () => {
    at("2027-02-10");
    const draft = await invoice([hours()]);
    const { id: series_id } = await hourly();
    const [line_id = ""] = await lineIds(series_id);
    const { id } = await registered(draft.lines[0].id, { date: "2027-01-15" });

    const moved = (await patch(id, { line_id })).body;
    expect(moved).toMatchObject({ series_id, period: "2027-01", invoice_id: null });
    const next = (await patch(id, { line_id, date: "2027-02-01" })).body;
    expect(next).toMatchObject({ period: "2027-02", date: "2027-02-01" });
    const back = (await patch(id, { line_id: draft.lines[0].id })).body;
    expect(back).toMatchObject({ series_id: null, period: null, invoice_id: draft.id });
  });

  it.each<[string, (id: string) => Promise<unknown>, string]>([
    ["skipped", (id) => skip(id, "2027-02"), "409 OCCURRENCE_SKIPPED"],
    ["issued", (id) => issued(id, "2027-02"), ISSUED],
    ["dropped", (id) => cancel(id, { end_date: "2027-01-31" }), "409 OCCURRENCE_DROPPED"],
  ])("is refused to an occurrence that is %s: %3$s", async (_, settle, code) => {
    at("2027-02-10");
    const { id: series_id } = await hourly({ lines: [hours(), line({ position: 2 })] });
    const line_id = await lineIn(series_id, "2027-02");
    await settle(series_id);
    const { id } = await registered(await draftLine());
    expect(await patched(id, { line_id })).toBe(code);
  });

  it("applies the rules of the period to the result", async () => {
    at("2027-02-10");
    const { id: series_id } = await hourly();
    const february = await lineIn(series_id, "2027-02");
    const { id } = await registered(february);
    const outside = "409 WORK_DATE_OUTSIDE_PERIOD";
    expect(await patched(id, { date: "2027-01-20" })).toBe(outside);
    expect(await patched(id, { line_id: await lineIn(series_id, "2027-01") })).toBe(outside);
  });

  it("is the only allowed change of dropped work, and leads to an open line", async () => {
    at("2027-02-10");
    const { id: series_id } = await hourly();
    const { id } = await registered(await lineIn(series_id, "2027-02"));
    await cancel(series_id, { end_date: "2027-01-31" });

    const dropped = "409 OCCURRENCE_DROPPED";
    expect(await patched(id, { hours: 1 })).toBe(dropped);
    expect(await removed(id)).toBe(dropped);
    const draft = await invoice([hours()]);
    const { body } = await patch(id, { line_id: draft.lines[0].id, hours: 1 });
    expect(body).toMatchObject({ status: "open", invoice_id: draft.id, series_id: null, hours: 1 });
    expect(await removed(id)).toBe("204");
  });

  it("is not needed for work in a skipped occurrence, which waits until the skip is undone", async () => {
    at("2027-01-05");
    const { id: series_id } = await hourly();
    const { id } = await registered(await lineIn(series_id, "2027-01"), { billable: false });
    at("2027-02-01");
    await world.done("POST /scheduler-runs");
    expect(await patched(id, { billable: true })).toBe("409 OCCURRENCE_SKIPPED");
    await skip(series_id, "2027-01", "unskip");
    expect(await patched(id, { billable: true })).toBe("200");
    expect((await linesOf(series_id, "2027-01"))[0].amount).toBe(2000);
  });
});

describe("invoiced work", () => {
  it("cannot be changed, moved or deleted", async () => {
    const { work } = await issuedWork();
    expect(await patched(work.id, { hours: 1 })).toBe(ISSUED);
    expect(await patched(work.id, {})).toBe(ISSUED);
    expect(await patched(work.id, { line_id: await draftLine() })).toBe(ISSUED);
    expect(await removed(work.id)).toBe(ISSUED);
  });

  it("can be moved after a full credit, but not changed or deleted", async () => {
    at("2027-06-01");
    const { draft, work } = await issuedWork();
    const target = await invoice([hours({ hourly_rate: 1100 })]);
    const line_id = target.lines[0].id;
    await credit(draft, { kind: "full" });

    expect(await patched(work.id, { hours: 1 })).toBe(ISSUED);
    expect(await patched(work.id, { line_id, hours: 1 })).toBe(ISSUED);
    expect(await removed(work.id)).toBe(ISSUED);
    const { body } = await patch(work.id, { line_id });
    expect(body).toMatchObject({ status: "open", line_id, invoice_id: target.id, amount: 2200 });
    expect(await patched(work.id, { hours: 1 })).toBe("200");
    await world.done(`POST /invoices/${target.id}/issue`);
    expect((await showWork(work.id)).status).toBe("invoiced");
    expect((await world.done(`GET /invoices/${draft.id}/totals`)).net).toBe(5100);
  });

  it("can be moved when partial credits add up to the whole, and not before", async () => {
    at("2027-06-01");
    const { draft, work } = await issuedWork();
    const [first, second] = draft.lines.map(({ id }: Json) => id);
    const of = (invoice_line_id: string, amount: number) => [{ invoice_line_id, amount }];
    const line_id = await draftLine();

    await credit(draft, { kind: "partial", lines: of(first, 2000) });
    expect(await patched(work.id, { line_id })).toBe(ISSUED);
    await credit(draft, { kind: "partial", lines: of(second, 3100) });
    expect(await patched(work.id, { line_id })).toBe("200");
  });

  it("of an occurrence can be moved to the next one, and the past amount remains", async () => {
    at("2027-02-10");
    const { id: series_id } = await hourly();
    const work = await registered(await lineIn(series_id, "2027-01"), { date: "2027-01-20" });
    const january = await issued(series_id, "2027-01");
    at("2027-06-01");
    await credit(january, { kind: "full" });
    const line_id = await lineIn(series_id, "2027-02");

    expect((await patch(work.id, { line_id })).body).toMatchObject({
      period: "2027-02",
      invoice_id: null,
      status: "open",
    });
    expect((await linesOf(series_id, "2027-01"))[0].amount).toBe(2000);
    expect((await linesOf(series_id, "2027-02"))[0].amount).toBe(2000);
  });
});

describe("DELETE /work-registrations", () => {
  it("removes the work, and its hours from the line and the day", async () => {
    const draft = await invoice([hours()]);
    const line_id = draft.lines[0].id;
    const work = await registered(line_id, { hours: 24, external_id: "gone" });
    expect(await removed("ext:gone")).toBe("204");

    expect(await removed(work.id)).toBe("404 NOT_FOUND");
    expect(await list(`line=${line_id}`)).toEqual([]);
    expect((await world.done(`GET /invoices/${draft.id}/totals`)).net).toBe(0);
    expect(await tried(line_id, { hours: 24, external_id: "gone" })).toBe("201");
    const { data } = await world.done(`GET /audit-events?resource_id=${work.id}`);
    expect(data[0]).toMatchObject({ action: "deleted", before: work, after: null });
  });

  it.each(["GET", "PATCH", "DELETE"])("%s finds no work of another account", async (method) => {
    const { id } = await registered(await draftLine());
    const other = await world.openAnother();
    const body = method === "PATCH" ? {} : undefined;
    const key = other.keys.read_write;
    const reply = await world.rest(`${method} /work-registrations/${id}`, body, key);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
  });
});
