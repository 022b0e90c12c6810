/**
 * The errors of a database that is away or overloaded, not of a wrong statement. They roll the transaction back. An
 * error during COMMIT is the exception: its outcome is unknown, and the caller has to check or repeat.
 */
import pg from "pg";

/**
 * PostgreSQL's codes for: no changes allowed, because another node of the cluster leads now; ending, crashing, starting, out of
 * connections, memory or disk, gone.
 */
const STATES: ReadonlySet<string> = new Set([
  "25006",
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53000",
  "53100",
  "53200",
  "53300",
  "58030",
]);

/** Class 08 is about connections. */
const CONNECTION_CLASS = /^08/;

/** The system's codes for a socket; ENOENT is for a missing socket. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOTCONN",
  "ERR_STREAM_DESTROYED",
]);

const SYSTEM_CALLS: ReadonlySet<string> = new Set([
  "connect",
  "read",
  "write",
  "writev",
  "getaddrinfo",
]);

/** Messages of the client's own errors, which have no code. */
const WORDS: ReadonlySet<string> = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "This socket has been ended by the other party",
]);

/** Thrown instead of waiting for a database that is known to be away. */
export class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
  constructor() {
    super("the database does not answer");
  }
}

/** Thrown when no connection became free in time: the database answers, but is overloaded. */
export class NoConnection extends Error {
  override readonly name = "NoConnection";
  constructor() {
    super("no connection to the database was free in time");
  }
}

/** Whether the error says that the database currently cannot be reached or has no room. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  if (error instanceof pg.DatabaseError) {
    const { code = "" } = error;
    return STATES.has(code) || CONNECTION_CLASS.test(code);
  }
  // Several addresses were tried.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined) {
    return SYSTEM_CODES.has(code) && (syscall === undefined || SYSTEM_CALLS.has(syscall));
  }
  return WORDS.has(error.message);
}

/** The SQLSTATEs of a statement that exceeded its time, and of a lock that was not free in time. */
const QUERY_CANCELED = "57014";
const LOCK_NOT_AVAILABLE = "55P03";

/** Whether the error says that the database answers, but has more work than it can do in time. */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === QUERY_CANCELED;
  return error instanceof NoConnection;
}

/** Whether the error says that a lock was not free in time. */
export function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

/** Whether the error concerns only the moment and not the work itself: due work stays due. */
export function isTransient(error: unknown): boolean {
  return isUnavailable(error) || isOverloaded(error) || isLocked(error);
}
