/**
 * `Idempotency-Key`: for 24 hours, a POST that is repeated with its key gets the first response. The result of the command is
 * stored in the command's own transaction, so that a repetition after a crash resumes from the result and never runs the command
 * twice. Three kinds of responses are not stored: refusals that depend only on the request, temporary refusals, and responses
 * that are not final.
 */
import type { FastifyRequest } from "fastify";
import { type FieldError, Problem, type ProblemCode } from "../../domain/base/problem.ts";
import type { Context, Reader } from "../commands/context.ts";
import { hasEnded } from "../database/process-lock.ts";
import { raw, sql } from "../database/sql.ts";
import { type JsonText, requestHash } from "../runtime/json.ts";
import type { Repeatable } from "./asked.ts";
import { envelopeOf, problemFromDatabase, statusOfKind } from "./problems.ts";

export const KEY_HEADER = "Idempotency-Key";
export const MOST_KEY_LENGTH = 255;

/**
 * How long a request holds its key: longer than any request takes. After a request that ended without a response, a repetition
 * waits for the lease to end only when the request's process is unknown or still has its lock.
 */
const LEASE = "interval '60 seconds'";
const LIFE = "interval '24 hours'";

/** The refusals that ask for a repetition, because the outcome is not known yet. */
const UNSETTLED: readonly ProblemCode[] = [
  "INVOICE_ISSUE_IN_PROGRESS",
  "IDEMPOTENCY_CONFLICT",
  "REQUEST_IN_PROGRESS",
  "RESOURCE_BUSY",
];

/** A response as it is sent. */
interface KeptAnswer {
  readonly status: number;
  readonly text: JsonText;
}

/** Returns the key that a request carries; undefined without one. */
export function keyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers["idempotency-key"];
  return Array.isArray(sent) ? sent.join(", ") : sent;
}

/** Returns the errors of an invalid key, as field errors on the header's name. */
export function keyFaults(key: string | undefined): FieldError[] {
  if (key === undefined) return [];
  if (key === "") return [{ field: KEY_HEADER, code: "too_short", message: "The key is empty." }];
  if (key.length <= MOST_KEY_LENGTH) return [];
  const message = `At most ${MOST_KEY_LENGTH} characters.`;
  return [{ field: KEY_HEADER, code: "too_long", message }];
}

/**
 * Does the work once for each key of the account; later calls get the stored response. Throws IDEMPOTENCY_CONFLICT when another
 * request has used the key, REQUEST_IN_PROGRESS while the first request is running, and what the work throws the first time.
 */
export async function answerOnce(
  cx: Context,
  { key, method, url, body, claim: own_claim, process }: Repeatable,
  request_id: string,
  work: (cx: Context) => Promise<KeptAnswer & { readonly kept?: JsonText }>,
): Promise<KeptAnswer & { readonly is_repeated: boolean }> {
  const hash = requestHash([method, url, body ?? {}]);
  const own: Own = { account_id: cx.caller.account_id, key, claim: own_claim };
  try {
    const claimed = await claim(cx, own, hash, process);
    if ("status" in claimed) return { ...claimed, is_repeated: true };
    const rest: Rest = { from: null };
    const { kept, status, text } = await work({
      ...cx,
      once: onceOf(own, claimed.committed, rest),
    });
    if (rest.from === null) await keep(cx, own, { status, text: kept ?? text });
    else await leaveRest(cx, own, rest.from);
    return { status, text, is_repeated: false };
  } catch (error) {
    const refusal = problemFromDatabase(error);
    const is_kept =
      refusal instanceof Problem &&
      refusal.kind === "conflict" &&
      !UNSETTLED.includes(refusal.code);
    if (is_kept) {
      const text = JSON.stringify(envelopeOf(refusal, request_id)) as JsonText;
      await keep(cx, own, { status: statusOfKind[refusal.kind], text });
    } else await release(cx, own);
    throw error;
  }
}

interface Own {
  readonly account_id: string;
  readonly key: string;
  readonly claim: string;
}

/** The state that a repetition resumes from, when the response is not final. */
interface Rest {
  from: string | null;
}

function onceOf(
  { account_id, key, claim }: Own,
  committed: string | null,
  rest: Rest,
): Context["once"] {
  return {
    committed,
    goOn: (from) => {
      rest.from = from;
    },
    keep: (tx, result) =>
      tx.write(sql`select keep_committed(${account_id}, ${key}, ${claim}, ${result})`),
  };
}

/**
 * Takes a key that is new, has expired, or belongs to a request that ended without a response: its lease has run out, or its
 * process has ended. Returns the result that the earlier request committed, so that this request resumes from there.
 */
