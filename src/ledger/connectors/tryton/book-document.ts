/**
 * Books an invoice or credit note at most once, although Tryton accepts repeated references: it creates a draft under
 * our guid, deletes all drafts but the oldest, and posts that one. No attempt posts the draft of a late call.
 */
import type { BookedTotals, BookOutcome, DocumentBooking } from "../../ledger.ts";
import { discard, requireCompany, type Tryton } from "./api.ts";
import { draftOf } from "./draft-document.ts";
import { periodAt, periodRefusal } from "./periods.ts";
import { bookedFrom, type DocumentsUnder, documentsUnder, totalsOf } from "./read-document.ts";
import { rejected, Stopped, TrytonRefusal } from "./refusals.ts";
import { day, idOf, idsFrom, type TrytonRecord, textOf } from "./values.ts";

export async function bookDocument(
  tryton: Tryton,
  user: string,
  intent: DocumentBooking,
): Promise<BookOutcome> {
  requireBookable(intent);
  const before = await documentsUnder(tryton, null, intent.guid);
  if (before.booked !== null) return sameBooking(tryton, intent, before.booked);
  if (!before.drafts.some((draft) => isOf(draft, intent))) {
    const created = await tryton.call("account.invoice", "create", [
      [await draftOf(tryton, intent, marker(intent))],
    ]);
    idsFrom(created);
  }
  const under = await documentsUnder(tryton, null, intent.guid);
  if (under.booked !== null) return sameBooking(tryton, intent, under.booked);
  const kept = await keepOne(tryton, intent, under);
  await compareTotals(tryton, intent, kept);
  return post(tryton, user, intent, kept);
}

/** Throws if the sign is wrong: Tryton chooses the number series, invoice or credit note, by the sign of the total. */
function requireBookable({ document }: DocumentBooking): void {
  const { gross, net } = document.totals;
  if (gross < 0n || net < 0n || (document.kind === "credit_note" && gross === 0n)) {
    throw rejected("NOT_ALLOWED", {
      total: "the total decides the series, and is of the other kind",
    });
  }
}

async function sameBooking(
  tryton: Tryton,
  intent: DocumentBooking,
  row: TrytonRecord,
): Promise<BookOutcome> {
  const marked = /sha256:[0-9a-f]{64}/.exec(textOf(row, "comment") ?? "");
  if (marked !== null && !isOf(row, intent))
    return { state: "rejected", code: "GUID_CONFLICT", is_booked: true };
  return bookedFrom(tryton, intent.guid, row);
}

/** Returns the comment that identifies drafts and bookings of this content. Tryton freezes it when it posts. */
function marker({ payload_hash }: DocumentBooking): string {
  return `sha256:${Buffer.from(payload_hash).toString("hex")}`;
}

function isOf(row: TrytonRecord, intent: DocumentBooking): boolean {
  return (textOf(row, "comment") ?? "").includes(marker(intent));
}

/** Returns the oldest draft of this content, with taxes. Every other draft is deleted before this one may be posted. */
async function keepOne(
  tryton: Tryton,
  intent: DocumentBooking,
  { drafts }: DocumentsUnder,
): Promise<number> {
  const kept = drafts.find((draft) => isOf(draft, intent));
  // Another process has deleted the draft in the meantime: the next attempt creates another.
  if (kept === undefined) throw new Stopped({ state: "not_started", reason: "stale_version" });
  const others = drafts.filter((draft) => draft !== kept).map((draft) => idOf(draft));
  if (others.length > 0) await tryton.call("account.invoice", "delete", [others]);
  // Writing makes Tryton compute the taxes of a draft.
  const description = intent.document.title;
  await tryton.call("account.invoice", "write", [[idOf(kept)], { description }]);
  return idOf(kept);
}

/** Compares the totals. One minor unit per VAT code is rounding (half to even in Tryton); more is another document. */
async function compareTotals(tryton: Tryton, intent: DocumentBooking, id: number): Promise<void> {
  const { drafts, booked } = await documentsUnder(tryton, null, intent.guid);
  const row = drafts.find((draft) => idOf(draft) === id);
  if (row === undefined) {
    if (booked !== null) return;
    throw new Stopped({ state: "not_started", reason: "stale_version" });
  }
  const local_totals = intent.document.totals;
  const remote_totals = totalsOf(row);
  const allowed = BigInt(intent.document.vat.length);
  const vat = remote_totals.vat - local_totals.vat;
  if (remote_totals.net === local_totals.net && vat <= allowed && vat >= -allowed) return;
  await discard(tryton, "account.invoice", id);
  throw rejected("TOTAL_MISMATCH", figures(remote_totals));
}

function figures({ net, vat, gross }: BookedTotals): Record<string, string> {
  return { net: String(net), vat: String(vat), gross: String(gross) };
}

/** Posts the draft. The call may be repeated: posting a posted invoice again keeps its number. */
async function post(
  tryton: Tryton,
  user: string,
  intent: DocumentBooking,
  id: number,
): Promise<BookOutcome> {
  try {
    await postAcknowledged(tryton, user, id);
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error;
    const after = await documentsUnder(tryton, null, intent.guid);
    if (after.booked === null) {
      const reason = await whyRefused(tryton, intent, error);
      await discard(tryton, "account.invoice", id);
      throw reason;
    }
  }
  const { booked } = await documentsUnder(tryton, null, intent.guid);
  // The document was posted a moment ago: if it has been removed since, a later read shows that.
  if (booked === null) return { state: "unknown", reason: "bad_response" };
  return sameBooking(tryton, intent, booked);
}

/** Posts and confirms, because Tryton asks for confirmation of a due date in the past, which the document has. */
async function postAcknowledged(tryton: Tryton, user: string, id: number): Promise<void> {
  const args = [[id]];
  try {
    await tryton.call("account.invoice", "post", args);
  } catch (error) {
    if (!(error instanceof TrytonRefusal) || error.warning !== `invoice_payment_term_${id}`)
      throw error;
    const [own] = await tryton.read("res.user", [["login", "=", user]], ["id"]);
    if (own === undefined) throw error;
    await tryton.call("res.user.warning", "create", [
      [{ user: idOf(own), name: error.warning, always: false }],
    ]);
    await tryton.call("account.invoice", "post", args);
  }
}

/** Returns the reason from the books. Tryton's message is translated, and equal for closed and missing periods. */
async function whyRefused(
  tryton: Tryton,
  { document }: DocumentBooking,
  refused: TrytonRefusal,
): Promise<Stopped> {
  const period = await periodAt(tryton, document.issue_date);
  const refusal = periodRefusal(period);
  if (refusal !== null) return rejected(refusal, { message: refused.message });
  const later = await tryton.read(
    "account.invoice",
    [
      ["company", "=", requireCompany(tryton)],
      ["type", "=", "out"],
      ["number", "!=", null],
      ["total_amount", document.kind === "credit_note" ? "<" : ">=", 0],
      ["invoice_date", ">", day(document.issue_date)],
    ],
    ["id"],
    { limit: 1 },
  );
  const code = later.length > 0 ? "DATE_BEFORE_LAST_NUMBER" : "VALIDATION";
  return rejected(code, { message: refused.message });
}
