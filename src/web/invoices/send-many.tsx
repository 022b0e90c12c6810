/**
 * Sends several issued documents again, each by the command that sends one: the confirmation shows the recipient of each, and the
 * outcomes have an address of their own. A document that is refused does not stop the others. For admins.
 */
import { Problem, problemCatalogue } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import { type SendRefusal, unreachable } from "../../features/documents/deliveries/find-refusal.ts";
import { type Addressed, recipientsOf } from "../../features/documents/deliveries/queue.ts";
import { type LastSending, lastSendings } from "../../features/documents/issued/include.ts";
import { findManyIssued } from "../../features/documents/issued/issued-documents.ts";
import { SendBody } from "../../features/documents/issued/schemas.ts";
import { problemFromDatabase } from "../../platform/http/problems.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { cureOfUnsent } from "../parts/cures.ts";
import { DeliveryPill } from "../parts/delivery.tsx";
import { WithCure } from "../parts/facts.tsx";
import { moneyOf } from "../parts/format.ts";
import { type Column, List } from "../parts/list.tsx";
import { addressOf, type Tab } from "./invoice-filters.ts";
import { sendingCreditNote, sendingInvoice } from "./send-document.tsx";

/** The address to which a list sends its selected documents; each id is the name of a field. */
export const SEND_MANY = "/invoices/send";
const OUTCOMES = `${SEND_MANY}/outcomes` as const;
/** The number of documents on one page of the list. */
const MOST_PICKED = 50;
/** The time limit of a request, in milliseconds. Documents not begun within it are left for the next request. */
const TIMEOUT_MS = 15_000;

export const sendManyPages: readonly WebPage[] = [
  definePage(`GET ${SEND_MANY}`, "hidden", confirmation),
  definePage(`POST ${SEND_MANY}`, "hidden", sendAll),
  definePage(`GET ${OUTCOMES}`, "hidden", outcomes),
];

/** What is sent: invoices, or credit notes. */
type Sent = Exclude<Tab, "drafts">;

interface Picked {
  readonly id: string;
  readonly number: bigint;
  readonly snapshot: DocumentSnapshot;
}

function tabOf({ tab }: PageRequest["query"]): Sent {
  return tab === "credit-notes" ? tab : "issued";
}

/** Returns the named documents of the kind, in the order of the names; other ids are ignored. */
async function pickedIn(
  { cx }: PageRequest,
  tab: Sent,
  names: readonly string[],
): Promise<Picked[]> {
  const ids = names.filter(isId).slice(0, MOST_PICKED);
  const kind = tab === "issued" ? "invoice" : "credit_note";
  const found = await findManyIssued(cx, ids);
  return ids.flatMap((id) => {
    const one = found.get(id);
    return one?.snapshot.kind === kind ? [{ id, ...one }] : [];
  });
}

async function confirmation(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader, csrf } = request;
  const tab = tabOf(query);
  const picked = await pickedIn(request, tab, Object.keys(query));
  if (picked.length === 0) return { redirect: addressOf({ tab }) };
  const recipients = await recipientsOf(
    cx,
    picked.map(({ id, snapshot }) => ({ document_id: id, customer_id: snapshot.customer.id })),
  );
  const asked = recipients.map(async (recipient) => {
    return { ...recipient, refusal: await unreachable(cx, recipient) };
  });
  const known = await Promise.all(asked);
  const to = new Map(known.map((one) => [one.document_id, one]));
  const ready = known.filter(({ refusal }) => refusal === null);
  const { words: all } = reader;
  const words = all.send_many;
  const content = (
    <div class="stack">
      <List
        label={words.documents}
        rows={picked}
        empty={null}
        columns={[
          ...columnsOf(request, tab),
          { head: words.to, cell: (one) => <Recipient request={request} one={one} to={to} /> },
        ]}
      />
      {ready.length < picked.length && <p class="quiet">{words.left_out}</p>}
      <div class="buttons">
        <a class="button" href={addressOf({ tab })}>
          {all.issuing.not_yet}
        </a>
        {ready.length > 0 && (
          <Form action={SEND_MANY} csrf={csrf(SEND_MANY)}>
            <input type="hidden" name="tab" value={tab} />
            {ready.map(({ document_id, address }) => (
              <input type="hidden" name={document_id} value={address ?? ""} />
            ))}
            <button type="submit" class="button main">
              {words.send(ready.length)}
            </button>
          </Form>
        )}
      </div>
    </div>
  );
  return { title: words.title(picked.length), content };
}

