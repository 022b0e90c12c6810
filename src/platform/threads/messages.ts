/** The messages between the serving thread and the other threads: plain data. */
import type { MessagePort } from "node:worker_threads";
import type { ProblemCode, ProblemExtras } from "../../domain/base/problem.ts";
import type { CommandOutcome } from "../commands/context.ts";
import type { AnyAsked, Reply } from "../http/asked.ts";
import type { Config } from "../runtime/config.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { ReadSource, ReplicaUse } from "./replica-gate.ts";

/** The kind of work: a computation has a thread for itself; files that are sent as streams share one. */
export type Lane = "computation" | "file";

/** The data that a thread receives for a request; all further messages go through the port. */
export interface Handed {
  readonly asked: AnyAsked;
  readonly lane: Lane;
  /** The current address of the database: a restarted server may listen elsewhere. */
  readonly database_url: string;
  /** How the replica is used; null when the primary answers. */
  readonly replica: ReplicaUse | null;
  readonly port: MessagePort;
}

/** To a working thread: to stop, because no client waits any more, or that the next part may be sent. */
export type ToWorker = "stop" | "more";

/** From a working thread. After the head come the parts of a streamed body, then its end. */
export type FromWorker =
  | { readonly type: "begun"; readonly thread_id: number; readonly system_thread: number | null }
  | {
      readonly type: "ran";
      readonly command: string;
      readonly outcome: CommandOutcome;
      readonly seconds: number;
    }
  /** Which server has answered. */
  | { readonly type: "read"; readonly source: ReadSource }
  | {
      readonly type: "head";
      readonly status: number;
      readonly headers: Reply["headers"];
      /** "parts" for a streamed body. */
      readonly body: Uint8Array | "parts" | null;
    }
  | { readonly type: "part"; readonly bytes: Uint8Array }
  | { readonly type: "end" }
  | { readonly type: "refused"; readonly code: ProblemCode; readonly extras: ProblemExtras }
  | { readonly type: "failed"; readonly message: string; readonly stack: string };

/** To a heavy thread: to run once what its first request would otherwise wait for. */
export const PREPARE = "prepare";

/** A task of a heavy thread: a request, the preparation, or null, which only starts a thread. */
export type HeavyTask = Handed | typeof PREPARE | null;

/** From any thread: its code is loaded. */
export const LOADED = "loaded";

/** The initial data of a thread. */
export interface ThreadData {
  readonly role: "heavy" | "background";
  readonly config: Config;
  readonly database_url: string;
  /** Whether the log goes to a terminal. */
  readonly on_terminal: boolean;
}

/** To the background thread: to stop, or the current address of the database. */
export type ToBackground =
  | { readonly type: "stop" }
  | { readonly type: "database"; readonly url: string };

/** The measurements of the background work. */
export type FromBackground = {
  [Name in Measure]: { readonly measure: Name; readonly values: Parameters<Metrics[Name]> };
}[Measure];

type Measure =
  | "observe"
  | "observeTool"
  | "observeCommand"
  | "countSecurityEvent"
  | "countLongRead"
  | "setAccountsWithFaults";
