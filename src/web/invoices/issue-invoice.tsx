/** Confirms an issue: shows the booking, the e-mail and the frozen document before the issue, and issues the invoice. */
import type { Problem } from "../../domain/base/problem.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { curedDraft } from "../draft/draft-facts.ts";
import type { SentMonth } from "../draft/draft-stored.ts";
import {
  type Frozen,
  type IssueDryRun,
  issueDryRun,
  issuingAsShown,
} from "../draft/issue-dry-run.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import type { PageReader } from "../frame/reader.ts";
import { isAdmin, ofSeen } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import {
  type Cure,
  type CuredDocument,
  cureOfRefusal,
  cureOfUnsent,
  cureOfWarning,
} from "../parts/cures.ts";
import { type CuredText, Warnings, WithCure } from "../parts/facts.tsx";
import { dayOf, hoursOf, moneyOf, monthOf } from "../parts/format.ts";
import { warningText } from "../parts/warning-text.ts";
import type { Words } from "../words/en.ts";
import { refusalOf } from "../words/refusal.ts";

const PATH = "/invoices/:id/issue";

export const issuePages: readonly WebPage[] = [
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
    return confirmation(request, refusedBy(thrown));
  }
  return { redirect: `/invoices/${ref}`, notice: { done: "invoice_issued" } };
}

/** Returns the page with an issue's effect, or leads to the issued invoice. `refused` is why an issue just failed. */
async function confirmation(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { id } = request;
  const words = request.reader.words.issuing;
  let dry_run: IssueDryRun | null = null;
  let refusal = refused;
  try {
    dry_run = await request.runLong(issueDryRun, id);
  } catch (thrown) {
    refusal = refusedBy(thrown);
    if (refusal.code === "INVOICE_ALREADY_ISSUED") return { redirect: `/invoices/${id}` };
  }
  const content = (
    <div class="card confirm">
      {refusal !== null && (
        <Refused text={saidOf(request, refusal)} cure={await cureOfDraft(request, refusal)} />
      )}
      {dry_run !== null && !("resumes" in dry_run) && (
        <Will
          request={request}
          dry_run={dry_run}
          page={`/invoices/${id}`}
          line_ids={lineIdsOf(dry_run)}
        />
      )}
      {dry_run !== null && "resumes" in dry_run && <p>{words.resumes}</p>}
      <div class="buttons">
        <a class="button" href={`/invoices/${id}`}>
          {dry_run === null ? words.back : words.not_yet}
        </a>
        {dry_run !== null && <Agree request={request} id={id} dry_run={dry_run} />}
      </div>
    </div>
  );
  const title =
    dry_run === null || "resumes" in dry_run
      ? words.title
      : words.title_for(dry_run.document.customer.name);
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return { title, content, status };
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  return problem.code === "PLAN_STALE" ? words.issuing.changed : words.refused(refusalOf(problem));
}

/** Returns the cure of a refused issue; null where there is none for this person. */
async function cureOfDraft({ cx, id }: PageRequest, refused: Problem): Promise<Cure | null> {
  const { invoice } = await getInvoice(cx, id);
  return cureOfRefusal(refused, curedDraft(cx, invoice));
}

/** Returns the ids of the lines of a draft whose issue is shown, in their order. */
export function lineIdsOf({ document }: Pick<Shown, "document">): readonly string[] {
  return document.lines.map(({ line_id }) => line_id);
}

/** Says why an issue is refused, with the link to its cure. */
export function Refused(props: CuredText) {
  return (
    <p class="notice bad" role="alert">
      <WithCure {...props} />
    </p>
  );
}

type Shown = Pick<
  Extract<IssueDryRun, { readonly document: unknown }>,
  "document" | "warnings" | "address" | "einvoice" | "unsent"
> & {
  /** The revenue by month; absent where it is not shown. */
  readonly earns?: readonly SentMonth[];
  readonly freezes?: Frozen;
};

/**
 * Shows what an issue books, sends and freezes, with its warnings. Their cures are on `page`, which is the draft with its lines, or
 * the period of a retainer with null.
 */
