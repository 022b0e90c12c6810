/**
 * The real program is killed with SIGKILL repeatedly while clients create and issue invoices, and restarted on the same database.
 * Every second invoice has no id of the client: only an idempotency key identifies its repetition. Answers that clients got
 * remain true, and every document is booked, numbered and sent exactly once. The moments are random; a failing check reports how
 * far the test came.
 */
import { readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyJournal } from "../../src/features/ledger/reports/verify.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { type BuiltProgram, buildProgram, startOnWorld } from "../support/run/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const KILLS = 8;
const CLIENTS = 6;

let program: BuiltProgram;
let customer_id: string;
let product_id: string;
const world = useWorld();
beforeAll(async () => {
  program = await buildProgram();
  customer_id = (await world.done("POST /customers", { name: "A", email: "ap@a.example" })).id;
  product_id = (await world.done("POST /products", { name: "Hours", default_price: 100 })).id;
});
afterAll(async () => {
  await program.end();
});

/** An invoice that one client wants to be issued, with the answers that the client has. */
interface Wish {
  /** The invoice's `external_id`; with idempotency keys, its title. */
  readonly name: string;
  readonly has_keys: boolean;
  readonly auto_send: boolean;
  /** The id and number from the service's answer. */
  reported: { readonly id: string; readonly number: number | null } | null;
}

const wishes: Wish[] = [];
const wrong: string[] = [];
let kills = 0;

let answers = 0;
const watchers = new Set<() => void>();

/** Resolves when this many calls have been answered since the beginning. */
function answered(enough: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (answers < enough) return;
      watchers.delete(look);
      resolve();
    };
    watchers.add(look);
  });
}

const count = () => `${kills} kills, ${answers} answers, ${wishes.length} invoices wished for`;

