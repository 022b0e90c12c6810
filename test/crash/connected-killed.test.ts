/**
 * The real program, connected to a simulation of Dinero over a faulty wire, is killed with SIGKILL repeatedly while callers
 * issue, credit and book accruals. When the wire works again, all bookings settle automatically, and our books are compared with
 * the simulation's: no document is booked twice or lost, numbers and totals agree. A client that books without an intent and
 * without a look-up is compared in the same way, to show that the comparison finds its faults.
 *
 * CRASH_KILLS, CRASH_DOCUMENTS and CRASH_SEED make it larger (`npm run crash-loop`).
 */
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Call, type Wish, wishesFor } from "../support/ledger/dinero/callers.ts";
import { differencesFrom, type LocalDocument } from "../support/ledger/dinero/compare.ts";
import { bookNaively } from "../support/ledger/dinero/naive-client.ts";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import { openFaultProxy } from "../support/ledger/fault-proxy.ts";
import { drawnFrom, randomFaults } from "../support/ledger/random-faults.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import type { Json } from "../support/world/world.ts";

const KILLS = Number(process.env.CRASH_KILLS ?? 5);
const DOCUMENTS = Number(process.env.CRASH_DOCUMENTS ?? 40);
const SEED = Number(process.env.CRASH_SEED ?? 20);
/** The small loop waits for no fixed times; the large one measures the promised times. */
const IS_LARGE = process.env.CRASH_KILLS !== undefined;
const SHARE = 0.15;
const CLIENTS = 6;
/** After the caller has given up the request. */
const LATE_MS = 9_000;
/** Requests of one booking that is resumed: a look-up, the draft, a look-up of the draft, its booking, and one in reserve. */
const REQUESTS_OF_ONE = 5;
const PER_MINUTE = IS_LARGE ? 1_200 : 60_000;
const PROMISED_MS = 30_000;

const TODAY = new Date().toISOString().slice(0, 10);
const { world, simulation, wire } = useDineroWorld({}, TODAY, PER_MINUTE);
const faults = randomFaults(SEED, SHARE, LATE_MS);
const draw = drawnFrom(SEED + 1);

let program: BuiltProgram;
let running: RunningProgram[] = [];
const wrong: string[] = [];
const todo: Wish[] = [];
const customers: string[] = ["Acme"];
/** Earned revenue of each accrual, in hundredths, by id. */
const accruals = new Map<string, number>();
let kills = 0;
let acknowledged = 0;
let answers = 0;

const count = () =>
  `seed ${SEED}: ${kills} kills, ${answers} answers, ${acknowledged} of ${DOCUMENTS} documents acknowledged, ${wire().requests.length} requests`;

beforeAll(async () => {
  program = await buildProgram();
  const { id: customer_id } = await world.done("POST /customers", { name: "Acme" });
  const { id: product_id } = await world.done("POST /products", { name: "Consulting" });
  const make = wishesFor({ product_id, today: TODAY }, wrong);
  for (let n = 0, left = DOCUMENTS; left > 0; n += 1) {
    const wish = await oneOf(n, left);
    todo.push(wish);
    left -= wish.documents;
  }

  async function oneOf(n: number, left: number): Promise<Wish> {
    if (n % 5 === 1 && left >= 2) return make.credited(customer_id);
    if (n % 5 === 2 && left >= 4) return make.list(customer_id, 4);
    if (n % 5 === 3) return make.twice(customer_id);
    if (n % 10 === 4) return make.accrual(await accrued(`Accrued ${n}`, product_id, 10 + n));
    const name = `Customer ${n}`;
    if (n % 10 === 9) customers.push(name);
    return n % 10 === 9 ? make.invoice(name, true) : make.invoice(customer_id, false);
  }
});
afterAll(async () => {
  faults.end();
  await program?.end();
});

/** The id of the previous month's accrual for a new customer. */
async function accrued(name: string, product_id: string, hourly_rate: number): Promise<string> {
  customers.push(name);
  const { id: customer_id } = await world.done("POST /customers", { name });
  const email = `${name.replaceAll(" ", "-")}@studio.example`.toLowerCase();
  const { id: user_id } = await world.done("POST /users", { name, email });
  const lines = [{ product_id, recognition_method: "hours", hourly_rate }];
  const draft = await world.done("POST /invoices", { customer_id, lines });
  const work = { line_id: draft.lines[0].id, user_id, date: `${lastMonth()}-03`, hours: 1 };
  await world.done("POST /work-registrations", work);
  const { id } = await world.done(`GET /accruals?customer=${customer_id}&month=${lastMonth()}`);
  accruals.set(id, hourly_rate * 100);
  return id;
}

function lastMonth(): string {
  const first = new Date(`${TODAY.slice(0, 7)}-01T00:00:00Z`);
  return new Date(first.getTime() - 86_400_000).toISOString().slice(0, 7);
}

const start = async (): Promise<RunningProgram> => {
  // The secrets of the connection are sealed with the key of the data directory.
  const MATCHBOOK_DATA_DIR = dirname(world.outbox_dir);
  const started = await startOnWorld(program, world, {
    MATCHBOOK_DATA_DIR,
    MATCHBOOK_LEDGER_HOSTS: "127.0.0.1",
  });
  running.push(started);
  return started;
};

const call: Call = async (path, body) => {
  const { origin } = running[Math.floor(draw() * running.length)] ?? {};
  if (origin === undefined) return null;
  try {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.account.keys.read_write}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = { status: response.status, body: await response.json() };
    answers += 1;
    return answer;
  } catch {
    return null;
  }
};

/** Works off wishes until it is over or none is left; a wish that was not acknowledged goes to the end of the queue. */
async function runClient(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const wish = todo.shift();
    if (wish === undefined) return;
    if (await wish.ask(call)) acknowledged += wish.documents;
    else {
      todo.push(wish);
      await delay(50);
    }
  }
}

