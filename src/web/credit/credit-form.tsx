/** The form that credits an invoice by line, next to the effect on books and revenue from a dry run of the command. */

import { useRef } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { firstReason } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { DayInput } from "../parts/day-input.tsx";
import { amountOfNumber, moneyOfNumber, monthOf } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import type { Words } from "../words/en.ts";
import type {
  CreditEvent,
  CreditedInvoice,
  CreditedLine,
  CreditFault,
  CreditShown,
  CreditState,
} from "./credit-state.ts";
import { useCredit } from "./use-credit.ts";

function CreditForm(props: CreditedInvoice) {
  const { invoice, currency } = props;
  const { words: all, language } = useReader();
  const words = all.credit;
  const is_alive = useAlive();
  const [state, dispatch] = useCredit(props);
  const { shown, fault, sending } = state;
  return (
    <div class="document editor">
      <What state={state} dispatch={dispatch} is_locked={!is_alive} />
      <div class="stack">
        <Fault text={fault === null ? undefined : faultText(fault, all)} />
        {shown === null ? (
          <p class="quiet">{words.none_yet}</p>
        ) : (
          <Will shown={shown} currency={currency} />
        )}
        <div class="buttons">
          <a class="button" href={`/invoices/${invoice}`}>
            {all.issuing.not_yet}
          </a>
          <button
            type="button"
            class="button main"
            disabled={shown === null || sending !== null}
            onClick={() => dispatch({ kind: "make" })}
          >
            {shown === null
              ? words.credit
              : words.credit_amount(
                  moneyOfNumber(language, shown.gross, currency),
                  shown.address !== null,
                )}
          </button>
        </div>
      </div>
    </div>
  );
}

function faultText(fault: CreditFault, words: Words): string {
  if (fault === "dry_run_lost") return words.saving.unsaved;
  if (fault === "credit_lost") return words.credit.lost;
  const { code, details } = fault;
  if (code === "PLAN_STALE") return words.issuing.changed;
  if (code === "CREDIT_EXCEEDS_LINE") return words.credit.too_much(Number(details.remainder));
  return words.refused(firstReason(fault));
}

type Dispatch = (event: CreditEvent) => void;

function What(props: { state: CreditState; dispatch: Dispatch; is_locked: boolean }) {
  const { state, dispatch, is_locked } = props;
  const { typed, day } = state;
  // The form begins with today.
  const today = useRef(day);
  const { lines, currency } = state.of;
  const words = useReader().words.credit;
  return (
    <section class="card" aria-labelledby="what">
      <fieldset class="lines" disabled={is_locked}>
        <header class="row pad">
          <h2 id="what">{words.what}</h2>
          <span class="grow" />
          <button
            type="button"
            class="button small"
            onClick={() => dispatch({ kind: "fill", lines })}
          >
            {words.everything}
          </button>
        </header>
        <ol class="credits">
          {lines.map((line) => (
            <Line
              key={line.id}
              line={line}
              currency={currency}
              value={typed[line.id] ?? ""}
              dispatch={dispatch}
            />
          ))}
        </ol>
        <div class="field pad">
          <label for="credit_date">{words.date}</label>
          <DayInput
            id="credit_date"
            label={words.date}
            value={day}
            today={today.current}
            onDay={(next) => dispatch({ kind: "date", day: next })}
          />
        </div>
      </fieldset>
    </section>
  );
}

function Line(props: { line: CreditedLine; currency: string; value: string; dispatch: Dispatch }) {
  const { line, currency, value, dispatch } = props;
  const { words: all, language } = useReader();
  const words = all.credit;
  const is_none = line.rest === 0;
  const is_wrong = Number.isNaN(numberFrom(language, value));
  return (
    <li class="row">
      <span class="grow">
        {line.text}
        <small class="quiet">
          {words.rest(
            amountOfNumber(language, line.rest, currency),
            amountOfNumber(language, line.amount, currency),
          )}
        </small>
      </span>
      <button
        type="button"
        class="button bare small"
        aria-label={`${words.all_of_it}, ${line.text}`}
        disabled={is_none}
        onClick={() => dispatch({ kind: "fill", lines: [line] })}
      >
        {words.all_of_it}
      </button>
      <input
        class="input num soft"
        inputMode="decimal"
        maxLength={30}
        disabled={is_none}
        aria-label={words.amount_of(line.text)}
        {...(is_wrong ? { "aria-invalid": "true" as const } : {})}
        value={value}
        onInput={({ currentTarget }) =>
          dispatch({ kind: "type", line_id: line.id, text: currentTarget.value })
        }
      />
    </li>
  );
}

/** Shows the booked amounts, the e-mail, and the change of revenue, month by month. */
function Will({ shown, currency }: { shown: CreditShown; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.credit;
  const money = (amount: number) => moneyOfNumber(language, amount, currency);
  const changed = shown.months?.filter((one) => one.earned_before !== one.earned_after) ?? [];
  return (
    <div class="card pad">
      <dl class="will">
        <dt>{all.issuing.books}</dt>
        <dd>{all.issuing.amounts(money(shown.net), money(shown.vat), money(shown.gross))}</dd>
        <dt>{all.issuing.sends}</dt>
        <dd>
          {shown.address === null ? words.sends_nothing : all.issuing.sends_to(shown.address)}
        </dd>
        <dt>{words.earns}</dt>
        <dd>
          {changed.length === 0
            ? shown.months === null
              ? words.earns_unseen
              : words.earns_same
            : changed.map(({ month, earned_before, earned_after }) => (
                <p key={month}>
                  {words.earned_in(
                    monthOf(language, month),
                    money(earned_before),
                    money(earned_after),
                  )}
                </p>
              ))}
        </dd>
      </dl>
      {shown.warnings.length > 0 && (
        <ul class="note-warn">
          {shown.warnings.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

export const island: IslandOf<CreditedInvoice> = { name: "credit-form", View: CreditForm };
