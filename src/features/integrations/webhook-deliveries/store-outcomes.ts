/** Stores what became of attempts: those of an account together. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import type { EndpointRow } from "../webhooks/queries.ts";
import type { Attempt } from "./attempt-delivery.ts";
import { versionOf } from "./list-due.ts";
import type { HeldEndpoint } from "./open-endpoint.ts";

/** The outcome of one attempt. */
interface Outcome {
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly id: string;
  readonly status: "pending" | "delivered" | "dead";
  readonly attempt_count: number;
  /** When the next attempt is; null when there is none. */
  readonly next_attempt_at: Timestamp | null;
  readonly settled_at: Timestamp | null;
  readonly request_headers: Readonly<Record<string, string | null>>;
  readonly attempt: Attempt;
}

/** What outcomes change in an endpoint without an event. */
interface EndpointCount {
  readonly id: string;
  readonly failures_in_row: number;
  readonly last_success_at: Timestamp | null;
}

/** Stores outcomes of one account, of endpoints that `holder` holds. Returns the versions of those to which more may be sent. */
async function storeOutcomes(
  db: Reads,
  account_id: string,
  {
    outcomes,
    counts,
  }: { readonly outcomes: readonly Outcome[]; readonly counts: readonly EndpointCount[] },
  holder: string,
): Promise<ReadonlyMap<string, string>> {
  const settled = tableOf(outcomes, {
    id: ["uuid", ({ id }) => id],
    endpoint_id: ["uuid", ({ endpoint_id }) => endpoint_id],
    status: ["text", ({ status }) => status],
    attempt_count: ["int", ({ attempt_count }) => attempt_count],
    next_attempt_at: ["timestamptz", ({ next_attempt_at }) => next_attempt_at],
    settled_at: ["timestamptz", ({ settled_at }) => settled_at],
    request_headers: ["lines", ({ request_headers }) => jsonText(request_headers)],
    attempt: ["lines", ({ attempt }) => jsonText(attempt)],
  });
  const counted = tableOf(counts, {
    id: ["uuid", ({ id }) => id],
    failures_in_row: ["int", ({ failures_in_row }) => failures_in_row],
    last_success_at: ["timestamptz", ({ last_success_at }) => last_success_at],
  });
  // Each delivery is found by its id: `status = 'pending'` would allow the index of all that wait, which may be many.
  const rows = await db.rows<Pick<EndpointRow, "id" | "updated_at" | "work_version">>(sql`
    with held as (
      update webhook_endpoints e set failures_in_row = c.failures_in_row,
        last_success_at = coalesce(c.last_success_at, e.last_success_at)
      from ${counted.table} as c (${counted.columns})
      where e.account_id = ${account_id} and e.id = c.id and e.holder = ${holder} returning e.id, e.status, e.updated_at, e.work_version),
    stored as (
      update webhook_deliveries d set status = o.status, attempt_count = o.attempt_count, next_attempt_at = o.next_attempt_at,
        settled_at = o.settled_at, request_headers = o.request_headers::json,
        attempts = (d.attempts::jsonb || o.attempt::jsonb)::json
      from ${settled.table} as o (${settled.columns}) join held h on h.id = o.endpoint_id
      where d.account_id = ${account_id} and d.id = o.id and d.settled_at is null)
    select id, updated_at, work_version from held where status in ('enabled', 'failing')`);
  return new Map(rows.map((row) => [row.id, versionOf(row)]));
}

interface Settled {
  readonly endpoint: HeldEndpoint;
  readonly outcome: Outcome;
}

/** Outcomes wait this long for others, so that one statement stores them. */
const STORED_AFTER_MS = 40;

/** The outcomes of a process that are not stored yet. */
export class OutcomeStore {
  readonly #services: Services;
  readonly #holder: string;
  readonly #onChanged: (endpoint: HeldEndpoint) => void;
  #kept: Settled[] = [];
  #stored: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onChanged` for endpoints that are changed, deleted or held by another process, as soon as an outcome shows it. */
  constructor(services: Services, holder: string, onChanged: (endpoint: HeldEndpoint) => void) {
    this.#services = services;
    this.#holder = holder;
    this.#onChanged = onChanged;
  }

  /** Adds an outcome, which is stored a moment later with others. */
  add(settled: Settled): void {
    this.#kept.push(settled);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.storeAll().catch((error) => {
        // What is not stored is stored with the next outcomes, or at the next look.
        this.#services.log.warn({ err: error }, "outcomes of webhooks could not be stored yet");
      });
    }, STORED_AFTER_MS);
  }

  /** Stores all outcomes, one call after the other. */
  storeAll(): Promise<void> {
    const stored = this.#stored.then(() => this.#storeNow());
    this.#stored = stored.catch(() => {});
    return stored;
  }

  async #storeNow(): Promise<void> {
    const kept = this.#kept;
    if (kept.length === 0) return;
    this.#kept = [];
    const left = groupedBy(kept, ({ endpoint }) => endpoint.account_id);
    try {
      for (const [account_id, own] of [...left]) {
        const of_endpoint = [...groupedBy(own, ({ endpoint }) => endpoint)];
        const counts = of_endpoint.map(countOf);
        const outcomes = own.map(({ outcome }) => outcome);
        const stored = { outcomes, counts };
        const open = await storeOutcomes(this.#services.db, account_id, stored, this.#holder);
        left.delete(account_id);
        for (const [endpoint] of of_endpoint) {
          if (open.get(endpoint.row.id) !== endpoint.version) this.#onChanged(endpoint);
        }
      }
    } catch (error) {
      this.#kept = [...[...left.values()].flat(), ...this.#kept];
      throw error;
    }
  }
}

/** What outcomes of an endpoint change in it. */
function countOf([endpoint, settled]: readonly [HeldEndpoint, readonly Settled[]]): EndpointCount {
  const delivered = settled.findLast(({ outcome }) => outcome.status === "delivered");
  return {
    id: endpoint.row.id,
    failures_in_row: endpoint.circuit.failures_in_row,
    last_success_at: delivered?.outcome.settled_at ?? null,
  };
}
