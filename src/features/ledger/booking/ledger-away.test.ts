/**
 * Ledgers that are down, slow or take one booking at a time, and the data that a ledger returns with a booking. The
 * ledger is a simulator; here its connection has a row.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";
import {
  type BookStep,
  door,
  limited,
  rated,
  steps,
  taxed,
} from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Connection } from "../../../ledger/ledger.ts";

const CONNECTION = "01990000-0000-7000-8000-00000000c0de";
const CAPABILITIES = {
  documents: "service",
  sends: [],
  asynchronous_vouchers: true,
  supplies_rates: true,
  numbers_restart_by_year: false,
  tells_payments: false,
  lists_payment_changes: false,
  concurrent_bookings: 1,
} as const;

const external = useExternalLedger();
const { world, ledger, ledgers, draft, issue, show, work, intentOf, letLeaseExpire } = external;
const { bePatient, expectIssuedOnce, expectUnderWay } = external;

beforeAll(async () => {
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'scripted', '{}', 'none', '')`,
    [world.account.account_id, CONNECTION],
  );
});
afterEach(async () => {
  await world.sql(
    `update ledger_connections set failures = 0, down_since = null, next_probe_at = null`,
  );
});

const circuit = async () =>
  (
    await world.sql(
      "select failures, down_since is not null as is_down, turn_of from ledger_connections",
    )
  )[0];
const probeNow = () => world.sql("update ledger_connections set next_probe_at = clock_timestamp()");
const capable = (more: object = {}) =>
  ledgers.set("scripted", {
    ...ledger.connection,
    capabilities: CAPABILITIES,
    ...more,
  } as Connection);

describe("a ledger that is down", () => {
  it.each<[string, readonly BookStep[], number]>([
    ["refuses the connection", [steps.refusedConnection], 1],
    ["leaves three calls in a row without an answer", [1, 2, 3].map(() => steps.silent), 7],
  ])("is not called after it %s, until it answers a probe", async (_what, script, calls) => {
    const [id, other] = [await draft(), await draft()];
    ledger.onBook(...script);

    expect(refusal(await issue(id))).toBe(UNAVAILABLE);
    expect(ledger.calls.length).toBeLessThanOrEqual(calls);
    ledger.onFind(...[1, 2, 3].map(() => async () => ({ state: "unknown" }) as const));
    while (!(await circuit()).is_down) await issue(id);
    ledger.forget();

    // Callers get an immediate refusal, and their bookings are kept.
    const reply = await issue(other);
    expect([refusal(reply), reply.headers.get("retry-after")]).toEqual([UNAVAILABLE, "5"]);
    await letLeaseExpire(id);
    expect(await work()).toBe(false);
    expect(ledger.calls).toEqual([]);
    await expectUnderWay(other);
    await probeNow();

    expect(await work()).toBe(true);
    await work();

    expect(await circuit()).toMatchObject({ failures: 0, is_down: false });
    await expectIssuedOnce(id);
    await expectIssuedOnce(other);
  });

  it("remains down while its probe gets no answer", async () => {
    const isAway = async () => ({ state: "not_started", reason: "unavailable" });
    const more = { check: isAway, putCustomer: isAway };
    const whole = ledger.connection as Extract<Connection, { transactional: false }>;
    capable({ connect: (account_id: never) => ({ ...whole.connect(account_id), more }) });
    ledger.onBook(steps.refusedConnection);
    await issue(await draft());
    await probeNow();

    expect(await work()).toBe(false);

    expect(await circuit()).toMatchObject({ is_down: true });
  });
});

it("drafts left by late calls are swept after the booking has ended", async () => {
  const id = await draft();
  const swept: string[] = [];
  const whole = ledger.connection as Extract<Connection, { transactional: false }>;
  const more = {
    putCustomer: async () => ({ state: "stored", ledger_id: "P1" }),
    sweep: async (kind: string, guid: string) => {
      swept.push(`${kind} ${guid}`);
      return { state: "swept", drafts: 1 };
    },
  };
  capable({ connect: (account_id: never) => ({ ...whole.connect(account_id), more }) });
  ledger.onBook(steps.bookedButUnknown);
  expect(refusal(await issue(id))).toBe("200");
  await world.sql("update intents set sweep_at = clock_timestamp() where sweep_at is not null");

  await work();
  await work();

  expect(swept).toEqual([`invoice ${id}`]);
  expect(await world.sql("select from intents where sweep_at is not null")).toEqual([]);
});

describe("a ledger with a rate limit", () => {
  it("is called again at the time that it names, while a caller waits (fault 18)", async () => {
    const id = await draft();
    ledger.onBook(...[1, 2, 3, 4, 5].map(() => limited(1)));

    expect(refusal(await issue(id))).toBe("200");

    await expectIssuedOnce(id);
  });

  it("is not called after the caller's time, and the caller is notified when to retry", async () => {
    const id = await draft();
    ledger.onBook(limited(60_000));

    const reply = await issue(id);

    expect([refusal(reply), reply.headers.get("retry-after")]).toEqual([UNAVAILABLE, "60"]);
    expect(ledger.calls).toHaveLength(1);
    const [{ pause }] = await world.sql(
      `select round(extract(epoch from next_attempt_at - lease_until))::int as pause from intents where document_id = $1`,
      [id],
    );
    expect(pause).toBe(60);
  });
});

it("a connection that does not work is not called again before a successful check", async () => {
  const id = await draft();
  await world.sql("update ledger_connections set state = 'unauthorized'");

  expect(refusal(await issue(id))).toBe("409 LEDGER_NOT_CONNECTED");

  await expectUnderWay(id);
  await letLeaseExpire(id);
  expect(await work()).toBe(false);
  expect(ledger.calls).toEqual([]);
  await world.sql("update ledger_connections set state = 'connected'");
  expect(await work()).toBe(true);
  await expectIssuedOnce(id);
});

it("a restored copy with paused background work calls no ledger, not even for a caller", async () => {
  await world.sql("insert into background_pause (is_paused, since) values (true, now())");
  const id = await draft();

  expect(refusal(await issue(id))).toBe(UNAVAILABLE);

  expect(ledger.calls).toEqual([]);
  await world.sql("delete from background_pause");
  expect(refusal(await issue(id))).toBe("200");
  await expectIssuedOnce(id);
});

it("a ledger that takes one booking at a time is called for one at a time", async () => {
  const ids = [await draft(), await draft()];
  const first = door();
  bePatient();
  const patient = ledgers.get("scripted");
  ledgers.set("scripted", { ...patient, capabilities: CAPABILITIES } as Connection);
  ledger.onBook(first.held);
  const begun = ids.map((id) => issue(id));
  await first.entered;
  // The second booking has had time to arrive, and waits for its turn.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(ledger.calls).toHaveLength(1);
  expect((await circuit()).turn_of).not.toBeNull();

  first.open();

  expect((await Promise.all(begun)).map(refusal)).toEqual(["200", "200"]);
  expect((await circuit()).turn_of).toBeNull();
  for (const id of ids) await expectIssuedOnce(id);
});

describe("the document takes over from the ledger", () => {
  it("VAT that differs by a minor unit", async () => {
    const id = await draft();
    ledger.onBook(taxed(1n));

    expect(refusal(await issue(id))).toBe("200");

    expect(await world.done(`GET /invoices/${id}/totals`)).toMatchObject({
      net: 1250.5,
      vat: 312.64,
      gross: 1563.14,
      vat_breakdown: [{ vat: 312.64 }],
    });
    const { checks } = await world.done("GET /ledger/verification");
    expect(checks.find(({ name }: { name: string }) => name === "documents").ok).toBe(true);
  });

  it("the rate of a currency that has none in the account", async () => {
    capable();
    const id = await draft({ currency: "EUR" });
    ledger.onBook(rated(7_460_000n));

    expect(refusal(await issue(id))).toBe("200");

    const [line] = await world.sql(
      `select l.amount_functional::int as amount, i.rate_micro::int as rate, i.ledger_connection_id as connection
       from invoice_lines l join invoices i on i.id = l.invoice_id where i.id = $1`,
      [id],
    );
    expect(line).toEqual({ amount: 932_873, rate: 7_460_000, connection: CONNECTION });
    expect((await world.done(`GET /invoices/${id}/totals`)).rate_date).toBe("2026-03-10");
  });

  it("no total without any rate, which is left to a person", async () => {
    capable();
    const id = await draft({ currency: "EUR" });

    const reply = await issue(id);

    expect(reply.body.error.details).toMatchObject({ reason: "TOTAL_MISMATCH", state: "parked" });
    expect(await intentOf(id)).toMatchObject({ state: "parked" });
    expect(await show(id)).toMatchObject({ status: "draft" });
  });
});
