/**
 * Takes back a payment, one allocation or an opening item, for admins: the page shows what is booked, made by the command and rolled back, and takes
 * back exactly what was shown.
 */
import { notFound, type Problem } from "../../domain/base/problem.ts";
import { findAllocations } from "../../features/receivables/allocations/queries.ts";
import { findItems } from "../../features/receivables/open-items/queries.ts";
import { getPayment } from "../../features/receivables/payments/queries.ts";
import { PaymentReversal } from "../../features/receivables/payments/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Fields } from "../../platform/http/form.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, refusedBy, submitted } from "../frame/submitted.ts";
import { pageOfItem } from "../invoices/applied.tsx";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { numberFrom } from "../parts/number.ts";
import type { Words } from "../words/en.ts";
import { refusalOf } from "../words/refusal.ts";
import { accountNames, EntryTables } from "./entry-table.tsx";
import { PAYMENTS } from "./payment-form.tsx";
import {
  allocationReversal,
  openingReversal,
  paymentReversal,
  type ReversalTyped,
  type ReversalWork,
} from "./take-back-dry-run.ts";

const FIELDS = ["reason", "date", "fee"];
const BLAMES = { PAYMENT_DATE_IN_FUTURE: "date", PERIOD_LOCKED: "date" } as const;
const MOST_OF_REASON = 500;
/** Stands for the reason while the person has not typed one: a dry run books nothing. */
const NO_REASON = "–";

/** A kind of thing that can be reversed. */
interface Kind {
  readonly folder: "/payments" | "/allocations" | "/opening-items";
  readonly has_fee: boolean;
  readonly work: ReversalWork;
  /** Returns the name of the thing and the page that it belongs to; null where it is reversed already. Throws NOT_FOUND. */
  find(
    cx: PersonReader,
    id: string,
    words: Words["payments"],
  ): Promise<{ readonly title: string; readonly back: string; readonly is_reversed: boolean }>;
}

const PAYMENT: Kind = {
  folder: PAYMENTS,
  has_fee: true,
  work: paymentReversal,
  async find(cx, id, words) {
    const { row } = await getPayment(cx, id);
    const title = words.take_back_title(words.items[row.kind](String(row.number)));
    return { title, back: `${PAYMENTS}/${id}`, is_reversed: row.reversed_on !== null };
  },
};

const ALLOCATION: Kind = {
  folder: "/allocations",
  has_fee: false,
  work: allocationReversal,
  async find(cx, id, words) {
    const [row] = await findAllocations(cx, sql`a.id = ${id}`);
    if (row === undefined) throw notFound("allocation", id);
    const { debit, credit } = row;
    const named = words.items[credit.kind](credit.number);
    const title = words.unapply_title(named, words.items[debit.kind](debit.number));
    const back = pageOfItem(debit) ?? pageOfItem(credit) ?? PAYMENTS;
    return { title, back, is_reversed: row.reversed_on !== null };
  },
};

const OPENING: Kind = {
  folder: "/opening-items",
  has_fee: false,
  work: openingReversal,
  async find(cx, id, words) {
    const item = (await findItems(cx, sql`i.id = ${id} and i.kind = 'opening'`)).get(id);
    if (item === undefined) throw notFound("opening_item", id);
    const back = `/customers/${item.customer_id}?tab=account`;
    const title = words.take_back_title(words.items.opening(item.number));
    return { title, back, is_reversed: item.ended_on !== null };
  },
};

export const takeBackPages: readonly WebPage[] = [PAYMENT, ALLOCATION, OPENING].flatMap((kind) => [
  definePage(`GET ${kind.folder}/:id/take-back`, "hidden", (request) =>
    show(request, kind, {}, null),
  ),
  definePage(`POST ${kind.folder}/:id/take-back`, "hidden", (request) => take(request, kind)),
]);

async function take(request: PageRequest, kind: Kind): Promise<PageAnswer> {
  const { cx, id, form: typed, reader } = request;
  const body = PaymentReversal.safeParse(typedBy(request, typed));
  if (!body.success) return show(request, kind, typed, null);
  try {
    await kind.work.take(cx, id, sentBy(body.data), typed.token ?? "");
  } catch (thrown) {
    return show(request, kind, typed, refusedBy(thrown));
  }
  const { back } = await kind.find(cx, id, reader.words.payments);
  return { redirect: back, notice: { done: "reversed" } };
}

