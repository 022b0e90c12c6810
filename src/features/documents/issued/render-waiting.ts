/**
 * Renders PDFs that have not been requested yet, in the background. Deficit round robin over the accounts by the cost of
 * rendering, so that a single document of an account is rendered soon even when another account has many.
 */
import { setImmediate } from "node:timers/promises";
import { groupedBy } from "../../../domain/base/group.ts";
import { printingKinds } from "../../../platform/commands/connected-ledger.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import { isTransient } from "../../../platform/database/unavailable.ts";
import { RoundRobin } from "../../../platform/fairness/round-robin.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { findPaperBy } from "./issued-documents.ts";
import { renderPaper } from "./render-document.ts";

/** Returns the documents `w` of all accounts that wait for their PDF, except where the ledger is one of the `printing` kinds. */
export function waitingDocuments(printing: readonly string[]): Sql {
  return sql`from waiting_documents w where ${mayBeRendered(printing)}`;
}

function mayBeRendered(printing: readonly string[]): Sql {
  return sql`w.not_before <= statement_timestamp()
    and not w.account_id in (select id from accounts where ledger_kind = any(${printing}))`;
}

/** A waiting document, leased to this process. */
interface Taken {
  readonly account_id: string;
  readonly document_id: string;
  /** The number of characters of its snapshot. */
  readonly cost: number;
}

/** The result for a document: its PDF, or null when it has one already or cannot have any. */
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
/** The documents that a look for turns reads: an account with more is alone in the answer. */
const SEEN = 200;
/** The size of the PDFs that are stored together, in bytes. */
const STORED_TOGETHER = 1_000_000;

/**
 * Renders waiting documents, a turn of some accounts in each call, and stores them; returns whether there were any.
 * A document that cannot be rendered is logged once and no longer waits, so that it does not block others: a later request
 * for it fails with the reason. When stopped, it ends after the current document, and leaves the others to the next process.
 */
export function waitingRenderer(
  services: Services,
): (isStopped?: () => boolean) => Promise<boolean> {
  const turns = new RoundRobin(QUANTUM);
  // The PDFs of these accounts come from the ledger, fetched by account.
  const printing = printingKinds(services.ledgers);
  return async (isStopped = () => false) => {
    const taken = await turns.next((after, owing) =>
      takeWaiting(services.db, after, owing, printing),
    );
    if (taken.length === 0) return false;
    await renderAll(services, taken, isStopped);
    return true;
  };
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
    const which = sql`document_id = ${document_id}`;
    const issued = stored === undefined ? await findPaperBy(cx, which) : undefined;
    return issued === undefined ? null : await renderPaper(cx, issued);
  } catch (error) {
    if (isTransient(error)) throw error;
    services.log.error({ err: error, document_id }, "cannot be rendered");
    return null;
  }
}

/** The oldest documents of an account that fit into its turn. */
interface TurnOfAccount {
  readonly account_id: string;
  readonly document_ids: readonly string[];
}

/**
 * Takes each next account's oldest documents up to a turn's weight, at least one, unless it owes a turn or more. It looks first,
 * then takes them account by account; a document that another process has taken in between is left to it.
 */
async function takeWaiting(
  db: Reads,
  after: string,
  owing: readonly string[],
  printing: readonly string[],
): Promise<Taken[]> {
  const turns =
    await db.rows<TurnOfAccount>(sql`select turn.account_id, array_agg(turn.document_id) as document_ids from (
       select oldest.account_id, oldest.document_id from (
         select seen.account_id, seen.document_id, row_number() over of_account as place,
           sum(seen.weight) over of_account - seen.weight as had
         from (
           select w.account_id, w.document_id, w.weight, w.not_before from waiting_documents w
           where w.account_id > ${after} and not w.account_id = any(${owing}::uuid[])
             and ${mayBeRendered(printing)}
           order by w.account_id, w.not_before limit ${raw(SEEN)}) seen
         window of_account as (partition by seen.account_id order by seen.not_before, seen.document_id)) oldest
       where oldest.place <= ${raw(MOST_OF_ONE)} and oldest.had < ${raw(QUANTUM)}
       order by oldest.account_id, oldest.place limit ${raw(MOST)}) turn
     group by turn.account_id order by turn.account_id`);
  const taken = await Promise.all(turns.map((turn) => takeTurn(db, turn)));
  return taken.flat();
}

/** Takes those documents of a turn that still wait. */
function takeTurn(db: Reads, { account_id, document_ids }: TurnOfAccount): Promise<Taken[]> {
  return db.rows<Taken>(sql`update waiting_documents set not_before = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${account_id} and document_id = any(${document_ids})
       and not_before <= (select clock_timestamp())
     returning account_id, document_id, weight as cost`);
}

/** Stores PDFs, account by account; if another process has stored a PDF first, that PDF is the document. */
async function store(db: Reads, rendered: readonly Rendered[]): Promise<void> {
  const of_accounts = [...groupedBy(rendered, ({ account_id }) => account_id)];
  await Promise.all(of_accounts.map(([account_id, own]) => storeOf(db, account_id, own)));
}

async function storeOf(
  db: Reads,
  account_id: string,
  rendered: readonly Rendered[],
): Promise<void> {
  const files = rendered.flatMap(({ document_id, content }) =>
    content === null ? [] : [{ document_id, content }],
  );
  const { columns, table } = tableOf(files, {
    document_id: ["uuid", (file) => file.document_id],
    content: ["bytea", (file) => file.content],
    sha256: ["bytea", (file) => sha256(file.content)],
  });
  await db.rows(sql`with stored as (
       insert into document_files (account_id, format, ${columns})
       select ${account_id}, 'pdf', file.* from ${table} as file (${columns}) on conflict do nothing)
     delete from waiting_documents where account_id = ${account_id} and document_id = any(${idsOf(rendered)})`);
}

/** Releases documents that were taken and not rendered. */
async function leave(db: Reads, taken: readonly Taken[]): Promise<void> {
  const of_accounts = [...groupedBy(taken, ({ account_id }) => account_id)];
  await Promise.all(
    of_accounts.map(([account_id, own]) =>
      db.rows(sql`update waiting_documents set not_before = (select clock_timestamp())
        where account_id = ${account_id} and document_id = any(${idsOf(own)})`),
    ),
  );
}

function idsOf(documents: readonly Pick<Taken, "document_id">[]): string[] {
  return documents.map(({ document_id }) => document_id);
}
