/** An endpoint that this process holds: what waits for it in order, what is in progress, and when it may send. */
import {
  allowedPerSecond,
  type Circuit,
  isSlow,
  usualDuration,
} from "../../../domain/webhooks/circuit.ts";
import { isDue } from "../../../domain/webhooks/retry-plan.ts";
import type { Sending } from "../../../domain/webhooks/turns.ts";
import type { Sealing } from "../../../platform/security/sealing.ts";
import type { EndpointRow } from "../webhooks/queries.ts";
import { openTarget, type WebhookTarget } from "./attempt-delivery.ts";
import type { PendingRow } from "./list-due.ts";

/** A delivery that waits or is in progress. */
export interface Waiting {
  readonly row: PendingRow;
  body: string;
  attempt_count: number;
  /** When it is due, and when that was planned; null before the first attempt. */
  due: { readonly at: number; readonly planned_at: number } | null;
  is_busy: boolean;
  /** Whether the attempt in progress probes a failing endpoint. */
  is_probe: boolean;
}

export class HeldEndpoint implements Sending {
  row: EndpointRow;
  /** As `Found.version`. */
  version: string;
  target: WebhookTarget;
  circuit: Circuit;
  /** In the order of the feed. */
  queue: Waiting[] = [];
  /** Whether the database may have more deliveries that wait behind those in the queue. */
  has_more = false;
  busy = 0;
  last_turn = 0;
  /** For how many reasons nothing more is begun: it is read again, its state is being stored, or it is given up. */
  holds = 0;
  candidate: Waiting | undefined;
  /** Whether it has changed since it was read, so that nothing is begun until it is read again. */
  is_stale = false;
  /** Ends its requests. */
  readonly stop = new AbortController();
  #usual_ms: number | null = null;
  #next_start = 0;

  constructor(row: EndpointRow, version: string, sealing: Sealing) {
    this.row = row;
    this.version = version;
    this.target = openTarget(sealing, row);
    this.circuit = circuitOf(row);
  }

  get account_id(): string {
    return this.row.account_id;
  }

  get is_slow(): boolean {
    return isSlow(this.#usual_ms);
  }

  get has_due(): boolean {
    return this.candidate !== undefined;
  }

  /** Takes the endpoint as it is stored now. */
  take(row: EndpointRow, version: string, sealing: Sealing): void {
    this.row = row;
    this.version = version;
    this.target = openTarget(sealing, row);
    this.circuit = circuitOf(row);
    this.is_stale = false;
  }

  /** Takes the deliveries that wait, as they are stored, besides those that were in progress when that was read. */
  fill(rows: readonly PendingRow[], begun: ReadonlySet<string>): void {
    const known = this.queue.filter(({ row }) => begun.has(row.id));
    const others = rows.filter(({ id }) => !begun.has(id)).map(waitingFrom);
    this.queue = [...known, ...others].sort((a, b) => Number(a.row.sequence - b.row.sequence));
  }

  /** Appends later deliveries. */
  append(rows: readonly PendingRow[]): void {
    this.queue.push(...rows.map(waitingFrom));
  }

  /** Returns the ids of the deliveries in progress. */
  begun(): ReadonlySet<string> {
    return new Set(this.queue.filter(({ is_busy }) => is_busy).map(({ row }) => row.id));
  }

  /** Removes a delivery that is settled. */
  remove(waiting: Waiting): void {
    this.queue = this.queue.filter((one) => one !== waiting);
  }

  /** Chooses the delivery to send next. `now` is the time of the clock, `ticks` are milliseconds that never go back. */
  choose(now: number, ticks: number): void {
    this.candidate = this.#mayBegin(ticks) ? this.#firstDue(now) : undefined;
  }

  /** Begins an attempt of the chosen delivery. */
  begin(waiting: Waiting, now: number, ticks: number): void {
    const { recovered_at } = this.circuit;
    const interval = 1_000 / allowedPerSecond(now, recovered_at, this.row.max_per_second);
    this.#next_start = Math.max(this.#next_start, ticks - interval) + interval;
    waiting.is_busy = true;
    waiting.is_probe = this.circuit.failing_since !== null;
    this.busy += 1;
  }

  /** Ends an attempt. */
  end(waiting: Waiting, duration_ms: number): void {
    waiting.is_busy = false;
    this.busy -= 1;
    this.#usual_ms = usualDuration(this.#usual_ms, duration_ms);
  }

  /** The milliseconds until its pace allows the next attempt. */
  paceLeft(ticks: number): number {
    return Math.max(0, this.#next_start - ticks);
  }

  #mayBegin(ticks: number): boolean {
    const is_held = this.holds === 0 && !this.is_stale;
    return is_held && this.queue.length > 0 && this.#next_start <= ticks;
  }

  #firstDue(now: number): Waiting | undefined {
    const [oldest] = this.queue;
    const { failing_since, probe_at, probe_wait_ms } = this.circuit;
    if (failing_since !== null) {
      // One event probes it; the others wait.
      const at = probe_at ?? now;
      return this.busy === 0 && isDue(now, at, at - (probe_wait_ms ?? 0)) ? oldest : undefined;
    }
    if (this.row.ordering === "account") {
      return oldest !== undefined && isReady(oldest, now) ? oldest : undefined;
    }
    const roots = new Set<string>();
    for (const waiting of this.queue) {
      const { root } = waiting.row;
      if (!roots.has(root) && isReady(waiting, now)) return waiting;
      roots.add(root);
    }
    return undefined;
  }
}

function isReady({ is_busy, due }: Waiting, now: number): boolean {
  return !is_busy && (due === null || isDue(now, due.at, due.planned_at));
}

function waitingFrom(row: PendingRow): Waiting {
  const { next_attempt_at, planned_at } = row;
  return {
    row,
    body: row.body ?? "",
    attempt_count: row.attempt_count,
    due:
      next_attempt_at === null || planned_at === null
        ? null
        : { at: Date.parse(next_attempt_at), planned_at: Date.parse(planned_at) },
    is_busy: false,
    is_probe: false,
  };
}

function circuitOf(row: EndpointRow): Circuit {
  const millisecondsOf = (moment: string | null): number | null =>
    moment === null ? null : Date.parse(moment);
  return {
    status: row.status === "failing" ? "failing" : "enabled",
    disabled_reason: null,
    failures_in_row: row.failures_in_row,
    failing_since: millisecondsOf(row.failing_since),
    probe_at: millisecondsOf(row.probe_at),
    probe_wait_ms: row.probe_wait_s === null ? null : row.probe_wait_s * 1_000,
    recovered_at: millisecondsOf(row.recovered_at),
    mailed_at: millisecondsOf(row.mailed_at),
  };
}
