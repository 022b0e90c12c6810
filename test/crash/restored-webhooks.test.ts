/**
 * A copy that the commands `backup` and `restore` have made sends no webhook until it is resumed, whatever it is asked. `resume` begins
 * with the next event; with `--webhooks=continue` the copy sends what waited when the backup was made, in order.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Ended, runMatchbook } from "../support/run/matchbook.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import { startDispatcher, until } from "../support/webhooks/dispatch.ts";
import { openReceiver, type Receiver } from "../support/webhooks/receivers.ts";
import {
  copyDatabase,
  createDatabase,
  dropDatabase,
  type Json,
  servingUrl,
  useWorld,
  type World,
} from "../support/world/world.ts";

/** Longer than the rest between two rounds of the worker. */
const ROUNDS_MS = 2_600;

const environment = { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" };
const world = useWorld({ environment });
const databases: string[] = [];
let program: BuiltProgram;
let folder: string;
let receiver: Receiver;
let endpoint: Json;
/** Whether the receiver answers. */
let answers = true;
/** The names of the customers whose events waited when the backup was made, in order. */
const waiting = ["Syd", "Vest", "Midt"];
let restored_url: string;

beforeAll(async () => {
  program = await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "matchbook-copied-"));
  receiver = await openReceiver({
    answer: (_request, response) => response.writeHead(answers ? 204 : 503).end(),
  });
  world.clock.set(new Date().toISOString());
  const body = { url: receiver.url, event_types: ["customer.*"], ordering: "account" };
  endpoint = await world.done("POST /webhook-endpoints", body);
  const dispatching = startDispatcher(world.services, { chance: () => 0.5 });
  await world.done("POST /customers", { name: "Nord" });
  await until("delivered", async () => (await backlogIn(world)) === 0);
  // One event has failed once, and the next one is behind it.
  answers = false;
  await world.done("POST /customers", { name: "Syd" });
  await until("one failure", () => receiver.requests.length === 2);
  await world.done("POST /customers", { name: "Vest" });
  const made = () => world.sql("select from webhook_deliveries where status = 'pending'");
  await until("both wait", async () => (await made()).length === 2);
  await dispatching.stop();
  // And one that no endpoint has read.
  await world.done("POST /customers", { name: "Midt" });

  const file = join(folder, "books.backup");
  expect(await runMatchbook({ world }, "backup", "--output", file)).toMatchObject({ exit: 0 });
  restored_url = await createDatabase(inject("template_url"));
  databases.push(restored_url);
  const restore = await runMatchbook(
    { world: machineOf(restored_url) },
    ...["restore", "--input", file],
  );
  expect(restore).toMatchObject({ exit: 0 });
  answers = true;
  receiver.requests.length = 0;
});
afterAll(async () => {
  await program?.end();
  await receiver?.close();
  for (const url of databases) await dropDatabase(inject("template_url"), url);
  await rm(folder, { recursive: true, force: true });
});

/** The machine of the world, which has the keys of the secrets, with another database. */
function machineOf(
  database_url: string,
): Pick<World, "serving_url" | "database_url" | "outbox_dir"> {
  const { outbox_dir } = world;
  return { serving_url: servingUrl(database_url), database_url, outbox_dir };
}

interface Copy {
  /** Asks the running service with the account's key. */
  rest(call: string, body?: Json): Promise<{ readonly status: number; readonly body: Json }>;
  matchbook(...args: string[]): Promise<Ended>;
  end(): Promise<unknown>;
}

/** Serves a copy of the restored database of its own. */
async function served(): Promise<Copy> {
  const url = await copyDatabase(restored_url);
  databases.push(url);
  const machine = machineOf(url);
  const running: RunningProgram = await startOnWorld(program, machine as World, {
    ...environment,
    MATCHBOOK_DATA_DIR: dirname(world.outbox_dir),
  });
  return {
    async rest(call, body) {
      const [method = "", path = ""] = call.split(" ");
      const reply = await fetch(`${running.origin}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${world.account.keys.read_write}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: await reply.json() };
    },
    matchbook: (...args) => runMatchbook({ world: machine, environment }, ...args),
    end: () => running.terminate(),
  };
}

async function backlogIn({ rest }: Pick<Copy, "rest"> | World): Promise<number> {
  return (await rest(`GET /webhook-endpoints/${endpoint.id}`)).body.backlog;
}

const names = () => receiver.requests.map(({ body }) => JSON.parse(body).data.resource.name);

it("sends nothing until it is resumed, then begins with the next event", async () => {
  const copy = await served();
  try {
    const path = `/webhook-endpoints/${endpoint.id}`;
    const { data } = (await copy.rest(`GET ${path}/deliveries`)).body;
    expect(data.map(({ status }: Json) => status)).toEqual(["pending", "pending", "delivered"]);
    const { body: created } = await copy.rest("POST /customers", { name: "Øst" });
    for (const call of [
      `${path}/test`,
      `${path}/replay`,
      `/webhook-deliveries/${data[2].id}/redeliver`,
      `/webhook-deliveries/${data[0].id}/redeliver`,
    ]) {
      const { status, body } = await copy.rest(`POST ${call}`);
      expect([call, status, body.error.code]).toEqual([call, 409, "BACKGROUND_PAUSED"]);
    }
    const of_endpoint = ["--account", world.account.account_id, "--endpoint", endpoint.id];
    const test = await copy.matchbook("webhook", "test", ...of_endpoint);
    expect([test.exit, test.err]).toEqual([1, expect.stringContaining("BACKGROUND_PAUSED")]);
    await delay(ROUNDS_MS);
    expect(receiver.requests).toEqual([]);
    expect(await backlogIn(copy)).toBe(4);

    expect(await copy.matchbook("resume")).toMatchObject({ exit: 0 });
    expect(await backlogIn(copy)).toBe(0);
    await copy.rest(`PATCH /customers/${created.id}`, { city: "Ribe" });
    await until("the next event", () => receiver.requests.length === 1);
    await delay(ROUNDS_MS);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).type)).toEqual([
      "customer.updated",
    ]);
    const { body: after } = await copy.rest(`GET ${path}/deliveries`);
    expect(after.data.map(({ status }: Json) => status)).toEqual([
      "delivered",
      "skipped",
      "skipped",
      "delivered",
    ]);
    // What was skipped can still be sent.
    expect((await copy.rest(`POST ${path}/replay`)).body).toMatchObject({ queued: 2 });
    await until("the skipped ones", () => receiver.requests.length === 3);
    expect(names().slice(1)).toEqual(waiting.slice(0, 2));
  } finally {
    await copy.end();
  }
});

it("continues where it stood with --webhooks=continue", async () => {
  receiver.requests.length = 0;
  const copy = await served();
  try {
    await copy.rest("POST /customers", { name: "Øst" });
    await delay(ROUNDS_MS);
    expect(receiver.requests).toEqual([]);
    expect(await copy.matchbook("resume", "--webhooks=continue")).toMatchObject({ exit: 0 });
    await until("what waited", () => receiver.requests.length === 4);
    await until("stored", async () => (await backlogIn(copy)) === 0);
    expect(names()).toEqual([...waiting, "Øst"]);
  } finally {
    await copy.end();
  }
});