function typedBy(request: PageRequest, { reason = "", date = "", fee }: Fields) {
  const taken = numberFrom(request.reader.language, fee);
  return {
    reason: reason.trim(),
    ...(date.trim() === "" ? {} : { date: dayAsked(request, date) }),
    ...(taken === undefined ? {} : { fee: taken }),
  };
}

function sentBy({
  reason,
  date = null,
  fee,
}: {
  reason: string;
  date?: ReversalTyped["date"] | undefined;
  fee: number;
}) {
  return { reason, date, fee };
}

/** Shows the form with what would be booked; `refused` is why nothing was reversed. Leads back where it is reversed already. */
async function show(
  request: PageRequest,
  kind: Kind,
  typed: Fields,
  refused: Problem | null,
): Promise<PageAnswer> {
  const { cx, id, reader } = request;
  const { title, back, is_reversed } = await kind.find(cx, id, reader.words.payments);
  if (is_reversed) return { redirect: back };
  const is_first = typed.reason === undefined;
  const sent = typedBy(request, typed);
  const looked = await submitted(
    PaymentReversal,
    is_first ? { ...sent, reason: NO_REASON } : sent,
    FIELDS,
    BLAMES,
    (body) => kind.work.look(cx, id, sentBy(body)),
  );
  const found: Pick<ShownForm, "ahead" | "faults"> =
    "done" in looked
      ? { ahead: looked.done, faults: NO_FAULTS }
      : { ahead: null, faults: looked.faults };
  const status = "faults" in looked && !is_first ? looked.status : 200;
  if (refused === null) {
    return { title, status, content: await form(request, kind, { ...found, typed, back }) };
  }
  const is_stale = refused.code === "PLAN_STALE";
  const said: Faults = new Map([["", refusalOf(refused)]]);
  const faults = found.faults.size > 0 || is_stale ? found.faults : said;
  const content = await form(request, kind, { ...found, faults, is_stale, typed, back });
  return { title, status: statusOfKind[refused.kind], content };
}

/** What the form shows besides its fields. */
interface ShownForm {
  readonly ahead: Awaited<ReturnType<ReversalWork["look"]>> | null;
  readonly faults: Faults;
  /** Whether something has changed since the entry was shown. */
  readonly is_stale?: boolean;
  readonly typed: Fields;
  readonly back: string;
}

async function form(
  { cx, id, reader, csrf, ...request }: PageRequest,
  kind: Kind,
  { ahead, faults, is_stale = false, typed, back }: ShownForm,
) {
  const { words: all, language } = reader;
  const words = all.payments;
  const { functional_currency } = await getConfiguration(cx);
  const action = `${kind.folder}/${id}/take-back`;
  const today = todayFor({ ...request, cx, reader });
  return (
    <div class="card confirm">
      {is_stale ? (
        <Fault text={words.changed} />
      ) : (
        <FormFaults faults={faults} words={all.see_fields} />
      )}
      {ahead !== null && (
        <>
          <p>{words.reversal_text[kind.folder]}</p>
          {ahead.entries.length === 0 && <p class="quiet">{words.books_nothing}</p>}
          <EntryTables
            entries={ahead.entries}
            label={words.books}
            currency={functional_currency}
            accounts={await accountNames(cx)}
          />
        </>
      )}
      <Form action={action} csrf={csrf(action)}>
        <input type="hidden" name="token" value={ahead?.token ?? ""} />
        <Entry
          name="reason"
          label={words.reason}
          value={typed.reason ?? ""}
          most={MOST_OF_REASON}
          faults={faults}
          is_required
        />
        <DayEntry
          name="date"
          label={words.date}
          value={typed.date ?? ahead?.date ?? today}
          today={today}
          faults={faults}
          is_required
        />
        {kind.has_fee && (
          <Entry
            name="fee"
            label={words.fee_taken(functional_currency)}
            value={typed.fee ?? ""}
            most={20}
            faults={faults}
            note={Number.isNaN(numberFrom(language, typed.fee)) ? all.not_a_number : undefined}
          />
        )}
        <Submit text={words.take_back_now} back={{ href: back, text: all.issuing.not_yet }} />
      </Form>
    </div>
  );
}
