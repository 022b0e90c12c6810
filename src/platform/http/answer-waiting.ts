/** Answers a request again when its account has changed, for a list whose caller waits for its first row. */
import type { AdmissionPlace } from "./admission.ts";
import type { CheckedRequest, Reply } from "./asked.ts";
import type { HeadWatch } from "./head-watch.ts";

interface Waiting {
  readonly heads: HeadWatch;
  readonly place: AdmissionPlace;
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal;
  readonly asked: CheckedRequest;
}

/**
 * Returns the first answer unless it says that its request waits; else the first one that does not, or the last one when the time is
 * over. A wait gives its place back. Throws what `answer` and taking a place throw.
 */
export async function answerWaiting(
  { heads, place, left, asked }: Waiting,
  answer: (asked: CheckedRequest) => Promise<Reply>,
): Promise<Reply> {
  let reply = await answer(asked);
  if (reply.wait === undefined) return reply;
  const seat = heads.seat(asked.caller.account_id);
  if (seat === undefined) return reply;
  const deadline = performance.now() + reply.wait.seconds * 1_000;
  try {
    while (reply.wait !== undefined) {
      const { sequence, cursor } = reply.wait;
      place.pause();
      const outcome = await seat.changed(sequence, deadline - performance.now(), left);
      if (outcome === "stopped") return reply;
      await place.resume();
      reply = await answer(from(asked, cursor));
    }
    return reply;
  } finally {
    seat.leave();
  }
}

/** Returns the request for what follows a cursor. */
function from(asked: CheckedRequest, cursor: string): CheckedRequest {
  const { input } = asked;
  const query = { ...(input.query as object), after: undefined, cursor };
  return { ...asked, input: { ...input, query } };
}
