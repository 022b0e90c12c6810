/**
 * Unpublished behaviour of Dinero that decides the outcome of a booking: the whole path from a caller to the books of the
 * simulation, with each switch in all its positions. The bookings are read from those books.
 */
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../support/http/refusal.ts";
import { BOOK, CREATE, gate, useFaults } from "../support/ledger/dinero/under-fault.ts";
import type { Fault } from "../support/ledger/fault-proxy.ts";
import { letLinksPass } from "../support/ledger/pass-time.ts";
import type { Json } from "../support/world/world.ts";

const faults = useFaults();
const { world, simulation, wire, work, draft, line, issue } = faults;
const { callsOf, eventsOf, hurry, intentOf, letTimePass, expectIssuedOnce, expectReleased } =
  faults;

/** Organisation and switches before the tests. */
let usual: { organisation: Json; switches: Json };
const organisation = (change: Json) => simulation().control("organisation", change);
const switches = (change: Json) => simulation().control("switches", change);
beforeAll(async () => {
  usual = (await simulation().books()) as Json;
});
afterEach(async () => {
  await organisation(usual.organisation);
  await switches(usual.switches);
  await world.done("PATCH /configuration", { period_lock_date: null });
});

/** The accrual of a month of a new customer with earnings in it. */
async function earned(month: string): Promise<Json> {
  const { id: customer_id } = await world.done("POST /customers", { name: `Of ${month}` });
  const service = { service_from: `${month}-01`, service_to: `${month}-28` };
  await draft({ customer_id, lines: [{ ...line(900), ...service }] });
  return world.done(`GET /accruals?customer=${customer_id}&month=${month}`);
}
const bookedOf = async (accrual: string): Promise<Json[]> => {
  const { data } = await world.done(`GET /ledger/intents?kind=voucher&limit=100`);
  const { ledger_items } = await simulation().books();
  const { ledger_voucher_guid } = await world.done(`GET /accruals/${accrual}`);
  expect(data.length).toBeGreaterThan(0);
  return ledger_items.filter(({ Id }) => Id === ledger_voucher_guid);
};

describe.each(["validationErrors", "errorMessageList", "languageSpecificMessages"])(
  "errors whose keys are only in %s",
  (error_keys) => {
    it("lead to the booking of a voucher whose first call was lost", async () => {
      await switches({ error_keys });
      const accrual = await earned("2026-09");
      wire().next({ method: "POST", path: /ledgeritems$/ }, { type: "drop_before" });
      expect(refusal(await world.rest(`POST /accruals/${accrual.id}/book`))).toBe(
        "500 LEDGER_UNAVAILABLE",
      );

      await letTimePass();
      await work();

      expect(await world.done(`GET /accruals/${accrual.id}`)).toMatchObject({ status: "booked" });
      expect(await bookedOf(accrual.id)).toMatchObject([{ Status: "Booked" }]);
    });

    it("lead to the booking of an invoice whose first call was lost", async () => {
      await switches({ error_keys });
      const id = await draft();
      wire().next({ method: "POST", path: /\/invoices$/ }, { type: "drop_before" });
      expect(refusal(await issue(id))).toBe("500 LEDGER_UNAVAILABLE");
      await letTimePass();
      await work();
      await expectIssuedOnce(id);
    });

    it("report a locked day", async () => {
      await switches({ error_keys });
      const id = await draft();
      await organisation({ locked_through: "2026-11-30" });
      expect(refusal(await issue(id))).toBe("409 PERIOD_LOCKED");
      await expectReleased(id);
    });

    it("report an existing contact", async () => {
      await switches({ error_keys });
      wire().next({ method: "POST", path: /\/contacts$/ }, { type: "drop_after" });
      const { id } = await world.done("POST /customers", { name: `Twice ${randomUUID()}` });
      await letLinksPass(world);
      await work();
      expect(await world.done(`GET /customers/${id}/ledger`)).toMatchObject({ state: "synced" });
    });
  },
);

