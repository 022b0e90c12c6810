/**
 * The bookings that have not ended in the connected accounting system. An admin asks again, adopts a booking that the system has,
 * or releases a document that it does not have.
 */
import type { ComponentChildren } from "preact";
import * as z from "zod";
import { notFound } from "../../domain/base/problem.ts";
import { listQueue, type QueuedBooking } from "../../features/ledger/booking/list-queue.ts";
import { resolveIntent } from "../../features/ledger/booking/resolve-intent.ts";
import { retryIntent } from "../../features/ledger/booking/retry-intent.ts";
import { bookables } from "../../features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../features/sales/credit-notes/bookable.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";
import { LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";

const PATH = `${LEDGER}/queue` as const;
const MOST_SHOWN = 100;

export const queuePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", show),
  definePage(`POST ${PATH}/:id/retry`, "hidden", async ({ cx, id }) => {
    const after = JSON.parse(await retryIntent(cx, id, bookables, noteSendError));
    const has_ended = after.state === "settled" || after.state === "released";
    return { redirect: PATH, notice: { done: has_ended ? "booking_ended" : "booking_waits" } };
  }),
  definePage(`GET ${PATH}/:id/adopt`, "hidden", (request) => adoption(request, NO_FAULTS, 200)),
  definePage(`POST ${PATH}/:id/adopt`, "hidden", adopt),
  definePage(`GET ${PATH}/:id/release`, "hidden", (request) => release(request, NO_FAULTS, 200)),
  definePage(`POST ${PATH}/:id/release`, "hidden", letGo),
];

async function show({ cx, reader, csrf }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.queue;
  const elsewhere = otherBooks(cx);
  const queued = await listQueue(cx, MOST_SHOWN);
  const count = Number(queued[0]?.count ?? 0n);
  const empty = elsewhere === null ? words.none_builtin : words.none(elsewhere);
  const content = (
    <>
      <LedgerTabs at="queue" elsewhere={elsewhere} />
      <Queue queued={queued} csrf={csrf} empty={empty} />
      {count > queued.length && <p class="soft">{words.more(count - queued.length)}</p>}
    </>
  );
  return {
    title: reader.words.ledger.tabs.queue,
    lead: words.lead(elsewhere ?? words.the_ledger),
    content,
  };
}

const FOLDERS = { invoice: "/invoices", credit_note: "/credit-notes" } as const;
const LOOKS = { booking: undefined, pending: undefined, unknown: "warn", parked: "bad" } as const;

function Queue(props: {
  queued: readonly QueuedBooking[];
  csrf: PageRequest["csrf"];
  empty: string;
}) {
  const { queued, csrf, empty } = props;
  const { words: all } = useReader();
  const words = all.queue;
  return (
    <List
      label={all.ledger.tabs.queue}
      rows={queued}
      empty={<p>{empty}</p>}
      columns={[
        {
          head: words.document,
          cell: (row) =>
            row.kind === "voucher" ? (
              words.kind_of(all.ledger.kind_of.voucher, row.customer)
            ) : (
              <a href={`${FOLDERS[row.kind]}/${row.document_id}`}>
                {words.kind_of(all.ledger.kind_of[row.kind], row.customer)}
              </a>
            ),
        },
        {
          head: words.state,
          cell: ({ state, reason }) => {
            const look = LOOKS[state];
            return (
              <>
                <Pill {...(look === undefined ? {} : { kind: look })}>{words.states[state]}</Pill>
                {reason !== null && <small class="quiet means">{words.reasons[reason]}</small>}
              </>
            );
          },
        },
        { head: words.since, cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: words.attempts, kind: "number", cell: ({ attempts }) => attempts },
        {
          head: words.next,
          cell: ({ state, next_attempt_at }) =>
            state === "parked" ? words.waits_for_you : <Moment at={next_attempt_at} />,
        },
        { head: "", cell: (row) => <Actions booking={row} csrf={csrf} /> },
      ]}
    />
  );
}

function Actions({ booking, csrf }: { booking: QueuedBooking; csrf: PageRequest["csrf"] }) {
  const { words: all } = useReader();
  const words = all.queue;
  const { id, kind, customer } = booking;
  const of = words.kind_of(all.ledger.kind_of[kind], customer);
  const retry = `${PATH}/${id}/retry`;
  return (
    <div class="row">
      <Form action={retry} csrf={csrf(retry)}>
        <button type="submit" class="button small" aria-label={`${words.ask_again}: ${of}`}>
          {words.ask_again}
        </button>
      </Form>
      <ConfirmLink
        class="button small"
        href={`${PATH}/${id}/adopt`}
        label={`${words.booked_as}: ${of}`}
      >
        {words.booked_as}
      </ConfirmLink>
      <ConfirmLink
        class="button small"
        href={`${PATH}/${id}/release`}
        label={`${words.let_go}: ${of}`}
      >
        {words.let_go}
      </ConfirmLink>
    </div>
  );
}

