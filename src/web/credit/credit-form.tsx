/**
 * The form that credits an invoice, line by line. Beside it is the effect on the books and
 * on revenue, from a dry run of the command.
 */
import { useEffect, useState } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { useNewest } from "../browser/newest.ts";
import { firstReason, type Refused, send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { amountOfNumber, moneyOfNumber, monthOf } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";

interface CreditedLine {
  readonly id: string;
  readonly text: string;
  readonly amount: number;
  /** The amount that can still be credited. */
  readonly rest: number;
}

interface CreditProps {
  readonly invoice: string;
  readonly currency: string;
  readonly today: string;
  readonly lines: readonly CreditedLine[];
  /** The idempotency key: repeated requests make one credit note. */
  readonly external_id: string;
}

/** The body of `POST /credit-notes`. */
interface Credit {
  readonly invoice: string;
  readonly kind: "full" | "partial";
  readonly credit_date: string;
  readonly lines?: readonly { readonly invoice_line_id: string; readonly amount: number }[];
}

/** The effect of a credit. */
export interface CreditShown {
  readonly net: number;
  readonly vat: number;
  readonly gross: number;
  /** Null for a reader who may not see what others earn. */
  readonly months:
    | readonly {
        readonly month: string;
        readonly earned_before: number;
        readonly earned_after: number;
      }[]
    | null;
  readonly warnings: readonly string[];
  readonly address: string | null;
  readonly agreed: string;
}

const PAUSE_MS = 250;

function CreditForm(props: CreditProps) {
  const { invoice, currency, lines, today } = props;
  const { words: all, language } = useReader();
  const words = all.credit;
  const is_alive = useAlive();
  const [typed, setTyped] = useState<Typed>({});
  const [day, setDay] = useState(today);
  const credit = creditFrom(props, typed, day, (text) => numberFrom(language, text));
  const { shown, refused, refuse } = useDryRun(credit);
  const [is_sending, setSending] = useState(false);

  async function make(): Promise<void> {
    if (credit === null || shown === null || is_sending) return;
    setSending(true);
    const { external_id } = props;
    const sent = { ...credit, external_id, agreed: shown.agreed };
    const answer = await send<{ readonly id: string }>("/app/credits/make", sent);
    if ("done" in answer) return location.assign(`/credit-notes/${answer.done.id}`);
    setSending(false);
    refuse("refused" in answer ? reasonOf(answer.refused, all) : words.lost);
  }

  return (
    <div class="document editor">
      <What
        lines={lines}
        currency={currency}
        typed={typed}
        type={setTyped}
        day={day}
        setDay={setDay}
        is_locked={!is_alive}
      />
      <div class="stack">
        <Fault text={refused ?? undefined} />
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
            disabled={shown === null || is_sending}
            onClick={make}
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

/** The effect of the credit, as the service reports it a moment after the last key press. */
function useDryRun(credit: Credit | null) {
  const { words, language } = useReader();
  const [shown, setShown] = useState<CreditShown | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const about = credit && JSON.stringify(credit);
  useEffect(() => {
    setShown(null);
    setRefused(null);
  }, [about]);
  useNewest(about, PAUSE_MS, async () => {
    const answer = await send<CreditShown>("/app/credits/rehearse", { ...credit, language });
    return () => {
      if ("done" in answer) setShown(answer.done);
      else setRefused("refused" in answer ? reasonOf(answer.refused, words) : words.saving.unsaved);
    };
  });
  return { shown, refused, refuse: setRefused };
}

/** Amounts by line, as typed. */
type Typed = Readonly<Record<string, string>>;

function What(props: {
  lines: readonly CreditedLine[];
  currency: string;
  typed: Typed;
  type(typed: Typed): void;
  day: string;
  setDay(day: string): void;
  is_locked: boolean;
}) {
  const { lines, currency, typed, type, day, setDay, is_locked } = props;
  const { words: all, language } = useReader();
  const words = all.credit;
  const fill = (some: readonly CreditedLine[]) => {
    const rests = some.map(({ id, rest }) => [id, amountOfNumber(language, rest, currency)]);
    type({ ...typed, ...Object.fromEntries(rests) });
  };
  return (
    <section class="card" aria-labelledby="what">
      <fieldset class="lines" disabled={is_locked}>
        <header class="row pad">
          <h2 id="what">{words.what}</h2>
          <span class="grow" />
          <button type="button" class="button small" onClick={() => fill(lines)}>
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
              onTyped={(text) => type({ ...typed, [line.id]: text })}
              onAll={() => fill([line])}
            />
          ))}
        </ol>
        <label class="field pad">
          <span>{words.date}</span>
          <input
            class="input"
            type="date"
            value={day}
            onInput={({ currentTarget }) => setDay(currentTarget.value)}
          />
        </label>
      </fieldset>
    </section>
  );
}

/** Null while nothing is typed or a text cannot be read. A credit of all that is left of every line is a full credit. */
function creditFrom(
  { invoice, lines }: CreditProps,
  typed: Typed,
  credit_date: string,
  read: (text: string | undefined) => number | undefined,
): Credit | null {
  const amounts = lines.map(({ id, rest }) => ({ id, rest, amount: read(typed[id]) ?? 0 }));
  if (credit_date === "" || amounts.some(({ amount }) => Number.isNaN(amount))) return null;
  if (amounts.every(({ amount }) => amount === 0)) return null;
  if (amounts.every(({ amount, rest }) => amount === rest))
    return { invoice, kind: "full", credit_date };
  const some = amounts.filter(({ amount }) => amount !== 0);
  return {
    invoice,
    kind: "partial",
    credit_date,
    lines: some.map(({ id, amount }) => ({ invoice_line_id: id, amount })),
  };
}

function reasonOf(refused: Refused, words: ReturnType<typeof useReader>["words"]): string {
  const { code, details } = refused;
  if (code === "PLAN_STALE") return words.issuing.changed;
  if (code === "CREDIT_EXCEEDS_LINE") return words.credit.too_much(Number(details.remainder));
  return words.refused(firstReason(refused));
}

function Line(props: {
  line: CreditedLine;
  currency: string;
  value: string;
  onTyped(text: string): void;
  onAll(): void;
}) {
  const { line, currency, value, onTyped, onAll } = props;
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
        onClick={onAll}
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
        onInput={({ currentTarget }) => onTyped(currentTarget.value)}
      />
    </li>
  );
}

/** What is booked, what is sent, and how revenue changes, month by month. */
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

export const island: IslandOf<CreditProps> = { name: "credit-form", View: CreditForm };
