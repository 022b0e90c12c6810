/** Shows the explanation of a line's month: the steps to its amount, the service, who earned it, and where it is booked. */
import {
  addToMonth,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf as monthOfDay,
  monthsFrom,
} from "../../domain/base/calendar.ts";
import { useReader } from "../frame/reader.ts";
import {
  amountOfNumber,
  dayInStyle,
  dayOf,
  moneyOfNumber,
  monthOf,
  plainNumber,
} from "../parts/format.ts";
import { partOf, sentenceOf } from "./explanation-sentence.ts";
import type { ExplanationShown } from "./explanation-shown.ts";

/** The content of the panel, without its heading. */
export function ExplanationView({ shown }: { shown: ExplanationShown }) {
  const { words: all, language } = useReader();
  const words = all.explanation;
  const month = shown.month as Month;
  return (
    <div class="explained">
      <p class="tiny quiet">
        <DocumentOf shown={shown} />
        {shown.recognition_method !== null && ` · ${all.draft.methods[shown.recognition_method]}`}
        {shown.forecast && ` · ${all.revenue.forecast}`}
      </p>
      <Steps shown={shown} />
      <Service shown={shown} />
      <dl class="facts-list">
        {shown.users.length > 0 && (
          <>
            <dt>{words.by_whom}</dt>
            {shown.users.map(({ user_id, earned }) => (
              <dd>
                {user_id === null ? all.revenue.no_person : (shown.people[user_id] ?? "–")}{" "}
                <span class="num">{amountOfNumber(language, earned, shown.currency)}</span>
              </dd>
            ))}
          </>
        )}
        <dt>{words.invoiced_in(dayInStyle(language, firstDayOf(month), "month"))}</dt>
        <dd class="num">
          {shown.issue_date === null
            ? words.not_invoiced
            : moneyOfNumber(language, shown.invoiced, shown.currency)}
        </dd>
        <Functional shown={shown} />
        <Bookings shown={shown} />
      </dl>
      <p class="sentence">{sentenceOf(language, shown)}</p>
    </div>
  );
}

function DocumentOf({ shown }: { shown: ExplanationShown }) {
  const { invoice_id, customer_id, document, customer, contract } = shown;
  if (document === null || contract.opening_contract_id !== null) {
    return (
      <a class="link" href={`/customers/${customer_id}`}>
        {customer}
      </a>
    );
  }
  const href = invoice_id === null ? `/retainers/${contract.series_id}` : `/invoices/${invoice_id}`;
  return (
    <a class="link" href={href}>
      {document}
    </a>
  );
}

/** The amounts from what was agreed to what the month earned. */
function Steps({ shown }: { shown: ExplanationShown }) {
  const { words: all, language } = useReader();
  const words = all.explanation;
  const month = shown.month as Month;
  const amount = (value: number) => amountOfNumber(language, value, shown.currency);
  const through = dayInStyle(language, lastDayOf(month), "date");
  const before = dayInStyle(language, lastDayOf(addToMonth(month, -1)), "date");
  return (
    <ol class="earning-steps">
      {shown.recognition_method === "hours" &&
        shown.rows.map((row) => (
          <li>
            <span>
              {words.hours_at(
                amountOfNumber(language, row.quantity, "EUR"),
                amount(row.unit_price),
              )}
            </span>
            <b class="num">{amount(row.net)}</b>
          </li>
        ))}
      {shown.recognition_method !== "hours" && shown.agreed_value !== null && (
        <li>
          <span>
            {shown.discount === 0
              ? words.price
              : words.price_less(plainNumber(language, shown.discount))}
          </span>
          <b class="num">{amount(shown.amount)}</b>
        </li>
      )}
      {shown.credit_notes.length > 0 && (
        <li>
          <span>{words.less_credits}</span>
          <b class="num">{amount(shown.net)}</b>
        </li>
      )}
      <li>
        <span>{partOf(language, shown, through)}</span>
        <b class="num">{amount(shown.earned_to_date)}</b>
      </li>
      <li>
        <span>{words.less_before(before)}</span>
        <b class="num">{amount(shown.earned_before)}</b>
      </li>
      <li class="sum">
        <span>{all.revenue.earned_in(monthOf(language, month))}</span>
        <b class="num">{amount(shown.earned)}</b>
      </li>
    </ol>
  );
}

const MOST_LABELS = 6;

/** Draws how much of the service has passed; nothing for a line without a service period. */
function Service({ shown }: { shown: ExplanationShown }) {
  const { language } = useReader();
  const { service_from, service_to, progress } = shown;
  if (service_from === null || service_to === null || progress === null) return null;
  if (progress.unit !== "months" && progress.unit !== "days") return null;
  const whole = Number.parseFloat(progress.whole);
  const share = whole > 0 ? Math.min(1, Number.parseFloat(progress.part) / whole) : 1;
  const months = monthsFrom(monthOfDay(service_from as never), monthOfDay(service_to as never));
  const step = 300 / months.length;
  return (
    <figure class="span">
      <svg
        viewBox="0 0 300 24"
        role="img"
        aria-label={`${dayOf(language, service_from)} – ${dayOf(language, service_to)}`}
      >
        <rect class="well" width="300" height="8" rx="4" />
        <rect class="c1" width={(300 * share).toFixed(1)} height="8" rx="4" />
        {months.slice(1).map((_, at) => (
          <line class="axis" x1={(at + 1) * step} x2={(at + 1) * step} y1="0" y2="8" />
        ))}
        {months.length <= MOST_LABELS &&
          months.map((month, at) => (
            <text x={((at + 0.5) * step).toFixed(1)} y="21">
              {dayInStyle(language, firstDayOf(month), "short_month")}
            </text>
          ))}
      </svg>
    </figure>
  );
}

/** The amounts in the currency of the books, for a line in another one. */
function Functional({ shown: { functional } }: { shown: ExplanationShown }) {
  const { words: all, language } = useReader();
  if (functional === null) return null;
  const { currency, earned, exchange_difference } = functional;
  const shown = (amount: number | null) =>
    amount === null ? all.revenue.no_rate : moneyOfNumber(language, amount, currency);
  return (
    <>
      <dt>{all.explanation.in_books}</dt>
      <dd class="num">{shown(earned)}</dd>
      {exchange_difference !== null && exchange_difference !== 0 && (
        <>
          <dt>{all.explanation.exchange}</dt>
          <dd class="num">{shown(exchange_difference)}</dd>
        </>
      )}
    </>
  );
}

/** Where the amount is booked, or will be: each with its voucher. */
function Bookings({ shown }: { shown: ExplanationShown }) {
  const { words: all, language } = useReader();
  const words = all.explanation;
  if (shown.accruals.length === 0) return null;
  return (
    <>
      <dt>{words.booked}</dt>
      {shown.accruals.map(({ status, accrual_month, earned, currency, ...voucher }) => (
        <dd>
          <a
            class="link"
            href={
              shown.has_books && voucher.ledger_voucher_guid !== null
                ? `/ledger/entries/${voucher.ledger_voucher_guid}`
                : `/close/${accrual_month}`
            }
          >
            {status === "booked"
              ? words.voucher(voucher.ledger_voucher_number, monthOf(language, accrual_month))
              : words.with_close(monthOf(language, accrual_month))}
          </a>{" "}
          <span class="num">{amountOfNumber(language, earned, currency)}</span>
        </dd>
      ))}
    </>
  );
}
