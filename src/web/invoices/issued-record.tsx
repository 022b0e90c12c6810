/** What an issued invoice shows besides the document: its booking in the head, the hours that it froze, and its changes. */
import type { VNode } from "preact";
import { type CalendarDate, weekKeyOf } from "../../domain/base/calendar.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import {
  type FrozenHours,
  MOST_FROZEN,
  type readIssuedRecord,
} from "../../features/overview/inspection/read-issued-record.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { ChangeList, changesOf, type ResourceChanges } from "../activity/changes-of.tsx";
import { Moment } from "../frame/form.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { Card } from "../parts/facts.tsx";
import { hoursOf } from "../parts/format.ts";
import { Day } from "../parts/values.tsx";

type IssuedRecord = Awaited<ReturnType<typeof readIssuedRecord>>;

/** The entries of a list that are shown at first. */
const MOST_OPEN = 8;
const MOST_CHANGES = 30;

/**
 * Shows below the title how the invoice is booked: an entry of the built-in ledger, which admins open, or a number in a connected
 * system.
 */
export function Booking(props: {
  request: PageRequest;
  record: IssuedRecord;
  issued_at: Invoice["issued_at"];
}) {
  const { request, record, issued_at } = props;
  const { cx, id, reader } = request;
  const words = reader.words.issued_record;
  const { number, entry_no, ledger_kind, ledger_year } = record;
  const entry = entry_no === null ? null : words.entry(String(entry_no));
  const voucher = ledger_year === null ? `${number}` : `${number} (${ledger_year})`;
  return (
    <>
      {entry !== null && isAdmin(cx) && (
        <a class="link" href={`/ledger/entries/${id}`}>
          {entry}
        </a>
      )}
      {entry !== null && !isAdmin(cx) && entry}
      {entry === null && ledger_kind !== null && words.elsewhere(titleOf(cx, ledger_kind), voucher)}
      {(entry !== null || ledger_kind !== null) && " · "}
      {reader.words.invoice.booked} <Moment at={issued_at} />
    </>
  );
}

/** Returns the name of an accounting system; a system that is no longer connected has that of its kind. */
function titleOf({ ledger }: PersonReader, kind: string): string {
  const title = ledger !== null && !ledger.transactional && ledger.kind === kind && ledger.title;
  return title || kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** Lists the registrations that the invoice froze; each leads to its week. Nothing where there is none. */
export function FrozenWork(props: {
  request: PageRequest;
  record: IssuedRecord;
  /** The printed texts of the lines by their ids. */
  texts: ReadonlyMap<string, string>;
}) {
  const { request, record, texts } = props;
  const { words: all, language } = request.reader;
  const words = all.issued_record;
  const { frozen, frozen_hours } = record;
  if (frozen.length === 0) return null;
  const shown = frozen.slice(0, MOST_FROZEN).map((entry) => (
    <li>
      <Worked request={request} entry={entry} text={texts.get(entry.line_id)} />
    </li>
  ));
  return (
    <Card title={words.hours} id="hours" hint={hoursOf(language, frozen_hours)}>
      <div class="pad record-list">
        <Folded rows={shown} more={words.more} />
        {frozen.length > MOST_FROZEN && <p class="tiny quiet">{words.first(MOST_FROZEN)}</p>}
      </div>
    </Card>
  );
}

function Worked(props: { request: PageRequest; entry: FrozenHours; text: string | undefined }) {
  const { request, entry, text } = props;
  const { words, language } = request.reader;
  const { date, user_id, user_name, hours, billable, note } = entry;
  const week = `/hours/${weekKeyOf(date as CalendarDate)}`;
  const beside = [billable ? null : words.issued_record.not_billable, text ?? null, note].filter(
    (part) => part !== null,
  );
  return (
    <>
      <span>
        <a class="link" href={isAdmin(request.cx) ? `${week}?user=${user_id}` : week}>
          <Day day={date} />
        </a>{" "}
        {user_name}
      </span>
      <span class="num">{hoursOf(language, hours)}</span>
      {beside.length > 0 && <small class="quiet">{beside.join(" · ")}</small>}
    </>
  );
}

/** Returns the changes of the invoice and of its milestones, the newest first. */
export function changesOfInvoice(
  request: PageRequest,
  { id, lines }: Pick<Invoice, "id" | "lines">,
): Promise<ResourceChanges> {
  const completed = lines.filter(({ recognition_method }) => recognition_method !== "hours");
  return changesOf(request, {
    types: ["invoice", "invoice_line"],
    ids: [id, ...completed.map((line) => line.id)],
    limit: MOST_CHANGES,
  });
}

export function InvoiceChanges(props: { request: PageRequest; changes: ResourceChanges }) {
  const { request, changes } = props;
  const words = request.reader.words.issued_record;
  const { rows } = changes;
  const [first, others] = [rows.slice(0, MOST_OPEN), rows.slice(MOST_OPEN)];
  return (
    <Card title={words.changes} id="changes">
      <div class="pad record-list">
        <ChangeList changes={{ ...changes, rows: first }} />
        {others.length > 0 && (
          <details>
            <summary>{words.more(others.length)}</summary>
            <ChangeList changes={{ ...changes, rows: others }} />
          </details>
        )}
        {changes.next_cursor !== null && <p class="tiny quiet">{words.latest(MOST_CHANGES)}</p>}
      </div>
    </Card>
  );
}

/** Shows the first rows, and the others when they are opened. */
function Folded({ rows, more }: { rows: readonly VNode[]; more: (count: number) => string }) {
  const others = rows.slice(MOST_OPEN);
  return (
    <>
      <ul>{rows.slice(0, MOST_OPEN)}</ul>
      {others.length > 0 && (
        <details>
          <summary>{more(others.length)}</summary>
          <ul>{others}</ul>
        </details>
      )}
    </>
  );
}