export function Will(
  props: { request: PageRequest; dry_run: Shown } & Pick<CuredDocument, "page" | "line_ids">,
) {
  const { request, dry_run, page, line_ids } = props;
  const { words, language } = request.reader;
  const { issuing } = words;
  const { document, warnings } = dry_run;
  const money = (amount: bigint) => moneyOf(language, amount, document.currency);
  const { net, vat, gross } = document.totals;
  const { id: customer_id } = document.customer;
  const day_id = line_ids === null ? "facts" : "issue_date";
  const cured = { page, day_id, line_ids, customer_id, is_admin: isAdmin(request.cx) };
  return (
    <>
      <dl class="will">
        <dt>{issuing.books}</dt>
        <dd>
          {issuing.dated(dayOf(language, document.issue_date))}{" "}
          {issuing.amounts(money(net), money(vat), money(gross))}
        </dd>
        <dt>{issuing.sends}</dt>
        <dd>
          <WithCure
            text={sendsText(words, dry_run)}
            cure={dry_run.unsent && cureOfUnsent(dry_run.unsent, cured)}
          />
        </dd>
        {dry_run.earns !== undefined && (
          <>
            <dt>{isAdmin(request.cx) ? issuing.earns : issuing.earns_own}</dt>
            <dd>{earnsText(request.reader, dry_run.earns, document.currency)}</dd>
          </>
        )}
        <dt>{issuing.freezes}</dt>
        <dd>
          {dry_run.freezes !== undefined && frozenText(request.reader, dry_run.freezes)}{" "}
          {issuing.frozen}
        </dd>
      </dl>
      <Warnings
        title={words.invoice.warnings}
        sentences={warnings.map((warning) => ({
          text: warningText({ words, language }, warning),
          cure: cureOfWarning(warning, cured),
        }))}
      />
    </>
  );
}

function frozenText({ words, language }: PageReader, { lines, hours }: Frozen): string {
  const { frozen_lines, frozen_work } = words.issuing;
  return hours === 0 ? frozen_lines(lines) : frozen_work(lines, hoursOf(language, hours));
}

/** The most months that are listed; of a longer time the first ones and the last one are. */
const MOST_MONTHS = 13;

/** Returns the revenue by month as one line of text. */
export function earnsText(
  { words, language }: PageReader,
  months: readonly SentMonth[],
  currency: string,
): string {
  const said = months.map(
    ({ month, earned }) =>
      `${monthOf(language, month)} ${moneyOf(language, BigInt(earned), currency)}`,
  );
  if (said.length === 0) return words.issuing.earns_nothing;
  if (said.length <= MOST_MONTHS) return said.join(" · ");
  return [...said.slice(0, MOST_MONTHS - 2), "…", said.at(-1)].join(" · ");
}

/** Returns a sentence with the recipient of the invoice, or why there is none. */
export function sendsText(
  { issuing, billed_as }: Pick<Words, "issuing" | "billed_as">,
  { address, einvoice, unsent }: Pick<Shown, "address" | "einvoice" | "unsent">,
): string {
  if (einvoice !== null) return billed_as.sends_einvoice(einvoice.address, einvoice.format);
  if (address !== null) return issuing.sends_to(address);
  return unsent === null ? issuing.sends_nothing : issuing.unsent[unsent];
}

/** Shows the button, which repeats the action and the amount. */
function Agree(props: { request: PageRequest; id: string; dry_run: IssueDryRun }) {
  const { request, id, dry_run } = props;
  const { words, language } = request.reader;
  const action = `/invoices/${id}/issue`;
  return (
    <Form action={action} csrf={request.csrf(action)}>
      <input type="hidden" name="agreed" value={dry_run.agreed} />
      <button type="submit" class="button main">
        {labelOf()}
      </button>
    </Form>
  );
  function labelOf(): string {
    const { issuing } = words;
    if ("resumes" in dry_run) return issuing.go_on;
    const { document, address, einvoice } = dry_run;
    const amount = moneyOf(language, document.totals.gross, document.currency);
    return address === null && einvoice === null
      ? issuing.issue(amount)
      : issuing.issue_and_send(amount);
  }
}
