/** The form that credits an invoice by line, next to the effect on books and revenue from a dry run of the command. */

import { useEffect, useRef } from "preact/hooks";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromChecked } from "../../domain/base/money.ts";
import { islandOf } from "../browser/island.ts";
import { firstReason } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { DayInput } from "../parts/day-input.tsx";
import { WithCure } from "../parts/facts.tsx";
import { amountOfNumber, moneyOf, moneyOfNumber, monthOf } from "../parts/format.ts";
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
  const { invoice, currency, csrf, external_id } = props;
  const { words: all } = useReader();
  const is_alive = useAlive();
  const [state, dispatch] = useCredit(props);
  const { shown, fault, day } = state;
  const action = `/invoices/${invoice}/credit`;
  const kept = (
    <>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="external_id" value={external_id} />
    </>
  );
  return (
    <>
      {/* With scripts the credit is sent by its button alone. */}
      <form method="post" action={action} onSubmit={(event) => event.preventDefault()}>
        {kept}
        <div class="document editor">
          <What state={state} dispatch={dispatch} is_alive={is_alive} />
          <div class="stack">
            <Fault text={fault === null ? undefined : faultText(fault, all)} />
            {shown === null ? (
              <p class="quiet">{all.credit.none_yet}</p>
            ) : (
              <Will shown={shown} currency={currency} />
            )}
            <Buttons state={state} dispatch={dispatch} is_alive={is_alive} />
          </div>
        </div>
      </form>
      {!is_alive && (
        <form method="post" action={action} id={WHOLE}>
          {kept}
          <input type="hidden" name="step" value="whole" />
          <input type="hidden" name="credit_date" value={day} />
          <input type="hidden" name="reason" value={state.reason} />
        </form>
      )}
    </>
  );
}

/** The form that fills in the whole invoice where no scripts run: the first button of the other form shows what is typed. */
const WHOLE = "credit-whole";

/** With scripts one button makes the credit that is shown. Without them one shows the effect, and the other makes the credit. */
function Buttons(props: { state: CreditState; dispatch: Dispatch; is_alive: boolean }) {
  const { state, dispatch, is_alive } = props;
  const { of, shown, sending } = state;
  const { words: all, language } = useReader();
  const words = all.credit;
  const label =
    shown === null
      ? words.credit
      : words.credit_amount(
          moneyOfNumber(language, shown.gross, of.currency),
          shown.address !== null,
        );
  return (
    <div class="buttons">
      <a class="button" href={`/invoices/${of.invoice}`}>
        {all.issuing.not_yet}
      </a>
      {is_alive && (
        <button
          type="button"
          class="button main"
          disabled={shown === null || sending !== null}
          onClick={() => dispatch({ kind: "make" })}
        >
          {label}
        </button>
      )}
      {!is_alive && (
        <button type="submit" class="button" name="step" value="show">
          {words.show}
        </button>
      )}
      {!is_alive && shown !== null && (
        <>
          <input type="hidden" name="agreed" value={shown.agreed} />
          <button type="submit" class="button main" name="step" value="make">
            {label}
          </button>
        </>
      )}
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

function What(props: { state: CreditState; dispatch: Dispatch; is_alive: boolean }) {
  const { state, dispatch, is_alive } = props;
  const { typed, day } = state;
  // The form begins with today.
  const today = useRef(day);
  const { lines, currency } = state.of;
  const words = useReader().words.credit;
  return (
    <section class="card" aria-labelledby="what">
      <fieldset class="credited">
        <header class="row pad">
          <h2 id="what">{words.what}</h2>
          <span class="grow" />
          <button
            class="button small"
            {...(is_alive
              ? { type: "button" as const, onClick: () => dispatch({ kind: "fill", lines }) }
              : { type: "submit" as const, form: WHOLE })}
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
              is_alive={is_alive}
            />
          ))}
        </ol>
        <div class="field pad">
          <label for="credit_date">{words.date}</label>
          <DayInput
            id="credit_date"
            name="credit_date"
            label={words.date}
            value={day}
            today={today.current}
            onDay={(next) => dispatch({ kind: "date", day: next })}
          />
        </div>
        <Reason text={state.reason} dispatch={dispatch} />
      </fieldset>
    </section>
  );
}

const MOST_OF_REASON = 500;

/** The reason of the credit, which is optional and printed on the credit note. */
function Reason({ text, dispatch }: { text: string; dispatch: Dispatch }) {
  const words = useReader().words.credit;
  const field = useRef<HTMLTextAreaElement>(null);
  // What was typed before the scripts ran is taken over.
  useEffect(() => {
    const typed = field.current?.value ?? "";
    if (typed !== text) dispatch({ kind: "reason", text: typed });
  }, []);
  return (
    <div class="field pad">
      <label for="reason">{words.reason}</label>
      <textarea
        ref={field}
        class="input"
        id="reason"
        name="reason"
        rows={2}
        maxLength={MOST_OF_REASON}
        aria-describedby="reason-help"
        value={text}
        onInput={({ currentTarget }) => dispatch({ kind: "reason", text: currentTarget.value })}
      />
      <small class="quiet" id="reason-help">
        {words.reason_help}
      </small>
    </div>
  );
}

function Line(props: {
  line: CreditedLine;
  currency: string;
  value: string;
  dispatch: Dispatch;
  is_alive: boolean;
}) {
  const { line, currency, value, dispatch, is_alive } = props;
  const field = useRef<HTMLInputElement>(null);
  // What was typed before the scripts ran is taken over.
  useEffect(() => {
    const typed = field.current?.value ?? "";
    if (typed !== value) dispatch({ kind: "type", line_id: line.id, text: typed });
  }, []);
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
      {is_alive && (
        <button
          type="button"
          class="button bare small"
          aria-label={`${words.all_of_it}, ${line.text}`}
          disabled={is_none}
          onClick={() => dispatch({ kind: "fill", lines: [line] })}
        >
          {words.all_of_it}
        </button>
      )}
      <input
        ref={field}
        class="input num soft"
        name={`amount.${line.id}`}
        inputMode="decimal"
        maxLength={30}
        disabled={is_none}
        aria-label={words.amount_of(line.text)}
        {...(is_wrong
          ? { "aria-invalid": "true" as const, "aria-describedby": `fault-${line.id}` }
          : {})}
        value={value}
        onInput={({ currentTarget }) =>
          dispatch({ kind: "type", line_id: line.id, text: currentTarget.value })
        }
      />
      {is_wrong && (
        <span class="fault" id={`fault-${line.id}`}>
          {all.draft.must_be_number}
        </span>
      )}
    </li>
  );
}

/** Shows the booked amounts, the e-mail, and the change of revenue, month by month. */
function Will({ shown, currency }: { shown: CreditShown; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.credit;
  const money = (amount: number) => moneyOfNumber(language, amount, currency);
  const minor = (amount: number) => scaledFromChecked(amount, currencyDigits(currency));
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
                    moneyOf(language, minor(earned_after) - minor(earned_before), currency),
                    money(earned_before),
                    money(earned_after),
                  )}
                </p>
              ))}
        </dd>
      </dl>
      {shown.warnings.length > 0 && (
        <ul class="note-warn">
          {shown.warnings.map((warning) => (
            <li key={warning.text}>
              <WithCure {...warning} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export const island = islandOf<CreditedInvoice>({ name: "credit-form", View: CreditForm });
