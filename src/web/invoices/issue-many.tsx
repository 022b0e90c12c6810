/**
 * Issues several drafts together: one plan for each, the same as on its own page. It continues past refusals, and ends on a page
 * of its own address with the outcome of each.
 */
import { Problem } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import { findManyIssued } from "../../features/documents/issued/issued-documents.ts";
import { documentsOfInvoices } from "../../features/sales/invoices/list.ts";
import { problemFromDatabase } from "../../platform/http/problems.ts";
import type { SentMonth } from "../draft/draft-stored.ts";
import { type IssueDryRun, issueDryRun, issuingAsShown } from "../draft/issue-dry-run.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isAdmin, isSeen } from "../frame/seen.ts";
import { cureOfRefusal, cureOfWarning } from "../parts/cures.ts";
import { type CuredText, WithCure } from "../parts/facts.tsx";
import { moneyOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { warningText } from "../parts/warning-text.ts";
import { refusalOf } from "../words/refusal.ts";
import { earnsText, lineIdsOf, sendsText } from "./issue-invoice.tsx";

/** The address to which a list sends its selected drafts; each id is the name of a field. */
export const ISSUE_MANY = "/invoices/issue";
/** The address of the outcomes. */
const OUTCOMES = `${ISSUE_MANY}/outcomes` as const;
/** The number of drafts on one page of the list. */
export const MOST_PICKED = 25;
/** The time limit of a request, in milliseconds. Drafts not begun within it are left for the next request. */
const TIMEOUT_MS = 15_000;

export const issueManyPages: readonly WebPage[] = [
  definePage(`GET ${ISSUE_MANY}`, "person", confirmation),
  definePage(`POST ${ISSUE_MANY}`, "person", issue),
  definePage(`GET ${OUTCOMES}`, "person", outcomes),
];

/** One of the selected drafts: the effect of issuing it, or the reason why it is refused. */
interface Planned {
  readonly id: string;
  readonly dry_run: IssueDryRun | null;
  readonly refused: Problem | null;
}

async function confirmation(request: PageRequest): Promise<PageAnswer> {
  const ids = await seenOf(request, Object.keys(request.query));
  if (ids.length === 0) return { redirect: "/invoices" };
  const planned: Planned[] = [];
  for (const id of ids) planned.push(await plannedOf(request, id));
  return shown(request, planned, await documentsOfInvoices(request.cx, ids));
}

/** Returns the named invoices that the person sees; other invoices are ignored. */
async function seenOf({ cx }: PageRequest, names: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const id of names.filter(isId).slice(0, MOST_PICKED)) {
    if (await isSeen(cx, "invoice", id)) seen.push(id);
  }
  return seen;
}

/** The data for the names of the invoices; a deleted draft has no name. */
type Documents = ReadonlyMap<string, Pick<DocumentSnapshot, "customer" | "title">>;

async function plannedOf({ runLong }: PageRequest, id: string): Promise<Planned> {
  try {
    return { id, dry_run: await runLong(issueDryRun, id), refused: null };
  } catch (thrown) {
    return { id, dry_run: null, refused: problemOf(thrown) };
  }
}

/** Returns a refusal in words, with its cure. */
function refusalText(
  { cx, reader }: PageRequest,
  id: string,
  refused: Problem,
  documents: Documents,
): CuredText {
  const customer = documents.get(id)?.customer;
  const cured = { page: `/invoices/${id}`, day_id: "issue_date", line_ids: null };
  return {
    text: reader.words.refused(refusalOf(refused)),
    cure:
      customer === undefined
        ? null
        : cureOfRefusal(refused, { ...cured, customer_id: customer.id, is_admin: isAdmin(cx) }),
  };
}