describe.each(["", "<html>409 Conflict</html>"])(
  "a conflict that does not come from Dinero (%j)",
  (body) => {
    const conflict: Fault = { type: "answer", status: 409, body };

    it.each([
      ["draft", CREATE, ["book unknown", "find absent"]],
      ["booking", BOOK, ["book unknown", "find draft"]],
    ])("at the %s is no answer: the invoice is looked up and booked once", async (_, at, calls) => {
      const id = await draft();
      hurry();
      wire().next(at, conflict);
      expect(refusal(await issue(id))).toBe("200");
      expect((await callsOf(id)).slice(0, 2)).toEqual(calls);
      expect(await eventsOf(id)).not.toContain("booking_parked");
      await expectIssuedOnce(id);
    });

    it.each([
      ["item", /ledgeritems$/],
      ["booking of an item", /ledgeritems\/book$/],
    ])("at the %s is no answer: the voucher is looked up and booked once", async (_, path) => {
      const accrual = await earned("2026-09");
      wire().next({ method: "POST", path }, conflict);
      await world.rest(`POST /accruals/${accrual.id}/book`);
      await letTimePass();
      await work();
      expect(await world.done(`GET /accruals/${accrual.id}`)).toMatchObject({ status: "booked" });
      expect(await bookedOf(accrual.id)).toMatchObject([{ Status: "Booked" }]);
    });
  },
);

const LOCKED = { locked_through: "2026-11-30" };
const looks = ["no_document", "deleted", "shown"];
/** The sales account without VAT: Dinero computes another total. */
const withoutVat = () => ({
  accounts: usual.organisation.accounts.map((one: Json) =>
    one.AccountNumber === 1000 ? { ...one, VatCode: null } : one,
  ),
});
/** The documents in Dinero with a title, without deleted drafts. */
const titled = async (title: string) => {
  const { invoices, credit_notes } = await simulation().books();
  return [...invoices, ...credit_notes].filter((one) => one.Description === title && !one.deleted);
};
/** A document that Dinero refused, with a draft that has been deleted there since. */
const refusedThenSwept = async (title: string): Promise<string> => {
  const id = await draft({ title });
  await organisation(withoutVat());
  expect(refusal(await issue(id))).toBe("409 LEDGER_REJECTED");
  await organisation(usual.organisation);
  expect(await titled(title)).toEqual([]);
  return id;
};
const sweepNow = async (id: string): Promise<void> => {
  await world.sql("update intents set sweep_at = clock_timestamp() where document_id = $1", [id]);
  await work();
  await expect
    .poll(() =>
      world.sql("select id from intents where document_id = $1 and sweep_at is not null", [id]),
    )
    .toEqual([]);
};
/** Issued, and booked once in Dinero, under the guid that the API shows. */
const expectBookedOnce = async (id: string, title: string): Promise<Json> => {
  const issued = await world.done(`GET /invoices/${id}`);
  expect(issued.status).toBe("issued");
  expect(await titled(title)).toMatchObject([
    {
      Guid: issued.ledger_invoice_guid,
      Status: "Booked",
      Number: issued.ledger_invoice_number,
    },
  ]);
  return issued;
};

describe.each(looks.flatMap((look) => [true, false].map((is_free) => [look, is_free] as const)))(
  "a deleted draft that a look-up reports as %s, its guid free: %s",
  (deleted_look, deleted_guid_is_free) => {
    it("does not stop an invoice that was refused for a locked day and swept", async () => {
      await switches({ deleted_look, deleted_guid_is_free });
      const title = `Locked ${randomUUID()}`;
      const id = await draft({ title });
      await organisation(LOCKED);
      expect(refusal(await issue(id))).toBe("409 PERIOD_LOCKED");
      await sweepNow(id);
      expect(await titled(title)).toEqual([]);
      await organisation(usual.organisation);

      expect(refusal(await issue(id))).toBe("200");

      const { ledger_invoice_guid } = await expectBookedOnce(id, title);
      expect(ledger_invoice_guid === id).toBe(deleted_guid_is_free);
    });

    it("does not stop an invoice that was refused for its total", async () => {
      await switches({ deleted_look, deleted_guid_is_free });
      const title = `Mismatch ${randomUUID()}`;
      const id = await refusedThenSwept(title);

      expect(refusal(await issue(id))).toBe("200");

      await expectBookedOnce(id, title);
      expect(await intentOf(id)).toMatchObject({ state: "settled" });
    });
  },
);

