/** Shows each matter that needs a person's attention: a sentence, an amount, and a link to resolve it. */
import type { Attention, AttentionKind } from "../../domain/base/attention.ts";
import { type CalendarDate, monthOf } from "../../domain/base/calendar.ts";
import { problemCatalogue } from "../../domain/base/problem.ts";
import type { AttentionOfPeriod } from "../../features/overview/today/price-coming.ts";
import { Icon, type IconName } from "../frame/icon.tsx";
import { type PageReader, useReader } from "../frame/reader.ts";
import { amountOf, daysInWords, hoursOf } from "../parts/format.ts";
import { dayBeside, monthBeside } from "./format-days.ts";

const LOOKS = {
  booking_in_doubt: ["alert-triangle", "bad"],
  delivery_failed: ["mail-x", "bad"],
  delivery_rejected: ["mail-x", "bad"],
  delivery_unknown: ["mail-x", "warn"],
  buyer_answered: ["mail-x", "warn"],
  delivery_unconfirmed: ["mail-x", "warn"],
  occurrence_failed: ["repeat", "bad"],
  plan_waits: ["sparkles", "hot"],
  webhook_failing: ["alert-triangle", "warn"],
  webhook_disabled: ["alert-triangle", "bad"],
  month_ready: ["lock-check", "warn"],
  rate_missing: ["coins", "warn"],
  payments_overdue: ["coins", "hot"],
  bank_lines_wait: ["building-bank", "hot"],
  retainer_draft: ["repeat", ""],
  receivables_not_begun: ["coins", "warn"],
  milestone_open: ["flag", "hot"],
  hours_missing: ["calendar-x", "hot"],
  work_waits: ["hourglass-high", "hot"],
  credit_waits: ["coins", ""],
  budget: ["hourglass-high", ""],
  retainer_ends: ["repeat", ""],
} as const satisfies Record<AttentionKind, readonly [IconName, "" | "bad" | "warn" | "hot"]>;

type Button = keyof PageReader["words"]["today"]["buttons"];

/** Returns the page that resolves the matter, or the nearest one. */
function wayOut(need: AttentionOfPeriod, is_admin: boolean): readonly [Button, string] {
  const { kind, subject, subject_id, party_id, detail, period } = need;
  const customer = party_id === null ? "/customers" : `/customers/${party_id}`;
  switch (kind) {
    case "booking_in_doubt":
      return ["queue", "/ledger/queue"];
    case "delivery_failed":
    case "delivery_rejected":
    case "delivery_unknown":
    case "buyer_answered":
    case "delivery_unconfirmed":
      if (detail === "no_address") return ["address", `${customer}/edit`];
      return subject === "invoice"
        ? ["invoice", `/invoices/${subject_id}`]
        : ["credit_note", `/credit-notes/${subject_id}`];
    case "plan_waits":
      return ["assistants", `/assistants/plans/${subject_id}`];
    case "webhook_failing":
    case "webhook_disabled":
      return ["webhook", `/settings/developer/webhooks/${subject_id}`];
    case "month_ready":
      return ["close", `/close/${monthOf(need.since)}`];
    case "rate_missing":
      return ["rate", `/close/${monthOf(need.since)}/rate?currency=${subject_id}`];
    case "payments_overdue":
    case "credit_waits":
      return party_id === null
        ? ["receivables", "/receivables"]
        : ["account", `${customer}?tab=account`];
    case "receivables_not_begun":
      return ["begin", "/receivables/begin"];
    case "bank_lines_wait":
      return ["bank", "/bank"];
    case "hours_missing":
      return ["hours", "/hours"];
    case "milestone_open":
      return ["milestone", `/invoices/${subject_id}/complete/${detail?.split(" ")[1]}`];
    case "work_waits":
      return ["draft", `/invoices/${subject_id}`];
    case "budget":
      return is_admin ? ["draft", `/invoices/${subject_id}`] : ["week", "/hours"];
    case "retainer_draft":
    case "retainer_ends":
      return ["retainer", `/retainers/${subject_id}`];
    case "occurrence_failed":
      return ["period", `/retainers/${subject_id}${period === null ? "" : `/${period}`}`];
  }
}

