/** Checks who may call the API, and how often. The ordinary path and the short path (`at-once.ts`) share these checks. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import type { Caller } from "../commands/context.ts";
import type { Reads } from "../database/database.ts";
import type { OneRead, ReadRow } from "../database/stored-read.ts";
import type { Shares } from "../fairness/limits/shares.ts";
import type { RateLimiter } from "../fairness/limits/token-bucket.ts";
import type { Services } from "../runtime/services.ts";
import { ClientLeft } from "./client-left.ts";
import type { HeadWatch } from "./head-watch.ts";
import { isBehind, turnOf } from "./pipelined.ts";

/** Returns the caller behind a credential; null for a credential that is not valid now. */
export type Authenticate = (token: string) => Promise<Caller | null>;

/** A caller, and the row that the same query read. */
interface FoundWithCaller {
  readonly caller: Caller;
  readonly row: ReadRow;
}

/** Looks up the callers behind credentials of one kind. */
export interface Credentials<Seen extends SeenBefore> {
  readonly authenticate: Authenticate;
  /** Returns the credential if it was valid at the last look-up; undefined otherwise. */
  seen(token: string): Seen | undefined;
  /** Reads the caller and the row that `read` selects in its account, in one query; null for an invalid credential. */
  reading(reads: Reads, seen: Seen, read: OneRead): Promise<FoundWithCaller | null>;
}

/** A credential at its last look-up. It only names the account for counting; each request reads the rights again. */
export interface SeenBefore {
  readonly caller: Caller;
}

/** An API key as it was at the last look-up. */
export interface SeenKey extends SeenBefore {
  readonly hash: Buffer;
}

export type Keys = Credentials<SeenKey>;

export interface Admission {
  readonly keys: Keys;
  readonly limiter: RateLimiter;
  /** Requests that wait for a change of their account. */
  readonly heads: HeadWatch;
  /** Authenticates the caller. Throws UNAUTHORIZED, then RATE_LIMITED. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** The token of an `Authorization: Bearer` header; undefined without one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

/** Counts a request by account or person and sets the headers. Returns null if allowed, else the seconds to wait. */
export function takeTurn(limiter: RateLimiter, id: string, reply: FastifyReply): number | null {
  const { policy } = limiter;
  if (policy === null) return null;
  const { allowed, remaining, retry_after_seconds } = limiter.take(id, Date.now());
  reply.header("ratelimit-policy", policy);
  reply.header("ratelimit", `"default";r=${remaining};t=${retry_after_seconds}`);
  return allowed ? null : retry_after_seconds;
}

/** Counts a request as `takeTurn` does. Throws RATE_LIMITED when it is not allowed. */
export function requireTurn(limiter: RateLimiter, id: string, reply: FastifyReply): void {
  const retry_after_seconds = takeTurn(limiter, id, reply);
  if (retry_after_seconds !== null) throw new Problem("RATE_LIMITED", { retry_after_seconds });
}

/** One of an account's slots for requests in progress. It is held until the reply has been sent and no other work holds it. */
export interface AdmissionPlace {
  /** Holds the slot for work that may outlast the reply; the returned function releases the slot. */
  keep(): () => void;
  /** Exchanges the slot for a heavy one. Throws what taking a slot throws; the request then has no slot. */
  makeHeavy(): Promise<void>;
  /** Releases the slot while the request does nothing. */
  pause(): void;
  /** Takes a slot again after a pause. Throws as `makeHeavy` does. */
  resume(): Promise<void>;
}

/**
 * Takes one of the account's slots, and before it one of `alone`, where a request needs that too. Throws RATE_LIMITED, and ClientLeft
 * when the client has disconnected.
 */
export async function takePlace(
  { shares }: Services,
  { account_id }: Caller,
  is_heavy: boolean,
  reply: FastifyReply,
  alone: Shares | null = null,
): Promise<AdmissionPlace> {
  if (isBehind(reply)) await turnOf(reply);
  if (hasLeft(reply)) throw new ClientLeft();
  // First, so that a request that waits for another one of its kind holds no slot.
  const free = await alone?.take(account_id, true, leftOf(reply));
  const taking =
    shares.takeNow(account_id, is_heavy) ?? shares.take(account_id, is_heavy, leftOf(reply));
  let release = await Promise.resolve(taking).catch((refusal: unknown) => {
    free?.();
    throw refusal;
  });
  let holders = 0;
  const keep = (): (() => void) => {
    holders += 1;
    let is_kept = true;
    return () => {
      if (is_kept) holders -= 1;
      is_kept = false;
      if (holders > 0) return;
      release();
      free?.();
    };
  };
  untilSent(reply, keep());
  return {
    keep,
    async makeHeavy() {
      // Release first: requests that keep their slot while they wait for a heavy one would wait for each other.
      release();
      release = await shares.take(account_id, true, leftOf(reply));
      if (holders === 0) release();
    },
    pause() {
      release();
      release = () => {};
    },
    async resume() {
      release = await shares.take(account_id, is_heavy, leftOf(reply));
      if (holders === 0) release();
    },
  };
}

/** Returns a signal that is aborted with `ClientLeft` when the client disconnects before the reply is sent. */
export function leftOf(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  untilSent(reply, () => {
    if (!reply.raw.writableFinished) left.abort(new ClientLeft());
  });
  return left.signal;
}

/** Calls `release` when the reply has been sent, or when the client has disconnected. */
export function untilSent(reply: FastifyReply, release: () => void): void {
  // A client that has already disconnected emits no close event.
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
  // A reply that waits behind another reply on its connection emits no close event either. One socket may have many such replies.
  socket.setMaxListeners(0);
  socket.once("close", done);
}

/** Whether the client has disconnected, or its reply has been sent. */
export function hasLeft({ raw, request }: FastifyReply): boolean {
  return raw.closed || request.raw.socket.destroyed;
}
