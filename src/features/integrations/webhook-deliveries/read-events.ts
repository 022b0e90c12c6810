/**
 * Makes the deliveries of new events: reads the feed from where each endpoint stands, and stores what fits with its body. What the
 * feed still holds costs nothing, so only so many deliveries of an endpoint wait at a time.
 */
import type { Timestamp } from "../../../domain/base/brand.ts";
import { isFor, rootOf } from "../../../domain/webhooks/event-order.ts";
import { LONGEST_WAIT_MS } from "../../../domain/webhooks/retry-plan.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { eventsBySequence } from "../events/queries.ts";
import type { EndpointRow } from "../webhooks/queries.ts";
import { eventBody, sentenceBody } from "./format-body.ts";
import type { PendingRow } from "./list-due.ts";

/** Writes events as sentences in the language of the account's invoices. */
export type SentenceWriter = (cx: Context, events: readonly JsonText[]) => Promise<string[]>;

/** An endpoint that takes deliveries. */
type Reading = Pick<
  EndpointRow,
  "id" | "event_types" | "format" | "payload" | "read_through" | "last_fitting"
> & {
  /** How many more deliveries may wait. */
  readonly room: number;
};

interface ReadingOptions {
  /** The sequence of the account's last event. */
  readonly head: bigint;
  /** The process that holds the endpoints. */
  readonly holder: string;
  /** The moment by the real clock, whatever the test clock of a sandbox shows. */
  readonly now: Timestamp;
  readonly writeSentences: SentenceWriter | null;
}

/** What an endpoint has read: how far, and its new deliveries. */
interface ReadThrough {
  readonly id: string;
  readonly read_through: bigint;
  readonly last_fitting: bigint | null;
  readonly deliveries: readonly PendingRow[];
}

/** So many events are examined, and so many deliveries of an endpoint are made, at a time. */
const MOST_EXAMINED = 5_000;
const MOST_MADE = 200;

interface ExaminedRow {
  readonly seq: bigint;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly action: string;
}

/** The parts of an event that its delivery needs. */
interface EventParts {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly related: { readonly invoice_id: string | null; readonly series_id: string | null };
  readonly data: {
    readonly resource: { readonly document_id?: string } | null;
    readonly previous: { readonly document_id?: string } | null;
  };
}

/** What of the feed an endpoint takes next. */
interface Taken {
  readonly endpoint: Reading;
  readonly through: bigint;
  readonly sequences: readonly bigint[];
}

/**
 * Reads the feed for endpoints of one account up to `head` and stores their deliveries. Returns those whose place was as given and that
 * `holder` holds.
 */
export async function readEvents(
  cx: Context,
  endpoints: readonly Reading[],
  { head, holder, now, writeSentences }: ReadingOptions,
): Promise<ReadThrough[]> {
  const taken = await takeFrom(cx, endpoints, head);
  const sequences = [...new Set(taken.flatMap((one) => one.sequences))].sort((a, b) =>
    Number(a - b),
  );
  const texts = await eventsBySequence(cx, sequences);
  const events = new Map(
    texts.map((text, at) => [sequences[at], { text, parts: JSON.parse(text) as EventParts }]),
  );
  const has_sentences = taken.some(({ endpoint }) => endpoint.format === "text");
  const sentences =
    has_sentences && writeSentences !== null ? await writeSentences(cx, texts) : undefined;
  const sentenceOf = new Map(sequences.map((sequence, at) => [sequence, sentences?.[at]]));
  const oldest = Date.parse(now) - LONGEST_WAIT_MS;
  const read = taken.map(({ endpoint, through, sequences: own }) => {
    let last_fitting = endpoint.last_fitting;
    const rows = own.flatMap((sequence): NewDelivery[] => {
      const event = events.get(sequence);
      if (event === undefined) return [];
      const previous_sequence = last_fitting;
      last_fitting = sequence;
      const { parts, text } = event;
      return [
        {
          id: newId<string>(),
          endpoint_id: endpoint.id,
          event_id: parts.id,
          sequence,
          event_type: parts.type,
          root: rootFrom(parts),
          status: Date.parse(parts.timestamp) < oldest ? "skipped" : "pending",
          body:
            endpoint.format === "text"
              ? sentenceBody(sentenceOf.get(sequence) ?? parts.type)
              : eventBody(text, { payload: endpoint.payload, previous_sequence }),
          previous_sequence,
        },
      ];
    });
    return { endpoint, through, last_fitting, rows };
  });
  const stored = await store(cx, read, { holder, now });
  return read.flatMap(({ endpoint, through, last_fitting, rows }) => {
    const made = stored.get(endpoint.id);
    if (made === undefined) return [];
    const waiting = rows.filter(({ id, status }) => status === "pending" && made.includes(id));
    const deliveries = waiting.map(asPending);
    return [{ id: endpoint.id, read_through: through, last_fitting, deliveries }];
  });
}

/** Returns the roots of events by their sequence. */
export async function readRoots(
  cx: Reader,
  sequences: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const texts = await eventsBySequence(cx, sequences);
  return new Map(
    texts.map((text) => {
      const parts = JSON.parse(text) as EventParts;
      return [BigInt(parts.sequence), rootFrom(parts)];
    }),
  );
}

function rootFrom({ resource_type, resource_id, related, data }: EventParts): string {
  const document_id = (data.resource ?? data.previous)?.document_id ?? null;
  return rootOf({ resource_type, resource_id, related, document_id });
}

