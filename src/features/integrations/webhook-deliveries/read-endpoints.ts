/** Reads what the endpoints that this process holds have to send: deliveries that wait, and new events. */
import { LONGEST_WAIT_MS } from "../../../domain/webhooks/retry-plan.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { endedHolders, type Found, listPending, skipExpired, takeEndpoints } from "./list-due.ts";
import { HeldEndpoint } from "./open-endpoint.ts";
import { fillBodies, readEvents, type SentenceWriter } from "./read-events.ts";
import type { OutcomeStore } from "./store-outcomes.ts";

/** How many deliveries of an endpoint wait at most, and below how many it takes more. */
const MOST_WAITING = 1_000;
const FEW_WAITING = 500;

interface ReaderOptions {
  readonly holder: string;
  readonly writeSentences: SentenceWriter | null;
  /** The endpoints that this process holds, by id. */
  readonly held: Map<string, HeldEndpoint>;
  readonly outcomes: OutcomeStore;
}

export class EndpointReader {
  readonly #services: Services;
  readonly #holder: string;
  readonly #writeSentences: SentenceWriter | null;
  readonly #held: Map<string, HeldEndpoint>;
  readonly #outcomes: OutcomeStore;

  constructor(services: Services, { holder, writeSentences, held, outcomes }: ReaderOptions) {
    this.#services = services;
    this.#holder = holder;
    this.#writeSentences = writeSentences;
    this.#held = held;
    this.#outcomes = outcomes;
  }

  /**
   * Takes the endpoints of an account that are free, reads again what has changed, and makes deliveries of new events. Returns whether
   * there were any.
   */
  async read(account_id: string, found: readonly Found[]): Promise<boolean> {
    try {
      const changed = found.filter(({ id, version }) => this.#held.get(id)?.version !== version);
      if (changed.length > 0) await this.#take(account_id, changed);
      await this.#refill(account_id);
      return await this.#makeDeliveries(account_id, found);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#services.log.error({ err: error, account_id }, "webhooks could not be read");
      return false;
    }
  }

  async #take(account_id: string, found: readonly Found[]): Promise<void> {
    const { db, sealing } = this.#services;
    await this.#outcomes.storeAll();
    const others = found.flatMap(({ holder, is_leased }) =>
      holder !== null && holder !== this.#holder && is_leased ? [holder] : [],
    );
    const ended = await endedHolders(db, others);
    const free = found.filter(
      ({ holder, is_leased }) =>
        holder === null || holder === this.#holder || !is_leased || ended.has(holder),
    );
    const ids = free.map(({ id }) => id);
    if (ids.length === 0) return;
    const rows = await takeEndpoints(db, account_id, ids, this.#holder, [...ended]);
    for (const row of rows) {
      const version = free.find(({ id }) => id === row.id)?.version ?? "";
      const known = this.#held.get(row.id);
      if (known === undefined) this.#held.set(row.id, new HeldEndpoint(row, version, sealing));
      else known.take(row, version, sealing);
      const endpoint = this.#held.get(row.id);
      if (endpoint !== undefined) await this.#readPending(endpoint);
    }
  }

  /** Reads the deliveries that wait. An outcome that is not stored yet would be read as one of them. */
  async #readPending(endpoint: HeldEndpoint): Promise<void> {
    endpoint.holds += 1;
    try {
      const begun = endpoint.begun();
      await this.#outcomes.storeAll();
      await this.#readRows(endpoint, begun);
    } finally {
      endpoint.holds -= 1;
    }
  }

  async #readRows(endpoint: HeldEndpoint, begun: ReadonlySet<string>): Promise<void> {
    const { db } = this.#services;
    const { row } = endpoint;
    const oldest = timestampOf(this.#now() - LONGEST_WAIT_MS);
    const { pending, expired } = await listPending(db, row, oldest, MOST_WAITING);
    if (expired.length > 0) {
      await skipExpired(db, row.account_id, expired);
      return this.#readRows(endpoint, begun);
    }
    const bodies = pending.some(({ body }) => body === null)
      ? await fillBodies(
          await schedulerContext(this.#services, row.account_id),
          row,
          pending,
          this.#writeSentences,
        )
      : new Map<string, string>();
    endpoint.fill(
      pending.map((one) => ({ ...one, body: one.body ?? bodies.get(one.id) ?? null })),
      begun,
    );
    endpoint.has_more = pending.length === MOST_WAITING;
  }

  /** Reads more of the deliveries that wait, where there were too many. */
  async #refill(account_id: string): Promise<void> {
    for (const endpoint of this.#held.values()) {
      if (endpoint.account_id !== account_id || !endpoint.has_more) continue;
      if (endpoint.queue.length < FEW_WAITING) await this.#readPending(endpoint);
    }
  }

  /** Makes deliveries of new events; returns whether there were any. */
  async #makeDeliveries(account_id: string, found: readonly Found[]): Promise<boolean> {
    const reading = found.flatMap(({ id, head }) => {
      const endpoint = this.#held.get(id);
      if (endpoint === undefined || endpoint.has_more || endpoint.row.read_through >= head)
        return [];
      const room = MOST_WAITING - endpoint.queue.length;
      return room < MOST_WAITING - FEW_WAITING ? [] : [{ endpoint, room }];
    });
    const [first] = found;
    if (reading.length === 0 || first === undefined) return false;
    const cx = await schedulerContext(this.#services, account_id);
    const read = await readEvents(
      cx,
      reading.map(({ endpoint: { row }, room }) => ({ ...row, room })),
      {
        head: first.head,
        holder: this.#holder,
        now: timestampOf(this.#now()),
        writeSentences: this.#writeSentences,
      },
    );
    for (const { endpoint } of reading) {
      const own = read.find(({ id }) => id === endpoint.row.id);
      // Its place has changed: it is read again at the next look.
      if (own === undefined) {
        endpoint.version = "";
        continue;
      }
      const { read_through, last_fitting, deliveries } = own;
      endpoint.row = { ...endpoint.row, read_through, last_fitting };
      endpoint.append(deliveries);
    }
    return read.length > 0;
  }

  #now(): number {
    return Date.parse(this.#services.clock.now());
  }
}
