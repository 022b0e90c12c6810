/** What is paid of an invoice, and what a credit note was applied to. Nothing until receivables are begun. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { KnownPayment } from "../../features/receivables/payment-states/find-states.ts";
import {
  type AppliedDocument,
  paymentOfItem,
} from "../../features/receivables/payment-states/read-applied.ts";
import {
  type Reported,
  readReported,
} from "../../features/receivables/payment-states/read-reported.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import { todayFor } from "../frame/day-asked.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayOf, momentOf } from "../parts/format.ts";
import { Amount, Pill } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";
import { Applied } from "./applied.tsx";

interface CardProps {
  readonly request: PageRequest;
  /** Null where nothing is known of payments. */
  readonly item: AppliedDocument | null;
  /** The currency of the books. */
  readonly functional: string;
}

/** How a state is shown: `bad` is overdue, `ok` needs nothing any more. */
const PILLS = {
  open: undefined,
  partly_paid: "warn",
  paid: "ok",
  credited: "ok",
  overpaid: "warn",
  overdue: "bad",
} as const;

/** Shows whether an invoice is paid, as a label; one that is overdue says only that. */
export function PaymentPill(props: { state: KnownPayment["state"]; is_overdue: boolean }) {
  const { states } = useReader().words.payments;
  const shown = props.is_overdue ? "overdue" : props.state;
  const kind = PILLS[shown];
  return <Pill {...(kind === undefined ? {} : { kind })}>{states[shown]}</Pill>;
}

/** Returns a sentence on the payment of an invoice; empty where its label says everything. */
function sentenceOf(
  words: Words["payments"],
  language: Language,
  payment: KnownPayment,
  { currency, payment: { due_date } }: DocumentSnapshot,
): string {
  const { state, is_overdue, days_overdue, gross, paid, open, paid_on } = payment;
  if (state === "credited") return "";
  const money = (amount: bigint) => amountOf(language, amount, currency);
  if (state === "paid" || state === "overpaid") {
    const day = paid_on === null ? [] : [words.was_paid_on(dayOf(language, paid_on))];
    const sum = state === "paid" || paid === null ? [] : [words.part_of(money(paid), money(gross))];
    return [...day, ...sum].join(" · ");
  }
  const part =
    open === null || open === gross
      ? null
      : `${words.part_of(money(gross - open), money(gross))} · ${words.is_open(money(open))}`;
  if (is_overdue) {
    const rest = part ?? words.is_open(money(open ?? gross));
    return `${words.late(days_overdue)} · ${rest}`;
  }
  const due = words.due_on(dayOf(language, due_date));
  return part === null ? due : `${part} · ${due}`;
}

/** What a connected ledger reported of an invoice, with the name of that ledger. */
interface ReportedBy extends Reported {
  readonly ledger: string;
  /** Whether that ledger has the books now. */
  readonly is_present: boolean;
}

/** Returns what the connected ledger that booked an invoice reported of it; null for an invoice of our own books. */
export async function reportedPayment(
  request: PageRequest,
  { ledger_kind }: { readonly ledger_kind: string | null },
): Promise<ReportedBy | null> {
  if (ledger_kind === null) return null;
  const { cx, id } = request;
  const reported = await readReported(cx, id, todayFor(request));
  const ledger = ledgerTitle(cx.ledgers.get(ledger_kind) ?? null);
  return reported && { ...reported, ledger, is_present: cx.ledger?.kind === ledger_kind };
}

/** Whether reminders may list an invoice: something of it is open here, or may be left to pay in the ledger that has the books. */
export function mayBeReminded(item: AppliedDocument | null, reported: ReportedBy | null): boolean {
  if (item !== null) return item.open > 0n;
  if (reported === null || !reported.is_present) return false;
  return reported.payment === null || ["open", "partly_paid"].includes(reported.payment.state);
}

interface PaymentCardProps extends Omit<CardProps, "functional"> {
  readonly document: DocumentSnapshot;
  /** What a connected ledger reported; null for an invoice of our own books. */
  readonly reported: ReportedBy | null;
}

/** Shows what is paid of an invoice; to admins also what was applied to it. Nothing where nothing is known. */
export function PaymentCard({ request, item, document, reported }: PaymentCardProps) {
  const { cx, reader } = request;
  const words = reader.words.payments;
  const payment = item === null ? reported?.payment : paymentOfItem(item, todayFor(request));
  if (payment == null && reported === null) return null;
  const allocations = item?.allocations ?? [];
  return (
    <Card title={words.card} id="payment">
      {payment != null && (
        <p class="pad">
          <PaymentPill {...payment} /> {sentenceOf(words, reader.language, payment, document)}
        </p>
      )}
      {item === null && reported !== null && <AsReported {...reported} />}
      {isAdmin(cx) && allocations.length > 0 && (
        <Applied
          allocations={allocations}
          side="credit"
          functional={document.functional_currency}
          is_admin
        />
      )}
    </Card>
  );
}

/** Says from which ledger the payment was read, and when; or that it has not reported it. */
function AsReported({ ledger, payment, as_of }: ReportedBy) {
  const { words: all, language, time_zone } = useReader();
  const words = all.payments;
  if (as_of === null) return <p class="pad soft">{words.not_reported(ledger)}</p>;
  const moment = momentOf(language, as_of, time_zone).text;
  return (
    <p class="pad soft">
      {payment === null ? words.no_report(ledger, moment) : words.reported_by(ledger, moment)}
    </p>
  );
}

/** Leads to the form of a payment, for admins, while something is open of an invoice that the built-in ledger booked. */
export function RecordPayment({ request, item }: Omit<CardProps, "functional">) {
  const { cx, id, reader } = request;
  if (item === null || item.open === 0n || !isAdmin(cx)) return null;
  return (
    <a class="button" href={`/payments/new?invoice=${id}`}>
      {reader.words.payments.record_action}
    </a>
  );
}

/** Shows what a credit note was applied to, and what may be done with the rest; for admins. */
export function CreditUse({ request, item, functional }: CardProps) {
  const { cx, id, reader } = request;
  const words = reader.words.payments;
  if (item === null || !isAdmin(cx)) return null;
  const { currency, open, allocations } = item;
  return (
    <Card title={words.applied_to} id="applied">
      {allocations.length === 0 && <p class="pad quiet">{words.applied_to_nothing}</p>}
      <Applied allocations={allocations} side="debit" functional={functional} is_admin />
      {open > 0n && (
        <p class="pad">
          {words.left}:{" "}
          <Amount
            value={scaledToNumber(open, currencyDigits(currency))}
            currency={currency}
            functional={functional}
          />{" "}
          <a class="link" href={`/allocations/new?credit_note=${id}`}>
            {reader.words.use_credit.open}
          </a>{" "}
          <a class="link" href={`/payments/new?credit_note=${id}`}>
            {words.pay_back}
          </a>
        </p>
      )}
    </Card>
  );
}
