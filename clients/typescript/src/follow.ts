/** Follows the events of an account. */
import { InvalidRequestError } from "./errors.ts";
import { waitFor } from "./transport.ts";

export interface FollowOptions {
  /** Where to continue: what `save` was given last. */
  readonly cursor?: string | null;
  /** Where to begin without a cursor: the sequence of the last event that is known. 0, the beginning, by default. */
  readonly after?: number;
  /** Types such as `invoice.issued,delivery.*`. */
  readonly types?: string;
  /** A customer by id or `ext:` and its external id. */
  readonly customer?: string;
  /**
   * Is called with the cursor after the events before it have been handled, so that a program that starts again gets each event at
   * least once. Store it with what the events have changed.
   */
  readonly save?: (cursor: string) => void | Promise<void>;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
}

interface EventPage<Event> {
  readonly data: readonly Event[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

type EventQuery = Readonly<Record<string, string | number>>;

const WAIT_S = 30;
/** The least time between two requests without events: a service at its limit of waits answers at once. */
const SHORTEST_PAUSE_MS = 1_000;

/**
 * Yields events in their order, and waits for further ones until the signal is aborted. Throws a ConflictError with the code
 * `FEED_RESET` when the database was restored: continue after `details.sequence`.
 */
export async function* follow<Event>(
  read: (query: EventQuery, signal: AbortSignal | undefined) => Promise<EventPage<Event>>,
  { cursor, after, save, signal, types, customer }: FollowOptions,
): AsyncGenerator<Event> {
  const filters = {
    ...(types === undefined ? {} : { types }),
    ...(customer === undefined ? {} : { customer }),
    limit: 100,
  };
  let wait: EventQuery = { wait: WAIT_S };
  let place: EventQuery = cursor ? { cursor } : after === undefined ? {} : { after };
  while (!signal?.aborted) {
    const began = Date.now();
    try {
      const page = await read({ ...filters, ...wait, ...place }, signal);
      for (const event of page.data) {
        yield event;
        if (signal?.aborted) return;
      }
      await save?.(page.next_cursor);
      place = { cursor: page.next_cursor };
      const pause = SHORTEST_PAUSE_MS - (Date.now() - began);
      if (page.data.length === 0 && !page.has_more && pause > 0) await waitFor(pause, signal);
    } catch (error) {
      if (signal?.aborted) return;
      if (!("wait" in wait && isOlder(error))) throw error;
      wait = {};
    }
  }
}

/** Whether a service refuses to wait for events, because it is older than this client. */
function isOlder(error: unknown): boolean {
  return (
    error instanceof InvalidRequestError && error.fieldErrors.some(({ field }) => field === "wait")
  );
}
