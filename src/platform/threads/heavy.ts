/**
 * Threads for work that takes long: the serving thread passes whole requests to them and stays free. A computation has a thread
 * for itself, so that it can be ended in the middle of a rule: when its client has left, when its time is used up, or when the
 * process stops. One thread sends several files, round robin, as they are read.
 */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Piscina } from "piscina";
import type { AnyAsked, Heavy, Reply } from "../http/asked.ts";
import type { Log } from "../runtime/log.ts";
import { type Lane, PREPARE, type ThreadData } from "./messages.ts";
import type { ReplicaGate } from "./replica-gate.ts";
import { type Pool, Task, type TaskListeners, unavailable } from "./task.ts";

export interface HeavyThreads {
  /**
   * Lets another thread answer a request. Throws the refusals of its handler, VALIDATION_FAILED (`too_many`) for work that takes
   * too long, and SERVICE_UNAVAILABLE when the process stops or its database is away.
   */
  answer(asked: AnyAsked, lane: Lane, heavy: Heavy, waiting: TaskListeners): Promise<Reply>;
  /**
   * Starts one thread for computations and then the one for files, so that the first request need not wait for their code,
   * and the first PDF not for its fonts.
   * Returns false when they are closed before. Never rejects.
   */
  warm(): Promise<boolean>;
  /** Ends all running work and the threads. */
  close(): Promise<void>;
}

interface HeavyOptions {
  /** The file whose `answerTask` the threads run, and their initial data. */
  readonly filename: string;
  readonly data: () => ThreadData;
  readonly computing_threads: number;
  /** How long a computation may keep its thread busy; 20 s by default. */
  readonly budget_ms?: number;
  /** The current address of the database, and whether the database is known to be away. */
  readonly databaseUrl: () => string;
  readonly isAway: () => boolean;
  /** Decides which reads a replica answers; absent without one. */
  readonly replica?: ReplicaGate | null;
  readonly log: Log;
}

const BUDGET_MS = 20_000;
const LOOK_MS = 250;
/** When the process stops, running tasks have this long to end; then their threads are terminated. */
const TIMEOUT_MS = 2_000;
/** A thread that is idle for this long ends, which frees its memory. */
const IDLE_MS = 5_000;
const MOST_FILES = 64;
const MOST_HEAP_MB = 256;
/** For computations: what one makes dies with it, and a smaller young generation copies much of it twice first. */
const MOST_YOUNG_MB = 128;
/** For the thread of files, which processes several portions of documents simultaneously. */
const MOST_FILES_HEAP_MB = 512;

/** Threads start when they are needed. */
export function openHeavyThreads(options: HeavyOptions): HeavyThreads {
  return new Threads(options);
}

class Threads implements HeavyThreads {
  readonly #options: HeavyOptions;
  readonly #under_way = new Set<Task>();
  readonly #pools = new Map<Lane, Pool>();
  readonly #closed = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(options: HeavyOptions) {
    this.#options = options;
  }

  async warm(): Promise<boolean> {
    const { signal } = this.#closed;
    // One after the other: two threads that load at once would take all cores of a small machine from requests.
    for (const lane of ["computation", "file"] as const) {
      // A request may have started the thread before.
      if (signal.aborted || this.#pools.has(lane)) continue;
      const pool = this.#poolOf(lane);
      // The only message outside of a request is that the code is loaded. A thread that fails is logged by its pool.
      const loaded = once(pool, "message", { signal });
      await loaded
        .then(() => (lane === "computation" ? pool.run(PREPARE) : undefined))
        .catch(() => {});
    }
    return !signal.aborted;
  }

  async answer(asked: AnyAsked, lane: Lane, heavy: Heavy, waiting: TaskListeners): Promise<Reply> {
    const { isAway, databaseUrl, replica = null, budget_ms = BUDGET_MS } = this.#options;
    if (this.#closing !== undefined || isAway()) throw unavailable();
    const pool = this.#poolOf(lane);
    const task = new Task(pool, lane, { ...heavy, budget_ms }, waiting);
    this.#under_way.add(task);
    const look = setInterval(() => {
      if (isAway()) task.end("away");
      else task.look();
    }, LOOK_MS);
    const letGo = waiting.keep?.();
    task.over.finally(() => {
      clearInterval(look);
      this.#under_way.delete(task);
      letGo?.();
      wake(pool);
    });
    return task.start(asked, databaseUrl(), replica);
  }

  #poolOf(lane: Lane): Pool {
    const pool = this.#pools.get(lane) ?? openPool(lane, this.#options);
    this.#pools.set(lane, pool);
    return pool;
  }

  close(): Promise<void> {
    this.#closed.abort();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const tasks = [...this.#under_way];
    for (const task of tasks) task.end("stopping");
    const ended = Promise.all(tasks.map(({ over }) => over));
    await Promise.race([ended, delay(TIMEOUT_MS, undefined, { ref: false })]);
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }
}

/** Gives the pool an empty task. Only a new task makes it replace a terminated thread that requests wait for. */
function wake(pool: Pool): void {
  if (pool.queueSize > 0) pool.run(null).catch(() => {});
}

function openPool(lane: Lane, options: HeavyOptions): Pool {
  const { filename, data, computing_threads, log } = options;
  const is_file = lane === "file";
  const pool: Pool = new Piscina({
    filename,
    workerData: data(),
    name: "answerTask",
    idleTimeout: IDLE_MS,
    // A sleeping thread would not notice that its own database connection has ended.
    atomics: "disabled",
    resourceLimits: is_file
      ? { maxOldGenerationSizeMb: MOST_FILES_HEAP_MB }
      : { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: MOST_YOUNG_MB },
    // A failed thread is replaced for the requests that wait.
    minThreads: 1,
    maxThreads: is_file ? 1 : computing_threads,
    concurrentTasksPerWorker: is_file ? MOST_FILES : 1,
  });
  pool.on("error", (error: unknown) => log.error({ err: error }, "a thread failed"));
  return pool;
}
