/** Confirms the issue of a period: shows what it books and sends by a dry run of the command, and issues exactly that. */
import type { Problem } from "../../domain/base/problem.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import { Refused, Will } from "../invoices/issue-invoice.tsx";
import { cureOfRefusal } from "../parts/cures.ts";
import { moneyOf } from "../parts/format.ts";
import { periodName } from "../parts/period.ts";
import { refusalOf } from "../words/refusal.ts";
import {
  issuePeriodDryRun,
  issuingPeriodAsShown,
  type PeriodIssueShown,
} from "./period-dry-run.ts";
import { periodIn, RETAINERS, seenRetainer } from "./seen-retainer.ts";

const PATH = `${RETAINERS}/:id/:period/issue`;

export const issuePeriodPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "person", (request) => confirmation(request, null)),
  definePage(`POST ${PATH}`, "person", issue),
];

async function issue(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, named, form, reader } = request;
  const { series } = await seenRetainer(cx, ref);
  const { key: period } = periodIn(series, named.period);
  try {
    await request.runLong(issuingPeriodAsShown, { ref, period, digest: form.digest ?? "" });
  } catch (thrown) {
    return confirmation(request, refusedBy(thrown));
  }
  const of = periodName(reader.language, period, true);
  return { redirect: `${RETAINERS}/${ref}/${period}`, notice: { done: "period_issued", of } };
}

async function confirmation(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { cx, id, named, reader } = request;
  const { series, customer } = await seenRetainer(cx, id);
  const { key } = periodIn(series, named.period);
  const here = `${RETAINERS}/${id}/${key}`;
  const { words: all, language } = reader;
  const words = all.retainer.issuing;
  let shown: PeriodIssueShown | null = null;
  let refusal = refused;
  try {
    shown = await request.runLong(issuePeriodDryRun, { ref: id, period: key });
  } catch (thrown) {
    refusal = refusedBy(thrown);
    if (refusal.code === "INVOICE_ALREADY_ISSUED") return { redirect: here };
  }
  const content = (
    <div class="card confirm">
      {refusal !== null && (
        <Refused
          text={saidOf(request, refusal)}
          cure={cureOfRefusal(refusal, {
            page: here,
            day_id: "facts",
            customer_id: customer.id,
            line_ids: null,
            is_admin: isAdmin(cx),
          })}
        />
      )}
      {shown !== null && !("resumes" in shown) && (
        <>
          <Will request={request} dry_run={shown} page={here} line_ids={null} />
          {shown.activates && (
            <p class="note-warn">
              {words.also}: {words.activates}
            </p>
          )}
        </>
      )}
      {shown !== null && "resumes" in shown && <p>{all.issuing.resumes}</p>}
      <div class="buttons">
        <a class="button" href={here}>
          {shown === null ? words.back : all.issuing.not_yet}
        </a>
        {shown !== null && <Confirm request={request} action={`${here}/issue`} shown={shown} />}
      </div>
    </div>
  );
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return { title: words.title(periodName(language, key)), content, status };
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  return problem.code === "PLAN_STALE" ? words.issuing.changed : words.refused(refusalOf(problem));
}

function Confirm(props: { request: PageRequest; action: string; shown: PeriodIssueShown }) {
  const { request, action, shown } = props;
  const { words, language } = request.reader;
  const labelOf = (): string => {
    if ("resumes" in shown) return words.issuing.go_on;
    const amount = moneyOf(language, shown.document.totals.gross, shown.document.currency);
    return shown.address === null && shown.einvoice === null
      ? words.issuing.issue(amount)
      : words.issuing.issue_and_send(amount);
  };
  return (
    <Form action={action} csrf={request.csrf(action)}>
      <input type="hidden" name="digest" value={shown.digest} />
      <button type="submit" class="button main">
        {labelOf()}
      </button>
    </Form>
  );
}
