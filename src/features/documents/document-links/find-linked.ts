/** Finds the document of a link, and what its page shows. Unknown, ended and revoked links are the same: undefined. */
import type { AccountId, Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { type Caller, type Reader, readAccess } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import type { Log } from "../../../platform/runtime/log.ts";
import { contextFor, type Services } from "../../../platform/runtime/services.ts";
import { type BookedBy, bookedByOf, inLedgerOf } from "../issued/find-booked-by.ts";
import { findIssued } from "../issued/issued-documents.ts";
import { offersLinks } from "./mint-link.ts";

/** The document that a link opens, and the context to read it in: of the account, without a person. */
interface LinkedDocument {
  readonly cx: Reader;
  readonly document_id: string;
}

const TOKEN = /^[\w-]{43}$/;

/** Returns the document of a token while its link is open. `signal` aborts when the visitor leaves. */
export async function findLinked(
  services: Services,
  token: string,
  log: Log,
  signal: AbortSignal,
): Promise<LinkedDocument | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const row = await services.gate.row<LinkRow>(sql`
    select d.account_id, d.document_id, d.link_ends_at, c.document_links,
      a.name, a.sandbox, a.test_clock, a.ledger_kind, ${bookedByOf(sql`i`)}
    from deliveries d join accounts a on a.id = d.account_id
      join configurations c on c.account_id = d.account_id
      join issued_documents i on i.account_id = d.account_id and i.document_id = d.document_id
    where d.link_hash = ${sha256(token)} and d.link_revoked_at is null`);
  if (row === undefined) return undefined;
  const caller: Caller = {
    account_id: row.account_id as AccountId,
    account_name: row.name,
    sandbox: row.sandbox,
    test_clock: row.test_clock,
    ledger_kind: row.ledger_kind,
    actor: { kind: "api_key", id: "document_link" },
    access: readAccess,
    person: null,
  };
  const cx = inLedgerOf(contextFor(services, caller, log, signal), row);
  const is_open = row.link_ends_at !== null && row.link_ends_at > cx.clock.now();
  if (!is_open || !offersLinks(cx, row.document_links)) return undefined;
  return { cx, document_id: row.document_id };
}

interface LinkRow extends BookedBy {
  readonly account_id: string;
  readonly document_id: string;
  readonly link_ends_at: Timestamp | null;
  readonly document_links: boolean;
  readonly name: string;
  readonly sandbox: boolean;
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
}

/** An issued credit note of the document. `gross` is in minor units of the document's currency. */
interface CreditOfDocument {
  readonly number: bigint;
  readonly date: CalendarDate;
  readonly gross: bigint;
}

/** What the page of a link shows; `left` is the amount of the invoice less its credits, in minor units. */
export interface ShownLink {
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint;
  readonly credits: readonly CreditOfDocument[];
  readonly left: bigint;
}

/** Reads what the page of a link shows. */
export async function readLinked({ cx, document_id }: LinkedDocument): Promise<ShownLink> {
  const [issued, credits] = await Promise.all([
    findIssued(cx, document_id),
    cx.rows<{ number: bigint; date: CalendarDate; gross: bigint | null }>(sql`
      select d.number, n.credit_date as date, d.gross from credit_notes n
      join issued_documents d on d.account_id = n.account_id and d.document_id = n.id
      where n.account_id = ${cx.caller.account_id} and n.invoice_id = ${document_id}
      order by d.number`),
  ]);
  if (issued === undefined) throw new Error(`document ${document_id} is not issued`);
  const { snapshot, number } = issued;
  const known = credits.map(({ gross, ...credit }) => ({ ...credit, gross: gross ?? 0n }));
  const left = known.reduce((rest, { gross }) => rest - gross, snapshot.totals.gross);
  return { snapshot, number, credits: known, left };
}
