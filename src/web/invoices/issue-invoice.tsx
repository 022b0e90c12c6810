/** The confirmation of an issue, with what would be booked, sent and frozen; and the issue itself. */
import { Problem } from "../../domain/base/problem.ts";
import { problemFromDatabase, statusOfKind } from "../../platform/http/problems.ts";
import { issuingAsShown, type Rehearsed, rehearsingIssue } from "../draft/rehearse-issue.ts";
import { Fault, Form } from "../frame/form.tsx";
import { definePage, type Page, type PageAnswer, type PageRequest } from "../frame/page.tsx";
import { ofSeen } from "../frame/seen.ts";
import { Warnings } from "../parts/facts.tsx";
import { dayOf, moneyOf } from "../parts/format.ts";
import { refusalOf } from "../words/refusal.ts";

const PATH = "/invoices/:id/issue";

export const issuePages: readonly Page[] = [
  definePage(
    `GET ${PATH}`,
    "person",
    ofSeen("invoice", (request) => confirmation(request, null)),
  ),
  definePage(`POST ${PATH}`, "person", ofSeen("invoice", issue)),
];

async function issue(request: PageRequest): Promise<PageAnswer> {
  const { id: ref } = request;
  try {
    await request.runLong(issuingAsShown, { ref, agreed: request.form.agreed ?? "" });
  } catch (thrown) {
    return confirmation(request, problemOf(thrown));
  }
  return { redirect: `/invoices/${ref}` };
}

/** Throws unexpected errors and NOT_FOUND. */
function problemOf(thrown: unknown): Problem {
  const error = problemFromDatabase(thrown);
  if (!(error instanceof Problem) || error.kind === "absent") throw thrown;
  return error;
}

/**
 * The page with the effect of an issue now. `refused` is the reason why the issue just failed. An invoice
 * that is already issued leads to its page.
 */
async function confirmation(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { id } = request;
  const words = request.reader.words.issuing;
  let rehearsed: Rehearsed | null = null;
  let refusal = refused;
  try {
    rehearsed = await request.runLong(rehearsingIssue, id);
  } catch (thrown) {
    refusal = problemOf(thrown);
    if (refusal.code === "INVOICE_ALREADY_ISSUED") return { redirect: `/invoices/${id}` };
  }
  const content = (
    <div class="card confirm">
      <Fault text={refusal === null ? undefined : saidOf(request, refusal)} />
      {rehearsed !== null && !("goes_on" in rehearsed) && (
        <Will request={request} rehearsed={rehearsed} />
      )}
      {rehearsed !== null && "goes_on" in rehearsed && <p>{words.goes_on}</p>}
      <div class="buttons">
        <a class="button" href={`/invoices/${id}`}>
          {rehearsed === null ? words.back : words.not_yet}
        </a>
        {rehearsed !== null && <Agree request={request} id={id} rehearsed={rehearsed} />}
      </div>
    </div>
  );
  const title =
    rehearsed === null || "goes_on" in rehearsed
      ? words.title
      : words.title_for(rehearsed.document.customer.name);
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return { title, content, status };
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  return problem.code === "PLAN_STALE" ? words.issuing.changed : words.refused(refusalOf(problem));
}

type Shown = Extract<Rehearsed, { readonly document: unknown }>;

function Will({ request, rehearsed }: { request: PageRequest; rehearsed: Shown }) {
  const { words, language } = request.reader;
  const { issuing } = words;
  const { document, address, unsent, warnings } = rehearsed;
  const money = (amount: bigint) => moneyOf(language, amount, document.currency);
  const { net, vat, gross } = document.totals;
  const sends =
    address !== null
      ? issuing.sends_to(address)
      : unsent === null
        ? issuing.sends_nothing
        : issuing.unsent[unsent];
  return (
    <>
      <dl class="will">
        <dt>{issuing.books}</dt>
        <dd>
          {issuing.dated(dayOf(language, document.issue_date))}{" "}
          {issuing.amounts(money(net), money(vat), money(gross))}
        </dd>
        <dt>{issuing.sends}</dt>
        <dd>{sends}</dd>
        <dt>{issuing.freezes}</dt>
        <dd>{issuing.frozen}</dd>
      </dl>
      <Warnings
        title={words.invoice.warnings}
        sentences={warnings.map(({ code, message }) => words.invoice.warning(code, message))}
      />
    </>
  );
}

/** The button repeats what it does, and the amount. */
function Agree(props: { request: PageRequest; id: string; rehearsed: Rehearsed }) {
  const { request, id, rehearsed } = props;
  const { words, language } = request.reader;
  const action = `/invoices/${id}/issue`;
  return (
    <Form action={action} csrf={request.csrf(action)}>
      <input type="hidden" name="agreed" value={rehearsed.agreed} />
      <button type="submit" class="button main">
        {labelOf()}
      </button>
    </Form>
  );
  function labelOf(): string {
    const { issuing } = words;
    if ("goes_on" in rehearsed) return issuing.go_on;
    const { document, address } = rehearsed;
    const amount = moneyOf(language, document.totals.gross, document.currency);
    return address === null ? issuing.issue(amount) : issuing.issue_and_send(amount);
  }
}
