/** Bookings in an external ledger: showing them, retrying them and ending them by hand (spec 9.8). */
import { describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { resolveIntent } from "../../src/features/ledger/booking/resolve-intent.ts";
import { bookables } from "../../src/features/revenue/accruals/list-bookables.ts";
import { run } from "../../src/platform/commands/command.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { refusal } from "../support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../support/ledger/external-ledger.ts";
import { found, offBy1, steps } from "../support/ledger/scripted-ledger.ts";
import type { Json } from "../support/world/world.ts";

const { world, ledger, draft, issue, show, intentOf, expectIssuedOnce } = useExternalLedger();

const list = async (query: string): Promise<Json[]> =>
  (await world.done(`GET /ledger/intents?${query}`)).data;

/** A draft whose booking is left to a person, and the id of that booking. */
async function parked(): Promise<{ readonly id: string; readonly intent_id: string }> {
  const id = await draft();
  ledger.onBook(offBy1("gross"));
  ledger.onFind(found(offBy1("gross")));
  expect(refusal(await issue(id))).toBe("409 LEDGER_REJECTED");
  return { id, intent_id: (await intentOf(id))?.id };
}

async function resolve(input: Json): Promise<unknown> {
  const cx = await operatorContext(world.services, world.account.account_id);
  return run(resolveIntent(bookables), cx, { reason: "looked at", adopt: null, ...input });
}

describe("GET /ledger/queue", () => {
  it("reports how many bookings wait, the rate of the last ones, and the expected end", async () => {
    const queue = () => world.done("GET /ledger/queue");
    const none = { object: "ledger_queue", waiting: 0, per_minute: null, expected_end: null };
    expect(await queue()).toEqual(none);
    await issue(await draft());
    await issue(await draft());
    await world.sql(`update intents set settled_at = (select max(settled_at) from intents) - interval '30 seconds'
      where id = (select min(id::text)::uuid from intents)`);
    await world.sql(`update intents set settled_at = (select min(settled_at) from intents) + interval '30 seconds'
      where id = (select max(id::text)::uuid from intents)`);
    expect(await queue()).toEqual({ ...none, per_minute: 2 });

    ledger.onBook(steps.notStarted, steps.notStarted, steps.notStarted);
    await issue(await draft());
    const { waiting, expected_end } = await queue();
    expect(waiting).toBe(1);
    expect(Date.parse(expected_end)).toBeGreaterThan(Date.now());
    await world.sql(
      "update intents set state = 'settled', settled_at = clock_timestamp() - interval '1 hour'",
    );
  });
});

describe("GET /ledger/intents", () => {
  it("lists completed and open bookings, the newest first", async () => {
    const [settled, waiting] = [await draft(), await draft()];
    await issue(settled);
    ledger.onBook(steps.notStarted, steps.notStarted, steps.notStarted);
    expect(refusal(await issue(waiting))).toBe(UNAVAILABLE);

    const [newest, older] = await list("limit=2");

    expect(newest).toEqual({
      object: "ledger_intent",
      id: (await intentOf(waiting))?.id,
      kind: "invoice",
      document_id: waiting,
      state: "booking",
      attempts: 1,
      last_outcome: "not_started",
      created_at: expect.any(String),
      next_attempt_at: expect.any(String),
      settled_at: null,
    });
    expect(older).toMatchObject({
      document_id: settled,
      state: "settled",
      last_outcome: "booked",
      next_attempt_at: null,
      settled_at: expect.any(String),
    });
    const first = await world.done("GET /ledger/intents?limit=1");
    expect((await list(`limit=1&cursor=${first.next_cursor}`))[0]).toEqual(older);
    expect(await list(`document=${settled}`)).toEqual([older]);
    expect(await list("kind=invoice&state=booking")).toEqual([newest]);
    expect(await list("kind=voucher")).toEqual([]);
    expect(
      await world.sql("select verb, outcome from intent_calls where intent_id = $1", [newest.id]),
    ).toEqual(Array(3).fill({ verb: "book", outcome: "not_started" }));
  });
});

describe("POST /ledger/intents/{id}/retry", () => {
  it("looks a parked booking up, and settles it when the ledger's answer agrees", async () => {
    const { id, intent_id } = await parked();
    ledger.onFind(found(offBy1("gross")));

    expect(await world.done(`POST /ledger/intents/${intent_id}/retry`)).toMatchObject({
      state: "parked",
      last_outcome: "TOTAL_MISMATCH",
      next_attempt_at: null,
    });
    expect(await world.done(`POST /ledger/intents/${intent_id}/retry`)).toMatchObject({
      document_id: id,
      state: "settled",
    });

    expect(ledger.calls.filter((call) => call.startsWith("book"))).toHaveLength(1);
    await expectIssuedOnce(id);
  });

  it("returns a completed booking unchanged, and 404 for an unknown one", async () => {
    const id = await draft();
    await issue(id);
    ledger.forget();
    const [settled = {}] = await list(`document=${id}`);

    expect(await world.done(`POST /ledger/intents/${settled.id}/retry`)).toEqual(settled);

    expect(ledger.calls).toEqual([]);
    const unknown_one = await world.rest(`POST /ledger/intents/${id}/retry`);
    expect(refusal(unknown_one)).toBe("404 NOT_FOUND");
  });
});

describe("a booking that is resolved manually", () => {
  it("is released only after two look-ups, and leaves a draft", async () => {
    const { id, intent_id } = await parked();
    await expect(resolve({ id: intent_id })).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
    ledger.onFind(found(offBy1("gross")));
    await world.done(`POST /ledger/intents/${intent_id}/retry`);
    await expect(resolve({ id: intent_id })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      extras: { field_errors: [{ field: "release", code: "not_allowed" }] },
    });
    ledger.onFind(async () => ({ state: "absent" }));
    await world.rest(`POST /ledger/intents/${intent_id}/retry`);

    await resolve({ id: intent_id });

    expect(await list(`document=${id}`)).toMatchObject([
      { state: "released", last_outcome: "looked at" },
    ]);
    const changed = await world.done(`PATCH /invoices/${id}`, { title: "Other" });
    expect(changed).toMatchObject({ status: "draft" });
    const { data } = await world.done(`GET /audit-events?resource_id=${intent_id}`);
    expect(data).toMatchObject([{ action: "booking_released", reason: "looked at" }]);
    await expect(resolve({ id: intent_id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is adopted with the id and number from the ledger", async () => {
    const { id, intent_id } = await parked();

    await resolve({ id: intent_id, adopt: { ledger_id: "L77", number: 7_700n } });

    expect(await show(id)).toMatchObject({ status: "issued", ledger_invoice_number: 7_700 });
    expect(await list(`document=${id}`)).toMatchObject([{ state: "settled" }]);
  });

  it("is refused to every caller other than the operator and an admin in person", async () => {
    const { intent_id } = await parked();
    const cx = await schedulerContext(world.services, world.account.account_id);
    const resolution = { id: intent_id, reason: "looked at", adopt: null };
    await expect(run(resolveIntent(bookables), cx, resolution)).rejects.toMatchObject({
      code: "ROLE_FORBIDDEN",
    });
  });
});
