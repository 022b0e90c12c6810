/**
 * The background work of documents: PDFs that have not been requested yet. Deficit round robin over the accounts by the cost
 * of rendering, so that a single document of an account is rendered soon even when another account has many.
 */
import { setImmediate } from "node:timers/promises";
import { printingKinds } from "../../../platform/commands/connected-ledger.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql, tableOf } from "../../../platform/database/sql.ts";
import { isTransient } from "../../../platform/database/unavailable.ts";
import { inTurn } from "../../../platform/fairness/in-turn.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { findIssued } from "./issued-documents.ts";
import { renderIssued } from "./render-document.ts";

/** A waiting document, leased to this process. */
interface Taken {
  readonly account_id: string;
  readonly document_id: string;
  /** The number of characters of its snapshot. */
  readonly weight: number;
}

/** The result of a document: its PDF, or null when it has one already or cannot have any. */
interface Rendered extends Taken {
  readonly content: Buffer | null;
}

/** The weight of an account's documents in one turn: a dozen short ones; a longer one is charged to later turns. */
const QUANTUM = 40_000;
/** The most documents in a turn, of one account and of all. */
const MOST_OF_ONE = 8;
const MOST = 32;
/** The lease of taken documents, far longer than rendering takes. */
const LEASE = "interval '10 minutes'";
/** The size of the PDFs that are stored together, in bytes. */
const STORED_TOGETHER = 1_000_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Renders waiting documents, a turn of some accounts in each call, and stores them; returns whether there were any.
 * A document that cannot be rendered is logged once and no longer waits, so that it does not block others: a later request
 * for it fails with the reason. When stopped, it ends after the current document, and leaves the others to the next process.
 */
export function waitingRenderer(
  services: Services,
): (isStopped?: () => boolean) => Promise<boolean> {
  const owed = new Map<string, number>();
  // Their PDFs come from the ledger, fetched by account.
  const printing = printingKinds(services.ledgers);
  let after = BEFORE_ALL;
  const take = async (): Promise<Taken[]> => {
    const taken = await takeWaiting(services.db, after, owed, printing);
    after = taken.reduce((last, { account_id }) => (account_id > last ? account_id : last), after);
    return taken;
  };
  return async (isStopped = () => false) => {
    let taken = await take();
    if (taken.length === 0 && after !== BEFORE_ALL) {
      payTurn(owed);
      after = BEFORE_ALL;
      taken = await take();
    }
    if (taken.length === 0 && owed.size > 0) {
      // No other account waits: all debts are cancelled.
      owed.clear();
      taken = await take();
    }
    if (taken.length === 0) return false;
    charge(owed, taken);
    await renderAll(services, inTurn(taken), isStopped);
    return true;
  };
}

/** After a round of all accounts, each debt is reduced by one turn. */
function payTurn(owed: Map<string, number>): void {
  for (const [account_id, weight] of owed) {
    if (weight > QUANTUM) owed.set(account_id, weight - QUANTUM);
    else owed.delete(account_id);
  }
}

/** The weight that an account has used beyond its turn becomes its debt. */
function charge(owed: Map<string, number>, taken: readonly Taken[]): void {
  const had = new Map<string, number>();
  for (const { account_id, weight } of taken) {
    had.set(account_id, (had.get(account_id) ?? owed.get(account_id) ?? 0) + weight);
  }
  for (const [account_id, weight] of had) {
    if (weight > QUANTUM) owed.set(account_id, weight - QUANTUM);
  }
}

async function renderAll(
  services: Services,
  taken: readonly Taken[],
  isStopped: () => boolean,
): Promise<void> {
  let rendered: Rendered[] = [];
  let bytes = 0;
  for (const [index, document] of taken.entries()) {
    await setImmediate();
    if (isStopped()) {
      await store(services.db, rendered);
      return leave(services.db, taken.slice(index));
    }
    const content = await renderOne(services, document);
    rendered.push({ ...document, content });
    bytes += content?.length ?? 0;
    if (bytes < STORED_TOGETHER) continue;
    await store(services.db, rendered);
    rendered = [];
    bytes = 0;
  }
  await store(services.db, rendered);
}

