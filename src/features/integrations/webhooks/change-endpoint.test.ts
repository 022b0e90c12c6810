/** Secrets, states and notices of webhook endpoints (spec 15.2). */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { run } from "../../../platform/commands/command.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { disableEndpoint } from "./change-status.ts";
import { secretPlace } from "./mint-secret.ts";

const world = useWorld();
let endpoint: Json;
let path: string;
beforeEach(async () => {
  await world.sql("delete from webhook_endpoints");
  endpoint = await world.done("POST /webhook-endpoints", {
    url: "https://hooks.example/a-secret-path",
    event_types: ["customer.*"],
  });
  path = `/webhook-endpoints/${endpoint.id}`;
});

const { parse } = JSON;
const lastEvent = async (): Promise<Json> =>
  (await world.done("GET /audit-events?limit=1")).data[0];
const head = async (): Promise<number> =>
  Number((await world.rest("GET /events?limit=1")).headers.get("matchbook-sequence"));
/** Lets every event up to now have a delivery that waits. */
async function wait(): Promise<number> {
  await world.done("POST /customers", { name: "Acme" });
  await world.sql("update webhook_endpoints set read_through = $1", [await head()]);
  return (await world.done(`POST ${path}/replay`, { only: "all" })).queued;
}

describe("POST …/rotate-secret", () => {
  it("answers a new secret once, and the previous one signs for a day", async () => {
    const { secret, ...shown } = await world.done(`POST ${path}/rotate-secret`);
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(endpoint.secret);
    const hours = (Date.parse(shown.secret_expires_at) - Date.parse(shown.updated_at)) / 3_600_000;
    expect(hours).toBe(24);
    expect(await world.done(`GET ${path}`)).toEqual(shown);
    const [row] = await world.sql("select * from webhook_endpoints");
    const place = secretPlace(world.account.account_id, endpoint.id);
    const { sealing } = world.services;
    expect(sealing.open(row.secret_sealed, place)).toBe(secret);
    expect(sealing.open(row.previous_secret_sealed, place)).toBe(endpoint.secret);
    const event = await lastEvent();
    expect([event.resource_type, event.action]).toEqual(["webhook_endpoint", "secret_rotated"]);
    expect(JSON.stringify(event)).not.toContain(secret);
  });

  it("ends the previous secret at once without an overlap, and refuses a longer one than a week", async () => {
    const ended = await world.done(`POST ${path}/rotate-secret`, { overlap_hours: 0 });
    expect(ended.secret_expires_at).toBeNull();
    const [{ previous_secret_sealed }] = await world.sql("select * from webhook_endpoints");
    expect(previous_secret_sealed).toBeNull();
    for (const overlap_hours of [-1, 169, 1.5]) {
      const refused = await world.rest(`POST ${path}/rotate-secret`, { overlap_hours });
      expect(refusal(refused)).toContain("422 VALIDATION_FAILED overlap_hours");
    }
  });
});

describe("pause and enable", () => {
  it("keep what waits, or skip it", async () => {
    expect((await world.done(`POST ${path}/pause`)).status).toBe("paused");
    expect(await lastEvent()).toMatchObject({
      resource_type: "webhook_endpoint",
      action: "updated",
    });
    const waiting = await wait();
    expect(waiting).toBeGreaterThan(0);
    await world.sql("update webhook_deliveries set next_attempt_at = now() + interval '1 day'");

    const resumed = await world.done(`POST ${path}/enable`);
    expect(resumed).toMatchObject({ status: "enabled", backlog: waiting });
    expect((await world.done(`GET ${path}/deliveries`)).data[0].next_attempt_at).toBeNull();

    const skipped = await world.done(`POST ${path}/enable`, { skip: true });
    expect(skipped).toMatchObject({ status: "enabled", backlog: 0 });
    expect(skipped.through).toBe((await head()) - 1);
    const { data } = await world.done(`GET ${path}/deliveries?status=skipped`);
    expect(data).toHaveLength(waiting);
    const again = await world.done(`POST ${path}/enable`);
    expect(again).toEqual(skipped);
  });

  it("enable one that was disabled, and forget its failures", async () => {
    const cx = await operatorContext(world.services, world.account.account_id);
    const disabled = parse(await run(disableEndpoint, cx, { ref: endpoint.id }));
    expect(disabled).toMatchObject({ status: "disabled", disabled_reason: "operator" });
    expect((await lastEvent()).action).toBe("disabled");
    expect((await world.done(`POST ${path}/pause`)).status).toBe("disabled");
    await world.sql(
      "update webhook_endpoints set failures_in_row = 9, failing_since = now(), probe_at = now(), probe_wait_s = 60, mailed_at = now()",
    );
    const enabled = await world.done(`POST ${path}/enable`);
    expect(enabled).toMatchObject({
      status: "enabled",
      disabled_reason: null,
      failing_since: null,
    });
    const [row] = await world.sql("select * from webhook_endpoints");
    expect(row).toMatchObject({ failures_in_row: 0, probe_at: null, mailed_at: null });
    expect(row.recovered_at).not.toBeNull();
  });

  it.each(["pause", "enable", "rotate-secret", "replay"])(
    "POST …/%s is 404 for an endpoint that is gone",
    async (verb) => {
      expect(refusal(await world.rest(`POST /webhook-endpoints/ext:gone/${verb}`))).toBe(
        "404 NOT_FOUND",
      );
    },
  );
});

describe("a new host", () => {
  const noticesOf = async (host: string) =>
    (await world.mails()).filter(({ text }) => text?.includes(` ${host}`));

  it("is mailed to all admins, without the path", async () => {
    await world.done("POST /users", {
      name: "Eva",
      email: "eva@studio.example",
      role: "standard",
    });
    await world.sql("update users set role = 'admin' where name = 'Eva'");
    await world.done("POST /users", { name: "Ib", email: "ib@studio.example", role: "standard" });
    const { id } = await world.done("POST /webhook-endpoints", {
      url: "https://new.example/a-secret-path",
      event_types: ["*"],
    });
    await world.done(`PATCH /webhook-endpoints/${id}`, { max_per_second: 3 });
    const url = "https://changed.example/a-secret-path";
    await world.done(`PATCH /webhook-endpoints/${id}`, { url });
    for (const host of ["new.example", "changed.example"]) {
      const sent = await noticesOf(host);
      expect(sent.flatMap(({ to }) => to?.map(({ address }) => address)).sort()).toEqual(
        [world.account.admin.email, "eva@studio.example"].sort(),
      );
      for (const mail of sent) {
        expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toContain("a-secret-path");
      }
    }
  });
});
