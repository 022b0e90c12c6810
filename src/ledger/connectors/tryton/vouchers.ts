/**
 * Books vouchers as moves of Tryton. Posting a move twice is an error, so each attempt first reads the existing moves. The guid
 * and the hash are in the description, which posting freezes; the text is on the lines.
 */
import type { VoucherEntry } from "../../../domain/revenue/voucher.ts";
import type { Booked, BookOutcome, FoundBooking, VoucherBooking } from "../../ledger.ts";
import { discard, requireCompany, type Tryton } from "./api.ts";
import { findParty } from "./customers.ts";
import { findAccounts, findJournal } from "./draft-document.ts";
import { requireOpenPeriod } from "./periods.ts";
import { numberFrom, yearOf } from "./read-document.ts";
import { rejected, Stopped, TrytonRefusal } from "./refusals.ts";
import { day, decimal, idOf, related, type TrytonRecord, textOf } from "./values.ts";

interface MovesUnder {
  readonly booked: TrytonRecord | null;
  /** The drafts, the oldest first. */
  readonly drafts: readonly TrytonRecord[];
}

export async function movesUnder(tryton: Tryton, guid: string): Promise<MovesUnder> {
  const rows = await tryton.read(
    "account.move",
    [
      ["company", "=", requireCompany(tryton)],
      ["description", "like", `${guid}%`],
    ],
    ["state", "description", "post_number", "period.fiscalyear.end_date"],
  );
  return {
    booked: rows.find(({ state }) => state === "posted") ?? null,
    drafts: rows.filter(({ state }) => state !== "posted"),
  };
}

export async function findVoucher(tryton: Tryton, guid: string): Promise<FoundBooking> {
  const { booked, drafts } = await movesUnder(tryton, guid);
  if (booked !== null) return bookedFrom(guid, booked);
  return { state: drafts.length > 0 ? "draft" : "absent" };
}

export async function bookVoucher(tryton: Tryton, intent: VoucherBooking): Promise<BookOutcome> {
  const before = await movesUnder(tryton, intent.guid);
  if (before.booked !== null) return sameBooking(intent, before.booked);
  if (!before.drafts.some((draft) => isOf(draft, intent))) {
    await tryton.call("account.move", "create", [[await moveOf(tryton, intent)]]);
  }
  const { booked, drafts } = await movesUnder(tryton, intent.guid);
  if (booked !== null) return sameBooking(intent, booked);
  const kept = drafts.find((draft) => isOf(draft, intent));
  if (kept === undefined) throw new Stopped({ state: "not_started", reason: "stale_version" });
  const others = drafts.filter((draft) => draft !== kept).map((draft) => idOf(draft));
  if (others.length > 0) await tryton.call("account.move", "delete", [others]);
  return post(tryton, intent, idOf(kept));
}

async function post(tryton: Tryton, intent: VoucherBooking, id: number): Promise<BookOutcome> {
  try {
    await tryton.call("account.move", "post", [[id]]);
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error;
    // Another call may have posted the move.
    const { booked } = await movesUnder(tryton, intent.guid);
    if (booked !== null) return sameBooking(intent, booked);
    await discard(tryton, "account.move", id);
    await requireOpenPeriod(tryton, intent.document.issue_date);
    throw error;
  }
  const { booked } = await movesUnder(tryton, intent.guid);
  if (booked === null) return { state: "unknown", reason: "bad_response" };
  return sameBooking(intent, booked);
}

async function moveOf(tryton: Tryton, intent: VoucherBooking): Promise<TrytonRecord> {
  const { document } = intent;
  const period = await requireOpenPeriod(tryton, document.issue_date);
  const journal = await findJournal(tryton, "general");
  const entries = document.entries.filter(({ amount }) => amount !== 0n);
  const codes = entries.map((entry) => codeOf(intent, entry));
  const accounts = await findAccounts(tryton, codes);
  const needs_party = [...accounts.values()].some(({ party_required }) => party_required);
  // Opening balances are those of all customers.
  if (needs_party && document.customer === null)
    throw rejected("VALIDATION", { party: "required" });
  const party =
    needs_party && document.customer !== null
      ? (await findParty(tryton, document.customer)).party
      : null;
  const digits = await digitsOfCompany(tryton);
  return {
    company: requireCompany(tryton),
    ...{ journal, period },
    date: day(document.issue_date),
    description: descriptionOf(intent),
    lines: [["create", entries.map(lineOf)]],
  };

  function lineOf(entry: VoucherEntry): TrytonRecord {
    const account = accounts.get(codeOf(intent, entry));
    return {
      account: account?.id,
      description: document.text,
      debit: decimal(entry.amount > 0n ? entry.amount : 0n, digits),
      credit: decimal(entry.amount < 0n ? -entry.amount : 0n, digits),
      ...(account?.party_required ? { party } : {}),
    };
  }
}

function codeOf({ accounts }: VoucherBooking, { account_number, vat_code }: VoucherEntry): string {
  const of_account = accounts.filter((mapped) => mapped.account_number === account_number);
  const found =
    of_account.find((mapped) => mapped.vat_code === (vat_code ?? null)) ?? of_account[0];
  if (found) return found.ledger_account;
  throw rejected("UNKNOWN_ACCOUNT", { account_number: String(account_number) });
}

export async function digitsOfCompany(tryton: Tryton): Promise<number> {
  const [company] = await tryton.read(
    "company.company",
    [["id", "=", requireCompany(tryton)]],
    ["currency.digits"],
  );
  return Number(company && related(company, "currency")?.digits);
}

function descriptionOf({ guid, payload_hash }: VoucherBooking): string {
  return `${guid} sha256:${Buffer.from(payload_hash).toString("hex")}`;
}

function isOf(row: TrytonRecord, intent: VoucherBooking): boolean {
  return textOf(row, "description") === descriptionOf(intent);
}

function sameBooking(intent: VoucherBooking, row: TrytonRecord): BookOutcome {
  const marked = /sha256:[0-9a-f]{64}/.test(textOf(row, "description") ?? "");
  if (marked && !isOf(row, intent))
    return { state: "rejected", code: "GUID_CONFLICT", is_booked: true };
  return bookedFrom(intent.guid, row);
}

/** Returns the booking of a voucher. A voucher has no totals: its lines are as they were sent. */
function bookedFrom(guid: string, row: TrytonRecord): Booked {
  return {
    state: "booked",
    guid,
    ledger_id: String(idOf(row)),
    number: numberFrom(row, "post_number"),
    ...yearOf(row),
    totals: null,
  };
}
