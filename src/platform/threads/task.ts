/** Runs one request in a thread: receives the thread's messages, and ends the request when it must not continue. */
import { once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Piscina } from "piscina";
import { Problem } from "../../domain/base/problem.ts";
import type { CommandOutcome } from "../commands/context.ts";
import type { AnyAsked, Heavy, Reply } from "../http/asked.ts";
import type { FromWorker, Handed, HeavyTask, Lane, ToWorker } from "./messages.ts";
import { processorTimeOf } from "./processor-time.ts";
import type { ReplicaGate } from "./replica-gate.ts";

/** Threads that work on requests. */
export type Pool = Piscina<HeavyTask, void>;

/** The client that waits for a response. */
export interface TaskListeners {
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
  /** Called after each command. */
  readonly ran: (command: string, outcome: CommandOutcome, seconds: number) => void;
  /** Holds the account's slot until the returned function is called: work may outlast its reply. */
  readonly keep?: () => () => void;
}

/** How long a task may take to end after it gets the message to stop; then its thread is terminated. */
const GRACE_MS = 1_000;

/** The refusal for work that takes too long, and its time limit. */
interface Bounded extends Heavy {
  readonly budget_ms: number;
}

/** Why work was ended early. */
type Cause = "left" | "budget" | "stopping" | "away";

/** One request that a thread works on. */
export class Task {
  readonly #pool: Pool;
  readonly #lane: Lane;
  readonly #heavy: Bounded;
  readonly #waiting: TaskListeners;
  readonly #port: MessagePort;
  readonly #far_port: MessagePort;
  readonly #kill = new AbortController();
  readonly #head = new Promised<Reply>();
  readonly #over = new Promised<void>();
  #cause: Cause | undefined;
  #grace: NodeJS.Timeout | undefined;
  #busy: (() => number) | undefined;
  #body: Parts | undefined;
  #replica: ReplicaGate | null = null;
  /** A reply with its whole body. It is given when the thread is free, which the next request would otherwise find busy. */
  #reply: Reply | undefined;
  #is_free = false;

  constructor(pool: Pool, lane: Lane, heavy: Bounded, waiting: TaskListeners) {
    this.#pool = pool;
    this.#lane = lane;
    this.#heavy = heavy;
    this.#waiting = waiting;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#far_port = port2;
  }

