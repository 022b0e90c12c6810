/**
 * Moving an account's books to another ledger (spec 9.11): the day on which the new books begin, what blocks the move, and what
 * opens the contract balances there. Only what a move finds when it begins decides; nothing here books.
 */
import { addDays, type CalendarDate, lastDayOf, type Month } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import type { AccountRole } from "./accrual.ts";
import type { VoucherEntry } from "./voucher.ts";

/** Contract balances of the accruals, both at or above 0, in minor units of the functional currency. */
export interface ContractBalances {
  readonly contract_asset: Money;
  readonly contract_liability: Money;
}

/** What decides whether the books may move now. */
export interface MoveFacts {
  /** The last completed close; null when no month is closed. */
  readonly last_close: { readonly month: Month; readonly locks: boolean } | null;
  /** The last month that has ended, which is closed first where none is. */
  readonly last_ended: Month;
  /** Our own lock date; that of the ledger which is left does not count. */
  readonly lock_date: CalendarDate | null;
  /** The first month after the last completed close with a booked accrual. */
  readonly booked_later: Month | null;
  readonly running_close: Month | null;
  readonly open_intents: number;
  readonly queued_credit_notes: number;
  readonly queued_links: number;
  /** The new ledger as its check found it; null for the built-in ledger. */
  readonly target: TargetFacts | null;
  readonly functional_currency: string;
}

/** A ledger outside of the database, before it is connected. */
export interface TargetFacts {
  /** Why nothing could be booked there, in a sentence; null when its check succeeded. */
  readonly fault: string | null;
  /** The currency of its books; null when it is not known. */
  readonly currency: string | null;
  readonly locked_through: CalendarDate | null;
  /** Pairs of account and VAT code in use that have no account there, with the reason where one has a wrong account. */
  readonly unmapped: readonly UnmappedPair[];
}

interface UnmappedPair {
  readonly account_number: number;
  /** '' for the account of a role. */
  readonly vat_code: string;
  readonly reason: string | null;
}

/** Something that has to be settled before the books may move. */
export interface MoveBlock {
  readonly code: MoveBlockCode;
  /** What the case is. */
  readonly message: string;
  /** What to do about it. */
  readonly cure: string;
  readonly month?: Month;
  readonly count?: number;
  readonly account_number?: number;
  readonly vat_code?: string | null;
}

type MoveBlockCode =
  | "month_not_closed"
  | "locked_later"
  | "close_running"
  | "intents_open"
  | "credit_notes_queued"
  | "links_queued"
  | "connection_fails"
  | "other_currency"
  | "ledger_locked"
  | "pair_unmapped";

/** Returns the day on which the new books begin: the one after the last completed close; null when no month is closed. */
export function moveBegin({ last_close }: Pick<MoveFacts, "last_close">): CalendarDate | null {
  return last_close === null ? null : addDays(lastDayOf(last_close.month), 1);
}

/** Returns everything that blocks the move, each with its cure; nothing when the books may move. */
export function moveBlocks(facts: MoveFacts): MoveBlock[] {
  return [...monthBlocks(facts), ...waitingBlocks(facts), ...targetBlocks(facts)];
}

function monthBlocks(facts: MoveFacts): MoveBlock[] {
  const { last_close, last_ended, lock_date, booked_later, running_close } = facts;
  const blocks: MoveBlock[] = [];
  const not_closed = (month: Month, message: string, cure: string): void => {
    blocks.push({ code: "month_not_closed", message, cure, month });
  };
  if (last_close === null) {
    not_closed(last_ended, "No month is closed.", `Close ${last_ended} with its lock.`);
  } else {
    const { month, locks } = last_close;
    if (!locks || lock_date === null || lock_date < lastDayOf(month)) {
      const message = `${month} is closed without its lock.`;
      not_closed(month, message, `Reopen ${month}, and close it with its lock.`);
    } else if (lock_date > lastDayOf(month)) {
      blocks.push({
        code: "locked_later",
        message: `The books are locked through ${lock_date}, and closed through ${month} only.`,
        cure: `Set the lock date back to ${lastDayOf(month)}, or close the later months.`,
        month,
      });
    }
  }
  if (booked_later !== null) {
    const message = `Accruals of ${booked_later} are booked, and the month is not closed.`;
    const cure = `Close ${booked_later} with its lock, or reopen these accruals.`;
    not_closed(booked_later, message, cure);
  }
  if (running_close !== null) {
    blocks.push({
      code: "close_running",
      message: `The close of ${running_close} is running.`,
      cure: "Wait until it has ended.",
      month: running_close,
    });
  }
  return blocks;
}

