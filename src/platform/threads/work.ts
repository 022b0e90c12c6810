/** Answers requests in a heavy thread. Only a few parts of a streamed body wait, so a slow client costs no memory. */
import { setImmediate as turn } from "node:timers/promises";
import { type MessagePort, threadId } from "node:worker_threads";
import { Problem } from "../../domain/base/problem.ts";
import type { CommandOutcome } from "../commands/context.ts";
import type { AnyAsked, Reply } from "../http/asked.ts";
import { problemFromDatabase } from "../http/problems.ts";
import type { FromWorker, Handed, Lane, ToWorker } from "./messages.ts";
import { systemThread } from "./processor-time.ts";
import type { ReadSource } from "./replica-gate.ts";

/** The values that the response needs in addition to the request. */
interface Around {
  /** Aborted when no client waits for the response any more. */
  readonly signal: AbortSignal;
  readonly ran: (command: string, outcome: CommandOutcome, seconds: number) => void;
  /** Called with the server that answered, for a read that a replica may answer. */
  readonly note: (source: ReadSource) => void;
}

/** The approximate size of a part in bytes. */
const PART_BYTES = 64 * 1024;
/** The maximum number of parts that wait for the client. A computation must end soon, whether its client is slow or not. */
const MOST_PARTS: Readonly<Record<Lane, number>> = { file: 8, computation: 512 };
const MOST_STALL_MS = 20_000;

/** Answers the request through the port. Resolves when all messages are sent; never throws. */
export async function work(
  { asked, lane, port }: Handed,
  answer: (asked: AnyAsked, around: Around) => Promise<Reply>,
): Promise<void> {
  const stopped = new AbortController();
  const parts = new Parts(port, stopped.signal, lane);
  port.on("message", (message: ToWorker) => {
    if (message === "stop") stopped.abort();
    else parts.more();
  });
  port.once("close", () => stopped.abort());
  try {
    post(port, { type: "begun", thread_id: threadId, system_thread: systemThread() });
    const ran: Around["ran"] = (command, outcome, seconds) =>
      post(port, { type: "ran", command, outcome, seconds });
    const note: Around["note"] = (source) => post(port, { type: "read", source });
    const { status, headers, body } = await answer(asked, { signal: stopped.signal, ran, note });
    const head = { type: "head", status, headers } as const;
    if (body === null) post(port, { ...head, body });
    else if (typeof body === "string") postBytes(port, { ...head, body: encoded(body) });
    else if (body instanceof Uint8Array) postBytes(port, { ...head, body: Uint8Array.from(body) });
    else {
      post(port, { ...head, body: "parts" });
      await parts.send(body);
    }
    post(port, { type: "end" });
  } catch (thrown) {
    post(port, refusalOf(thrown));
  } finally {
    // The last message is sent before the port closes.
    await turn();
    port.close();
  }
}

function refusalOf(thrown: unknown): FromWorker {
  const error = problemFromDatabase(thrown);
  if (error instanceof Problem) return { type: "refused", code: error.code, extras: error.extras };
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return { type: "failed", message, stack };
}

class Parts {
  readonly #port: MessagePort;
  readonly #signal: AbortSignal;
  readonly #lane: Lane;
  #on_their_way = 0;
  #wake: () => void = () => {};

  constructor(port: MessagePort, signal: AbortSignal, lane: Lane) {
    this.#port = port;
    this.#signal = signal;
    this.#lane = lane;
    signal.addEventListener("abort", () => this.#wake());
  }

  more(): void {
    this.#on_their_way -= 1;
    this.#wake();
  }

  async send(lines: AsyncIterable<string | Uint8Array>): Promise<void> {
    let buffered: string[] = [];
    let length = 0;
    for await (const made of this.#lane === "file" ? inTurns(lines) : lines) {
      this.#signal.throwIfAborted();
      const is_text = typeof made === "string";
      if (is_text) buffered.push(made);
      length += made.length;
      // Bytes are not held back: their maker wants them sent now.
      if (is_text && length < PART_BYTES) continue;
      await this.#parts(encoded(buffered.join("")));
      if (!is_text) await this.#parts(made);
      buffered = [];
      length = 0;
    }
    if (length > 0) await this.#parts(encoded(buffered.join("")));
  }

  async #parts(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += PART_BYTES) {
      await this.#room();
      this.#on_their_way += 1;
      const part = bytes.slice(start, start + PART_BYTES);
      this.#port.postMessage({ type: "part", bytes: part } satisfies FromWorker, [part.buffer]);
    }
  }

  async #room(): Promise<void> {
    const most = MOST_PARTS[this.#lane];
    const until = performance.now() + MOST_STALL_MS;
    while (this.#on_their_way >= most && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (this.#lane === "computation") setTimeout(resolve, MOST_STALL_MS).unref();
      });
      // A thread with a single task does not wait for a client that reads nothing.
      if (this.#lane === "computation" && performance.now() > until)
        throw new Error("the client takes nothing");
    }
    this.#signal.throwIfAborted();
  }
}

/** The number of portions of files that may be made simultaneously. */
const TURNS = 2;
let at_it = 0;
const waiting: (() => void)[] = [];

/** Yields the same parts, but makes each part when it is its turn: many simultaneous files take no more memory than a few. */
async function* inTurns<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      if (at_it >= TURNS) await new Promise<void>((resolve) => waiting.push(resolve));
      at_it += 1;
      const next = await iterator.next().finally(() => {
        at_it -= 1;
        waiting.shift()?.();
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Returns the text in a separate buffer, which can be transferred. */
function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function post(port: MessagePort, message: FromWorker): void {
  port.postMessage(message);
}

function postBytes(
  port: MessagePort,
  message: FromWorker & { readonly body: Uint8Array<ArrayBuffer> },
): void {
  port.postMessage(message, [message.body.buffer]);
}