async function renderOne(services: Services, document: Taken): Promise<Buffer | null> {
  const { account_id, document_id } = document;
  try {
    const cx = await schedulerContext(services, account_id);
    const stored =
      await cx.row(sql`select from document_files where account_id = ${account_id} and document_id = ${document_id}
         and format = 'pdf'`);
    const issued = stored === undefined ? await findIssued(cx, document_id) : undefined;
    return issued === undefined ? null : await renderIssued(cx, issued.snapshot, issued.number);
  } catch (error) {
    if (isTransient(error)) throw error;
    services.log.error({ err: error, document_id }, "cannot be rendered");
    return null;
  }
}

/**
 * Takes waiting documents: of each account after the given one the oldest, up to a turn's weight and at least one, but none of an
 * account with a debt of a turn or more.
 */
function takeWaiting(
  db: Reads,
  after: string,
  owed: ReadonlyMap<string, number>,
  printing: readonly string[],
): Promise<Taken[]> {
  const owing = [...owed].filter(([, weight]) => weight >= QUANTUM).map(([account]) => account);
  return db.rows<Taken>(sql`with recursive waiting (account_id) as (
       (select account_id from waiting_documents where account_id > ${after}
        order by account_id limit 1)
       union all
       select following.account_id from waiting cross join lateral (
         select w.account_id from waiting_documents w where w.account_id > waiting.account_id
         order by w.account_id limit 1) following),
     turns as (
       select turn.account_id, turn.document_id from waiting cross join lateral (
         select oldest.account_id, oldest.document_id,
           sum(oldest.weight) over (order by oldest.not_before, oldest.document_id) - oldest.weight as had
         from (
           select w.account_id, w.document_id, w.weight, w.not_before from waiting_documents w
           where w.account_id = waiting.account_id and w.not_before <= statement_timestamp()
           order by w.not_before limit ${raw(MOST_OF_ONE)} for update skip locked) oldest) turn
       where turn.had < ${raw(QUANTUM)} and not waiting.account_id = any(${owing}::uuid[])
         and not waiting.account_id in (select id from accounts where ledger_kind = any(${printing}))
       limit ${raw(MOST)})
     update waiting_documents w set not_before = clock_timestamp() + ${raw(LEASE)}
     from turns where w.account_id = turns.account_id and w.document_id = turns.document_id
     returning w.account_id, w.document_id, w.weight`);
}

/** Stores PDFs; if another process has stored one first, that one is the document. */
async function store(db: Reads, rendered: readonly Rendered[]): Promise<void> {
  if (rendered.length === 0) return;
  const files = rendered.flatMap(({ account_id, document_id, content }) =>
    content === null ? [] : [{ account_id, document_id, content }],
  );
  const { columns, table } = tableOf(files, {
    account_id: ["uuid", (file) => file.account_id],
    document_id: ["uuid", (file) => file.document_id],
    content: ["bytea", (file) => file.content],
    sha256: ["bytea", (file) => sha256(file.content)],
  });
  await db.rows(sql`with stored as (
       insert into document_files (format, ${columns}) select 'pdf', file.* from ${table} as file
       on conflict do nothing)
     delete from waiting_documents w using ${keysOf(rendered)} as done (account_id, document_id)
     where w.account_id = done.account_id and w.document_id = done.document_id`);
}

/** Releases documents that were taken and not rendered. */
async function leave(db: Reads, taken: readonly Taken[]): Promise<void> {
  await db.rows(sql`update waiting_documents w set not_before = clock_timestamp()
     from ${keysOf(taken)} as taken (account_id, document_id)
     where w.account_id = taken.account_id and w.document_id = taken.document_id`);
}

function keysOf(documents: readonly Taken[]) {
  return tableOf(documents, {
    account_id: ["uuid", (document) => document.account_id],
    document_id: ["uuid", (document) => document.document_id],
  }).table;
}