function shown(
  request: PageRequest,
  planned: readonly Planned[],
  documents: Documents,
): PageAnswer {
  const { words: all } = request.reader;
  const words = all.issue_many;
  const ready = planned.flatMap(({ id, dry_run }) => (dry_run === null ? [] : [{ id, dry_run }]));
  const earnings = earnedBy(ready);
  const content = (
    <div class="stack">
      <List
        label={words.drafts}
        rows={planned}
        empty={null}
        columns={[
          { head: all.invoices.customer, cell: ({ id }) => <Which id={id} of={documents} /> },
          {
            head: all.issuing.sends,
            cell: (one) => <Said request={request} planned={one} of={documents} />,
          },
          {
            head: all.invoices.gross,
            kind: "number",
            cell: (one) => grossOf(request, one.dry_run),
          },
        ]}
      />
      {ready.length < planned.length && <p class="quiet">{words.left_out}</p>}
      {earnings.length > 0 && (
        <dl class="will card pad">
          <dt>{isAdmin(request.cx) ? all.issuing.earns : all.issuing.earns_own}</dt>
          {earnings.map(([currency, months]) => (
            <dd>{earnsText(request.reader, months, currency)}</dd>
          ))}
        </dl>
      )}
      <div class="buttons">
        <a class="button" href="/invoices">
          {all.issuing.not_yet}
        </a>
        {ready.length > 0 && (
          <Form action={ISSUE_MANY} csrf={request.csrf(ISSUE_MANY)}>
            {ready.map(({ id, dry_run }) => (
              <input type="hidden" name={id} value={dry_run.agreed} />
            ))}
            <button type="submit" class="button main">
              {words.issue(ready.length, sumOf(request, ready))}
            </button>
          </Form>
        )}
      </div>
    </div>
  );
  return { title: words.title(planned.length), content };
}

function Which({ id, of }: { id: string; of: Documents }) {
  const document = of.get(id);
  const name = [document?.customer.name, document?.title].filter(Boolean).join(", ");
  return <a href={`/invoices/${id}`}>{name || "–"}</a>;
}

function documentOf(dry_run: IssueDryRun | null) {
  return dry_run !== null && "document" in dry_run ? dry_run.document : null;
}

/** Shows what a draft sends, or why it is refused, with its warnings. */
function Said(props: { request: PageRequest; planned: Planned; of: Documents }) {
  const { request, planned, of } = props;
  const { words } = request.reader;
  const { id, dry_run, refused } = planned;
  const is_shown = dry_run !== null && "document" in dry_run;
  return (
    <>
      {refused === null ? (
        <span>{is_shown ? sendsText(words, dry_run) : words.issuing.resumes}</span>
      ) : (
        <span class="fault">
          <WithCure {...refusalText(request, id, refused, of)} />
        </span>
      )}
      {is_shown &&
        dry_run.warnings.map((warning) => (
          <small class="warns">
            <WithCure
              text={warningText(request.reader, warning)}
              cure={cureOfWarning(warning, {
                page: `/invoices/${id}`,
                day_id: "issue_date",
                customer_id: dry_run.document.customer.id,
                line_ids: lineIdsOf(dry_run),
                is_admin: isAdmin(request.cx),
              })}
            />
          </small>
        ))}
    </>
  );
}

/** Returns the revenue by month of all drafts, by currency. */
function earnedBy(
  ready: readonly { readonly dry_run: IssueDryRun }[],
): readonly (readonly [string, readonly SentMonth[]])[] {
  const sums = new Map<string, Map<SentMonth["month"], bigint>>();
  for (const { dry_run } of ready) {
    if (!("document" in dry_run)) continue;
    const { currency } = dry_run.document;
    const months = sums.get(currency) ?? new Map<SentMonth["month"], bigint>();
    sums.set(currency, months);
    for (const { month, earned } of dry_run.earns) {
      months.set(month, (months.get(month) ?? 0n) + BigInt(earned));
    }
  }
  return [...sums].map(([currency, months]) => [
    currency,
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, earned]) => ({ month, earned: `${earned}` })),
  ]);
}

function grossOf({ reader }: PageRequest, dry_run: IssueDryRun | null): string {
  const document = documentOf(dry_run);
  return document === null
    ? "–"
    : moneyOf(reader.language, document.totals.gross, document.currency);
}

/** Returns the total of all drafts, by currency. */
function sumOf(
  { reader }: PageRequest,
  ready: readonly { readonly dry_run: IssueDryRun }[],
): string {
  const sums = new Map<string, bigint>();
  for (const { dry_run } of ready) {
    const document = documentOf(dry_run);
    if (document === null) continue;
    const { currency, totals } = document;
    sums.set(currency, (sums.get(currency) ?? 0n) + totals.gross);
  }
  return [...sums].map(([currency, sum]) => moneyOf(reader.language, sum, currency)).join(" + ");
}

/** What the address of the outcomes says of a draft: that it was tried, has changed, or was not begun. */
type Tried = "tried" | "changed" | "left";