function waitingBlocks(facts: MoveFacts): MoveBlock[] {
  const waiting = [
    {
      code: "intents_open",
      count: facts.open_intents,
      message: "Bookings in the connected ledger have not ended.",
      cure: "Wait for them, or end them with `matchbook ledger resolve`.",
    },
    {
      code: "credit_notes_queued",
      count: facts.queued_credit_notes,
      message: "Credit notes of cancellations have not been issued.",
      cure: "Let the scheduler issue them (`POST /scheduler-runs`).",
    },
    {
      code: "links_queued",
      count: facts.queued_links,
      message: "Customers or products wait to be sent to the connected ledger.",
      cure: "Check the connection, and wait until they are sent (`GET /ledger/sync`).",
    },
  ] as const;
  return waiting.filter(({ count }) => count > 0);
}

function targetBlocks(facts: MoveFacts): MoveBlock[] {
  const { target, functional_currency } = facts;
  if (target === null) return [];
  const { fault, currency, locked_through, unmapped } = target;
  const blocks: MoveBlock[] = [];
  if (fault !== null) {
    const cure = "Correct the settings or the accounting system, and move again.";
    blocks.push({ code: "connection_fails", message: fault, cure });
  }
  if (currency !== null && currency !== functional_currency) {
    blocks.push({
      code: "other_currency",
      message: `The new books are in ${currency}, and the account's in ${functional_currency}.`,
      cure: `Choose books in ${functional_currency}.`,
    });
  }
  const begin = moveBegin(facts);
  if (begin !== null && locked_through !== null && locked_through >= begin) {
    blocks.push({
      code: "ledger_locked",
      message: `The new books are locked through ${locked_through}, and begin on ${begin}.`,
      cure: "Unlock that day in the accounting system, or close the months until then.",
    });
  }
  return [...blocks, ...unmapped.map(blockOfPair)];
}

function blockOfPair({ account_number, vat_code, reason }: UnmappedPair): MoveBlock {
  const name = vat_code === "" ? `${account_number} of a role` : `${account_number} ${vat_code}`;
  const option =
    vat_code === "" ? "--role NAME=ACCOUNT" : `--pair ${account_number}:${vat_code}=ACCOUNT`;
  return {
    code: "pair_unmapped",
    message: reason ?? `Account ${name} has no account in the new books.`,
    cure: `Name the account there with ${option}.`,
    account_number,
    vat_code: vat_code === "" ? null : vat_code,
  };
}

/** The accounts of an opening voucher, by our numbers. */
type OpeningAccounts = Readonly<
  Record<Exclude<AccountRole, "exchange_difference">, number | null> & { opening: number }
>;

/**
 * Returns the entries that bring the contract accounts of the new books from what they have to the balances of the accruals,
 * against the opening account; none when they have these balances. Throws an Error for a balance without an account.
 */
export function openingEntries(
  wanted: ContractBalances,
  known: ContractBalances,
  accounts: OpeningAccounts,
): VoucherEntry[] {
  const moved = [
    ["contract_asset", wanted.contract_asset - known.contract_asset],
    ["contract_liability", known.contract_liability - wanted.contract_liability],
  ] as const;
  const entries = moved.flatMap(([account_role, amount]): VoucherEntry[] => {
    if (amount === 0n) return [];
    const account_number = accounts[account_role];
    if (account_number === null) throw new Error(`the role ${account_role} has no account`);
    return [{ account_role, account_number, amount }];
  });
  const rest = entries.reduce((sum, { amount }) => sum - amount, 0n);
  if (rest === 0n) return entries;
  return [...entries, { account_role: "opening", account_number: accounts.opening, amount: rest }];
}