describe("an invoice under another guid than its id", () => {
  const keptGuids = () => switches({ deleted_guid_is_free: false, deleted_look: "shown" });

  it("is printed, sent, credited and compared under that guid", async () => {
    await keptGuids();
    const title = `Everywhere ${randomUUID()}`;
    const id = await refusedThenSwept(title);
    await world.done(`PATCH /invoices/${id}`, { auto_send: true });
    const issued = await world.done(`POST /invoices/${id}/issue`);
    expect(issued.ledger_invoice_guid).not.toBe(id);
    expect(issued.send_error ?? null).toBeNull();

    const [booked] = await titled(title);
    expect(booked?.mailouts).toMatchObject([{ Type: "Email" }]);
    const printed = await fetch(`${world.origin}/api/v1/invoices/${id}/pdf`, {
      headers: { authorization: `Bearer ${world.account.keys.read_write}` },
    });
    expect(await printed.text()).toContain(`invoice ${booked?.Number}`);
    await world.sql("update deliveries set next_look_at = clock_timestamp()");
    await work();
    const { data } = await world.done(`GET /invoices/${id}/deliveries`);
    expect(data).toMatchObject([{ state: "accepted", send_error: null }]);

    const credit = await world.done("POST /credit-notes", {
      invoice: id,
      external_id: title,
      kind: "full",
      credit_date: issued.issue_date,
    });
    const { credit_notes } = await simulation().books();
    expect(credit_notes.filter(({ Guid }) => Guid === credit.id)).toMatchObject([
      { Status: "Booked", CreditNoteFor: issued.ledger_invoice_guid },
    ]);
    const { findings } = await world.done("GET /ledger/reconciliation?month=2026-11");
    const own = [id, credit.id, issued.ledger_invoice_guid];
    expect(findings.filter((one: Json) => own.includes(one.document_id))).toEqual([]);
  });

  it("keeps that guid after another refusal, and gets a third when that draft is deleted too", async () => {
    await keptGuids();
    const title = `Thrice ${randomUUID()}`;
    const id = await refusedThenSwept(title);
    await organisation(LOCKED);
    expect(refusal(await issue(id))).toBe("409 PERIOD_LOCKED");
    const [left] = await titled(title);
    expect(left?.Guid).not.toBe(id);
    await organisation(usual.organisation);
    await world.done(`PATCH /invoices/${id}`, { auto_send: false });

    await sweepNow(id);
    expect(await titled(title)).toEqual([]);
    expect(refusal(await issue(id))).toBe("200");

    const issued = await expectBookedOnce(id, title);
    expect([id, left?.Guid]).not.toContain(issued.ledger_invoice_guid);
  });

  it("is booked once, whichever request is lost, before or after it arrives", async () => {
    await keptGuids();
    const title = () => `Lost ${randomUUID()}`;
    const isOfInvoices = (path: string) => path.includes("/invoices");
    // The number of requests of the whole path.
    await refusedThenSwept(title()).then(async (id) => {
      const before = wire().requests.length;
      expect(refusal(await issue(id))).toBe("200");
      const asked = wire()
        .requests.slice(before)
        .filter(({ path }) => isOfInvoices(path));
      // A refusal with a look, two looks, then draft, look and booking under the new guid.
      expect(asked).toHaveLength(7);
    });
    for (const type of ["drop_before", "drop_after"] as const) {
      for (let at = 1; at <= 7; at += 1) {
        const named = title();
        const id = await refusedThenSwept(named);
        let count = 0;
        wire().each((_method, path) => {
          if (!isOfInvoices(path)) return undefined;
          count += 1;
          return count === at ? { type } : undefined;
        });
        await issue(id);
        wire().clear();
        await letTimePass();
        await work();
        await expectBookedOnce(id, named);
      }
    }
  });

  it("leaves a late call under the old guid as a draft, which is swept", async () => {
    await keptGuids();
    const title = `Late ${randomUUID()}`;
    const id = await refusedThenSwept(title);
    const late = gate();
    wire().next(CREATE, { type: "drop_late", until: late.passed });
    expect(refusal(await issue(id))).toBe("500 LEDGER_UNAVAILABLE");
    await letTimePass();
    await work();
    const { ledger_invoice_guid } = await expectBookedOnce(id, title);
    expect(ledger_invoice_guid).not.toBe(id);

    // If such guids become free again, the late call creates a draft.
    await switches({ deleted_guid_is_free: true });
    late.open();
    await expect.poll(() => titled(title)).toHaveLength(2);
    await wire().settled();
    await sweepNow(id);

    await expectBookedOnce(id, title);
  });

  it("is not booked under the old guid when a delayed process resumes", async () => {
    await keptGuids();
    const title = `Held ${randomUUID()}`;
    const id = await refusedThenSwept(title);
    const held = gate();
    const met = wire().requests.filter(({ fault }) => fault !== null).length;
    wire().next(CREATE, { type: "hold_before", until: held.passed });
    const first = issue(id);
    await wire().reached(met + 1);
    // Its lease expires, and another process resumes the booking.
    await letTimePass();
    await work();
    const { ledger_invoice_guid } = await expectBookedOnce(id, title);
    expect(ledger_invoice_guid).not.toBe(id);

    await switches({ deleted_guid_is_free: true });
    held.open();
    await first;

    const existing = await titled(title);
    expect(existing.filter(({ Status }) => Status === "Booked")).toHaveLength(1);
    await sweepNow(id);
    await expectBookedOnce(id, title);
  });
});

