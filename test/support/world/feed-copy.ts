/**
 * A copy of customers, invoices, series and hours that a program keeps from the feed of events alone: the last event of a resource has
 * its state, and docs/events.md says what some events imply for others.
 */
import type { Json } from "./world.ts";

/** Events whose `data.resource` is not the resource itself. */
const OF_SOMETHING_ELSE = ["invoice.links_revoked", "credit_note.links_revoked"];
const COPIED = ["customer", "invoice", "recurring_series", "work_registration"] as const;
type CopiedKind = (typeof COPIED)[number];

interface FeedCopy {
  /** Takes over the next event; throws where its state before is not the one of the copy. */
  apply(event: Json): void;
  /** The resources of a kind, in the order of their ids, as their list shows them. */
  rows(kind: CopiedKind): Json[];
}

export function openFeedCopy(): FeedCopy {
  const kept = new Map(COPIED.map((kind) => [kind as string, new Map<string, Json>()]));
  const line_of_open = new Map<string, Json>();
  const of = (kind: CopiedKind): Map<string, Json> => kept.get(kind) as Map<string, Json>;

  function imply({ type, resource_id, data }: Json): void {
    if (type === "invoice.issued") {
      const lines = new Set(data.resource.lines.map(({ id }: Json) => id));
      change(({ line_id }) => lines.has(line_id), { status: "invoiced", invoice_id: resource_id });
    }
    if (type === "recurring_series.cancelled") {
      const dropped = new Set(data.resource.dropped_occurrences.map(({ period }: Json) => period));
      const isDropped = (work: Json) => work.series_id === resource_id && dropped.has(work.period);
      change(isDropped, { status: "dropped" });
    }
  }

  function change(isMeant: (work: Json) => boolean, fields: Json): void {
    const works = of("work_registration");
    for (const [id, work] of works) {
      if (isMeant(work) && work.status === "open") works.set(id, { ...work, ...fields });
    }
  }

  /** The line of registered work: of its invoice, else the only one of its series in the periods that are not invoiced. */
  function lineOf({ invoice_id, series_id, line_id }: Json): Json {
    const invoice = of("invoice").get(invoice_id);
    if (invoice === undefined) return line_of_open.get(series_id);
    return invoice.lines.find(({ id }: Json) => id === line_id);
  }

  /** Registered work with what follows from its line. Its stamp is that of a row, which no event has. */
  function priced(work: Json): Json {
    const { updated_at: _, ...fields } = work;
    const { customer_id } =
      of("invoice").get(work.invoice_id) ?? of("recurring_series").get(work.series_id);
    // Cents, because a rate of whole units times hundredths of an hour has no smaller part.
    const amount = (rate: number) => Math.round(rate * work.hours * 100) / 100;
    const { hourly_rate } = lineOf(work);
    return { ...fields, customer_id, hourly_rate, amount: work.billable ? amount(hourly_rate) : 0 };
  }

  /** A series without what only the answers of edits and cancellations have. */
  function series(row: Json): Json {
    const { edit: _, discarded: __, credit_notes: ___, dropped_occurrences: ____, ...fields } = row;
    return fields;
  }

  return {
    apply(event) {
      const { type, resource_type, resource_id, data } = event;
      imply(event);
      const rows = kept.get(resource_type);
      if (rows === undefined || OF_SOMETHING_ELSE.includes(type)) return;
      const before = rows.get(resource_id);
      const is_chained = resource_type === "customer" || resource_type === "invoice";
      // The invoice of a period begins with its issue.
      const begins = type === "invoice.issued" && before === undefined;
      if (is_chained && !begins) {
        const [was, is] = [data.previous, before ?? null].map((state) => JSON.stringify(state));
        if (was !== is) throw new Error(`${type} ${event.sequence}: before ${was}, the copy ${is}`);
      }
      if (data.resource === null) rows.delete(resource_id);
      else rows.set(resource_id, data.resource);
      // A series that was cancelled shows the lines of its last period, which may be older than those of the dropped ones.
      if (resource_type === "recurring_series" && type !== "recurring_series.cancelled") {
        line_of_open.set(resource_id, data.resource.lines[0]);
      }
    },
    rows(kind) {
      const shown = [...of(kind)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      if (kind === "work_registration") return shown.map(priced);
      return kind === "recurring_series" ? shown.map(series) : shown;
    },
  };
}
