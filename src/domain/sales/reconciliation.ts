/**
 * Compares a month in our records with the same month in a connected ledger: each document with its number and total, and the
 * movements on each account. Every difference is either explained or needs a person's attention (spec 9.10).
 */

type Kind = "invoice" | "credit_note" | "voucher";

/** A local document that is booked or being booked. */
export interface LocalDocument {
  readonly kind: Kind;
  readonly document_id: string;
  /** The guid under which the ledger was asked to book the document. */
  readonly guid: string;
  /** The number of the document; null until the ledger has reported it. */
  readonly number: bigint | null;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Minor units of the document's currency; null for vouchers. */
  readonly gross: bigint | null;
  /** Whether the ledger's document does not match and waits for a person. */
  readonly is_parked: boolean;
  /** Whether the document is a credit for which the ledger used another rate than that of its invoice. */
  readonly has_other_rate: boolean;
  /** The movements of a document in another currency, by account of the ledger; null for all other documents. */
  readonly moved: Moved | null;
}

/** Movements in minor units of the functional currency, debit above 0. */
type Moved = ReadonlyMap<string, bigint>;

/** A booked document as the ledger lists it. */
export interface RemoteDocument {
  readonly kind: Kind;
  readonly ledger_id: string;
  /** The guid under which the document was sent; null when the ledger does not store it. */
  readonly guid: string | null;
  readonly number: bigint;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Minor units of the document's currency; null for vouchers and when the list does not have it. A credit is above 0. */
  readonly gross: bigint | null;
  /** False for a document that was deleted in the ledger. */
  readonly stands: boolean;
  /** The movements of its entries, by account; absent when the ledger does not list them by document. */
  readonly moved?: Moved;
}

export const findingCodes = [
  "missing_there",
  "missing_here",
  "deleted_there",
  "number_differs",
  "total_differs",
  "date_differs",
  "in_doubt",
  "other_rate",
  "not_ours",
  "number_gap",
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Findings that explain themselves and need no action. */
const EXPLAINED: ReadonlySet<FindingCode> = new Set([
  "in_doubt",
  "other_rate",
  "not_ours",
  "number_gap",
]);

export interface Finding {
  readonly code: FindingCode;
  readonly is_explained: boolean;
  readonly kind: Kind;
  /** The id of our document; for a document that only the ledger has, its guid there, or null without one. */
  readonly document_id: string | null;
  readonly number_here: bigint | null;
  /** For a gap, the last number before it. */
  readonly number_there: bigint | null;
  readonly gross_here: bigint | null;
  readonly gross_there: bigint | null;
  /** The ledger's movements less ours on the accounts to which we post, when a rate differs; null without such a difference. */
  readonly difference: bigint | null;
}

/** Returns the differences, sorted by kind and number. A ledger document without a guid matches by these two. */
export function compareDocuments(
  here: readonly LocalDocument[],
  there: readonly RemoteDocument[],
): Finding[] {
  const by_guid = new Map(there.flatMap((one) => (one.guid === null ? [] : [[one.guid, one]])));
  const by_number = new Map(
    there.flatMap((one) => (one.guid === null ? [[`${one.kind} ${one.number}`, one]] : [])),
  );
  const matched = new Set<RemoteDocument>();
  const findings: Finding[] = [];
  for (const one of here) {
    const found = by_guid.get(one.guid) ?? by_number.get(`${one.kind} ${one.number}`);
    if (found !== undefined) matched.add(found);
    findings.push(...codesOf(one, found).map((code) => finding(code, one, found)));
  }
  for (const one of there) {
    if (!matched.has(one))
      findings.push(finding(one.guid === null ? "not_ours" : "missing_here", null, one));
  }
  return [...findings, ...gapsIn(there)].sort(byKindAndNumber);
}

function codesOf(here: LocalDocument, there: RemoteDocument | undefined): FindingCode[] {
  if (here.number === null) return ["in_doubt"];
  if (there === undefined) return ["missing_there"];
  if (!there.stands) return ["deleted_there"];
  const codes: FindingCode[] = [];
  if (here.number !== there.number) codes.push("number_differs");
  if (here.gross !== null && there.gross !== null && here.gross !== there.gross) {
    codes.push("total_differs");
  }
  if (here.date !== there.date) codes.push("date_differs");
  if (here.has_other_rate || differenceOf(here, there) !== null) codes.push("other_rate");
  return codes;
}

/**
 * Returns the difference of a document in another currency, whose amounts in that currency are compared by its total; null when
 * there is none.
 */
function differenceOf(
  here: LocalDocument | null,
  there: RemoteDocument | undefined,
): bigint | null {
  if (here === null || here.moved === null || there?.moved === undefined) return null;
  let difference = 0n;
  for (const [account, moved] of here.moved) difference += (there.moved.get(account) ?? 0n) - moved;
  return difference === 0n ? null : difference;
}

/** Returns gaps in the consecutive numbers of invoices and of credit notes; the ledger itself used a missing number. */
function gapsIn(there: readonly RemoteDocument[]): Finding[] {
  return (["invoice", "credit_note"] as const).flatMap((kind) => {
    const numbers = there.filter((one) => one.kind === kind).map(({ number }) => number);
    const sorted = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1));
    return sorted.flatMap((number, at) => {
      const before = sorted[at - 1];
      if (before === undefined || number === before + 1n) return [];
      return [{ ...finding("number_gap", null, undefined), kind, number_there: before }];
    });
  });
}

function finding(
  code: FindingCode,
  here: LocalDocument | null,
  there: RemoteDocument | undefined,
): Finding {
  return {
    code,
    is_explained: EXPLAINED.has(code) && here?.is_parked !== true,
    kind: here?.kind ?? there?.kind ?? "voucher",
    document_id: here?.document_id ?? there?.guid ?? null,
    number_here: here?.number ?? null,
    number_there: there?.number ?? null,
    gross_here: here?.gross ?? null,
    gross_there: there?.gross ?? null,
    difference: code === "other_rate" ? differenceOf(here, there) : null,
  };
}

const ORDER: readonly Kind[] = ["invoice", "credit_note", "voucher"];

function byKindAndNumber(a: Finding, b: Finding): number {
  const kinds = ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  if (kinds !== 0) return kinds;
  const [x, y] = [a, b].map((one) => one.number_here ?? one.number_there ?? 0n) as [bigint, bigint];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The movements on an account of the ledger in the month, in minor units of its currency, debit above 0. */
interface MovedAccount {
  readonly ledger_account: string;
  readonly here: bigint;
  readonly there: bigint;
  /** The ledger's movements less ours: postings with other amounts in the ledger, or missing ones. */
  readonly difference: bigint;
}

/** Compares the accounts to which we post, in their order; the ledger's other postings are not compared. */
export function compareAccounts(
  here: ReadonlyMap<string, bigint>,
  there: ReadonlyMap<string, bigint>,
): MovedAccount[] {
  return [...here]
    .map(([ledger_account, moved]) => {
      const moved_there = there.get(ledger_account) ?? 0n;
      return { ledger_account, here: moved, there: moved_there, difference: moved_there - moved };
    })
    .sort((a, b) => a.ledger_account.localeCompare(b.ledger_account, "en", { numeric: true }));
}
