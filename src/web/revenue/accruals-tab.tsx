/** The accruals of a customer: each month with its voucher, and the way to book and to reopen it. */
import type * as z from "zod";
import { firstDayOf, type Month, month as readMonth } from "../../domain/base/calendar.ts";
import { notFound, Problem } from "../../domain/base/problem.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import { currentMonth, listAccruals } from "../../features/revenue/accruals/queries.ts";
import type { AccrualResource } from "../../features/revenue/accruals/schemas.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { booksOf } from "../../features/settings/configuration/accounts.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Fault, Form, Moment, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Facts } from "../parts/facts.tsx";
import { amountOf, dayInStyle, dayOf, monthOf } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import {
  type AccrualChangeShown,
  type AccrualVerb,
  accrualAt,
  accrualDryRun,
  ConfirmedAccrual,
  changingAccrual,
} from "./accrual-dry-run.ts";

type Accrual = z.output<typeof AccrualResource>;

const MOST_ACCRUALS = 24;
const VERBS = ["book", "reopen"] as const;

export const accrualPages: readonly WebPage[] = VERBS.flatMap((verb) => [
  definePage(`GET /customers/:id/accruals/:month/${verb}`, "hidden", (request) =>
    confirmation(request, verb, NO_FAULTS, 200),
  ),
  definePage(`POST /customers/:id/accruals/:month/${verb}`, "hidden", (request) =>
    change(request, verb),
  ),
]);

/** Lists the accruals of a customer, the newest first. */
export async function accrualsTab(
  request: PageRequest,
  configuration: Configuration,
  customer_id: string,
) {
  const { cx, query, reader, takeHeavyPlace } = request;
  const { words: all, language } = reader;
  const words = all.accruals;
  const current = currentMonth(cx, configuration);
  // A draft follows from all lines of the customer.
  if (await hasTooManyLines(cx, current)) await takeHeavyPlace();
  const page = { limit: MOST_ACCRUALS, cursor: query.cursor };
  const { data, next_cursor } = pageFrom<Accrual>(await listAccruals(cx, customer_id, page));
  const at = `/customers/${customer_id}`;
  const has_books = booksOf(cx) !== undefined;
  const last_booked = data.find(({ status }) => status === "booked")?.accrual_month;
  const first_open = data.findLast(({ status }) => status === "draft")?.accrual_month;
  const verbOf = (month: string, status: Accrual["status"]): AccrualVerb | null => {
    if (status === "booked") return month === last_booked ? "reopen" : null;
    return month === first_open && month < current ? "book" : null;
  };
  return (
    <>
      <p class="soft">{words.what}</p>
      <List
        label={words.title}
        rows={data}
        empty={<p class="soft">{words.none}</p>}
        columns={[
          {
            head: words.month,
            fold: "lead",
            cell: ({ accrual_month, original_accrual_month: original }) => (
              <>
                {monthOf(language, accrual_month)}
                {original !== null && (
                  <small class="quiet"> {words.carries(monthOf(language, original))}</small>
                )}
              </>
            ),
          },
          {
            head: words.state,
            cell: ({ status, pending }) => (
              <Pill {...(status === "booked" ? { kind: "ok" as const } : {})}>
                {pending ? words.pending : words.states[status]}
              </Pill>
            ),
          },
          {
            head: words.voucher,
            cell: (accrual) => <VoucherOf accrual={accrual} has_books={has_books} />,
          },
          {
            head: words.booked_at,
            cell: ({ booked_at }) => (booked_at === null ? "–" : <Moment at={booked_at} />),
          },
          {
            head: words.actions,
            fold: "end",
            cell: ({ accrual_month, status }) => (
              <ChangeLink at={at} month={accrual_month} verb={verbOf(accrual_month, status)} />
            ),
          },
        ]}
      />
      <Older address={`${at}?tab=accruals`} cursor={next_cursor} text={all.older} />
    </>
  );
}

/** The link that books or reopens a month; nothing to do where only another month may change. */
function ChangeLink(props: { at: string; month: string; verb: AccrualVerb | null }) {
  const { at, month, verb } = props;
  const { words, language } = useReader();
  if (verb === null) return <>–</>;
  return (
    <ConfirmLink
      class="button small"
      href={`${at}/accruals/${month}/${verb}`}
      label={`${words.accruals[verb]} ${monthOf(language, month)}`}
    >
      {words.accruals[verb]}
    </ConfirmLink>
  );
}

function VoucherOf({ accrual, has_books }: { accrual: Accrual; has_books: boolean }) {
  const words = useReader().words.accruals;
  const { status, ledger_voucher_guid: guid, ledger_voucher_number: number } = accrual;
  if (status === "draft") return <>–</>;
  if (guid === null) return <span class="quiet">{words.no_voucher}</span>;
  const text = `${words.voucher} ${number ?? ""}`;
  if (!has_books) return <>{text}</>;
  return (
    <a class="link" href={`/ledger/entries/${guid}`}>
      {text}
    </a>
  );
}

