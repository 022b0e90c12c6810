/** What is asked of a route and what it answers, as plain data: another thread can be handed the one and hand back the other. */
import type { Caller } from "../commands/context.ts";

/** A request as it was sent by a caller who may make it; what it says has not been judged yet (`check.ts`). */
export interface Sent {
  /** The operation of its route. */
  readonly operation: string;
  readonly caller: Caller;
  readonly request_id: string;
  /** Whether it changes nothing. */
  readonly is_read: boolean;
  readonly method: string;
  readonly url: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The body in bytes, where nobody has read it yet. */
  readonly unread: Uint8Array | null;
  /** An idempotency key, and the claim by which it is taken. */
  readonly key: string | undefined;
  readonly claim: string;
  /** The process that answers it, in whichever of its threads; null while others cannot see that it lives. */
  readonly process: string | null;
  readonly accept: string | undefined;
}

/** A request whose caller may make it, and whose path, query and body are valid. */
export interface Asked {
  /** The operation of its route. */
  readonly operation: string;
  readonly caller: Caller;
  readonly request_id: string;
  readonly input: Input;
  /** Whether it changes nothing. */
  readonly is_read: boolean;
  /** Whether a list is wanted as CSV. */
  readonly as_csv: boolean;
  /** With an idempotency key: it, and what it is compared by. */
  readonly once: Repeatable | null;
}

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A reply as it leaves: its body whole, or as it is made. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
}

/** A request as it was sent, with the key that says that it is sent again. */
export interface Repeatable {
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** Of this call alone: by it the key is taken, and given back. */
  readonly claim: string;
  /** As in `Sent`. */
  readonly process: string | null;
}

/**
 * What takes more than some milliseconds for one account is done in a thread beside the one that answers everybody, a few
 * at a time for each account. Work that goes on for too long is refused as `too_many` of a field.
 */
export interface Heavy {
  /** The parameter by which a client asks for less. */
  readonly field: string;
  /** How to ask for less: a sentence. */
  readonly narrow: string;
}

/** A call of a tool by somebody who may call it, with arguments that are valid. Its answer is JSON. */
export interface AskedTool {
  readonly tool: string;
  readonly caller: Caller;
  readonly request_id: string;
  readonly input: unknown;
  /** Whether it changes nothing. */
  readonly is_read: boolean;
}

/** Whatever a thread may be handed. */
export type AnyAsked = Asked | AskedTool | Sent;