/** Returns the bodies of deliveries that were made without one, by the id of the delivery, and stores them. */
export async function fillBodies(
  cx: Context,
  endpoint: Pick<EndpointRow, "format" | "payload">,
  deliveries: readonly PendingRow[],
  writeSentences: SentenceWriter | null,
): Promise<ReadonlyMap<string, string>> {
  const bodiless = deliveries.filter(({ body }) => body === null);
  if (bodiless.length === 0) return new Map();
  const sequences = [...new Set(bodiless.map(({ sequence }) => sequence))].sort((a, b) =>
    Number(a - b),
  );
  const texts = await eventsBySequence(cx, sequences);
  const is_text = endpoint.format === "text";
  const sentences = is_text && writeSentences !== null ? await writeSentences(cx, texts) : [];
  const bodies = bodiless.flatMap(({ id, sequence, event_type, previous_sequence }) => {
    const at = sequences.indexOf(sequence);
    const text = texts[at];
    if (text === undefined) return [];
    const body = is_text
      ? sentenceBody(sentences[at] ?? event_type)
      : eventBody(text, { payload: endpoint.payload, previous_sequence });
    return [{ id, body }];
  });
  const { columns, table } = tableOf(bodies, {
    id: ["uuid", ({ id }) => id],
    body: ["lines", ({ body }) => body],
  });
  await cx.rows(sql`update webhook_deliveries d set body = n.body from ${table} as n (${columns})
    where d.account_id = ${cx.caller.account_id} and d.id = n.id and d.body is null`);
  return new Map(bodies.map(({ id, body }) => [id, body]));
}

interface NewDelivery
  extends Omit<PendingRow, "attempt_count" | "next_attempt_at" | "planned_at" | "body"> {
  readonly endpoint_id: string;
  readonly status: "pending" | "skipped";
  readonly body: JsonText;
}

function asPending({ endpoint_id: _, status: __, ...row }: NewDelivery): PendingRow {
  return { ...row, attempt_count: 0, next_attempt_at: null, planned_at: null };
}

/** Examines the feed from each place where an endpoint stands. */
async function takeFrom(cx: Reader, endpoints: readonly Reading[], head: bigint): Promise<Taken[]> {
  const places = new Set(endpoints.map(({ read_through }) => read_through));
  const taken: Taken[] = [];
  for (const place of places) {
    const rows =
      await cx.rows<ExaminedRow>(sql`select seq, resource_type, resource_id, action from audit_events
      where account_id = ${cx.caller.account_id} and seq > ${place} and seq <= ${head} order by seq limit ${MOST_EXAMINED}`);
    const examined = rows.length < MOST_EXAMINED ? head : (rows.at(-1)?.seq ?? head);
    for (const endpoint of endpoints) {
      if (endpoint.read_through !== place) continue;
      const fitting = rows.filter((row) => isFor(endpoint, row));
      const most = Math.min(endpoint.room, MOST_MADE);
      const sequences = fitting.slice(0, most).map(({ seq }) => seq);
      const through = fitting.length > most ? (sequences.at(-1) ?? place) : examined;
      taken.push({ endpoint, through, sequences });
    }
  }
  return taken;
}

/** Stores deliveries with the new places of their endpoints in one statement; returns the endpoints that took them. */
async function store(
  cx: Reader,
  read: readonly {
    readonly endpoint: Reading;
    readonly through: bigint;
    readonly last_fitting: bigint | null;
    readonly rows: readonly NewDelivery[];
  }[],
  { holder, now }: Pick<ReadingOptions, "holder" | "now">,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { account_id } = cx.caller;
  const places = tableOf(read, {
    id: ["uuid", ({ endpoint }) => endpoint.id],
    was: ["bigint", ({ endpoint }) => endpoint.read_through],
    through: ["bigint", ({ through }) => through],
    last_fitting: ["bigint", ({ last_fitting }) => last_fitting],
  });
  const made = tableOf(
    read.flatMap(({ rows }) => rows),
    {
      id: ["uuid", ({ id }) => id],
      endpoint_id: ["uuid", ({ endpoint_id }) => endpoint_id],
      event_id: ["text", ({ event_id }) => event_id],
      sequence: ["bigint", ({ sequence }) => sequence],
      event_type: ["text", ({ event_type }) => event_type],
      root: ["text", ({ root }) => root],
      status: ["text", ({ status }) => status],
      body: ["lines", ({ body }) => body],
      previous_sequence: ["bigint", ({ previous_sequence }) => previous_sequence],
    },
  );
  const rows = await cx.rows<{ id: string; made: readonly string[] | null }>(sql`
    with moved as (
      update webhook_endpoints e set read_through = p.through, last_fitting = p.last_fitting
      from ${places.table} as p (${places.columns})
      where e.account_id = ${account_id} and e.id = p.id and e.read_through = p.was and e.holder = ${holder}
        and e.status in ('enabled', 'failing')
      returning e.id),
    made as (
      insert into webhook_deliveries (account_id, attempts, created_at, next_attempt_at, settled_at, ${made.columns})
      select ${account_id}, '[]', ${now}, case n.status when 'pending' then ${now}::timestamptz end,
        case n.status when 'skipped' then ${now}::timestamptz end, n.*
      from ${made.table} as n (${made.columns}) join moved m on m.id = n.endpoint_id
      on conflict (account_id, endpoint_id, sequence) where not is_test do nothing
      returning id, endpoint_id)
    select m.id, (select array_agg(n.id::text) from made n where n.endpoint_id = m.id) as made from moved m`);
  return new Map(rows.map(({ id, made: ids }) => [id, ids ?? []]));
}
