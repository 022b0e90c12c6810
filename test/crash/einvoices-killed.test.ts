/**
 * The real program is killed with SIGKILL repeatedly, and loses the sessions of its database, while callers issue and credit
 * invoices that leave as e-invoices: into a folder that a reader empties, into a folder of OpenSSH's server that the directory sender of
 * phoss-ap's simulation watches, and to that simulation over a faulty wire. When the other side works again, each document has
 * arrived exactly once, and all are settled within ten minutes of the product's time, which the test lets pass. A sender that submits
 * again in doubt is compared in the same way.
 *
 * CRASH_KILLS, CRASH_DOCUMENTS (of each kind) and CRASH_SEED make it larger (`npm run crash-loop`).
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { phossApConnector } from "../../src/einvoice/connectors/phoss-ap/connector.ts";
import type { ConnectionSettings } from "../../src/ledger/connector.ts";
import { send } from "../../src/platform/security/outbound.ts";
import {
  type Arrival,
  differencesFrom,
  type SentEinvoice,
} from "../support/einvoice/compare-arrivals.ts";
import { readFolder } from "../support/einvoice/folder-reader.ts";
import { sendNaively } from "../support/einvoice/naive-sender.ts";
import { openSender } from "../support/einvoice/open-sender.ts";
import { openPhossSimulation, SIMULATED_TOKEN } from "../support/einvoice/phoss-ap/simulation.ts";
import { openSshServer } from "../support/einvoice/ssh-server.ts";
import { type Call, type Wish, wishesFor } from "../support/ledger/dinero/callers.ts";
import { type Fault, openFaultProxy } from "../support/ledger/fault-proxy.ts";
import { drawnFrom, randomFaults } from "../support/ledger/random-faults.ts";
import { lacks } from "../support/run/needs.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const KILLS = Number(process.env.CRASH_KILLS ?? 10);
/** Of each kind. */
const DOCUMENTS = Number(process.env.CRASH_DOCUMENTS ?? 17);
const DOCUMENTS_OF_NAIVE = 50;
const SEED = Number(process.env.CRASH_SEED ?? 29);
const IS_LARGE = process.env.CRASH_KILLS !== undefined;
const SHARE = 0.15;
const CLIENTS_OF_KIND = 2;
const LATE_MS = 9_000;
/** How long a slow machine may take until callers have got on, and for one more of what is due. */
const PROGRESS_MS = 20_000;
const DUE_MS = 240_000;
/** Every so many kills, the sessions of the database are ended just before. */
const DATABASE_EVERY = 4;
/** The promise, and the step in which the test lets time pass. */
const PROMISED_SECONDS = 600;
const STEP_SECONDS = 30;
const DAY_SECONDS = 86_400;

const TODAY = new Date().toISOString().slice(0, 10);
const KINDS = lacks("sshd")
  ? (["folder", "phoss-ap"] as const)
  : (["folder", "sftp", "phoss-ap"] as const);
type Kind = "folder" | "sftp" | "phoss-ap";

