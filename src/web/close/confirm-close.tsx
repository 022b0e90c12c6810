/** Confirms the close of a month: shows what it books and locks, and starts exactly the close that was shown. */
import { firstDayOf, lastDayOf } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { isClosable } from "../../domain/revenue/month-state.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { closePeriod } from "../../features/revenue/closes/close-month.ts";
import { blockersOf } from "../../features/revenue/closes/preview-close.ts";
import { warningsOf } from "../../features/revenue/closes/warnings.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { Fault, Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { refusedBy } from "../frame/submitted.ts";
import { Warnings } from "../parts/facts.tsx";
import { dayInStyle, dayOf, moneyOf, monthOf } from "../parts/format.ts";
import { refusalOf } from "../words/refusal.ts";
import type { EntryShown, WarningCode } from "./ahead-shown.ts";
import { type SeenMonth, seenMonth } from "./close.tsx";
import { monthAhead } from "./month-ahead.ts";

const PATH = "/close/:month/confirm";

/** The request waits this long for the close; a longer one continues in the background, and the page shows its progress. */
const MOST_MS = 1_500;

export const confirmClosePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", (request) => confirmation(request, null)),
  definePage(`POST ${PATH}`, "hidden", close),
];

/** What a close would do, as far as it is known before it begins. */
interface CloseShown {
  readonly blockers: readonly { readonly code: string; readonly message: string }[];
  readonly warnings: readonly { readonly code: WarningCode; readonly count: number }[];
  /** Null for a large account: its vouchers are added up while they are booked. */
  readonly vouchers: {
    readonly count: number;
    readonly currency: string;
    readonly entries: readonly EntryShown[];
  } | null;
  /** A digest of what is shown. */
  readonly agreed: string;
}

async function shownOf(request: PageRequest, seen: SeenMonth): Promise<CloseShown> {
  const { cx, runLong } = request;
  const { month, configuration } = seen;
  if (!(await hasTooManyLines(cx, currentMonth(cx, configuration)))) {
    const ahead = await runLong(monthAhead, { month });
    return {
      blockers: ahead.blockers.map(({ refusal }) => refusal),
      warnings: ahead.warnings,
      vouchers: { count: ahead.with_voucher, currency: ahead.currency, entries: ahead.entries },
      agreed: ahead.agreed,
    };
  }
  const [blockers, warnings] = await Promise.all([
    blockersOf(cx, configuration, month),
    warningsOf(cx, month),
  ]);
  const agreed = sha256(freeze({ blockers, warnings })).toString("base64url");
  return { blockers, warnings, vouchers: null, agreed };
}

async function close(request: PageRequest): Promise<PageAnswer> {
  const { cx, named, form } = request;
  const seen = await seenMonth(cx, named.month);
  const { month } = seen;
  try {
    const shown = await shownOf(request, seen);
    const [blocker] = shown.blockers;
    if (blocker === undefined && shown.agreed !== form.agreed) throw new Problem("PLAN_STALE");
    await closePeriod({ ...cx, once: null }, { month, lock: true }, MOST_MS);
  } catch (thrown) {
    return confirmation(request, refusedBy(thrown));
  }
  return {
    redirect: `/close/${month}`,
    notice: { done: "month_closing", of: monthOf(request.reader.language, month) },
  };
}

/** Returns the page with the effect of the close; the month's own page where it cannot be closed. */
async function confirmation(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { cx, named, reader, csrf } = request;
  const seen = await seenMonth(cx, named.month);
  const { month, state } = seen;
  const here = `/close/${month}`;
  if (refused === null && !isClosable(state)) return { redirect: here };
  const { words: all, language } = reader;
  const words = all.close;
  const shown = await shownOf(request, seen);
  const day = dayOf(language, lastDayOf(month));
  const is_blocked = shown.blockers.length > 0;
  const action = `${here}/confirm`;
  const content = (
    <div class="card confirm">
      <Fault text={refused === null ? undefined : saidOf(request, refused)} />
      {refused === null &&
        shown.blockers.map(({ code, message }) => (
          <Fault text={all.refused({ code: code as Problem["code"], message })} />
        ))}
      <dl class="will">
        <dt>{all.confirm_close.books}</dt>
        <dd>{booksText(request, shown, day)}</dd>
        <dt>{all.confirm_close.locks}</dt>
        <dd>{all.confirm_close.locks_text(day)}</dd>
      </dl>
      <Warnings
        title={all.invoice.warnings}
        sentences={shown.warnings.map(({ code, count }) => words.warnings[code](count))}
      />
      <div class="buttons">
        <a class="button" href={here}>
          {words.not_yet}
        </a>
        {!is_blocked && (
          <Form action={action} csrf={csrf(action)}>
            <input type="hidden" name="agreed" value={shown.agreed} />
            <button type="submit" class="button main">
              {words.close(dayInStyle(language, firstDayOf(month), "month"))}
            </button>
          </Form>
        )}
      </div>
    </div>
  );
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return { title: words.confirm(monthOf(language, month)), content, status };
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  return problem.code === "PLAN_STALE" ? words.close.changed : words.refused(refusalOf(problem));
}

function booksText({ reader }: PageRequest, { vouchers }: CloseShown, day: string): string {
  const words = reader.words.confirm_close;
  if (vouchers === null) return words.books_later(day);
  const { count, currency, entries } = vouchers;
  if (count === 0) return words.books_nothing;
  const debit = entries.reduce(
    (sum, { amount }) => (BigInt(amount) > 0n ? sum + BigInt(amount) : sum),
    0n,
  );
  return words.books_vouchers(count, moneyOf(reader.language, debit, currency), day);
}