/**
 * Simulates the passing of time: a dead process's leases end, and a ledger that did not answer may be probed again. Its calls
 * keep their times.
 */
async function letLeasesEnd(): Promise<void> {
  await world.sql(`update intents set lease_until = clock_timestamp(),
    next_attempt_at = least(next_attempt_at, clock_timestamp()) where lease_until > clock_timestamp()`);
  await world.sql(
    `update ledger_connections set turn_of = null, turn_until = null,
       next_probe_at = least(next_probe_at, clock_timestamp())`,
  );
  await world.sql(
    "update ledger_links set lease_until = clock_timestamp() where lease_until > now()",
  );
}

const open = (): Promise<Json[]> =>
  world.sql(
    "select id, kind, state, last_outcome from intents where state not in ('settled', 'released')",
  );

/** The milliseconds until no intent is open any more. */
async function untilSettled(most_ms: number): Promise<number> {
  const began = performance.now();
  while ((await open()).length > 0 && performance.now() - began < most_ms) await delay(50);
  return performance.now() - began;
}

async function here(): Promise<LocalDocument[]> {
  const documents: LocalDocument[] = await world.sql(
    `select i.kind, i.document_id as guid, d.number::int, coalesce(d.net, 0)::int as net
     from intents i left join issued_documents d on d.document_id = i.document_id
     where i.kind <> 'voucher' and i.state <> 'released'`,
  );
  const vouchers = await world.sql(
    `select accrual_id, voucher_guid as guid, voucher_number::int as number
     from accrual_bookings where voucher_guid is not null`,
  );
  return [
    ...documents,
    ...vouchers.map(({ accrual_id, guid, number }) => {
      return { kind: "voucher" as const, guid, number, net: accruals.get(accrual_id) ?? 0 };
    }),
  ];
}

it(`books nothing twice and loses nothing in ${KILLS} kills`, { timeout: 3_600_000 }, async () => {
  wire().each(() => faults.choose());
  let is_over = false;
  await start();
  const clients = Array.from({ length: CLIENTS }, () => runClient(() => is_over));
  for (; kills < KILLS; kills += 1) {
    const enough = (DOCUMENTS * (kills + 1)) / (KILLS + 1);
    const deadline = performance.now() + (IS_LARGE ? 3_000 : 700);
    while (acknowledged < enough && performance.now() < deadline) await delay(10);
    await delay(draw() * 200);
    const [dying] = running;
    running = [];
    await dying?.kill();
    faults.letArrive();
    await letLeasesEnd();
    await start();
  }
  is_over = true;
  faults.end();
  await Promise.all(clients);
  await wire().settled();

  // The ledger answers again: all bookings settle automatically, within the promised time.
  const backlog = (await open()).length;
  const promised_ms = PROMISED_MS + (backlog * REQUESTS_OF_ONE * 60_000) / (PER_MINUTE * 0.95);
  if (!IS_LARGE) await letCallsAge();
  const settled_ms = await untilSettled(IS_LARGE ? promised_ms : 240_000);
  print(
    `${count()}; ${backlog} open, settled in ${seconds(settled_ms)} of ${seconds(promised_ms)}`,
  );
  print(`faults: ${[...faults.met].map(([kind, met]) => `${met} ${kind}`).join(", ")}`);
  expect(await open(), count()).toEqual([]);

  // Clients without an answer ask again, now at two processes.
  await start();
  await Promise.all(Array.from({ length: CLIENTS }, () => runClient(() => false)));
  expect(wrong, count()).toEqual([]);
  expect(acknowledged, count()).toBeGreaterThanOrEqual(DOCUMENTS);
  expect(await open(), count()).toEqual([]);
  const books = await simulation().books();
  expect(differencesFrom(books, await here(), customers), count()).toEqual([]);
  for (const month of new Set([lastMonth(), TODAY.slice(0, 7)])) await expectReconciled(month);
});

/** Simulates the passing of time when nothing is running any more: the timeout of the last calls is over. */
async function letCallsAge(): Promise<void> {
  await letLeasesEnd();
  await world.sql(`update intents set called_at = called_at - interval '10 seconds',
    next_attempt_at = least(next_attempt_at, clock_timestamp()) where called_at is not null`);
}

async function expectReconciled(month: string): Promise<void> {
  const { documents, findings, accounts } = await world.done(
    `GET /ledger/reconciliation?month=${month}`,
  );
  expect(findings.filter(({ is_explained }: Json) => !is_explained)).toEqual([]);
  expect(documents.here).toBe(documents.agreeing);
  expect(accounts.filter(({ difference }: Json) => difference !== 0)).toEqual([]);
}

it("the comparison finds the faults of a client without intents and look-ups", async () => {
  const other = await openDineroSimulation();
  const same = randomFaults(SEED, SHARE, 1_500);
  const between = await openFaultProxy(other.origin);
  try {
    between.each((_, path) => (path === "/token" ? undefined : same.choose()));
    const amounts = Array.from({ length: DOCUMENTS }, (_, n) => 10_000 + n);
    const accepted = await bookNaively(between.origin, amounts);
    same.end();
    await between.settled();
    const differences = differencesFrom(await other.books(), accepted, ["Acme"]);
    print(`without an intent and a look: ${differences.length} differences`);
    expect(differences.filter((one) => / is booked \d+ times$/.test(one))).not.toEqual([]);
    expect(differences.filter((one) => one.endsWith(" is there alone"))).not.toEqual([]);
  } finally {
    await between.close();
    await other.close();
  }
});

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function print(text: string): void {
  if (IS_LARGE) process.stdout.write(`${text}\n`);
}
