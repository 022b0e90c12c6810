/** Tests of endpoints: the example of a type, sent at once and kept as a delivery (spec 15.2). */
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { openReceiver, type Receiver } from "../../../../test/support/webhooks/receivers.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" } });
let receiver: Receiver;
let failing: Receiver;
let endpoint: Json;
let path: string;
beforeAll(async () => {
  receiver = await openReceiver();
  failing = await openReceiver({
    answer: (_request, response) => response.writeHead(503).end("later: token-5d1e"),
  });
  endpoint = await world.done("POST /webhook-endpoints", {
    url: receiver.url,
    event_types: ["invoice.issued"],
    headers: { "X-Token": "token-5d1e" },
  });
  path = `/webhook-endpoints/${endpoint.id}`;
});
afterAll(() => Promise.all([receiver.close(), failing.close()]));

it("sends the example of a type, signed, to an endpoint that is paused", async () => {
  await world.done(`POST ${path}/pause`);
  const sent = await world.done(`POST ${path}/test`);
  expect(sent).toMatchObject({
    ...{ endpoint_id: endpoint.id, sequence: null, event_type: "invoice.issued" },
    ...{ status: "delivered", attempt_count: 1, attempts: [{ status: 204, error: null }] },
  });
  expect(sent.event_id).toMatch(/^test_/);
  const [request] = receiver.requests;
  const headers = request?.headers as Record<string, string>;
  const event = new Webhook(endpoint.secret).verify(request?.body ?? "", headers) as Json;
  expect(headers["x-token"]).toBe("token-5d1e");
  expect([headers["webhook-id"], event.id]).toEqual([sent.event_id, sent.event_id]);
  expect(event).toMatchObject({ type: "invoice.issued", previous_sequence: null });
  expect(event.data.resource.object).toBe("invoice");
  expect(await world.done(`GET /webhook-deliveries/${sent.id}`)).toEqual(sent);
  expect((await world.done(`GET ${path}`)).backlog).toBe(0);

  const again = await world.done(`POST /webhook-deliveries/${sent.id}/redeliver`);
  expect(again).toMatchObject({ status: "delivered", event_type: "invoice.issued" });
  expect(again.event_id).not.toBe(sent.event_id);
});

it("answers what a failing receiver said, without the values of own headers", async () => {
  await world.done(`PATCH ${path}`, { url: failing.url, format: "text" });
  const sent = await world.done(`POST ${path}/test`, { type: "user.created" });
  expect(sent).toMatchObject({ status: "dead", attempts: [{ status: 503 }] });
  expect(sent.request.headers["x-token"]).toBeNull();
  expect(JSON.stringify(sent)).not.toContain("token-5d1e");
  expect(JSON.parse(failing.requests[0]?.body ?? "")).toEqual({ text: "A user was created." });
});

it("is refused for an unknown type, and while background work is paused", async () => {
  const unknown = await world.rest(`POST ${path}/test`, { type: "invoice.paid" });
  expect(refusal(unknown)).toBe("422 VALIDATION_FAILED type invalid_value");
  await world.sql("insert into background_pause values (true, now())");
  expect(refusal(await world.rest(`POST ${path}/test`))).toBe("409 BACKGROUND_PAUSED");
  await world.sql("delete from background_pause");
});
