/**
 * Decides in the serving thread which long reads the replica answers; only this file knows. It remembers whether the replica
 * answered, so that requests do not wait again and again for one that is away or behind, and counts who answered and why.
 */
import { type ReplicaFault, replicaFaults } from "../database/replica.ts";
import type { AnyAsked, Heavy } from "../http/asked.ts";
import type { Log } from "../runtime/log.ts";

/** Why the primary answered a long read: a fault of the replica, or a read that is never for the replica. */
type PrimaryReason = ReplicaFault | "primary_only";
/** The server that answered a long read. */
export type ReadSource = "replica" | PrimaryReason;

export const readSources: readonly ReadSource[] = ["replica", "primary_only", ...replicaFaults];

/** How a thread uses the replica for a read. */
export interface ReplicaUse {
  /** Whether it waits for a replica that is behind. */
  readonly waits: boolean;
}

export interface ReplicaGate {
  /** Returns how the replica is used for the request; null when the primary answers it. */
  choose(asked: AnyAsked, heavy: Heavy): ReplicaUse | null;
  /** Notes which server answered a read for which `choose` has named the replica. */
  note(source: ReadSource): void;
}

interface GateOptions {
  readonly count: (source: ReadSource) => void;
  readonly log: Log;
  /** Returns milliseconds that never go backwards. */
  readonly now?: () => number;
}

/** After these pauses one read asks a replica again that did not answer. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** For this long, reads do not wait for a replica that was behind: they ask it once. */
const IMPATIENT_MS = 2_000;

/** Opens the gate of a process with a replica. */
export function openReplicaGate(options: GateOptions): ReplicaGate {
  const { count, log, now = () => performance.now() } = options;
  let missing: "away" | "unfit" | null = null;
  let pause = FIRST_PAUSE_MS;
  let asked_again_at = 0;
  let patient_at = 0;
  const answers = (): void => {
    if (missing !== null) log.info("the replica answers long reads again");
    missing = null;
    pause = FIRST_PAUSE_MS;
  };
  const isMissing = (why: "away" | "unfit"): void => {
    if (missing === null) log.warn({ why }, "the primary answers long reads, without the replica");
    else pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    missing = why;
    asked_again_at = now() + pause;
  };
  return {
    choose(asked, heavy) {
      if (!asked.is_read) return null;
      if (heavy.needs_primary || isPoll(asked)) {
        count("primary_only");
        return null;
      }
      if (missing !== null && now() < asked_again_at) {
        count(missing);
        return null;
      }
      // Only this read asks the replica that was missing; others follow when it has answered.
      if (missing !== null) asked_again_at = now() + pause;
      return { waits: now() >= patient_at };
    },
    note(source) {
      count(source);
      if (source === "away" || source === "unfit") isMissing(source);
      else if (source === "behind" || source === "replica") answers();
      if (source === "behind") patient_at = now() + IMPATIENT_MS;
    },
  };
}

/** Whether the request is a poll: the moment until which it may read is in the locks of the primary. */
function isPoll(asked: AnyAsked): boolean {
  if (!("input" in asked) || "tool" in asked) return false;
  const { query } = asked.input;
  if (typeof query !== "object" || query === null) return false;
  return (query as { readonly updated_since?: unknown }).updated_since !== undefined;
}
