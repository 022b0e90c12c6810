/** Issues several drafts together: one plan for each, the same as on its own page, and the outcome of each. */
import { Problem } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import { documentsOfInvoices } from "../../features/sales/invoices/list.ts";
import { problemFromDatabase } from "../../platform/http/problems.ts";
import { type IssueDryRun, issueDryRun, issuingAsShown } from "../draft/issue-dry-run.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isSeen } from "../frame/seen.ts";
import { moneyOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { refusalOf } from "../words/refusal.ts";
import { sendsText } from "./issue-invoice.tsx";

/** The address to which a list sends its selected drafts; each id is the name of a field. */
export const ISSUE_MANY = "/invoices/issue";
/** The number of drafts on one page of the list. */
export const MOST_PICKED = 25;
/** The time limit of a request, in milliseconds. Drafts not begun within it are left for the next request. */
const TIMEOUT_MS = 15_000;

export const issueManyPages: readonly WebPage[] = [
  definePage(`GET ${ISSUE_MANY}`, "person", confirmation),
  definePage(`POST ${ISSUE_MANY}`, "person", issue),
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

function shown(
  request: PageRequest,
  planned: readonly Planned[],
  documents: Documents,
): PageAnswer {
  const { words: all } = request.reader;
  const words = all.issue_many;
  const ready = planned.flatMap(({ id, dry_run }) => (dry_run === null ? [] : [{ id, dry_run }]));
  const content = (
    <div class="stack">
      <List
        label={words.drafts}
        rows={planned}
        empty={null}
        columns={[
          { head: all.invoices.customer, cell: ({ id }) => <Which id={id} of={documents} /> },
          { head: all.issuing.sends, cell: (one) => said(request, one) },
          {
            head: all.invoices.gross,
            kind: "number",
            cell: (one) => grossOf(request, one.dry_run),
          },
        ]}
      />
      {ready.length < planned.length && <p class="quiet">{words.left_out}</p>}
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

function said({ reader }: PageRequest, { dry_run, refused }: Planned): string {
  const { words } = reader;
  if (refused !== null) return words.refused(refusalOf(refused));
  if (dry_run === null || "resumes" in dry_run) return words.issuing.resumes;
  return sendsText(words.issuing, dry_run);
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

/** The outcome of one draft. `is_left` is a draft that was not issued because the time was up or the reader had left. */
interface Outcome {
  readonly id: string;
  readonly refused: Problem | null;
  readonly is_left: boolean;
}

async function issue(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const deadline = Date.now() + TIMEOUT_MS;
  const outcomes: Outcome[] = [];
  for (const id of await seenOf(request, Object.keys(form))) {
    const agreed = form[id] ?? "";
    if (Date.now() >= deadline || cx.signal.aborted) {
      outcomes.push({ id, refused: null, is_left: true });
      continue;
    }
    try {
      await request.runLong(issuingAsShown, { ref: id, agreed });
      outcomes.push({ id, refused: null, is_left: false });
    } catch (thrown) {
      const refused = problemOf(thrown);
      // The form may have been sent before: then the invoice is issued as requested.
      const is_done = refused.code === "INVOICE_ALREADY_ISSUED";
      outcomes.push({ id, refused: is_done ? null : refused, is_left: false });
    }
  }
  const ids = outcomes.map(({ id }) => id);
  return became(request, outcomes, await documentsOfInvoices(cx, ids));
}

function became(
  { reader }: PageRequest,
  outcomes: readonly Outcome[],
  documents: Documents,
): PageAnswer {
  const { words: all } = reader;
  const words = all.issue_many;
  const issued = outcomes.filter(({ refused, is_left }) => refused === null && !is_left);
  const left = outcomes.filter(({ refused, is_left }) => refused !== null || is_left);
  const content = (
    <div class="stack">
      <List
        label={words.outcomes}
        rows={outcomes}
        empty={null}
        columns={[
          { head: all.invoices.customer, cell: ({ id }) => <Which id={id} of={documents} /> },
          {
            head: all.invoice.status,
            cell: ({ refused, is_left }) => {
              if (is_left) return <Pill kind="warn">{words.no_time}</Pill>;
              if (refused === null) return <Pill kind="ok">{all.invoice.issued}</Pill>;
              return (
                <span class="fault">
                  {refused.code === "PLAN_STALE"
                    ? all.issuing.changed
                    : all.refused(refusalOf(refused))}
                </span>
              );
            },
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
  return { title: words.done(issued.length, outcomes.length), content };
}

/** Returns the refusal. Throws unexpected errors. */
function problemOf(thrown: unknown): Problem {
  const error = problemFromDatabase(thrown);
  if (!(error instanceof Problem)) throw thrown;
  return error;
}
