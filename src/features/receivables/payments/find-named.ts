/** Finds the documents that requests name. References that name nothing are faults of the request. */
import { type FieldError, Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

const namedKinds = ["invoice", "credit_note", "payment", "reminder", "opening"] as const;
type NamedKind = (typeof namedKinds)[number];

/** A reference to a document, and its path in the request. */
export interface NamedRef {
  readonly kind: NamedKind;
  readonly ref: string;
  readonly field: string;
}

/** The documents of one request. */
export interface FoundDocuments {
  /** Returns the id of the document that is named at a path of the request; null when there is none. */
  idAt(field: string): string | null;
  /** The ids of all documents that are named. */
  readonly ids: readonly string[];
  readonly faults: readonly FieldError[];
  /**
   * Throws PAYMENTS_IN_LEDGER where an external ledger booked one of the documents, and, if `is_built_in` is false, where none is
   * booked: the present ledger decides then.
   */
  requireOwn(is_built_in: boolean): void;
  /** Throws INVOICE_NOT_ISSUED or CREDIT_NOTE_NOT_ISSUED. */
  requireIssued(): void;
}

interface NamedDocument {
  readonly id: string;
  readonly external_id: string | null;
  readonly is_draft: boolean;
  /** Whether an external ledger booked it. */
  readonly is_external: boolean;
}

/** The documents of an account by kind and reference, as far as requests name them. */
export type LookedUp = ReadonlyMap<string, NamedDocument>;

/** Looks up the documents of references, of any number of requests. */
export async function lookUp(cx: Reader, refs: readonly NamedRef[]): Promise<LookedUp> {
  const found = await Promise.all(namedKinds.map((kind) => ofKind(cx, kind, refs)));
  return new Map(found.flat());
}

/** Returns the documents of one request among those that were looked up. */
export function foundIn(known: LookedUp, refs: readonly NamedRef[]): FoundDocuments {
  const faults: FieldError[] = [];
  const found = refs.flatMap(({ kind, ref, field }) => {
    const document = known.get(`${kind} ${ref}`);
    if (document !== undefined) return [{ kind, field, document }];
    const name = kind === "opening" ? "opening item" : kind.replace("_", " ");
    faults.push({ field, code: "unknown_reference", message: `There is no such ${name}.` });
    return [];
  });
  return {
    idAt: (field) => found.find((one) => one.field === field)?.document.id ?? null,
    ids: [...new Set(found.map(({ document }) => document.id))],
    faults,
    requireOwn(is_built_in) {
      const is_elsewhere = found.some(({ document }) => document.is_external);
      const is_open = found.length === 0 || found.some(({ document }) => document.is_draft);
      if (is_elsewhere || (is_open && !is_built_in)) throw new Problem("PAYMENTS_IN_LEDGER");
    },
    requireIssued() {
      const draft = found.find(({ document }) => document.is_draft);
      if (draft === undefined) return;
      const code = draft.kind === "invoice" ? "INVOICE_NOT_ISSUED" : "CREDIT_NOTE_NOT_ISSUED";
      throw new Problem(code, { details: { document_id: draft.document.id } });
    },
  };
}

async function ofKind(
  cx: Reader,
  kind: NamedKind,
  refs: readonly NamedRef[],
): Promise<[string, NamedDocument][]> {
  const named = refs.flatMap((one) => (one.kind === kind ? [one.ref] : []));
  if (named.length === 0) return [];
  const external = named.flatMap((ref) => (ref.startsWith("ext:") ? [ref.slice(4)] : []));
  const ids = named.filter((ref) => !ref.startsWith("ext:"));
  // Two conditions joined by `or` read more of the table than the one that is needed.
  const which =
    external.length === 0
      ? sql`id = any(${ids})`
      : sql`(id = any(${ids}) or external_id = any(${external}))`;
  const rows = await cx.rows<NamedDocument>(
    statementOf(kind, sql`account_id = ${cx.caller.account_id}`, which, ids),
  );
  return rows.flatMap((row) =>
    namesOf(row).map((name): [string, NamedDocument] => [`${kind} ${name}`, row]),
  );
}

/** Returns the references that name a resource: its id, and its external id if it has one. */
export function namesOf(one: {
  readonly id: string;
  readonly external_id: string | null;
}): string[] {
  return one.external_id === null ? [one.id] : [one.id, `ext:${one.external_id}`];
}

function statementOf(kind: NamedKind, account: Sql, which: Sql, ids: readonly string[]): Sql {
  switch (kind) {
    case "invoice":
      return sql`select id, external_id, status <> 'issued' as is_draft, ledger_connection_id is not null as is_external
        from invoices where ${account} and ${which}`;
    case "credit_note":
      return sql`select id, external_id, status <> 'issued' as is_draft, ledger_connection_id is not null as is_external
        from credit_notes where ${account} and ${which}`;
    case "payment":
      return sql`select id, external_id, false as is_draft, false as is_external from payments where ${account} and ${which}`;
    case "reminder":
      // One that charges nothing has no open item.
      return sql`select id, null::text as external_id, false as is_draft, false as is_external
        from reminders where ${account} and number is not null and id = any(${ids})`;
    case "opening":
      return sql`select id, external_id, false as is_draft, false as is_external
        from open_items where ${account} and kind = 'opening' and ${which}`;
  }
}