async function claim(
  cx: Reader,
  own: Own,
  hash: Buffer,
  process: string | null,
): Promise<KeptAnswer | { readonly committed: string | null }> {
  const { account_id, key } = own;
  // Both moments are as far from the proposed ones as from now: a difference is the same on every machine of a cluster.
  const taken = await cx.row<{ committed: string | null }>(sql`
    insert into idempotency_keys as k (account_id, key, request_hash, claim, process, lease_until, expires_at)
     values (${account_id}, ${key}, ${hash}, ${own.claim}, ${process}, clock_timestamp() + ${raw(LEASE)}, clock_timestamp() + ${raw(LIFE)})
     on conflict (account_id, key) do update set request_hash = excluded.request_hash, claim = excluded.claim,
       process = excluded.process, lease_until = excluded.lease_until, expires_at = excluded.expires_at, status = null, answer = null,
       committed = case when excluded.expires_at - k.expires_at < ${raw(LIFE)} then k.committed end
     where excluded.expires_at - k.expires_at >= ${raw(LIFE)} or (k.status is null
       and (k.committed is null or k.request_hash = excluded.request_hash)
       and excluded.lease_until - k.lease_until >= ${raw(LEASE)})
     returning committed`);
  if (taken) return taken;
  const row = await cx.row<KeyRow>(
    sql`select request_hash, claim, process, status, answer, committed from idempotency_keys
      where account_id = ${account_id} and key = ${key}`,
  );
  const left = row && (await takeOver(cx, own, hash, process, row));
  if (left) return left;
  if (row && !row.request_hash.equals(hash)) throw new Problem("IDEMPOTENCY_CONFLICT");
  if (row?.status && row.answer !== null) return { status: row.status, text: row.answer };
  throw new Problem("REQUEST_IN_PROGRESS", { retry_after_seconds: 1 });
}

interface KeyRow {
  readonly request_hash: Buffer;
  readonly claim: string;
  readonly process: string | null;
  readonly status: number | null;
  readonly answer: JsonText | null;
  readonly committed: string | null;
}

/** Takes the key of a request whose process has ended, before its lease; undefined if another one was faster, or it lives. */
async function takeOver(
  cx: Reader,
  { account_id, key, claim }: Own,
  hash: Buffer,
  process: string | null,
  before: KeyRow,
): Promise<{ readonly committed: string | null } | undefined> {
  if (before.status !== null || before.process === null || before.process === process) return;
  if (before.committed !== null && !before.request_hash.equals(hash)) return;
  // Asked alone: the locks of the processes are on the machine that they are connected to, the key may be on another.
  const [asked] = await cx.rows<{ has_ended: boolean }>(
    sql`select ${hasEnded(sql`${before.process}`)} as has_ended`,
  );
  if (!asked?.has_ended) return;
  return cx.row<{ committed: string | null }>(sql`update idempotency_keys
     set request_hash = ${hash}, claim = ${claim}, process = ${process},
       lease_until = (select clock_timestamp() + ${raw(LEASE)}), expires_at = (select clock_timestamp() + ${raw(LIFE)})
     where account_id = ${account_id} and key = ${key} and claim = ${before.claim} and status is null
       and (committed is null or request_hash = ${hash})
     returning committed`);
}

/**
 * Stores a response. A response that cannot be stored is still sent: a repetition resumes from the committed result. A stored
 * response replaces the committed result, which may contain the token of an invitation.
 */
async function keep(cx: Reader, own: Own, { status, text }: KeptAnswer): Promise<void> {
  await attempt(cx, () =>
    cx.rows(sql`update idempotency_keys set status = ${status}, answer = ${text}, committed = null
       where account_id = ${own.account_id} and key = ${own.key} and claim = ${own.claim}`),
  );
}

/** Releases the key of a call that was ended from outside. The call's stored response or committed result remains. */
export async function releaseKey(cx: Context, key: string, claim: string): Promise<void> {
  await release(cx, { account_id: cx.caller.account_id, key, claim });
}

/** Stores the value that the next call with the key resumes from. */
async function leaveRest(cx: Reader, own: Own, committed: string): Promise<void> {
  await attempt(cx, () =>
    cx.rows(sql`update idempotency_keys set committed = ${committed}, lease_until = (select clock_timestamp())
       where account_id = ${own.account_id} and key = ${own.key} and claim = ${own.claim}`),
  );
}

/** Releases the key: the next call with the key starts from the beginning, or resumes from the committed result. */
async function release(cx: Reader, own: Own): Promise<void> {
  await attempt(cx, async () => {
    await cx.rows(sql`delete from idempotency_keys
       where account_id = ${own.account_id} and key = ${own.key} and claim = ${own.claim} and status is null and committed is null`);
    await cx.rows(sql`update idempotency_keys set lease_until = (select clock_timestamp())
       where account_id = ${own.account_id} and key = ${own.key} and claim = ${own.claim} and status is null`);
  });
}

/** Tries to store or release a key; without the database, the lease simply runs out. */
async function attempt(cx: Reader, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    cx.log.warn({ err: error }, "an idempotency key could not be settled");
  }
}