  /** Resolves when no part of the task is running any more. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Returns the head of the reply as soon as it is known; a streamed body follows as it is made. */
  start(asked: AnyAsked, database_url: string, gate: ReplicaGate | null): Promise<Reply> {
    const port = this.#far_port;
    this.#replica = gate;
    const replica = gate?.choose(asked, this.#heavy) ?? null;
    const handed = { asked, lane: this.#lane, database_url, replica };
    this.#port.on("message", (message: FromWorker) => this.#hear(message));
    const closed = once(this.#port, "close");
    const { signal } = this.#waiting;
    // A change is completed whether or not a client waits for it.
    const leave = (): void => {
      if (asked.is_read) this.end("left");
    };
    signal.addEventListener("abort", leave);
    this.#pool
      .run(
        { ...handed, port: port as unknown as Handed["port"] },
        {
          transferList: [port],
          // A thread may be terminated only for work that it does alone, and such a thread gets no other work.
          ...(this.#lane === "computation" ? { signal: this.#kill.signal } : {}),
        },
      )
      .then(() => {
        this.#is_free = true;
        this.#giveReply();
        // The last message may still be on its way.
        return closed;
      })
      .catch((error: unknown) => this.#failUnlessAnswered(error))
      .finally(() => {
        signal.removeEventListener("abort", leave);
        clearTimeout(this.#grace);
        this.#fail(new Error("a thread ended without an answer"));
        this.#port.close();
        this.#over.resolve();
      });
    if (signal.aborted) leave();
    return this.#head.promise;
  }

  /** Asks the task to stop, and terminates its thread if that is too busy to listen. */
  end(cause: Cause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#port.postMessage("stop" satisfies ToWorker);
    // A shared thread is never too busy to listen, but it may wait long for a database that does not answer.
    if (this.#lane === "file") {
      this.#fail(new Error("the file was ended"));
      return;
    }
    // A request that still waits for a thread never begins.
    if (this.#busy === undefined) {
      this.#kill.abort();
      return;
    }
    this.#grace = setTimeout(() => this.#kill.abort(), GRACE_MS);
  }

  /** Ends the task if it has kept its thread busy for too long. */
  look(): void {
    const { budget_ms } = this.#heavy;
    if (this.#lane === "computation" && (this.#busy?.() ?? 0) > budget_ms) this.end("budget");
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case "begun":
        this.#busy = busyTimeOf(this.#pool, message);
        break;
      case "ran":
        this.#waiting.ran(message.command, message.outcome, message.seconds);
        break;
      case "read":
        this.#replica?.note(message.source);
        break;
      case "head": {
        const { status, headers, body } = message;
        if (body === "parts") {
          const parts = new Parts(this.#port, () => this.end("left"));
          this.#body = parts;
          this.#head.resolve({ status, headers, body: parts });
        } else {
          this.#reply = { status, headers, body };
          if (this.#is_free) this.#giveReply();
        }
        break;
      }
      case "part":
        this.#body?.push(message.bytes);
        break;
      case "end":
        this.#body?.end();
        break;
      case "refused":
        this.#fail(new Problem(message.code, message.extras));
        break;
      case "failed":
        this.#fail(Object.assign(new Error(message.message), { stack: message.stack }));
        break;
    }
  }

  #giveReply(): void {
    if (this.#reply !== undefined) this.#head.resolve(this.#reply);
  }

  /** A reply that is known is given, whatever ends its thread then: its change is made. */
  #failUnlessAnswered(error: unknown): void {
    this.#giveReply();
    this.#fail(error);
  }

  #fail(error: unknown): void {
    const reported = this.#errorOf(error);
    this.#head.reject(reported);
    this.#body?.fail(reported);
  }

  /** Returns the error for the reason for which the task was ended, which says more than the error of its end. */
  #errorOf(error: unknown): unknown {
    if (this.#cause === "budget" || hasNoRoom(error)) return this.#tooMany();
    if (this.#cause === "stopping" || this.#cause === "away") return unavailable();
    if (this.#cause === "left")
      return new Problem("MALFORMED_REQUEST", { message: "The client has left." });
    return error;
  }

  #tooMany(): Problem {
    const { field, narrow, budget_ms } = this.#heavy;
    const much = `more than ${budget_ms / 1000} seconds of computing, or more memory than is available`;
    const message = `This takes ${much}. ${narrow}`;
    return new Problem("VALIDATION_FAILED", {
      field_errors: [{ field, code: "too_many", message }],
    });
  }
}

export const unavailable = (): Problem =>
  new Problem("SERVICE_UNAVAILABLE", { retry_after_seconds: 1 });

/** Returns a function that gives the milliseconds for which a thread has computed since this call. */
function busyTimeOf(
  pool: Pool,
  {
    thread_id,
    system_thread,
  }: { readonly thread_id: number; readonly system_thread: number | null },
): () => number {
  if (system_thread !== null) {
    const before = processorTimeOf(system_thread);
    return () => processorTimeOf(system_thread) - before;
  }
  const performance = pool.threads.find(({ threadId }) => threadId === thread_id)?.performance;
  if (performance === undefined) return () => 0;
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(performance.eventLoopUtilization(), before).active;
}

function hasNoRoom(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** Yields the parts of a body as they arrive; each part that is taken makes room for another. */
class Parts implements AsyncIterableIterator<Uint8Array> {
  readonly #port: MessagePort;
  readonly #left: () => void;
  readonly #waiting: Uint8Array[] = [];
  #changed = new Promised<void>();
  #is_over = false;
  #failure: unknown;

  constructor(port: MessagePort, left: () => void) {
    this.#port = port;
    this.#left = left;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#changed.resolve();
  }

  end(): void {
    this.#is_over = true;
    this.#changed.resolve();
  }

  fail(error: unknown): void {
    if (this.#is_over) return;
    this.#failure = error;
    this.end();
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const value = this.#waiting.shift();
      if (value !== undefined) {
        if (!this.#is_over) this.#port.postMessage("more" satisfies ToWorker);
        return { done: false, value };
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#is_over) return { done: true, value: undefined };
      this.#changed = new Promised();
      await this.#changed.promise;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#is_over) this.#left();
    return { done: true, value: undefined };
  }
}

/** A promise that is settled from outside. */
class Promised<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
