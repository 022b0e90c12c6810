/** One look finds the tasks of the background that have work, whichever account it belongs to. */
import { describe, expect, it } from "vitest";
import { tasksWithWork } from "../../src/background.ts";
import { raw } from "../../src/platform/database/sql.ts";
import { rolledBack } from "../../src/platform/database/transaction.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();
const customer = world.made("POST /customers", { name: "Acme", email: "ap@acme.example" });
const product = world.made("POST /products", { name: "Work" });

const PAST = "clock_timestamp() - interval '1 minute'";
const LATER = "clock_timestamp() + interval '1 hour'";

/** A connection at rest: nothing of it is due. */
const CONNECTION = `insert into ledger_connections
    (account_id, id, kind, settings, key_id, sealed_secrets, checked_at, next_pull_at, next_payments_at)
  select id, id, 'dinero', '{}', 'none', '', clock_timestamp(), ${LATER}, ${LATER} from accounts`;
const intent = (columns: string, values: string) => `insert into intents
    (account_id, id, document_id, connection_id, kind, payload, payload_hash, actor_kind, actor_id, ${columns})
  select account_id, id, id, id, 'invoice', '{}', '', 'user', '1', ${values} from ledger_connections`;

/** Statements that leave work, and the task that it is for. */
const WORK: readonly (readonly [task: string | null, what: string, ...statements: string[]])[] = [
  [null, "nothing"],
  [null, "a connection at rest", CONNECTION],
  [
    "work at ledgers",
    "a booking that is due",
    CONNECTION,
    intent("state, lease_until, next_attempt_at", `'booking', ${PAST}, ${PAST}`),
  ],
  [
    null,
    "a booking that another process has",
    CONNECTION,
    intent("state, lease_until, next_attempt_at", `'booking', ${LATER}, ${PAST}`),
  ],
  [
    "work at ledgers",
    "a ledger to probe",
    CONNECTION,
    `update ledger_connections set down_since = ${PAST}, next_probe_at = ${PAST}`,
  ],
  [
    "work at ledgers",
    "drafts that late calls may have left",
    CONNECTION,
    intent(
      "state, lease_until, next_attempt_at, settled_at, sweep_at",
      `'released', ${PAST}, ${PAST}, ${PAST}, ${PAST}`,
    ),
  ],
  [
    "work at ledgers",
    "changes to read",
    CONNECTION,
    `update ledger_connections set next_pull_at = ${PAST}`,
  ],
  [
    "work at ledgers",
    "payments to read",
    CONNECTION,
    `update ledger_connections set next_payments_at = ${PAST}`,
  ],
  [
    "check connections",
    "a connection to check",
    CONNECTION,
    "update ledger_connections set checked_at = null",
  ],
  [
    "send deliveries",
    "a delivery that is due",
    `update deliveries set state = 'queued', next_attempt_at = ${PAST}, lease_until = ${PAST}`,
  ],
  [
    null,
    "a delivery that is due later",
    `update deliveries set state = 'failed_temporary', next_attempt_at = ${LATER}, lease_until = ${PAST}`,
  ],
  [
    "settle abandoned deliveries",
    "a delivery whose process has ended",
    `update deliveries set state = 'sending', lease_until = ${PAST}`,
  ],
  [
    "send notes that were held",
    "a message that was held",
    `insert into held_notes (id, sandbox, recipient, language, subject, text)
     select id, false, 'ap@acme.example', 'en', 'Hello', 'Hello' from accounts`,
  ],
  [
    "continue period closes",
    "a close whose process has ended",
    `insert into period_closes (account_id, month, status, locks, actor_kind, actor_id, lease_until)
     select id, '2026-02', 'running', true, 'user', '1', ${PAST} from accounts`,
  ],
  [
    "play example years",
    "a studio that is not finished",
    `insert into studios (account_id, login_id, ends_on, stands)
     select account_id, login_id, '2026-03-09', false from users`,
  ],
  [
    "read answers to e-invoices",
    "a folder that was not read for a minute",
    `insert into einvoice_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     select id, gen_random_uuid(), 'folder', '{}', '', '' from accounts`,
  ],
  [
    "render documents",
    "a document without a PDF",
    `insert into waiting_documents (account_id, document_id, weight, not_before)
     select account_id, document_id, 1, ${PAST} from issued_documents
     on conflict (account_id, document_id) do update set not_before = excluded.not_before`,
  ],
];

const tasks = [...new Set(WORK.flatMap(([task]) => task ?? []))].map((name) => ({
  name,
  run: async () => false,
}));
const always = { name: "remove what has expired", run: async () => false };

describe("a look for background work", () => {
  it("is for an account with an invoice that was sent", async () => {
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 1000 }];
    const { id } = await world.done("POST /invoices", { customer_id: customer.id, lines });
    await world.done(`POST /invoices/${id}/issue`);
    expect(await world.sql("select state from deliveries")).toEqual([
      { state: "written_to_outbox" },
    ]);
  });

  it.each(
    WORK.map(([task, what, ...statements]) => [task ?? "no task", what, statements, task] as const),
  )("finds %s for %s", async (_shown, _what, statements, task) => {
    const found = await rolledBack(world.owner, async (tx) => {
      for (const statement of statements) await tx.rows(raw(statement));
      return tasksWithWork({ ...world.services, db: tx }, [...tasks, always]);
    });
    expect(found.map(({ name }) => name)).toEqual([...(task === null ? [] : [task]), always.name]);
  });
});
