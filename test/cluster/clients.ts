/**
 * Clients that create and issue invoices without a pause of more than a tenth of a second. Each request has an idempotency key
 * and is repeated until it is answered, so that every answer can be compared with the books at the end.
 */
import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 100;
/** A client gives up a request after this time, and repeats it. */
const GIVE_UP_MS = 10_000;
/** Answers that invite the client to repeat the request. */
const TO_REPEAT = ["SERVICE_UNAVAILABLE", "REQUEST_IN_PROGRESS", "RESOURCE_BUSY", "RATE_LIMITED"];

/** An invoice with the answers that its client has. */
interface WantedInvoice {
  readonly title: string;
  answered: { readonly id: string; readonly number: number } | null;
}

interface LoadTarget {
  readonly origin: string;
  readonly key: string;
  readonly customer_id: string;
  readonly product_id: string;
}

export class LoadClients {
  readonly wanted: WantedInvoice[] = [];
  /** Answers that no client expects. */
  readonly wrong: string[] = [];
  /** How often a request was repeated, by reason. */
  readonly repeated = new Map<string, number>();
  readonly #target: LoadTarget;
  /** The moments of all final answers, in order. */
  readonly #answered_at: number[] = [];
  readonly #running: Promise<unknown>;
  #is_over = false;

  /** Starts the clients at once. */
  constructor(count: number, target: LoadTarget) {
    this.#target = target;
    this.#running = Promise.all(Array.from({ length: count }, (_, index) => this.#run(index)));
  }

  /** Milliseconds of the longest time since `from` in which no client got an answer. */
  longestSilence(from: number): number {
    const moments = [from, ...this.#answered_at.filter((at) => at > from), performance.now()];
    return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
  }

  /** How many answers came since the moment. */
  answersSince(from: number): number {
    return this.#answered_at.filter((at) => at > from).length;
  }

  /** Begins no further invoice; resolves when all that were begun are answered. */
  async finish(): Promise<void> {
    this.#is_over = true;
    await this.#running;
  }

  async #run(index: number): Promise<void> {
    for (let n = 1; !this.#is_over; n += 1) {
      const wanted: WantedInvoice = { title: `client ${index} invoice ${n}`, answered: null };
      this.wanted.push(wanted);
      await this.#fulfil(wanted);
      await delay(PAUSE_MS);
    }
  }

  async #fulfil(wanted: WantedInvoice): Promise<void> {
    const { title } = wanted;
    const { customer_id, product_id } = this.#target;
    const lines = [{ product_id, recognition_method: "value", agreed_value: 100 }];
    const sent = { title, customer_id, auto_send: false, lines };
    const created = await this.#ask("/invoices", sent, `create ${title}`);
    if (created === null) return;
    const issued = await this.#ask(`/invoices/${created.id}/issue`, undefined, `issue ${title}`);
    if (issued === null) return;
    wanted.answered = { id: String(created.id), number: Number(issued.ledger_invoice_number) };
  }

  /** Repeats the request until it is done. Null when it was refused, which no request may be. */
  async #ask(path: string, body: object | undefined, key: string): Promise<Answer | null> {
    for (;;) {
      const answer = await this.#askOnce(path, body, key);
      if (typeof answer === "object") {
        this.#answered_at.push(performance.now());
        return answer;
      }
      const reason = answer.split(" ")[1] ?? "";
      if (!answer.startsWith("repeat ")) {
        this.wrong.push(`${key}: ${answer}`);
        return null;
      }
      this.repeated.set(reason, (this.repeated.get(reason) ?? 0) + 1);
      await delay(PAUSE_MS);
    }
  }

  /** The answer; a text that begins with `repeat` and its reason when there was none yet. */
  async #askOnce(path: string, body: object | undefined, key: string): Promise<Answer | string> {
    try {
      const response = await fetch(`${this.#target.origin}/api/v1${path}`, {
        method: "POST",
        signal: AbortSignal.timeout(GIVE_UP_MS),
        headers: {
          authorization: `Bearer ${this.#target.key}`,
          "idempotency-key": key,
          ...(body ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      // HAProxy answers in HTML while it knows no process that is ready.
      if (!text.startsWith("{")) return `repeat proxy_${response.status}`;
      const answer = JSON.parse(text);
      if (response.ok) return answer;
      const code = answer.error?.code;
      return TO_REPEAT.includes(code) ? `repeat ${code}` : `${response.status} ${text}`;
    } catch (error) {
      return `repeat ${error instanceof Error && error.name === "TimeoutError" ? "no_answer" : "no_connection"}`;
    }
  }
}

type Answer = { readonly id?: string; readonly ledger_invoice_number?: number };