const world = useWorld({ environment: { MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1" } });
const faults = randomFaults(SEED, SHARE, LATE_MS);
const draw = drawnFrom(SEED + 1);
const wrong: string[] = [];
const accounts = new Map<
  Kind,
  { readonly account_id: string; readonly todo: Wish[]; readonly call: Call }
>();
let access_point: Awaited<ReturnType<typeof openPhossSimulation>>;
/** Whose directory sender takes what lies in the folder of the SSH server. */
let directory_sender: Awaited<ReturnType<typeof openPhossSimulation>>;
let wire: Awaited<ReturnType<typeof openFaultProxy>>;
let ssh: Awaited<ReturnType<typeof openSshServer>> | undefined;
let reader: ReturnType<typeof readFolder>;
let program: BuiltProgram;
let running: RunningProgram | undefined;
let kills = 0;
let acknowledged = 0;
let stops = 0;
let is_ssh_away = false;

/** The caller of a submission has given it up, and it arrives later. */
function chosenFault(): Fault | undefined {
  const fault = faults.choose();
  if (fault?.type !== "hold_before" || draw() < 0.5) return fault;
  return { type: "drop_late", until: fault.until };
}

beforeAll(async () => {
  const folder = join(dirname(world.outbox_dir), "carried");
  await mkdir(folder);
  [program, access_point, directory_sender] = await Promise.all([
    buildProgram(),
    openPhossSimulation(),
    openPhossSimulation(),
  ]);
  wire = await openFaultProxy(access_point.origin);
  await open("folder", { path: folder });
  reader = readFolder(join(folder, "out"), () => draw() < SHARE / 10);
  await open("phoss-ap", { url: wire.origin, token: SIMULATED_TOKEN });
  if (KINDS.length === 3) {
    ssh = await openSshServer();
    const { port, user, host_key, private_key, dir: path } = ssh;
    const host = { host: "127.0.0.1", port: String(port), user, host_key };
    await open("sftp", { ...host, path, envelope: "sbd", private_key });
    await directory_sender.control("watch", { folder: join(path, "out") });
  }
  // Some sendings over the network fail and are tried again by the access point itself.
  const fails = { fails_every: 10, retry_ms: 300 };
  for (const one of [access_point, directory_sender]) await one.control("switches", fails);
});
afterAll(async () => {
  faults.end();
  await program?.end();
  await reader?.end();
  await wire?.close();
  await access_point?.close();
  await directory_sender?.close();
  await ssh?.close();
});

/** Opens an account that sends its e-invoices in one way, with the wishes of its callers. */
async function open(kind: Kind, settings: ConnectionSettings): Promise<void> {
  const sender = await openSender(world, kind, settings, await world.openAnother());
  const { account_id, key, customer_id, product_id } = sender;
  const make = wishesFor({ product_id, today: TODAY, auto_send: true }, wrong);
  const todo: Wish[] = [];
  for (let n = 0, left = DOCUMENTS; left > 0; n += 1) {
    const wish = wishAt(n, left);
    todo.push(wish);
    left -= wish.documents;
  }
  accounts.set(kind, { account_id, todo, call: callerWith(key) });

  function wishAt(n: number, left: number): Wish {
    if (n % 5 === 1 && left >= 2) return make.credited(customer_id);
    if (n % 5 === 2 && left >= 4) return make.list(customer_id, 4);
    return n % 5 === 3 ? make.twice(customer_id) : make.invoice(customer_id, false);
  }
}

/** Calls the running program. */
function callerWith(key: string): Call {
  return async (path, body) => {
    if (running === undefined) return null;
    try {
      const response = await fetch(`${running.origin}/api/v1${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          ...(body ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return null;
    }
  };
}

const start = async (): Promise<void> => {
  // The secrets of the connections are sealed with the key of the data directory.
  const MATCHBOOK_DATA_DIR = dirname(world.outbox_dir);
  running = await startOnWorld(program, world, {
    MATCHBOOK_DATA_DIR,
    MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1",
  });
};

/** Works off wishes until it is over or none is left; a wish that was not acknowledged goes to the end of the queue. */
async function runClients(isOver: () => boolean): Promise<void> {
  const runClient = async (kind: Kind): Promise<void> => {
    const { todo, call } = accountOf(kind);
    while (!isOver()) {
      const wish = todo.shift();
      if (wish === undefined) return;
      if (await wish.ask(call)) acknowledged += wish.documents;
      else {
        todo.push(wish);
        await delay(50);
      }
    }
  };
  const kinds = KINDS.flatMap((kind) => Array.from({ length: CLIENTS_OF_KIND }, () => kind));
  await Promise.all(kinds.map(runClient));
}

function accountOf(kind: Kind) {
  const account = accounts.get(kind);
  if (account === undefined) throw new Error(`no account sends by ${kind}`);
  return account;
}

/** Lets the product's time pass. No request is on its way longer than that: those that were held arrive before. */
async function pass(seconds: number): Promise<void> {
  faults.letArrive();
  await wire.settled();
  const times = [
    "lease_until",
    "next_attempt_at",
    "einvoice_look_at",
    "call_ended_at",
    "absent_at",
  ];
  const earlier = (name: string) => `${name} = ${name} - make_interval(secs => $1)`;
  await world.sql(`update deliveries set ${times.map(earlier).join(", ")}`, [seconds]);
  await world.sql(`update einvoice_connections set ${earlier("next_probe_at")}`, [seconds]);
}

/** Resolves when the program has done all that is due. Throws when none of it is done for long. */
async function workedOff(): Promise<void> {
  let deadline = performance.now() + DUE_MS;
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    await delay(50);
    const [{ due }] = await world.sql(`select
      (select count(*) from deliveries where state in ('queued', 'failed_temporary')
         and greatest(next_attempt_at, lease_until) <= clock_timestamp())
      + (select count(*) from deliveries where state = 'sending')
      + (select count(*) from deliveries where einvoice_look_at <= clock_timestamp())
      + (select count(*) from einvoice_connections where state = 'unavailable' and next_probe_at <= clock_timestamp())
      + (select count(*) from deliveries d join einvoice_connections c on c.account_id = d.account_id
         where d.state = 'queued' and d.next_attempt_at is null and c.state = 'connected') as due`);
    if (Number(due) === 0) return;
    if (Number(due) < least) {
      least = Number(due);
      deadline = performance.now() + DUE_MS;
    }
    if (performance.now() > deadline) throw new Error(`${due} are due and not done`);
  }
}

const unsettled = (): Promise<Json[]> =>
  world.sql(`select id, state, send_error from deliveries
    where state in ('queued', 'sending', 'unknown', 'failed_temporary', 'failed_permanent')`);

/** Lets time pass until all are settled; returns the seconds of the product's time. */
async function untilSettled(): Promise<number> {
  let seconds = 0;
  await workedOff();
  while ((await unsettled()).length > 0 && seconds < PROMISED_SECONDS) {
    await pass(STEP_SECONDS);
    seconds += STEP_SECONDS;
    await workedOff();
  }
  return seconds;
}

async function sentBy(kind: Kind): Promise<SentEinvoice[]> {
  return world.sql(
    `select concat(i.kind, ' ', i.number) as document, d.id::text as instance, d.file_sha256 as sha256
     from issued_documents i left join deliveries d on d.account_id = i.account_id and d.document_id = i.document_id
     where i.account_id = $1`,
    [accountOf(kind).account_id],
  );
}

async function arrivedBy(kind: Kind): Promise<readonly Arrival[]> {
  if (kind === "folder") return reader.arrived;
  const { sendings } = await (kind === "sftp" ? directory_sender : access_point).books();
  return sendings.map(({ sbdhInstanceID: instance, sha256 }) => {
    // The directory sender keeps the hash of the envelope.
    return { instance, sha256: kind === "sftp" ? null : sha256 };
  });
}

const count = () =>
  `seed ${SEED}: ${kills} kills, ${acknowledged} of ${DOCUMENTS * KINDS.length} documents acknowledged, ${wire.requests.length} requests, the folder was away ${reader.away()} times, the SSH server ended ${stops} times`;

it(`sends each document once in ${KILLS} kills (SFTP needs sshd)`, {
  timeout: 3_600_000,
}, async () => {
  wire.each(chosenFault);
  let is_over = false;
  await start();
  const clients = runClients(() => is_over);
  const all = DOCUMENTS * KINDS.length;
  for (; kills < KILLS; kills += 1) {
    const enough = (all * (kills + 1)) / (KILLS + 1);
    const deadline = performance.now() + PROGRESS_MS;
    while (acknowledged < enough && performance.now() < deadline) await delay(10);
    await delay(draw() * 200);
    await disturb();
    const dying = running;
    running = undefined;
    await dying?.kill();
    await startSsh();
    // The leases of the dead process end; what is in doubt is looked at while the faults last.
    await pass(130 + draw() * 300);
    await start();
  }
  is_over = true;
  await clients;
  await runClients(() => false);
  // What waited for a connection leaves while the faults last.
  for (let times = 0; times < 2; times += 1) {
    await pass(130);
    await workedOff();
  }
  faults.end();
  reader.endAbsences();
  await wire.settled();

  const backlog = await unsettled();
  const seconds = await untilSettled();
  print(`${count()}; ${backlog.length} not settled, settled in ${seconds} s of the product's time`);
  print(`faults: ${[...faults.met].map(([kind, met]) => `${met} ${kind}`).join(", ")}`);
  expect(await unsettled(), count()).toEqual([]);
  expect(wrong, count()).toEqual([]);
  expect(acknowledged, count()).toBe(all);
  for (const kind of KINDS) {
    const sent = await sentBy(kind);
    expect(sent, kind).toHaveLength(DOCUMENTS);
    expect(differencesFrom(sent, await arrivedBy(kind)), `${kind}, ${count()}`).toEqual([]);
  }
  await expectFates();
});

/** A fault of what lies between the program and the other side, just before it is killed. */
async function disturb(): Promise<void> {
  if (kills % DATABASE_EVERY === DATABASE_EVERY - 1) {
    await world.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await delay(draw() * 100);
  }
  if (ssh !== undefined && kills % 2 === 0) {
    stops += 1;
    is_ssh_away = true;
    await ssh.stop();
    await delay(draw() * 100);
  }
}

async function startSsh(): Promise<void> {
  if (is_ssh_away) await ssh?.start();
  is_ssh_away = false;
}

/** After the last looks, receipts are known, and a folder that tells nothing says that its files were taken. */
async function expectFates(): Promise<void> {
  for (let days = 0; days < 2; days += 1) {
    await pass(DAY_SECONDS);
    await workedOff();
  }
  const fates: Record<Kind, string> = {
    folder: "accepted",
    sftp: "delivered",
    "phoss-ap": "delivered",
  };
  for (const kind of KINDS) {
    const states = await world.sql(
      "select state, count(*)::int from deliveries where account_id = $1 group by state",
      [accountOf(kind).account_id],
    );
    expect(states, kind).toEqual([{ state: fates[kind], count: DOCUMENTS }]);
  }
}

it.each([
  ["submits again", / has arrived \d+ times$/],
  ["gives up", / is lost$/],
] as const)(
  "the comparison finds the faults of a sender that %s in doubt",
  async (habit, found) => {
    const other = await openPhossSimulation();
    const between = await openFaultProxy(other.origin);
    const same = randomFaults(SEED, SHARE, 1_500);
    const connection = phossApConnector.open({
      settings: { url: between.origin },
      secrets: { token: SIMULATED_TOKEN },
      default_path: "",
      request: ({ method, url, headers = {}, body = null, signal }) =>
        send({ method, url: new URL(url), headers, body, signal }, "only"),
      connect: () => Promise.reject(new Error("nothing is asked over plain TCP")),
    });
    try {
      await other.control("switches", { fails_every: 10, retry_ms: 50 });
      between.each(() => same.choose());
      const sent = await sendNaively(connection, DOCUMENTS_OF_NAIVE, habit);
      same.end();
      await between.settled();
      await other.control("retry");
      const { sendings } = await other.books();
      const arrived = sendings.map(({ sbdhInstanceID: instance }) => ({ instance, sha256: null }));
      const differences = differencesFrom(sent, arrived);
      print(`a sender that ${habit}: ${differences.length} differences`);
      expect(differences.filter((one) => found.test(one))).not.toEqual([]);
    } finally {
      await between.close();
      await other.close();
    }
  },
);

function print(text: string): void {
  if (IS_LARGE) process.stdout.write(`${text}\n`);
}
