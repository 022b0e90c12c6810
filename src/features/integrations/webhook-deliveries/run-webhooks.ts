/**
 * Sends the events of all accounts to their webhook endpoints. While anything happens it looks for new events every 200 ms, after a
 * quiet minute every 2 seconds, and it ends when nothing waits; the background looks for endpoints with work.
 */
import { setTimeout as delay } from "node:timers/promises";
import { groupedBy } from "../../../domain/base/group.ts";
import { afterFailure, afterSuccess, type CircuitNews } from "../../../domain/webhooks/circuit.ts";
import { waitAfter } from "../../../domain/webhooks/retry-plan.ts";
import { nextTurn } from "../../../domain/webhooks/turns.ts";
import { run } from "../../../platform/commands/command.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { type Attempted, attemptDelivery } from "./attempt-delivery.ts";
import { actionOf, changeCircuit } from "./change-circuit.ts";
import {
  type Found,
  findExisting,
  holderName,
  lookForWork,
  prolongLeases,
  releaseEndpoints,
} from "./list-due.ts";
import { notifyOfEndpoint } from "./notify-admins.ts";
import type { HeldEndpoint, Waiting } from "./open-endpoint.ts";
import { EndpointReader } from "./read-endpoints.ts";
import type { SentenceWriter } from "./read-events.ts";
import type { WebhookNetwork } from "./send-request.ts";
import { OutcomeStore } from "./store-outcomes.ts";

interface DispatcherOptions {
  /** Writes sentences for chats; null where there are no words. */
  readonly writeSentences: SentenceWriter | null;
  /** How to look names up, and which authorities to trust, instead of the system's. */
  readonly network?: Omit<WebhookNetwork, "allowed">;
  /** Returns a random number from 0 to 1. */
  readonly chance?: () => number;
}

const TICK_MS = 200;
const QUIET_TICK_MS = 2_000;
const QUIET_AFTER_MS = 60_000;
const PROLONGED_EVERY_MS = 15_000;
/** How long attempts in progress may take when the process stops. */
const STOP_MS = 4_000;
/** How often a rest looks whether it has to end. */
const REST_STEP_MS = 20;
/** The events of so many accounts are read at once. */
const MOST_READING = 4;

/** Returns the task that sends webhooks until nothing waits; it returns false then. */
export function webhookDispatcher(
  services: Services,
  options: DispatcherOptions,
): (isStopped: () => boolean) => Promise<boolean> {
  const own = newId<string>();
  return async (isStopped) => {
    const holder = holderName(services.watch.process(), own);
    await new Dispatcher(services, options, holder).work(isStopped);
    return false;
  };
}

class Dispatcher {
  readonly #services: Services;
  readonly #options: DispatcherOptions;
  readonly #network: WebhookNetwork;
  readonly #holder: string;
  readonly #held = new Map<string, HeldEndpoint>();
  /** Those that are given up and not free yet: read again now, what is in progress would be sent twice. */
  readonly #leaving = new Map<string, HeldEndpoint>();
  readonly #attempts = new Set<Promise<void>>();
  readonly #outcomes: OutcomeStore;
  readonly #reader: EndpointReader;
  /** What the last look found, of accounts that are not read yet. */
  #unread = new Map<string, readonly Found[]>();
  readonly #reading = new Map<string, Promise<void>>();
  #is_woken = false;
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  #may_send = false;
  #active_at = performance.now();
  #prolonged_at = performance.now();