/** Returns the accrual that the address names. Throws NOT_FOUND, also where the month has no accrual of its own. */
async function accrualOf({ cx, id, named }: PageRequest): Promise<Accrual & { month: Month }> {
  const month = readMonth(named.month ?? "");
  if (month === undefined) throw notFound("accrual", named.month ?? "");
  const found = await accrualAt(cx, id, month);
  if (found.accrual_month !== month) throw notFound("accrual", month);
  return { ...found, month };
}

const FIELDS = ["reason"];

async function change(request: PageRequest, verb: AccrualVerb): Promise<PageAnswer> {
  const { form, id, runLong, reader } = request;
  const { id: accrual_id, month } = await accrualOf(request);
  const typed = {
    id: accrual_id,
    digest: form.digest ?? "",
    // A booking needs no reason.
    reason: verb === "book" ? "-" : (form.reason ?? "").trim(),
  };
  const outcome = await submitted(ConfirmedAccrual, typed, FIELDS, {}, (sent) =>
    runLong(changingAccrual, { ...sent, verb }),
  );
  if ("faults" in outcome) return confirmation(request, verb, outcome.faults, outcome.status);
  const done = verb === "book" ? "accrual_booked" : "accrual_reopened";
  return {
    redirect: `/customers/${id}?tab=accruals`,
    notice: { done, of: monthOf(reader.language, month) },
  };
}

/** Returns the page with what the command would do, or with its refusal. */
async function confirmation(
  request: PageRequest,
  verb: AccrualVerb,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, id, reader, runLong, form, csrf } = request;
  const { words: all, language } = reader;
  const words = all.accruals;
  const [accrual, customer] = [await accrualOf(request), await getCustomer(cx, id)];
  const month = monthOf(language, accrual.month);
  const back = `/customers/${id}?tab=accruals`;
  const action = `/customers/${id}/accruals/${accrual.month}/${verb}`;
  let shown: AccrualChangeShown | null = null;
  let refused: string | undefined;
  try {
    shown = await runLong(accrualDryRun, { id: accrual.id, verb });
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code === "NOT_FOUND") throw thrown;
    refused = all.refused({ code: thrown.code, message: thrown.message });
  }
  const stale = [...faults.values()].some(({ code }) => code === "PLAN_STALE");
  const name = dayInStyle(language, firstDayOf(accrual.month), "month");
  const content = (
    <div class="card confirm">
      {stale ? (
        <Fault text={words.changed} />
      ) : (
        <FormFaults faults={faults} words={all.see_fields} />
      )}
      {faults.size === 0 && <Fault text={refused} />}
      {shown !== null && <Effect accrual={accrual} verb={verb} shown={shown} />}
      {shown !== null && (
        <Form action={action} csrf={csrf(action)}>
          <input type="hidden" name="digest" value={shown.digest} />
          {verb === "reopen" && (
            <Entry
              name="reason"
              label={words.reason}
              value={form.reason ?? ""}
              most={500}
              faults={faults}
              is_required
            />
          )}
          <Submit
            text={verb === "book" ? words.book_now(name) : words.reopen_now(name)}
            back={{ href: back, text: words.not_yet }}
          />
        </Form>
      )}
      {shown === null && (
        <p class="buttons">
          <a class="button" href={back}>
            {words.not_yet}
          </a>
        </p>
      )}
    </div>
  );
  const title = verb === "book" ? words.book_title : words.reopen_title;
  return { title: title(month, customer.name), content, status };
}

function Effect(props: { accrual: Accrual; verb: AccrualVerb; shown: AccrualChangeShown }) {
  const { accrual, verb, shown } = props;
  const { words: all, language } = useReader();
  const words = all.accruals;
  const { postings, currency, date } = shown;
  const side = (amount: bigint) => (amount > 0n ? amountOf(language, amount, currency) : "");
  const has_voucher = postings !== null && postings.length > 0;
  const number = String(accrual.ledger_voucher_number ?? "");
  return (
    <>
      <dl class="will">
        {verb === "book" ? (
          <>
            <dt>{words.books}</dt>
            <dd>{has_voucher ? words.books_text(dayOf(language, date)) : words.books_nothing}</dd>
            <dt>{words.fixes}</dt>
            <dd>{words.fixes_text}</dd>
          </>
        ) : (
          <>
            <dt>{words.reverses}</dt>
            <dd>
              {has_voucher
                ? words.reverses_text(number, dayOf(language, date))
                : words.reverses_nothing}
            </dd>
            <dt>{words.opens}</dt>
            <dd>{words.opens_text}</dd>
          </>
        )}
      </dl>
      {has_voucher && (
        <Facts title={words.postings} id="postings">
          <List
            label={words.postings}
            rows={postings}
            empty={null}
            columns={[
              {
                head: words.account,
                cell: ({ role, account_number }) =>
                  `${account_number ?? "–"} ${all.close.roles[role]}`,
              },
              { head: words.debit, kind: "number", cell: ({ amount }) => side(BigInt(amount)) },
              { head: words.credit, kind: "number", cell: ({ amount }) => side(-BigInt(amount)) },
            ]}
          />
        </Facts>
      )}
    </>
  );
}
