/** What the thread that serves and the threads beside it tell each other: plain data. */
import type { MessagePort } from "node:worker_threads";
import type { ProblemCode, ProblemExtras } from "../../domain/base/problem.ts";
import type { CommandOutcome } from "../commands/context.ts";
import type { AnyAsked, Reply } from "../http/asked.ts";
import type { Config } from "../runtime/config.ts";
import type { Metrics } from "../runtime/metrics.ts";

/** A computation has a thread for itself, a file that is sent as it is made shares one. */
export type Lane = "computation" | "file";

/** What a thread is handed; the rest of the talk goes through the port. */
export interface Handed {
  readonly asked: AnyAsked;
  readonly lane: Lane;
  /** Where the database is now: a server that was started again may listen elsewhere. */
  readonly database_url: string;
  readonly port: MessagePort;
}

/** To a thread that works: nobody waits for the answer any more, or the next part of it may come. */
export type ToWorker = "stop" | "more";

/** From a thread that works. After the head come the parts of a body that is not whole, then its end. */
export type FromWorker =
  | { readonly type: "begun"; readonly thread_id: number; readonly system_thread: number | null }
  | {
      readonly type: "ran";
      readonly command: string;
      readonly outcome: CommandOutcome;
      readonly seconds: number;
    }
  | {
      readonly type: "head";
      readonly status: number;
      readonly headers: Reply["headers"];
      /** "parts" when it comes as it is made. */
      readonly body: Uint8Array | "parts" | null;
    }
  | { readonly type: "part"; readonly bytes: Uint8Array }
  | { readonly type: "end" }
  | { readonly type: "refused"; readonly code: ProblemCode; readonly extras: ProblemExtras }
  | { readonly type: "failed"; readonly message: string; readonly stack: string };

/** What a thread begins with. */
export interface ThreadData {
  readonly role: "heavy" | "background";
  readonly config: Config;
  readonly database_url: string;
  /** Whether a person reads the log. */
  readonly on_terminal: boolean;
}

/** To the thread of the background work: to end it, or where the database is now. */
export type ToBackground =
  | { readonly type: "stop" }
  | { readonly type: "database"; readonly url: string };

/** What the background work measures. */
export type FromBackground = {
  [Name in Measure]: { readonly measure: Name; readonly values: Parameters<Metrics[Name]> };
}[Measure];

type Measure =
  | "observe"
  | "observeTool"
  | "observeCommand"
  | "countSecurityEvent"
  | "setAccountsWithFaults";
