/** The request of a route and its reply as plain data, so that another thread can receive the request and return the reply. */
import type { Caller } from "../commands/context.ts";

/** A request as sent by a caller who may make it; its content has not been checked yet (`check.ts`). */
export interface SentRequest {
  /** The operation of the route. */
  readonly operation: string;
  readonly caller: Caller;
  readonly request_id: string;
  /** Whether the request changes nothing. */
  readonly is_read: boolean;
  readonly method: string;
  readonly url: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The body's bytes when the body has not been parsed yet. */
  readonly unread: Uint8Array | null;
  /** The content type of a file; null for other bodies. */
  readonly content_type: string | null;
  /** The header `X-SBDH-Instance-ID` of a file from the network of e-invoices; null without it. */
  readonly instance_id: string | null;
  /** An idempotency key, and the claim under which this call takes it. */
  readonly key: string | undefined;
  readonly claim: string;
  /** The process that answers the request, in any of its threads; null while other processes cannot see that it is alive. */
  readonly process: string | null;
  readonly accept: string | undefined;
  readonly conditions: Conditions | null;
}

/** The headers `If-Match` and `If-None-Match`; null without them. */
export interface Conditions {
  readonly if_match: string | null;
  readonly if_none_match: string | null;
}

/** A request whose caller may make it, and whose path, query and body are valid. */
export interface CheckedRequest {
  /** The operation of the route. */
  readonly operation: string;
  readonly caller: Caller;
  readonly request_id: string;
  readonly input: Input;
  /** Whether the request changes nothing. */
  readonly is_read: boolean;
  /** Whether the client wants a list as CSV. */
  readonly as_csv: boolean;
  /** Whether the client wants a list as lines of JSON. */
  readonly as_lines: boolean;
  /** With an idempotency key: the key, and the data that repetitions are compared by. */
  readonly once: Repeatable | null;
  readonly conditions: Conditions | null;
}

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A reply as it is sent: its body complete, or as a stream. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
  /** Set for an empty page whose request waits. */
  readonly wait?: WaitForChange;
}

/** The request is answered again when its account has an event after the sequence: with what follows the cursor. */
export interface WaitForChange {
  readonly seconds: number;
  readonly sequence: bigint;
  readonly cursor: string;
}

/** A request as it was sent, with the idempotency key that marks its repetitions. */
export interface Repeatable {
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** Unique to this call, which takes and releases the key under it. */
  readonly claim: string;
  /** As in `Sent`. */
  readonly process: string | null;
}

/**
 * Describes work that takes more than some milliseconds for one account. A thread other than the serving one does such work, a
 * few requests of each account in parallel. Work that takes too long is refused as `too_many` of a field.
 */
export interface Heavy {
  /** The parameter by which a client makes its request smaller. */
  readonly field: string;
  /** A sentence that says how to request less. */
  readonly narrow: string;
  /** Set for a read that also stores something, or that rolls back a change: a replica cannot do it. */
  readonly needs_primary?: true;
  /** Set when an account does only one such request at a time; further ones wait. */
  readonly one_at_a_time?: true;
  /** Set for a list that is heavy only when its rows get this by `include`. */
  readonly only_with?: string;
}

/** A tool call by a caller who may make it, with valid arguments. Its result is JSON. */
export interface AskedTool {
  readonly tool: string;
  readonly caller: Caller;
  readonly request_id: string;
  readonly input: unknown;
  /** Whether the tool changes nothing. */
  readonly is_read: boolean;
}

/** All requests that another thread can receive. */
export type AnyAsked = CheckedRequest | AskedTool | SentRequest;