/** Returns the booking that the address names. Throws NOT_FOUND for one that has ended. */
async function bookingOf({ cx, id }: PageRequest): Promise<QueuedBooking> {
  const [found] = await listQueue(cx, 1, id);
  if (found === undefined) throw notFound("ledger_intent", id);
  return found;
}

const Reason = z.string().trim().min(1).max(500);
const Adopted = z.object({
  reason: Reason,
  "adopt.ledger_id": z.string().trim().min(1).max(100),
  "adopt.number": z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt),
  "adopt.year": z
    .string()
    .trim()
    .regex(/^(\d{4})?$/)
    .transform((typed) => (typed === "" ? undefined : Number(typed))),
});
const ADOPTED = Object.keys(Adopted.shape);

async function adopt(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, form } = request;
  const outcome = await submitted(Adopted, form, ADOPTED, {}, (given) => {
    const [ledger_id, number] = [given["adopt.ledger_id"], given["adopt.number"]];
    const year = given["adopt.year"];
    const booked = { ledger_id, number, ...(year === undefined ? {} : { year }) };
    return run(resolveIntent(bookables), cx, { id, reason: given.reason, adopt: booked });
  });
  if ("done" in outcome) return { redirect: PATH, notice: { done: "booking_adopted" } };
  return adoption(request, outcome.faults, outcome.status);
}

async function letGo(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, form } = request;
  const outcome = await submitted(
    z.object({ reason: Reason }),
    form,
    ["reason", "release"],
    {},
    ({ reason }) => run(resolveIntent(bookables), cx, { id, reason, adopt: null }),
  );
  if ("done" in outcome) return { redirect: PATH, notice: { done: "booking_released" } };
  return release(request, outcome.faults, outcome.status);
}

async function adoption(request: PageRequest, faults: Faults, status: number): Promise<PageAnswer> {
  const { cx, form } = request;
  const { words: all } = request.reader;
  const words = all.queue;
  const { id, kind, customer } = await bookingOf(request);
  const system = otherBooks(cx) ?? words.the_ledger;
  const fields = [
    ["adopt.ledger_id", words.ledger_id, words.ledger_id_hint(system)],
    ["adopt.number", words.number, undefined],
    ["adopt.year", words.year, words.year_hint],
    ["reason", words.reason, words.reason_hint],
  ] as const;
  const content = (
    <Confirmation
      request={request}
      action={`${PATH}/${id}/adopt`}
      faults={faults}
      submit={words.adopt}
    >
      <p class="soft">{words.adopt_means(system)}</p>
      {fields.map(([name, label, hint]) => (
        <Entry
          key={name}
          name={name}
          label={label}
          value={form[name] ?? ""}
          faults={faults}
          is_required={name !== "adopt.year"}
          {...(hint === undefined ? {} : { hint })}
        />
      ))}
    </Confirmation>
  );
  const title = words.adopt_title(words.kind_of(all.ledger.kind_of[kind], customer));
  return { title, content, status };
}

async function release(request: PageRequest, faults: Faults, status: number): Promise<PageAnswer> {
  const { cx, form } = request;
  const { words: all } = request.reader;
  const words = all.queue;
  const { id, kind, customer } = await bookingOf(request);
  const system = otherBooks(cx) ?? words.the_ledger;
  const content = (
    <Confirmation
      request={request}
      action={`${PATH}/${id}/release`}
      faults={faults}
      submit={words.release}
    >
      <p class="soft">{words.release_means(system)}</p>
      <Entry
        name="reason"
        label={words.reason}
        hint={words.reason_hint}
        value={form.reason ?? ""}
        faults={faults}
        is_required
      />
    </Confirmation>
  );
  const title = words.release_title(words.kind_of(all.ledger.kind_of[kind], customer));
  return { title, content, status };
}

/** Returns what a refusal of a resolution means; null for one that stands at its field. */
function meaningOf(faults: Faults, words: Words["queue"]): string | null {
  if (faults.has("release")) return words.was_booked;
  const code = faults.get("")?.code;
  if (code === "LEDGER_UNAVAILABLE") return words.ask_twice;
  return code === "RESOURCE_BUSY" ? words.busy : null;
}

/** Shows the form that ends a booking, with the refusal of the last attempt above it. */
function Confirmation(props: {
  request: PageRequest;
  action: string;
  faults: Faults;
  submit: string;
  children: ComponentChildren;
}) {
  const { request, action, faults, submit, children } = props;
  const { words: all } = request.reader;
  const meaning = meaningOf(faults, all.queue);
  return (
    <div class="card confirm">
      {meaning === null ? (
        <FormFaults faults={faults} words={all.see_fields} />
      ) : (
        <div class="notice bad" role="alert">
          {meaning}
        </div>
      )}
      <Form action={action} csrf={request.csrf(action)}>
        {children}
        <Submit text={submit} back={{ href: PATH, text: all.queue.not_yet }} />
      </Form>
    </div>
  );
}
