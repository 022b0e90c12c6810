/**
 * Books vouchers in Dinero: adds an item to Dinero's ledger under our id, which Dinero books some time after the request. Every
 * line states that it has no VAT, because a line without a code takes that of its account.
 */
import { decimalText } from "../../../domain/base/money.ts";
import type { Booked, BookOutcome, FoundBooking, VoucherBooking } from "../../ledger.ts";
import type { CallOptions, Failure, Rejected } from "../../outcome.ts";
import { badResponse, type DineroApi, readable } from "./api.ts";
import type { DineroBooks } from "./book-document.ts";
import { accountFor, unmapped } from "./draft-document.ts";
import { KRONE_DIGITS, yearOf } from "./read-document.ts";
import { isAbsent, isDuplicate, isStale, rejectedFor } from "./refusals.ts";
import { type DineroObject, listOf, numberOf, requiredTextOf } from "./values.ts";

const NO_VAT = "none";
const POLL_AFTER_MS = 2_000;

interface RemoteItem {
  readonly state: "there";
  readonly status: string;
  readonly version: string;
  readonly object: DineroObject;
}

export async function findVoucher(
  { api }: DineroBooks,
  guid: string,
  options: CallOptions,
): Promise<FoundBooking> {
  const look = await statusOf(api, guid, options);
  if (look.state !== "there") return look;
  return outcomeOf(look, guid) ?? { state: "draft" };
}

/** Adds the item if there is none, requests its booking, and reads the outcome once. */
export async function bookVoucher(
  { api, first_month }: DineroBooks,
  booking: VoucherBooking,
  options: CallOptions,
): Promise<BookOutcome> {
  const { guid, document } = booking;
  const year = yearOf(document.issue_date, first_month);
  const dated = (found: BookOutcome): BookOutcome =>
    found.state === "booked" ? { ...found, year } : found;
  const lines = linesOf(booking);
  if ("state" in lines) return lines as Rejected;
  const added = await api(
    {
      verb: "ledgeritems",
      method: "POST",
      version: "v1.2",
      path: "ledgeritems",
      body: [{ Id: guid, VoucherDate: document.issue_date, Lines: lines }],
    },
    options,
  );
  if (added.state === "refused" && !isDuplicate(added.refusal)) return rejectedFor(added.refusal);
  if (added.state !== "refused" && added.state !== "done") return added;
  let version: string;
  if (added.state === "done") {
    const remote = readable(() => {
      const [item] = Array.isArray(added.value) ? listOf(added.value) : listOf([added.value]);
      return { state: "added" as const, version: requiredTextOf(item ?? {}, "Version") };
    });
    if (remote.state === "unknown") return remote;
    version = remote.version;
  } else {
    const look = await statusOf(api, guid, options);
    if (look.state === "absent") return rejectedFor(added.refusal);
    if (look.state !== "there") return look;
    const known = outcomeOf(look, guid);
    if (known !== null) return dated(known);
    version = look.version;
  }
  return dated(await bookItem(api, guid, version, options));
}

async function bookItem(
  api: DineroApi,
  guid: string,
  version: string,
  options: CallOptions,
  is_second = false,
): Promise<BookOutcome> {
  const answer = await api(
    {
      verb: "ledgeritems/book",
      method: "POST",
      version: "v1",
      path: "ledgeritems/book",
      body: [{ Id: guid, Version: version }],
    },
    options,
  );
  if (answer.state !== "done" && answer.state !== "refused") return answer;
  const look = await statusOf(api, guid, options);
  if (answer.state === "done") {
    // Dinero accepted the booking: unless this read finds a clear outcome, a later read is needed.
    const known = look.state === "there" ? outcomeOf(look, guid) : null;
    return known ?? { state: "pending", poll_after_ms: POLL_AFTER_MS };
  }
  if (look.state === "absent") return rejectedFor(answer.refusal);
  if (look.state !== "there") return look;
  const known = outcomeOf(look, guid);
  if (known !== null) return known;
  // Only this service uses the id, and its content never changes, so a new version of a draft is the same voucher.
  return isStale(answer.refusal) && !is_second
    ? bookItem(api, guid, look.version, options, true)
    : rejectedFor(answer.refusal);
}

async function statusOf(
  api: DineroApi,
  guid: string,
  options: CallOptions,
): Promise<RemoteItem | { readonly state: "absent" } | Failure> {
  const answer = await api(
    {
      verb: "ledgeritems/status",
      method: "POST",
      version: "v1",
      path: "ledgeritems/status",
      body: [{ Id: guid }],
    },
    options,
  );
  if (answer.state === "refused") {
    return isAbsent(answer.refusal) ? { state: "absent" } : badResponse(answer.refusal);
  }
  if (answer.state !== "done") return answer;
  return readable(() => {
    const object = listOf(answer.value).find(
      (one) => requiredTextOf(one, "Id").toLowerCase() === guid.toLowerCase(),
    );
    if (object === undefined) return { state: "absent" };
    const status = requiredTextOf(object, "Status");
    return { state: "there", status, version: requiredTextOf(object, "Version"), object };
  });
}

/** Returns the outcome of an existing item; null for a draft. */
function outcomeOf(
  { status, object }: RemoteItem,
  guid: string,
): Booked | { readonly state: "pending"; readonly poll_after_ms: number } | Failure | null {
  if (status === "Draft") return null;
  if (status === "PendingBooking") return { state: "pending", poll_after_ms: POLL_AFTER_MS };
  if (status !== "Booked") return badResponse(new Error(`the status is ${status}`));
  return readable(() => {
    const number = numberOf(object, "VoucherNumber");
    return { state: "booked", guid, ledger_id: guid, number, totals: null };
  });
}

/** Returns debits and credits in pairs, each with an amount above 0 from one account to another. */
function linesOf({ document, accounts }: VoucherBooking) {
  const sums = new Map<number, bigint>();
  for (const { account_number, vat_code, amount } of document.entries) {
    const account = accountFor(accounts, account_number, vat_code ?? null);
    if (account === null) return unmapped(account_number, vat_code ?? null);
    sums.set(account, (sums.get(account) ?? 0n) + amount);
  }
  const debits = [...sums].filter(([, amount]) => amount > 0n);
  const credits = [...sums].filter(([, amount]) => amount < 0n);
  const lines = [];
  let [debit, credit] = [debits.shift(), credits.shift()];
  while (debit !== undefined && credit !== undefined) {
    const amount: bigint = debit[1] < -credit[1] ? debit[1] : -credit[1];
    lines.push({
      Description: document.text.slice(0, 250),
      Amount: Number(decimalText(amount, KRONE_DIGITS)),
      AccountNumber: debit[0],
      AccountVatCode: NO_VAT,
      BalancingAccountNumber: credit[0],
      BalancingAccountVatCode: NO_VAT,
    });
    debit = debit[1] === amount ? debits.shift() : [debit[0], debit[1] - amount];
    credit = credit[1] === -amount ? credits.shift() : [credit[0], credit[1] + amount];
  }
  return lines.length > 0 ? lines : rejectedAsEmpty;
}

const rejectedAsEmpty: Rejected = {
  state: "rejected",
  code: "VALIDATION",
  fields: { Lines: "All entries are on one account there." },
};