/** One call; null when the process ended before it answered. */
async function call(
  origin: string,
  path: string,
  sent: object | undefined,
  key: string | null,
): Promise<Json | null> {
  try {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.account.keys.read_write}`,
        ...(sent ? { "content-type": "application/json" } : {}),
        ...(key === null ? {} : { "idempotency-key": key }),
      },
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    });
    const body = await response.json();
    if (key !== null && body.error?.code === "REQUEST_IN_PROGRESS") {
      // The dead process's claim was made after the other claims had been ended.
      await letClaimsEnd(key);
      return call(origin, path, sent, key);
    }
    if (response.status === 429) {
      // On a slow machine, other calls hold the account's places or its row of numbers for longer than the service waits.
      await delay(Number(response.headers.get("retry-after")) * 1000);
      return call(origin, path, sent, key);
    }
    answers += 1;
    for (const wake of watchers) wake();
    return { status: response.status, body };
  } catch {
    return null;
  }
}

/** Creates and issues; may be repeated until the service has answered. False when the service ended. */
async function fulfil(origin: string, wish: Wish): Promise<boolean> {
  const { name, auto_send, has_keys } = wish;
  const lines = [{ product_id, recognition_method: "value", agreed_value: 100 }];
  const known_by = has_keys ? { title: name } : { external_id: name };
  const keyOf = (what: string) => (has_keys ? `${what} ${name}` : null);
  const sent = { ...known_by, customer_id, auto_send, lines };
  const created = await call(origin, "/invoices", sent, keyOf("create"));
  if (created === null) return false;
  if (created.status > 201 || (has_keys && created.status !== 201))
    wrong.push(`create ${created.status} ${JSON.stringify(created.body)}`);
  const { id } = created.body;
  const issued = await call(origin, `/invoices/${id}/issue`, undefined, keyOf("issue"));
  if (issued === null) return false;
  const is_reported = issued.status === 200;
  const was_done = !has_keys && issued.body.error?.code === "INVOICE_ALREADY_ISSUED";
  if (!is_reported && !was_done)
    wrong.push(`issue ${issued.status} ${JSON.stringify(issued.body)}`);
  wish.reported = { id, number: is_reported ? issued.body.ledger_invoice_number : null };
  return true;
}

/** Completes an open wish, then new ones, until the service ends. */
async function runClient(origin: string, open: Wish | undefined): Promise<Wish | undefined> {
  for (let wish = open; ; wish = undefined) {
    if (wish === undefined) {
      const n = wishes.length;
      wish = { name: `wish-${n}`, has_keys: n % 2 === 0, auto_send: n % 3 === 0, reported: null };
      wishes.push(wish);
    }
    if (!(await fulfil(origin, wish))) return wish;
  }
}

it(`survives ${KILLS} kills without losing or doubling anything`, {
  timeout: 900_000,
}, async () => {
  let open: (Wish | undefined)[] = Array.from({ length: CLIENTS }, () => undefined);
  for (; kills < KILLS; kills += 1) {
    const running = await startOnWorld(program, world);
    const clients = open.map((wish) => runClient(running.origin, wish));
    await answered(answers + 1 + Math.floor(Math.random() * 45));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    await running.kill();
    open = await Promise.all(clients);
    await letClaimsEnd();
    expect(await halfIssued(), count()).toEqual([]);
  }

  // Simulates the passing of time: the leases of dead processes end.
  await world.sql(
    "update deliveries set lease_until = clock_timestamp() where lease_until > now()",
  );
  const running = await startOnWorld(program, world);
  try {
    const left = open.flatMap((wish) => wish ?? []);
    const done = await Promise.all(left.map((wish) => fulfil(running.origin, wish)));
    expect(done, count()).toEqual(left.map(() => true));
    await expectDeliveriesToEnd();
  } finally {
    await running.kill();
  }

  expect(wrong, count()).toEqual([]);
  await expectInvoicesAsReported();
  await expectBooksInOrder();
  await expectEachSentOnce();
});

/** Simulates the passing of time: claims of a dead process end, and its calls may be repeated under their keys. */
async function letClaimsEnd(key: string | null = null): Promise<void> {
  await world.sql(
    `update idempotency_keys set lease_until = clock_timestamp()
     where lease_until > now() and ($1::text is null or key = $1)`,
    [key],
  );
}

/** Partly issued invoices: there must be none at any moment, also while the database recovers. */
function halfIssued(): Promise<Json[]> {
  return world.sql(
    `select i.id, i.status from invoices i
     left join ledger_entries e on e.account_id = i.account_id and e.guid = i.id
     left join issued_documents d on d.account_id = i.account_id and d.document_id = i.id
     left join deliveries s on s.account_id = i.account_id and s.document_id = i.id
     where (i.status = 'issued') <> (e.guid is not null)
        or (i.status = 'issued') <> (d.document_id is not null)
        or (i.status = 'issued' and i.auto_send) <> (s.id is not null)
        or i.ledger_invoice_number is distinct from e.number`,
  );
}

/** Waits until the worker has no deliveries left. */
async function expectDeliveriesToEnd(): Promise<void> {
  const waiting = () =>
    world.sql("select state from deliveries where state not in ('written_to_outbox')");
  const deadline = Date.now() + 60_000;
  while ((await waiting()).length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await waiting(), count()).toEqual([]);
}

async function expectInvoicesAsReported(): Promise<void> {
  const invoices = await world.sql(
    "select id, coalesce(external_id, title) as name, status, ledger_invoice_number::int as number from invoices",
  );
  expect(invoices.length, count()).toBe(wishes.length);
  const stored = new Map(invoices.map((invoice) => [invoice.name, invoice]));
  for (const { name, reported } of wishes) {
    const invoice = stored.get(name);
    expect(invoice, count()).toMatchObject({ id: reported?.id, status: "issued" });
    if (typeof reported?.number === "number")
      expect(invoice?.number, count()).toBe(reported.number);
  }
}

async function expectBooksInOrder(): Promise<void> {
  const { account_id } = world.account;
  const entries = await world.sql(
    "select guid, number::int as number from ledger_entries order by number",
  );
  expect(
    entries.map((entry) => entry.number),
    count(),
  ).toEqual(entries.map((_, index) => index + 1));
  const issued = await world.sql("select id from invoices where status = 'issued' order by id");
  expect(entries.map((entry) => entry.guid).sort(), count()).toEqual(issued.map(({ id }) => id));
  const events = await world.sql("select resource_id from audit_events where action = 'issued'");
  expect(events.map((event) => event.resource_id).sort()).toEqual(issued.map(({ id }) => id));
  const { accounts } = await world.done("GET /ledger/trial-balance");
  const closing = accounts.map((account: Json) => Math.round(account.closing * 100));
  expect(closing.reduce((sum: number, cents: number) => sum + cents, 0)).toBe(0);
  expect(Math.max(...closing)).toBe(entries.length * 12_500);
  expect(await verifyJournal(world.db, account_id), count()).toBeNull();
  expect(await verifyAuditTrail(world.db, account_id), count()).toBeNull();
}

async function expectEachSentOnce(): Promise<void> {
  const to_send = wishes.filter((wish) => wish.auto_send).map((wish) => wish.reported?.id);
  const deliveries = await world.sql("select id, document_id from deliveries");
  expect(deliveries.map((delivery) => delivery.document_id).sort(), count()).toEqual(
    to_send.sort(),
  );
  // A hidden file is unfinished work of a process; no mail program reads it as a message.
  const files = (await readdir(world.outbox_dir)).filter((name) => !name.startsWith("."));
  expect(files.map((name) => name.split("@")[0]).sort(), count()).toEqual(
    deliveries.map((delivery) => delivery.id).sort(),
  );
}
