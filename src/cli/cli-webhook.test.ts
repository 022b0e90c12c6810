/** The commands for webhooks, each as a separate process. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import { openReceiver, type Receiver } from "../../test/support/webhooks/receivers.ts";
import { useWorld } from "../../test/support/world/world.ts";

const world = useWorld();
let receiver: Receiver;
let failing: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  failing = await openReceiver({ answer: (_, response) => response.writeHead(503).end("later") });
});
afterAll(() => Promise.all([receiver.close(), failing.close()]));

/** Runs `matchbook webhook …` on the machine of the service, for its account. */
function webhook(command: string, ...args: string[]): Promise<Ended> {
  const of_account = ["--account", world.account.account_id];
  const environment = { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" };
  return runMatchbook({ world, environment }, "webhook", command, ...of_account, ...args);
}

it("creates, lists, replays and disables endpoints", async () => {
  await world.done("POST /customers", { name: "Acme" });
  const url = "https://hooks.example/";
  const created = answerOf(
    await webhook("create", "--url", url, "--types", "customer.*,invoice.issued", "--json"),
  );
  expect(created).toMatchObject({ url, event_types: ["customer.*", "invoice.issued"] });
  expect(created.secret).toMatch(/^whsec_/);
  const listed = await webhook("list");
  expect(listed.out).toBe(
    `${created.id} enabled, 0 waiting: customer.*,invoice.issued to ${url}\n`,
  );
  const of_it = ["--endpoint", String(created.id)];
  const replayed = await webhook("replay", ...of_it, "--all", "--after", "0");
  expect(replayed).toMatchObject({ exit: 0, out: "1 events are sent again.\n" });
  expect((await webhook("deliveries", ...of_it)).out).toMatch(/Z pending customer\.created \d+ /);
  expect(answerOf(await webhook("deliveries", ...of_it, "--json"))).toHaveLength(1);
  const disabled = answerOf(await webhook("disable", ...of_it, "--json"));
  expect(disabled).toMatchObject({ status: "disabled", disabled_reason: "operator", backlog: 1 });
  expect((await webhook("list")).out).toContain("disabled (operator), 1 waiting");
});

it("sends the example of a type now, and shows what the receiver answered", async () => {
  const endpointTo = async (url: string) =>
    String(answerOf(await webhook("create", "--url", url, "--types", "*", "--json")).id);
  const id = await endpointTo(receiver.url);
  const sent = answerOf(
    await webhook("test", "--endpoint", id, "--type", "invoice.issued", "--json"),
  );
  expect(sent).toMatchObject({
    ...{ object: "webhook_delivery", endpoint_id: id, event_type: "invoice.issued" },
    ...{ status: "delivered", sequence: null, attempts: [{ status: 204 }] },
  });
  expect(JSON.parse(receiver.requests[0]?.body ?? "")).toMatchObject({
    id: sent.event_id,
    type: "invoice.issued",
  });
  const plain = await webhook("test", "--endpoint", id);
  expect(plain).toMatchObject({ exit: 0, err: "" });
  expect(plain.out).toMatch(/^\S+Z delivered \(204\) [a-z_.]+ test [0-9a-f-]{36}\n$/);
  expect(receiver.requests).toHaveLength(2);
  const refused = await webhook("test", "--endpoint", await endpointTo(failing.url));
  expect(refused).toMatchObject({ exit: 0, err: "" });
  expect(refused.out).toContain(" dead (503) ");
});

it("sends no test while background work is paused, nor for an unknown type or endpoint", async () => {
  const options = ["--url", receiver.url, "--types", "invoice.issued", "--json"];
  const { id } = answerOf(await webhook("create", ...options));
  const test = (...args: string[]) => webhook("test", "--endpoint", String(id), ...args);
  const count = receiver.requests.length;
  const unknown = await test("--type", "invoice.paid");
  expect(unknown).toMatchObject({ exit: 1, out: "" });
  expect(unknown.err).toContain("type: ");
  expect((await webhook("test", "--endpoint", "ext:gone")).err).toContain("NOT_FOUND");
  await world.sql("insert into background_pause values (true, now())");
  const paused = await test("--type", "invoice.issued");
  await world.sql("delete from background_pause");
  expect(paused).toMatchObject({ exit: 1, out: "" });
  expect(paused.err).toContain("BACKGROUND_PAUSED");
  expect(receiver.requests).toHaveLength(count);
});

it("says what is wrong", async () => {
  const wrong = await webhook(
    "create",
    "--url",
    "https://hooks.example/",
    "--types",
    "invoice.paid",
  );
  expect(wrong).toMatchObject({ exit: 2, out: "" });
  expect(wrong.err).toContain("event_types.0");
  const refused = await webhook("create", "--url", "http://hooks.example/", "--types", "*");
  expect(refused).toMatchObject({ exit: 1, out: "" });
  expect(refused.err).toContain("url: ");
  expect(await webhook("disable", "--endpoint", "ext:gone")).toMatchObject({ exit: 1 });
  expect(await webhook("disable", "--endpoint", "gone")).toMatchObject({ exit: 2 });
});