/** Shows to whom a document is sent, or why it cannot be sent. */
function Recipient(props: {
  request: PageRequest;
  one: Picked;
  to: ReadonlyMap<string, Addressed & { readonly refusal: SendRefusal | null }>;
}) {
  const { request, one, to } = props;
  const { words } = request.reader;
  const recipient = to.get(one.id);
  if (recipient === undefined) return null;
  const { refusal } = recipient;
  if (refusal === null) return <>{recipient.address ?? words.delivery.einvoice}</>;
  const unsent = recipient.channel === "email" ? "no_address" : "einvoice_not_configured";
  const customer_id = one.snapshot.customer.id;
  return (
    <span class="fault">
      <WithCure
        text={words.delivery.reason(refusal.error_text)}
        cure={cureOfUnsent(unsent, { customer_id, is_admin: true })}
      />
    </span>
  );
}

function columnsOf({ reader }: PageRequest, tab: Sent): Column<Picked>[] {
  const { words, language } = reader;
  const folder = tab === "issued" ? "/invoices" : "/credit-notes";
  return [
    {
      head: words.invoices.number,
      cell: ({ id, number }) => <a href={`${folder}/${id}`}>{String(number)}</a>,
    },
    { head: words.invoices.customer, cell: ({ snapshot }) => snapshot.customer.name },
    {
      head: words.invoices.gross,
      kind: "number",
      cell: ({ snapshot }) => moneyOf(language, snapshot.totals.gross, snapshot.currency),
    },
  ];
}

/** What the address of the outcomes says of a document: that it was sent, was not begun, or the code of the refusal. */
const HAS_LEFT = ["written_to_outbox", "accepted", "delivered"] as const;
const SENT = "sent";
const LEFT = "left";

async function sendAll(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const deadline = Date.now() + TIMEOUT_MS;
  const tab = tabOf(form);
  const outcome = new URLSearchParams({ tab });
  for (const { id } of await pickedIn(request, tab, Object.keys(form))) {
    if (Date.now() >= deadline || cx.signal.aborted) outcome.set(id, LEFT);
    else outcome.set(id, await sendOne(request, tab, id));
  }
  return { redirect: `${OUTCOMES}?${outcome}` };
}

/** Sends one document to the address that was shown. Returns what the address of the outcomes says of it. */
async function sendOne({ runLong, form }: PageRequest, tab: Sent, ref: string): Promise<string> {
  const { address } = SendBody.safeParse({ address: form[ref] }).data ?? {};
  try {
    await runLong(tab === "issued" ? sendingInvoice : sendingCreditNote, { ref, address });
    return SENT;
  } catch (thrown) {
    const problem = problemFromDatabase(thrown);
    if (!(problem instanceof Problem)) throw thrown;
    return problem.code;
  }
}

/** Shows what became of the documents, from the stored deliveries: the page can be reloaded, and sent to a colleague. */
async function outcomes(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const tab = tabOf(query);
  const picked = await pickedIn(request, tab, Object.keys(query));
  if (picked.length === 0) return { redirect: addressOf({ tab }) };
  const ids = picked.map(({ id }) => id);
  const attempts = await lastSendings(cx, ids);
  const hasLeft = (id: string): boolean => {
    const state = attempts.get(id)?.state;
    return query[id] === SENT && HAS_LEFT.some((one) => one === state);
  };
  const sent = ids.filter(hasLeft);
  const left = ids.filter((id) => query[id] !== SENT);
  const { words: all } = reader;
  const words = all.send_many;
  const again = new URLSearchParams({ tab, ...Object.fromEntries(left.map((id) => [id, "on"])) });
  const content = (
    <div class="stack">
      <List
        label={all.issue_many.outcomes}
        rows={picked}
        empty={null}
        columns={[
          ...columnsOf(request, tab),
          {
            head: all.invoices.delivery,
            cell: ({ id }) => (
              <Outcome request={request} said={query[id] ?? ""} attempt={attempts.get(id)} />
            ),
          },
        ]}
      />
      <div class="buttons">
        {left.length > 0 && (
          <a class="button main" href={`${SEND_MANY}?${again}`}>
            {words.again}
          </a>
        )}
        <a class="button" href={addressOf({ tab })}>
          {all.invoices.tabs[tab]}
        </a>
      </div>
    </div>
  );
  return { title: words.done(sent.length, picked.length), content };
}

function Outcome(props: { request: PageRequest; said: string; attempt: LastSending | undefined }) {
  const { said, attempt } = props;
  const { words } = props.request.reader;
  if (said === LEFT) return <span class="fault">{words.issue_many.no_time}</span>;
  const refused = problemCatalogue().find(({ code }) => code === said);
  if (refused !== undefined) return <span class="fault">{words.refused(refused)}</span>;
  if (attempt === undefined) return <DeliveryPill state={null} />;
  const { state, address, send_error } = attempt;
  return (
    <>
      <DeliveryPill state={state} /> {address}
      {send_error !== null && <small class="warns">{words.delivery.reason(send_error)}</small>}
    </>
  );
}