/** Returns the values that sentences about the matter may name. */
export function namedBy(need: Attention, { words, language }: PageReader, today: CalendarDate) {
  const { kind, title, party, since, detail, subject } = need;
  const [used = "0", budgeted = "0"] = (detail ?? "").split(" ");
  return {
    title:
      kind === "plan_waits"
        ? daysInWords(language, words.assistants.sentence(title ?? ""))
        : (title ?? party ?? ""),
    party: party ?? "",
    day: dayBeside(language, since, today),
    month: monthBeside(language, since, today),
    detail: detailOf(need, words),
    is_invoice: subject !== "credit_note" && subject !== "voucher",
    is_over: since < today,
    hours:
      kind === "budget" || kind === "work_waits"
        ? ([hoursOf(language, BigInt(used)), hoursOf(language, BigInt(budgeted))] as const)
        : (["", ""] as const),
  };
}

/** Returns the detail as a sentence names it: of a milestone the number of its invoice, of a failure its reason. */
function detailOf({ kind, detail }: Attention, words: PageReader["words"]): string {
  const [first = ""] = (detail ?? "").split(" ");
  if (kind === "occurrence_failed") return refusalIn(words, first);
  return kind === "milestone_open" ? first : (detail ?? "");
}

/** Returns the reason of a refusal, by its code. */
function refusalIn(words: PageReader["words"], code: string): string {
  const problem = problemCatalogue().find((one) => one.code === code);
  return problem === undefined ? code : words.refused(problem);
}

export function Needs(props: {
  needs: readonly AttentionOfPeriod[];
  today: CalendarDate;
  is_admin: boolean;
  functional: string;
}) {
  const { needs, today, is_admin, functional } = props;
  const { words: all } = useReader();
  const words = all.today;
  return (
    <section class="card" aria-labelledby="needs">
      <header>
        <h2 id="needs">{words.needs_you}</h2>
        {needs.length > 0 && <span class="pill plain">{needs.length}</span>}
      </header>
      {needs.length === 0 ? (
        <p class="pad soft">{words.all_done}</p>
      ) : (
        <ul data-list>
          {needs.map((need) => (
            <Need need={need} today={today} is_admin={is_admin} functional={functional} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Need(props: {
  need: AttentionOfPeriod;
  today: CalendarDate;
  is_admin: boolean;
  functional: string;
}) {
  const { need, today, is_admin, functional } = props;
  const reader = useReader();
  const words = reader.words.today;
  const { kind, amount, currency } = need;
  const named = namedBy(need, reader, today);
  const [icon, look] = LOOKS[kind];
  const head = words.needs[kind].head(named);
  const [button, href] = wayOut(need, is_admin);
  const is_of_period = kind === "retainer_draft" || kind === "retainer_ends";
  return (
    <li class="need">
      <span class={`need-icon ${look}`.trim()}>
        <Icon name={icon} />
      </span>
      <div>
        <p class="strong">{head}</p>
        <p class="small soft">{words.needs[kind].text(named)}</p>
      </div>
      <div class="need-end">
        {amount !== null && currency !== null && (
          <span class="num strong">
            {currency !== functional && <span class="quiet">{`${currency} `}</span>}
            {amountOf(reader.language, amount, currency)}
            {is_of_period && <span class="quiet tiny">{` ${words.a_period}`}</span>}
          </span>
        )}
        <a
          class="button small"
          href={href}
          aria-label={words.button_of(words.buttons[button], head)}
          {...(kind === "milestone_open" ? { "data-dialog": true } : {})}
        >
          {words.buttons[button]}
        </a>
      </div>
    </li>
  );
}
