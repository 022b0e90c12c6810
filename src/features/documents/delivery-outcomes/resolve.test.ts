/** What has become of a delivery: its events, and what a person or a key records about it (spec 10.4). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";
import { closedPort } from "../../../../test/support/mail/smtp-servers.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { run } from "../../../platform/commands/command.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "../deliveries/run-due.ts";
import { resolvingDelivery } from "./resolve.ts";

const world = useMailWorld();
const NONE = "0199a3c0-0000-7000-8000-000000000000";

/** The events of a delivery, each as its kind with its code and source. */
async function eventsOf(id: string): Promise<string[]> {
  const { data, has_more } = await world.done(`GET /deliveries/${id}/events`);
  expect(has_more).toBe(false);
  return data.map(({ kind, code, source }: Json) => [kind, code, source].join(" ").trim());
}

/** A delivery that may have arrived. */
async function inDoubt(): Promise<string> {
  const { delivery } = await world.issued("ap@acme.example");
  await world.sql("update deliveries set state = 'unknown' where id = $1", [delivery.id]);
  return delivery.id;
}

const resolve = (id: string, body: object = { outcome: "delivered", reason: "They called." }) =>
  world.rest(`POST /deliveries/${id}/resolve`, body);

describe("GET /deliveries/{id}", () => {
  it("answers the delivery as lists show it", async () => {
    const { delivery } = await world.issued("ap@acme.example");

    expect(await world.done(`GET /deliveries/${delivery.id}`)).toEqual(delivery);
  });
});

describe("GET /deliveries/{id}/events", () => {
  it("tells when it was queued and handed over", async () => {
    const { delivery } = await world.issued("ap@acme.example");

    const { data } = await world.done(`GET /deliveries/${delivery.id}/events`);

    expect(data).toEqual(
      [
        { at: delivery.at, kind: "queued" },
        { at: expect.stringMatching(/Z$/), kind: "handed_over" },
      ].map((one) => ({ object: "delivery_event", ...one, code: null, text: null, source: "us" })),
    );
  });

  it("keeps each attempt that failed", async () => {
    await world.useMail(await closedPort());
    const { delivery } = await world.issued("ap@acme.example");
    await world.useServer();
    await world.letTimePass(delivery.id);
    await sendDueDeliveries(world.services);

    const events = await eventsOf(delivery.id);

    expect(events).toEqual([
      "queued  us",
      expect.stringMatching(/^failed \w+ engine$/),
      "handed_over  us",
    ]);
  });

  it("tells of a process that ended during the sending", async () => {
    await world.useServer();
    const id = await world.queueInDyingProcess();
    await world.sql("update deliveries set state = 'sending', attempt = 1 where id = $1", [id]);
    await world.letTimePass(id);
    await settleAbandonedDeliveries(world.services);

    expect(await eventsOf(id)).toEqual(["queued  us", "handed_over  us"]);
  });

  it("changes no event", async () => {
    await world.issued("ap@acme.example");
    await expect(world.sql("update delivery_events set text = 'x'")).rejects.toThrow();
    await expect(world.sql("delete from delivery_events")).rejects.toThrow();
  });
});

describe("POST /deliveries/{id}/resolve", () => {
  it("records that a document has arrived, with its reason", async () => {
    const id = await inDoubt();

    const resolved = await world.done(`POST /deliveries/${id}/resolve`, {
      outcome: "delivered",
      reason: "They called.",
    });

    expect(resolved).toMatchObject({
      state: "delivered",
      send_error: null,
      delivered_at: expect.stringMatching(/Z$/),
    });
    expect((await eventsOf(id)).at(-1)).toBe("resolved delivered person");
    const { data } = await world.done(`GET /audit-events?resource_id=${id}`);
    expect(data[0]).toMatchObject({
      action: "resolved",
      reason: "They called.",
      before: { state: "unknown" },
      after: { state: "delivered" },
    });
    expect(refusal(await resolve(id))).toBe("409 DELIVERY_NOT_RESOLVABLE");
  });

  it("records that a document did not arrive, so that it is sent again by a person", async () => {
    const id = await inDoubt();

    const { body } = await resolve(id, { outcome: "not_delivered", reason: "They have nothing." });

    expect(body).toMatchObject({
      state: "failed_permanent",
      send_error: "a person has found that it did not arrive",
    });
    expect(body).not.toHaveProperty("delivered_at");
    await world.letTimePass(id);
    expect(await sendDueDeliveries(world.services)).toBe(0);
  });

  it("takes back what a person had thought before", async () => {
    const id = await inDoubt();
    await resolve(id, { outcome: "not_delivered", reason: "They have nothing." });

    expect((await resolve(id)).body).toMatchObject({ state: "delivered", send_error: null });
    expect((await world.done("GET /deliveries?state=delivered")).data[0].id).toBe(id);
  });

  it.each([
    ["an unknown id", NONE, undefined, "404 NOT_FOUND"],
    ["no reason", null, { outcome: "delivered" }, "422 VALIDATION_FAILED reason required"],
    [
      "another outcome",
      null,
      { outcome: "lost", reason: "x" },
      "422 VALIDATION_FAILED outcome invalid_value",
    ],
  ])("refuses %s", async (_, id, body, expected) => {
    expect(refusal(await resolve(id ?? (await inDoubt()), body))).toBe(expected);
  });

  it("is for keys that may write and for admins in person", async () => {
    const id = await inDoubt();
    const body = { outcome: "delivered", reason: "x" };
    const reading = await world.rest(
      `POST /deliveries/${id}/resolve`,
      body,
      world.account.keys.read,
    );
    expect(refusal(reading)).toBe("403 INSUFFICIENT_SCOPE");
    const cx = await schedulerContext(world.services, world.account.account_id);
    const person = {
      user_id: NONE,
      name: "Ann",
      email: "ann@x.example",
      role: "standard",
      grant: null,
    };
    const of_person = { ...cx, caller: { ...cx.caller, person } } as unknown as typeof cx;
    const command = resolvingDelivery(async () => {});
    await expect(
      run(command, of_person, { id, outcome: "delivered", reason: "x" }),
    ).rejects.toThrow(expect.objectContaining({ code: "ROLE_FORBIDDEN" }));
  });

  it("knows nothing of another account", async () => {
    const id = await inDoubt();
    const { keys } = await world.openAnother();
    for (const call of [`GET /deliveries/${id}`, `GET /deliveries/${id}/events`]) {
      expect(refusal(await world.rest(call, undefined, keys.read_write))).toBe("404 NOT_FOUND");
    }
    const body = { outcome: "delivered", reason: "x" };
    const reply = await world.rest(`POST /deliveries/${id}/resolve`, body, keys.read_write);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
  });
});
