/** Who comes in at the API, and how often: what the ordinary way and the short one (`at-once.ts`) have in common. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import type { Caller } from "../commands/context.ts";
import type { Reads } from "../database/database.ts";
import type { FoundRow, OneRead } from "../database/stored-read.ts";
import type { RateLimiter } from "../fairness/limits/token-bucket.ts";
import type { Services } from "../runtime/services.ts";
import { ClientLeft } from "./client-left.ts";
import { isBehind, turnOf } from "./pipelined.ts";

/** The caller behind a credential; null for anything that is not a live one. */
export type Authenticate = (token: string) => Promise<Caller | null>;

/** A caller, and the row of what was read with their look-up. */
interface FoundWithCaller {
  readonly caller: Caller;
  readonly row: FoundRow;
}

/** Finds out whose credentials of a kind are. */
export interface Credentials<Seen extends SeenBefore> {
  readonly authenticate: Authenticate;
  /** One that was a live one when it was asked for last; undefined for any other. */
  seen(token: string): Seen | undefined;
  /** The caller and what the statement reads of their account, in one statement; null where it is not a live one. */
  reading(reads: Reads, seen: Seen, read: OneRead): Promise<FoundWithCaller | null>;
}

/** A credential as it was. Says only whose turn it would be: what a caller may do and sees is read with every request. */
export interface SeenBefore {
  readonly caller: Caller;
}

/** A key as it was. */
export interface SeenKey extends SeenBefore {
  readonly hash: Buffer;
}

export type Keys = Credentials<SeenKey>;

export interface Admission {
  readonly keys: Keys;
  readonly limiter: RateLimiter;
  /** Finds out who calls. Throws UNAUTHORIZED, then RATE_LIMITED. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** The token of an `Authorization: Bearer` header; undefined without one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

/**
 * Counts a request by the id of its account or person; the reply's headers say what is left. Null when it is allowed, else the
 * seconds to wait.
 */
export function takeTurn(limiter: RateLimiter, id: string, reply: FastifyReply): number | null {
  const { policy } = limiter;
  if (policy === null) return null;
  const { allowed, remaining, retry_after_seconds } = limiter.take(id, Date.now());
  reply.header("ratelimit-policy", policy);
  reply.header("ratelimit", `"default";r=${remaining};t=${retry_after_seconds}`);
  return allowed ? null : retry_after_seconds;
}

/** Counts a request as `takeTurn` does. Throws RATE_LIMITED where it is not allowed. */
export function requireTurn(limiter: RateLimiter, id: string, reply: FastifyReply): void {
  const retry_after_seconds = takeTurn(limiter, id, reply);
  if (retry_after_seconds !== null) throw new Problem("RATE_LIMITED", { retry_after_seconds });
}

/** One of the places of an account, held until the reply has left and nothing else keeps it. */
export interface Place {
  /** Keeps it for work that may outlast the reply; what is answered lets it go. */
  keep(): () => void;
  /** Gives it back for a heavy one. Throws what taking one throws, and then has none. */
  makeHeavy(): Promise<void>;
}

/** Takes one of the account's places. Throws RATE_LIMITED, and ClientLeft where the client is gone. */
export async function takePlace(
  { shares }: Services,
  { account_id }: Caller,
  is_heavy: boolean,
  reply: FastifyReply,
): Promise<Place> {
  if (isBehind(reply)) await turnOf(reply);
  if (hasLeft(reply)) throw new ClientLeft();
  let release =
    shares.takeNow(account_id, is_heavy) ??
    (await shares.take(account_id, is_heavy, leftOf(reply)));
  let holders = 0;
  const keep = (): (() => void) => {
    holders += 1;
    let is_kept = true;
    return () => {
      if (is_kept) holders -= 1;
      is_kept = false;
      if (holders === 0) release();
    };
  };
  untilSent(reply, keep());
  return {
    keep,
    async makeHeavy() {
      // First: those that wait for a heavy one with a place each would wait for each other.
      release();
      release = await shares.take(account_id, true, leftOf(reply));
      if (holders === 0) release();
    },
  };
}

/** Aborted with `ClientLeft` when the client leaves before its answer. */
export function leftOf(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  untilSent(reply, () => {
    if (!reply.raw.writableFinished) left.abort(new ClientLeft());
  });
  return left.signal;
}

/** Calls back when the reply has left, or nobody is there any more to take it. */
export function untilSent(reply: FastifyReply, release: () => void): void {
  // Of a client that has left already no end is told.
  if (hasLeft(reply)) {
    release();
    return;
  }
  const { raw, request } = reply;
  const { socket } = request.raw;
  const done = (): void => {
    raw.off("close", done);
    socket.off("close", done);
    release();
  };
  raw.once("close", done);
  // Of a reply that stands behind another one of its connection no end is told either; there may be many of them.
  socket.setMaxListeners(0);
  socket.once("close", done);
}

/** Whether the client has left, or its reply has been sent. */
export function hasLeft({ raw, request }: FastifyReply): boolean {
  return raw.closed || request.raw.socket.destroyed;
}