describe("a voucher that Dinero accepts and does not book", () => {
  const MONTH = "2026-08";
  /** Accepted in a close while its day was open, and due now that it is locked. */
  const acceptedThenLocked = async (change: Json): Promise<Json> => {
    const accrual = await earned(MONTH);
    await switches({ ledger_item_ms: 3_600_000, ...change });
    const closed = await world.done("POST /period-closes", { month: MONTH });
    expect(closed.remaining).toBeGreaterThanOrEqual(1);
    await organisation({ locked_through: "2026-08-31" });
    await switches({ ledger_item_ms: 0 });
    const { ledger_items } = await simulation().books();
    for (const { Id, Status } of ledger_items) {
      if (Status !== "PendingBooking") continue;
      await simulation().control("edit", {
        key: `ledger_item/270001/${Id}`,
        change: { due_at: 0 },
      });
    }
    return accrual;
  };
  const intentsOf = (accrual: Json): Promise<Json[]> =>
    world.sql(
      `select t.id, t.state, t.reason, (select count(*)::int from intent_calls c
         where c.intent_id = t.id and c.verb = 'POST ledgeritems/book') as bookings
       from intents t where t.payload::json ->> 'reference' like 'accrual:' || $1 || ':%'
       order by t.created_at`,
      [accrual.id],
    );
  const workOn = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      await letTimePass();
      await work();
    }
  };
  /** The close continues with the outcomes known by now. */
  const closedAgain = async (): Promise<Json> => {
    await world.sql(
      "update period_closes set lease_until = clock_timestamp() - interval '1 second'",
    );
    return world.done("POST /period-closes", { month: MONTH });
  };

  it.each([
    ["reports the lock at the second booking", { locked_ledger_item: "refused" }, "PERIOD_LOCKED"],
    ["reverts it each time", { locked_ledger_item: "reverts" }, "VALIDATION"],
    ["deletes it", { locked_ledger_item: "reverts", unbookable_item: "gone" }, "VALIDATION"],
  ])("is refused after two bookings if Dinero %s", async (_, change, reason) => {
    const accrual = await acceptedThenLocked(change);

    await workOn(4);

    expect(await intentsOf(accrual)).toMatchObject([{ state: "released", reason, bookings: 2 }]);
    const draft_again = await world.done(`GET /accruals/${accrual.id}`);
    expect(draft_again).toMatchObject({ status: "draft", pending: false });
    const closed = await closedAgain();
    expect(closed.status).toBe("partial");
    const own = closed.errors.filter((one: Json) => one.customer_id === accrual.customer_id);
    expect(own).toMatchObject([
      reason === "PERIOD_LOCKED"
        ? { code: "PERIOD_LOCKED" }
        : { code: "LEDGER_REJECTED", details: { reason } },
    ]);
    expect(await intentsOf(accrual)).toHaveLength(1);

    // With the lock date also set here, its rows move to the first open month.
    await world.done("PATCH /configuration", { period_lock_date: "2026-08-31" });
    const { customer_id } = accrual;
    const later = await world.done(`GET /accruals?customer=${customer_id}&month=${MONTH}`);
    expect(later).toMatchObject({ accrual_month: "2026-09", original_accrual_month: MONTH });
    expect(refusal(await world.rest(`POST /accruals/${later.id}/book`))).toBe("200");
    expect(await bookedOf(later.id)).toMatchObject([{ Status: "Booked" }]);
  });

  it("stays pending if Dinero never reports anything else, at growing intervals", async () => {
    const accrual = await acceptedThenLocked({
      locked_ledger_item: "reverts",
      unbookable_item: "pending",
    });

    await workOn(7);

    expect(await intentsOf(accrual)).toMatchObject([{ state: "pending", bookings: 1 }]);
    const [{ seconds }] = await world.sql(
      `select extract(epoch from next_attempt_at - clock_timestamp())::float8 as seconds from intents
       where state = 'pending'`,
    );
    expect(seconds).toBeGreaterThan(40);
    await organisation(usual.organisation);
    const { ledger_items } = await simulation().books();
    for (const { Id } of ledger_items.filter(({ Status }) => Status === "PendingBooking")) {
      await simulation().control("edit", {
        key: `ledger_item/270001/${Id}`,
        change: { due_at: 0 },
      });
    }
    await workOn(1);
    expect(await world.done(`GET /accruals/${accrual.id}`)).toMatchObject({ status: "booked" });
  });
});