  constructor(services: Services, options: DispatcherOptions, holder: string) {
    this.#services = services;
    this.#options = options;
    this.#holder = holder;
    this.#network = { ...options.network, allowed: services.config.webhook_hosts };
    this.#outcomes = new OutcomeStore(services, holder, (endpoint) => {
      endpoint.is_stale = true;
      this.#is_woken = true;
    });
    const { writeSentences } = options;
    this.#reader = new EndpointReader(services, {
      holder,
      writeSentences,
      held: this.#held,
      outcomes: this.#outcomes,
    });
  }

  /** Works until nothing waits, or until it is stopped. */
  async work(isStopped: () => boolean): Promise<void> {
    try {
      let is_first = true;
      let looked_at = 0;
      while (!isStopped()) {
        const began = performance.now();
        const is_quiet = began - this.#active_at > QUIET_AFTER_MS;
        // Deliveries that wait without new events are looked for as seldom as by an idle process.
        const all = is_first || began - looked_at > QUIET_TICK_MS;
        if (all) looked_at = began;
        const has_work = await this.#tickOrWait(all, is_first);
        if (!has_work && (is_quiet || is_first)) break;
        is_first = false;
        await this.#rest(began + (is_quiet ? QUIET_TICK_MS : TICK_MS), isStopped);
      }
    } finally {
      await this.#end();
    }
  }

  /** Rests until a moment; at least a step, so that a slow database is not asked without a pause. */
  async #rest(until: number, isStopped: () => boolean): Promise<void> {
    this.#is_woken = false;
    do await delay(REST_STEP_MS);
    while (performance.now() + REST_STEP_MS / 2 < until && !this.#is_woken && !isStopped());
  }

  /** While the database is away, outcomes are kept and nothing is begun. */
  async #tickOrWait(all: boolean, is_first: boolean): Promise<boolean> {
    try {
      return await this.#tick(all, is_first);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#may_send = false;
      return this.#held.size > 0;
    }
  }

  /** Reads what the look has found, several accounts at once, so that none delays the next look or the others. */
  #read(found: readonly Found[]): void {
    const of_account = new Map(groupedBy(found, (one) => one.account_id));
    // Those that have waited since an earlier look come first.
    const earlier = [...this.#unread.keys()].filter((account_id) => of_account.has(account_id));
    this.#unread = new Map(
      [...new Set([...earlier, ...of_account.keys()])].map((account_id) => [
        account_id,
        of_account.get(account_id) ?? [],
      ]),
    );
    this.#readNext();
  }

  #readNext(): void {
    for (const [account_id, found] of this.#unread) {
      if (this.#reading.size >= MOST_READING || !this.#may_send) return;
      if (this.#reading.has(account_id)) continue;
      this.#unread.delete(account_id);
      this.#reading.set(account_id, this.#readAccount(account_id, found));
    }
  }

  /** Reads the events of an account. While the database is away, the next look finds them again. */
  async #readAccount(account_id: string, found: readonly Found[]): Promise<void> {
    try {
      const free = found.filter(({ id }) => !this.#leaving.has(id));
      if (await this.#reader.read(account_id, free)) this.#active_at = performance.now();
    } catch {
      this.#may_send = false;
    } finally {
      this.#reading.delete(account_id);
    }
    this.#readNext();
    this.#pump();
  }

  /** Looks once; returns whether this process has anything to send, or will have. */
  async #tick(all: boolean, is_first: boolean): Promise<boolean> {
    const { db, watch } = this.#services;
    const held = [...this.#held.values()];
    const ids = held.map(({ row }) => row.id);
    const { is_paused, found } = await lookForWork(db, ids, all);
    const versions = new Map(found.map(({ id, version }) => [id, version]));
    for (const endpoint of held) {
      if (endpoint.version !== versions.get(endpoint.row.id)) endpoint.is_stale = true;
    }
    // Without its lock, another process may take over what this one holds.
    const is_known = holderName(watch.process(), this.#holder) === this.#holder;
    this.#may_send = !is_paused && is_known;
    if (!this.#may_send) return !is_paused;
    await this.#outcomes.storeAll();
    await this.#dropAbsent(held.filter(({ row }) => !versions.has(row.id)));
    await this.#prolong();
    this.#read(found);
    // A process that can take nothing ends after its first look.
    while (is_first && this.#reading.size > 0) await Promise.all(this.#reading.values());
    this.#pump();
    return this.#held.size + this.#reading.size > 0;
  }

  /** Gives up endpoints that are paused, disabled or deleted: the requests of a deleted one end at once. */
  async #dropAbsent(absent: readonly HeldEndpoint[]): Promise<void> {
    for (const [account_id, own] of groupedBy(absent, (one) => one.account_id)) {
      const ids = own.map(({ row }) => row.id);
      const existing = await findExisting(this.#services.db, account_id, ids);
      for (const endpoint of own) {
        if (!existing.has(endpoint.row.id)) endpoint.stop.abort();
        this.#drop(endpoint);
      }
    }
  }

  #drop(endpoint: HeldEndpoint): void {
    endpoint.holds += 1;
    endpoint.queue = [];
    this.#held.delete(endpoint.row.id);
    this.#leaving.set(endpoint.row.id, endpoint);
    if (endpoint.busy === 0) void this.#release([endpoint]);
  }

  /** Gives endpoints free when their outcomes are stored, which only the holder may do. */
  async #release(endpoints: readonly HeldEndpoint[]): Promise<void> {
    const { db } = this.#services;
    await this.#outcomes.storeAll().catch(() => {});
    for (const [account_id, own] of groupedBy(endpoints, (one) => one.account_id)) {
      const ids = own.map(({ row }) => row.id);
      await releaseEndpoints(db, account_id, ids, this.#holder).catch(() => {});
      for (const id of ids) this.#leaving.delete(id);
    }
  }

  async #prolong(): Promise<void> {
    if (performance.now() - this.#prolonged_at < PROLONGED_EVERY_MS) return;
    this.#prolonged_at = performance.now();
    const { db } = this.#services;
    for (const [account_id, own] of groupedBy(this.#held.values(), (one) => one.account_id)) {
      const ids = own.map(({ row }) => row.id);
      const kept = await prolongLeases(db, account_id, ids, this.#holder);
      for (const endpoint of own) if (!kept.has(endpoint.row.id)) this.#drop(endpoint);
    }
  }

  /** Begins every attempt that may begin, in turns. */
  #pump(): void {
    clearTimeout(this.#timer);
    if (!this.#may_send) return;
    const endpoints = [...this.#held.values()];
    const now = this.#now();
    const ticks = performance.now();
    for (const endpoint of endpoints) endpoint.choose(now, ticks);
    for (;;) {
      const endpoint = nextTurn(endpoints);
      if (endpoint?.candidate === undefined) break;
      this.#begin(endpoint, endpoint.candidate, now, ticks);
      endpoint.choose(now, ticks);
    }
    const waits = endpoints
      .filter(({ queue, busy }) => queue.length > busy)
      .map((endpoint) => endpoint.paceLeft(ticks))
      .filter((left) => left > 0);
    if (waits.length > 0)
      this.#timer = setTimeout(() => this.#pump(), Math.ceil(Math.min(...waits)));
  }

  #begin(endpoint: HeldEndpoint, waiting: Waiting, now: number, ticks: number): void {
    this.#turn += 1;
    endpoint.last_turn = this.#turn;
    endpoint.begin(waiting, now, ticks);
    this.#active_at = ticks;
    const attempt = this.#attempt(endpoint, waiting).catch((error) => {
      this.#services.log.error({ err: error }, "a webhook could not be attempted");
    });
    this.#attempts.add(attempt);
    void attempt.finally(() => this.#attempts.delete(attempt));
  }

  async #attempt(endpoint: HeldEndpoint, waiting: Waiting): Promise<void> {
    const message = {
      id: waiting.row.event_id,
      body: waiting.body,
      at: timestampOf(this.#now()),
    };
    const attempted = await attemptDelivery(
      endpoint.target,
      message,
      this.#network,
      endpoint.stop.signal,
    );
    endpoint.end(waiting, attempted.attempt.duration_ms);
    const release = async (): Promise<void> => {
      if (this.#leaving.has(endpoint.row.id) && endpoint.busy === 0)
        await this.#release([endpoint]);
    };
    // Ended by this process: no outcome. Another attempt follows where the delivery still is.
    if (endpoint.stop.signal.aborted) return release();
    const news = this.#settle(endpoint, waiting, attempted);
    if (news !== null) await this.#announce(endpoint, news);
    await release();
    this.#pump();
  }

  /** Decides what an attempt means for its delivery and its endpoint. Returns what is new about the endpoint. */
  #settle(endpoint: HeldEndpoint, waiting: Waiting, attempted: Attempted): CircuitNews {
    const { attempt, is_delivered, asked_ms, request_headers } = attempted;
    const now = this.#now();
    const attempt_count = waiting.attempt_count + 1;
    const chance = (this.#options.chance ?? Math.random)();
    const wait_ms = is_delivered ? null : waitAfter(attempt_count, chance, asked_ms);
    const { circuit, news } = is_delivered
      ? afterSuccess(endpoint.circuit, now)
      : afterFailure(endpoint.circuit, {
          at: now,
          status: attempt.status,
          asked_ms,
          is_probe: waiting.is_probe,
        });
    endpoint.circuit = circuit;
    // What is new is stored before anything else is sent to the endpoint.
    if (news !== null) endpoint.holds += 1;
    waiting.attempt_count = attempt_count;
    waiting.due = wait_ms === null ? null : { at: now + wait_ms, planned_at: now };
    const status = is_delivered ? "delivered" : wait_ms === null ? "dead" : "pending";
    if (status !== "pending") endpoint.remove(waiting);
    this.#outcomes.add({
      endpoint,
      outcome: {
        account_id: endpoint.account_id,
        endpoint_id: endpoint.row.id,
        id: waiting.row.id,
        status,
        attempt_count,
        next_attempt_at: wait_ms === null ? null : timestampOf(now + wait_ms),
        settled_at: status === "pending" ? null : timestampOf(now),
        request_headers,
        attempt,
      },
    });
    return news;
  }

  /** Stores the circuit with its event, and mails what the admins should know. */
  async #announce(endpoint: HeldEndpoint, news: CircuitNews): Promise<void> {
    await this.#outcomes.storeAll();
    const { row, circuit } = endpoint;
    const cx = await schedulerContext(this.#services, row.account_id);
    const planned = endpoint.queue.filter(({ due }) => due !== null).map((one) => one.row.id);
    const input = { id: row.id, holder: this.#holder, action: actionOf(news), circuit, planned };
    const is_stored = await run(changeCircuit, cx, input);
    if (!is_stored || circuit.status === "disabled") this.#drop(endpoint);
    endpoint.holds -= 1;
    if (!is_stored) return;
    if (news === "recovered") for (const waiting of endpoint.queue) waiting.due = null;
    if (news === "still_failing" || news === "disabled") {
      await notifyOfEndpoint(cx, news, { url: row.url, reason: circuit.disabled_reason });
    }
  }

  /** Ends: waits a moment for attempts in progress, stores their outcomes and gives the endpoints free. */
  async #end(): Promise<void> {
    this.#may_send = false;
    clearTimeout(this.#timer);
    await Promise.all(this.#reading.values());
    const endpoints = [...this.#held.values(), ...this.#leaving.values()];
    await Promise.race([Promise.all(this.#attempts), delay(STOP_MS, undefined, { ref: false })]);
    for (const { stop } of endpoints) stop.abort();
    await Promise.all(this.#attempts);
    await this.#release(endpoints);
  }

  #now(): number {
    return Date.parse(this.#services.clock.now());
  }
}
