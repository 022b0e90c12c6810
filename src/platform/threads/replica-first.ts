/**
 * Answers a read from one snapshot of the replica. The primary answers it instead, from the beginning, when the replica is not
 * ready or fails: also in the middle of a report, and of a file of which a part has been sent.
 */
import { Problem } from "../../domain/base/problem.ts";
import type { Context } from "../commands/context.ts";
import type { Database } from "../database/database.ts";
import { openReplicaSnapshot, type ReplicaSnapshot, replicaFaultOf } from "../database/replica.ts";
import { isOverloaded } from "../database/unavailable.ts";
import type { Reply } from "../http/asked.ts";
import type { ReadSource, ReplicaUse } from "./replica-gate.ts";
import { resumable } from "./resumable-file.ts";

interface FirstReplica extends ReplicaUse {
  readonly replica: Database;
  /** Called once, when it is known which server answers. */
  readonly note: (source: ReadSource) => void;
}

/** Returns the reply that `answer` makes with the context that it gets. Throws the refusals of `answer`. */
export async function answerFromReplica<Cx extends Context>(
  cx: Cx,
  { replica, waits, note }: FirstReplica,
  answer: (cx: Cx) => Promise<Reply>,
): Promise<Reply> {
  const opened = await openReplicaSnapshot(replica.for(cx.caller.account_id), cx.db, waits);
  if (typeof opened === "string") {
    note(opened);
    return answer(cx);
  }
  const { db } = opened;
  /** Lets the primary answer if the replica has failed; throws any other error. */
  const again = (error: unknown): Promise<Reply> => {
    const fault = opened.fault();
    if (fault === undefined) {
      if (error instanceof Problem) note("replica");
      throw error;
    }
    // A statement that takes too long would take as long on the primary.
    if (isOverloaded(fault) || cx.signal.aborted) throw fault;
    const kind = replicaFaultOf(fault);
    note(kind);
    if (kind === "failed" || kind === "writes") {
      cx.log.error({ err: fault }, "the replica failed; the primary answers");
    }
    return answer(cx);
  };
  try {
    const reply = await answer({ ...cx, db, rows: db.rows, row: db.row, primary: cx.db });
    requireNoFault(opened);
    const { body } = reply;
    if (body === null || typeof body === "string" || body instanceof Uint8Array) {
      await opened.end();
      note("replica");
      return reply;
    }
    const first = partsOf(opened, body, () => note("replica"));
    return { ...reply, body: resumable(first, async (error) => streamOf(await again(error))) };
  } catch (error) {
    await opened.end();
    return again(error);
  }
}

/** Throws the error of the replica that the code of the read has caught: its result may lack something. */
function requireNoFault(opened: ReplicaSnapshot): void {
  const fault = opened.fault();
  if (fault !== undefined) throw fault;
}

/** Yields the parts of a file, and ends the snapshot with them. */
async function* partsOf<Part>(
  opened: ReplicaSnapshot,
  body: AsyncIterable<Part>,
  onEnd: () => void,
): AsyncGenerator<Part> {
  try {
    yield* body;
    requireNoFault(opened);
    onEnd();
  } finally {
    await opened.end();
  }
}

function streamOf({ body }: Reply): AsyncIterable<string | Uint8Array> {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) {
    throw new Error("the file has become another reply");
  }
  return body;
}
