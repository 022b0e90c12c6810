/** The output of `matchbook inspect` for each kind of record: its state, the reason, and the next step. */
import { describe, expect, it } from "vitest";
import { useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";
import { rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import { openStudio } from "../../../../test/support/world/studio.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json, World } from "../../../../test/support/world/world.ts";
import { readTogether } from "../../../platform/database/transaction.ts";
import { inBackground } from "../../../platform/runtime/services.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { closePeriod } from "../../revenue/closes/close-month.ts";
import { findSubjects } from "./find-subjects.ts";
import { readInspection } from "./read-inspection.ts";

/** Every record that the reference names in one account, or in all. */
function inspected(world: World, ref: string, account_id: string | null = null): Promise<Json[]> {
  return readTogether(world.db, async (reads) => {
    const found = [];
    for (const subject of await findSubjects(reads, ref, account_id)) {
      const cx = await operatorContext(inBackground(world.services), subject.account_id);
      found.push(await readInspection({ ...cx, ...reads }, subject));
    }
    return found;
  });
}

/** The only record that the reference names. */
async function inspectedOne(world: World, ref: string, account_id?: string): Promise<Json> {
  const found = await inspected(world, ref, account_id);
  expect(found).toHaveLength(1);
  return found[0];
}

describe("with the built-in ledger", () => {
  const { world, customer, line, draft, active, hourly, at, cancel, run, lineIn, eva, registered } =
    useWork();
  const one = (ref: string) => inspectedOne(world, ref, world.account.account_id);
  const sell = (fields: Json = {}): Promise<Json> =>
    world.done("POST /invoices", { customer_id: customer.id, lines: [line()], ...fields });

  it("finds all records with an id, external id or number, in one account or in all", async () => {
    const { account_id } = world.account;
    const other = await world.openAnother();
    const external_id = "twin";
    await world.done("POST /customers", { name: "Here", external_id });
    await world.done("POST /customers", { name: "There", external_id }, other.keys.read_write);
    await draft({ external_id });
    const { id } = await sell();
    const { ledger_invoice_number } = await world.done(`POST /invoices/${id}/issue`);

    const kinds = async (ref: string, account?: string) =>
      (await inspected(world, ref, account)).map(({ kind }) => kind).sort();
    expect(await kinds("ext:twin")).toEqual(["customer", "customer", "recurring_series"]);
    expect(await kinds("ext:twin", account_id)).toEqual(["customer", "recurring_series"]);
    expect(await kinds(id.toUpperCase())).toEqual(["invoice"]);
    expect(await kinds(id, other.account_id)).toEqual([]);
    expect(await kinds(String(ledger_invoice_number), account_id)).toEqual(["invoice"]);
    for (const ref of ["ext:unknown", "ext:unknown/2027-01", "2027-01", "what?", "0"]) {
      expect(await kinds(ref), ref).toEqual([]);
    }
  });

  it("states why a draft cannot be booked, and the deliveries of an issued invoice", async () => {
    at("2027-03-20");
    const { id } = await sell({ issue_date: "2027-01-31" });
    await world.done("PATCH /configuration", { period_lock_date: "2027-01-31" });
    const locked = await one(id);
    await world.done("PATCH /configuration", { period_lock_date: null });

    expect(locked.facts).toMatchObject({ status: "draft", issue_date: "2027-01-31" });
    expect(locked.says).toEqual([
      "Nothing is booked on 2027-01-31: everything through 2027-01-31 is locked.",
      `\`POST /invoices/${id}/issue\` issues it.`,
    ]);
    expect((await one(id)).says).toHaveLength(1);

    await world.done(`PATCH /invoices/${id}`, { auto_send: true });
    await world.done(`POST /invoices/${id}/issue`);
    const { facts, says, deliveries, events } = await one(id);
    expect(facts).toMatchObject({ status: "issued", auto_send: true });
    expect(says).toEqual(["It does not change: a credit note corrects errors."]);
    expect(deliveries).toMatchObject([{ state: "written_to_outbox", address: "ap@acme.example" }]);
    expect(events.map(({ action }: Json) => action)).toEqual(["created", "updated", "issued"]);
    const delivery = await one(deliveries[0].id);
    expect([delivery.kind, delivery.facts.document_id]).toEqual(["delivery", id]);
    expect(delivery.says).toEqual(["It is done: the message is in the outbox folder."]);
  });

  it("states when a series and its periods fall due, and why a period failed", async () => {
    at("2027-01-01");
    const { id } = await active({ start_date: "2027-01-01", external_id: "care" });
    expect((await one(id)).says).toEqual(["Its next period falls due on 2027-01-01."]);
    expect((await one("ext:care/2027-01")).says[0]).toBe("It falls due on 2027-01-01.");
    await world.done(`POST /customers/${customer.id}/deactivate`);
    await run();
    await world.done(`POST /customers/${customer.id}/activate`);

    const period = await one("ext:care/2027-01");
    expect([period.kind, period.id]).toEqual(["occurrence", `${id}/2027-01`]);
    expect(period.facts).toMatchObject({ state: "failed", failure_code: "CUSTOMER_INACTIVE" });
    expect(period.says[0]).toMatch(/^The scheduler tries it again from 2027-01-01T/);
    expect(period.events).toMatchObject([{ action: "failed", reason: "CUSTOMER_INACTIVE" }]);
    expect((await one(id)).says[0]).toContain("2027-01 has failed with CUSTOMER_INACTIVE");
    await world.done(`POST /recurring-series/${id}/occurrences/2027-01/issue`);
    const issued = await one("ext:care/2027-01");
    expect([issued.facts.state, issued.says]).toEqual(["issued", []]);
    at("2027-02-10");
    const late = await active({ start_date: "2027-01-01" });
    expect((await one(`${late.id}/2027-02`)).says.slice(0, 2)).toEqual([
      "It fell due on 2027-02-01, before its series was activated.",
      "The scheduler leaves it to a person.",
    ]);
    await expect(one("ext:care/2026-12")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(one("ext:care/soon")).rejects.toMatchObject({ code: "MALFORMED_REQUEST" });
  });

  it("states the place of a queued credit note, and why a period was dropped", async () => {
    at("2027-05-01");
    const start_date = "2027-05-01";
    const [{ id }, other] = [await active({ start_date }), await active({ start_date })];
    for (const series of [id, other.id]) {
      await world.done(`POST /recurring-series/${series}/occurrences/2027-05/issue`);
      await cancel(series, { end_date: "2027-05-10" });
    }
    const notes = await world.sql(
      "select id from credit_notes where queue_state = 'queued' order by id",
    );
    const last = await one(notes[1].id);
    expect(last.facts).toMatchObject({ status: "draft", queue_state: "queued" });
    expect(last.says.slice(0, 2)).toEqual([
      "A cancellation has queued it.",
      expect.stringMatching(
        /^The scheduler issues it from 2027-05-01T.* as number 2 of the queue\.$/,
      ),
    ]);
    expect((await one(`${id}/2027-06`)).says).toEqual([
      expect.stringMatching(/^Its series was cancelled at 2027-05-01T/),
    ]);
    expect((await one(id)).says).toEqual(["The scheduler has nothing to do for it."]);
    await run();
    expect((await one(notes[0].id)).facts).toMatchObject({ status: "issued", queue_state: null });
  });

  it("states where work is invoiced and when it is locked, and that a customer is inactive", async () => {
    at("2027-08-10");
    const { id } = await hourly({ start_date: "2027-08-01" });
    const fields = { user_id: eva(), date: "2027-08-02" };
    const work = await registered(await lineIn(id, "2027-08"), fields);
    await world.done("PATCH /configuration", { work_lock_date: "2027-08-05" });
    expect((await one(work.id)).says).toEqual([
      "Standard users cannot change work through 2027-08-05.",
      `It is invoiced with ${id}/2027-08.`,
    ]);
    await world.done(`POST /customers/${customer.id}/deactivate`);
    expect((await one(customer.id)).says).toEqual([
      "Issuing an invoice for it is refused with CUSTOMER_INACTIVE.",
    ]);
    await world.done(`POST /customers/${customer.id}/activate`);
  });

  it("states what blocks a whole account", async () => {
    await world.sql("insert into background_pause values (true, clock_timestamp())");
    expect((await one(customer.id)).says).toEqual([
      expect.stringMatching(/^Background work is paused since .*, until `matchbook resume`\.$/),
    ]);
    await world.sql("delete from background_pause");
    const { account_id, keys } = await world.openAnother({ sandbox: true });
    const { id } = await world.done("POST /customers", { name: "Sand" }, keys.read_write);
    await world.done("PUT /test-clock", { now: "2027-01-01T00:00:00Z" }, keys.read_write);
    expect((await inspectedOne(world, id, account_id)).says[0]).toMatch(
      /^The account's clock is set/,
    );
  });
});

describe("with an external ledger", () => {
  const { world, ledger, connect, draft, issue, letLeaseExpire } = useExternalLedger();
  const one = (ref: string) => inspectedOne(world, ref);

  it("states for an open booking who asked, how often, what the ledger answered, and who continues", async () => {
    const id = await draft();
    ledger.onBook(steps.unknown, steps.unknown, steps.unknown);
    ledger.onFind(...Array(3).fill(async () => ({ state: "unknown" })));
    expect((await issue(id)).status).toBe(500);

    const { says, bookings, facts } = await one(id);
    expect(facts.status).toBe("draft");
    expect(bookings).toMatchObject([
      {
        document_id: id,
        state: "unknown",
        actor_kind: "api_key",
        attempts: 1,
        last_outcome: "unknown",
        calls: expect.stringMatching(/^book unknown \d+ ms; find unknown/),
      },
    ]);
    expect(says[0]).toMatch(/^Its booking is open: the next call or, from .* on, the worker/);
    await world.sql("update intents set lease_until = clock_timestamp() + interval '1 minute'");
    expect((await one(id)).says[0]).toMatch(
      /^A process books it in the ledger, with a lease until/,
    );
    await letLeaseExpire(id);
    ledger.forget();
    expect((await issue(id)).status).toBe(200);
    expect((await one(id)).bookings).toEqual([]);
  });

  it("states the progress of an accrual and of a close, and which customer was refused", async () => {
    const studio = await openStudio(world, await world.openAnother());
    await connect("scripted");
    studio.at("2026-03-10");
    const { Anna } = await studio.customersWith("2026-02", "Anna");
    const accrual = await studio.accrual("2026-02", Anna);
    const of = (ref: string) => inspectedOne(world, ref, studio.account.account_id);
    expect((await of(accrual.id)).says).toEqual([
      `\`POST /accruals/${accrual.id}/book\` or the close of 2026-02 books it.`,
    ]);
    ledger.onBook(rejected("UNKNOWN_CUSTOMER"));
    await studio.closed("2026-02");
    const refused = await of("2026-02");
    expect(refused.facts).toMatchObject({ status: "partial", with_voucher: 0 });
    expect(refused.says[0]).toBe(`The customer ${Anna} was refused: LEDGER_REJECTED.`);

    const cx = await operatorContext(world.services, studio.account.account_id);
    await closePeriod(cx, { month: "2026-02" as never, lock: true }, -1);
    const running = await of("2026-02");
    expect(running.facts).toMatchObject({
      status: "running",
      remaining: 2,
      begun_by: "operator:cli",
    });
    expect(running.says[0]).toMatch(/^(A process works on it|No process works on it)/);
    await studio.closed("2026-02");
    const booked = await of(accrual.id);
    expect(booked.facts).toMatchObject({ status: "booked", booking: "booked" });
    expect(booked.says).toEqual([]);
  });
});