async function issue(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const deadline = Date.now() + TIMEOUT_MS;
  const tried: (readonly [string, Tried])[] = [];
  for (const id of await seenOf(request, Object.keys(form))) {
    if (Date.now() >= deadline || cx.signal.aborted) tried.push([id, "left"]);
    else tried.push([id, await issueOne(request, id, form[id] ?? "")]);
  }
  const query = tried.map(([id, how]) => `${id}=${how}`).join("&");
  return { redirect: `${OUTCOMES}?${query}` };
}

async function issueOne(request: PageRequest, ref: string, agreed: string): Promise<Tried> {
  try {
    await request.runLong(issuingAsShown, { ref, agreed });
  } catch (thrown) {
    if (problemOf(thrown).code === "PLAN_STALE") return "changed";
  }
  return "tried";
}

/** One of the invoices as it is now: issued with its number, or a draft with the reason why it is one, and its cure. */
interface Outcome {
  readonly id: string;
  readonly issued: { readonly number: bigint; readonly snapshot: DocumentSnapshot } | null;
  readonly reason: CuredText | null;
}

/** Shows what became of the drafts, from the stored data: the page can be reloaded, and sent to a colleague. */
async function outcomes(request: PageRequest): Promise<PageAnswer> {
  const { cx, query } = request;
  const ids = await seenOf(request, Object.keys(query));
  if (ids.length === 0) return { redirect: "/invoices" };
  const [issued, documents] = await Promise.all([
    findManyIssued(cx, ids),
    documentsOfInvoices(cx, ids),
  ]);
  const found: Outcome[] = [];
  for (const id of ids) {
    const done = issued.get(id) ?? null;
    const reason = done === null ? await reasonOf(request, id, query[id] ?? "", documents) : null;
    found.push({ id, issued: done, reason });
  }
  return became(request, found, documents);
}

/** Returns why an invoice is still a draft: what refuses its issue now, or else what the address says. */
async function reasonOf(
  request: PageRequest,
  id: string,
  tried: string,
  documents: Documents,
): Promise<CuredText> {
  const { words } = request.reader;
  if (tried === "changed") return { text: words.issuing.changed, cure: null };
  const { refused, dry_run } = await plannedOf(request, id);
  if (refused !== null) return refusalText(request, id, refused, documents);
  if (dry_run !== null && "resumes" in dry_run) return { text: words.issuing.resumes, cure: null };
  const { no_time, still_draft } = words.issue_many;
  return { text: tried === "left" ? no_time : still_draft, cure: null };
}

function became(
  { reader }: PageRequest,
  found: readonly Outcome[],
  documents: Documents,
): PageAnswer {
  const { words: all, language } = reader;
  const words = all.issue_many;
  const left = found.filter(({ issued }) => issued === null);
  const content = (
    <div class="stack">
      <List
        label={words.outcomes}
        rows={found}
        empty={null}
        columns={[
          {
            head: all.invoices.number,
            cell: ({ id, issued }) =>
              issued === null ? "–" : <a href={`/invoices/${id}`}>{String(issued.number)}</a>,
          },
          { head: all.invoices.customer, cell: ({ id }) => <Which id={id} of={documents} /> },
          {
            head: all.invoice.status,
            cell: ({ reason }) =>
              reason === null ? (
                <Pill kind="ok">{all.invoice.issued}</Pill>
              ) : (
                <span class="fault">
                  <WithCure {...reason} />
                </span>
              ),
          },
          {
            head: all.invoices.gross,
            kind: "number",
            cell: ({ issued }) =>
              issued === null
                ? "–"
                : moneyOf(language, issued.snapshot.totals.gross, issued.snapshot.currency),
          },
        ]}
      />
      <div class="buttons">
        {left.length > 0 && (
          <a
            class="button main"
            href={`${ISSUE_MANY}?${left.map(({ id }) => `${id}=on`).join("&")}`}
          >
            {words.again}
          </a>
        )}
        <a class="button" href="/invoices?tab=issued">
          {all.invoices.tabs.issued}
        </a>
      </div>
    </div>
  );
  return { title: words.done(found.length - left.length, found.length), content };
}

/** Returns the refusal. Throws unexpected errors. */
function problemOf(thrown: unknown): Problem {
  const error = problemFromDatabase(thrown);
  if (!(error instanceof Problem)) throw thrown;
  return error;
}
