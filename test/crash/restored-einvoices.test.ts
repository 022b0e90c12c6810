/**
 * A copy is restored from a backup after its original has sent e-invoices. Until it is resumed, it hands nothing over and asks nothing.
 * Then it looks under the id of each e-invoice first: what the original has sent is settled, what it has not is sent, and a folder
 * that a reader has emptied proves nothing.
 */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { sendDueDeliveries } from "../../src/features/documents/deliveries/run-due.ts";
import { resumeEinvoices } from "../../src/features/documents/delivery-outcomes/resume-einvoices.ts";
import type { ConnectionSettings } from "../../src/ledger/connector.ts";
import { backUp, restore } from "../../src/platform/database/backup.ts";
import { query } from "../../src/platform/database/database.ts";
import { migrateForServing } from "../../src/platform/database/serving-role.ts";
import { resumeBackground } from "../../src/platform/runtime/background.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import { openSender } from "../support/einvoice/open-sender.ts";
import { openPhossSimulation, SIMULATED_TOKEN } from "../support/einvoice/phoss-ap/simulation.ts";
import {
  createDatabase,
  dropDatabase,
  type Json,
  servingUrl,
  useWorld,
} from "../support/world/world.ts";

/** Longer than the rest between two rounds of the worker. */
const ROUNDS_MS = 2_600;
/** One is found at once, one is absent, and the folder proves nothing. */
const SETTLED_BUT_TWO = ["delivered", "unknown", "unknown"];
const HOSTS = { MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1" };

const world = useWorld({ environment: HOSTS });
let folder: string;
let out: string;
let simulation: Awaited<ReturnType<typeof openPhossSimulation>>;
/** The e-invoices that wait for the access point when the backup is made, and the one that waits for the folder. */
let waiting: readonly string[];
let in_folder: string;
let copy: App;
let copy_url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-copied-"));
  await mkdir(join(folder, "carried"));
  out = join(folder, "carried", "out");
  simulation = await openPhossSimulation();
  const settings = { url: simulation.origin, token: SIMULATED_TOKEN };
  const issue = await open("phoss-ap", settings);
  await simulation.control("switches", { is_sending_on: false });
  waiting = [await issue(), await issue()];
  const issueInto = await open("folder", { path: join(folder, "carried") });
  await rename(out, `${out}-away`);
  in_folder = await issueInto();
  await rename(`${out}-away`, out);
  const file = join(folder, "books.backup");
  await backUp(world.database_url, file);

  // The original sends: one of two submissions is lost before it arrives, and a reader empties the folder.
  await simulation.control("switches", { is_sending_on: true });
  const lost = { match: "^POST .*/submit/", times: 1, action: "drop_before" };
  await simulation.control("faults", [lost]);
  await world.sql("update einvoice_connections set next_probe_at = clock_timestamp()");
  await resumeEinvoices(world.services);
  await sendDueDeliveries(world.services);
  await rm(join(out, `${in_folder}.xml`));

  copy_url = await createDatabase(inject("template_url"));
  await restore(copy_url, file);
  await migrateForServing({ url: servingUrl(copy_url), owner_url: copy_url });
  // The key of the secrets is restored with the data directory.
  const data = { MATCHBOOK_DATA_DIR: dirname(world.outbox_dir), MATCHBOOK_RATE_LIMIT: "off" };
  const config = { ...readConfig({ ...data, ...HOSTS }), background: true };
  const log = pino({ level: "silent" });
  copy = openApp(config, servingUrl(copy_url), log, { clock: world.clock });
  await simulation.control("forget");
  copy.startWorker();
});
afterAll(async () => {
  await copy?.close();
  await simulation?.close();
  if (copy_url !== undefined) await dropDatabase(inject("template_url"), copy_url);
  await rm(folder, { recursive: true, force: true });
});

/** Opens an account that sends its e-invoices in one way; returns what issues one there and returns the id of its delivery. */
async function open(kind: string, settings: ConnectionSettings): Promise<() => Promise<string>> {
  const { done, issue } = await openSender(world, kind, settings, await world.openAnother());
  return async () => {
    const { id } = await issue();
    const { data } = await done(`GET /invoices/${id}/deliveries`);
    expect(data[0].state, kind).toBe("queued");
    return data[0].id;
  };
}

const rows = (text: string): Promise<Json[]> => query<Json>(copy.services.db, text);
const statesIn = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await rows("select id, state from deliveries")).map(({ id, state }) => [id, state]),
  );

/** How often each e-invoice has reached its buyer, by the books of the access point. */
async function received(): Promise<number[]> {
  const { sendings } = await simulation.books();
  return waiting.map((id) => sendings.filter(({ sbdhInstanceID }) => sbdhInstanceID === id).length);
}

/** The submissions since the copy was restored. */
async function posted(): Promise<number> {
  return (await simulation.calls()).filter((call) => call.startsWith("POST")).length;
}

/** Lets time pass in the copy, and the work that is due meanwhile. */
async function pass(seconds: number): Promise<void> {
  const earlier = (name: string) => `${name} = ${name} - make_interval(secs => ${seconds})`;
  const times = [
    "next_attempt_at",
    "lease_until",
    "einvoice_look_at",
    "call_ended_at",
    "absent_at",
  ];
  await rows(`update deliveries set ${times.map(earlier).join(", ")}`);
  await rows(`update einvoice_connections set ${earlier("next_probe_at")}`);
  await delay(ROUNDS_MS);
}

it("a copy of what its original has sent sends and asks nothing until it is resumed", async () => {
  expect((await received()).sort()).toEqual([0, 1]);
  await pass(86_400);
  expect(await simulation.calls()).toEqual([]);
  expect(await readdir(out)).toEqual([]);
  expect(Object.values(await statesIn())).toEqual(["queued", "queued", "queued"]);
});

it("and then settles what is found, sends what two looks do not find, and leaves a folder in doubt", async () => {
  const before = await received();
  await resumeBackground(copy_url);
  await pass(10);
  await expect.poll(async () => Object.values(await statesIn()).sort()).toEqual(SETTLED_BUT_TWO);
  // The first look that counts, and less than five minutes after it.
  await pass(130);
  await expect
    .poll(() => rows("select id from deliveries where absent_at is not null"))
    .toHaveLength(1);
  await pass(290);
  expect(await posted()).toBe(0);
  await pass(20);
  await expect.poll(received).toEqual([1, 1]);

  // The access point knows a document a moment before its answer is stored.
  const statesNow = async () => {
    const states = await statesIn();
    return [...waiting, in_folder].map((id) => states[id]);
  };
  await expect.poll(statesNow).toEqual(["delivered", "delivered", "unknown"]);
  expect(await readdir(out)).toEqual([]);
  // Only the one that was lost was handed over by the copy.
  expect([before.sort(), await posted()]).toEqual([[0, 1], 1]);
});