it("a credit note whose draft is deleted during its booking is booked once under another guid", async () => {
  await switches({ deleted_guid_is_free: false, deleted_look: "no_document" });
  const id = await draft();
  const { issue_date, ledger_invoice_guid } = (await issue(id)).body;
  const credit = { invoice: id, external_id: randomUUID(), kind: "full", credit_date: issue_date };
  wire().next({ method: "POST", path: /creditnotes\/[^/]+\/book$/ }, { type: "drop_before" });
  wire().next(
    { method: "GET", path: /creditnotes\/[0-9a-f-]+$/ },
    { type: "rewrite" },
    { type: "drop_before" },
  );
  expect(refusal(await world.rest("POST /credit-notes", credit))).toBe("500 LEDGER_UNAVAILABLE");
  const existing = async () =>
    (await simulation().books()).credit_notes.filter((one) => one.CreditNoteFor === id);
  const [left] = await existing();
  expect(left?.Status).toBe("Draft");
  const key = `credit_note/270001/${left?.Guid}`;
  await simulation().control("edit", { key, change: { deleted: true, DeletedAt: "2026-11-20" } });

  await letTimePass();
  const { body } = await world.rest("POST /credit-notes", credit);

  expect(ledger_invoice_guid).toBe(id);
  const booked = (await existing()).filter(({ Status }) => Status === "Booked");
  expect(booked).toMatchObject([{ Guid: body.ledger_credit_note_guid }]);
  expect(body.ledger_credit_note_guid).not.toBe(left?.Guid);
});
