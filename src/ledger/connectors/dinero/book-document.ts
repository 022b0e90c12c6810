/**
 * Books invoices and credit notes in Dinero: creates a draft under our guid, compares Dinero's draft with the document, and books
 * the version that was compared. If a response is lost, the guid finds the document again; only the last step books.
 */
import type { Booked, BookOutcome, DocumentBooking, FoundBooking } from "../../ledger.ts";
import type { CallOptions, Failure, Rejected } from "../../outcome.ts";
import {
  badResponse,
  type DineroAnswer,
  type DineroApi,
  type DineroRequest,
  readable,
} from "./api.ts";
import { ensureContact } from "./customers.ts";
import { documentBody } from "./draft-document.ts";
import { bookedWithKroner, requireRate } from "./rates.ts";
import {
  bookedFrom,
  type DineroDocument,
  differenceFrom,
  dineroDocument,
  type FirstMonth,
  isContentOf,
} from "./read-document.ts";
import { isAbsent, isDuplicate, isMissingContact, isStale, rejectedFor } from "./refusals.ts";
import { objectOf } from "./values.ts";

export type SalesKind = "invoice" | "credit_note";

export const PATH_OF: Readonly<Record<SalesKind, string>> = {
  invoice: "invoices",
  credit_note: "sales/creditnotes",
};

/** Access to the books, and the first month of their accounting years. */
export interface DineroBooks {
  readonly api: DineroApi;
  readonly first_month: FirstMonth;
}

type Look =
  | { readonly state: "there"; readonly there: DineroDocument }
  | { readonly state: "absent" }
  | Failure;

/** Reads the document under a guid. */
async function lookAt(
  { api }: DineroBooks,
  kind: SalesKind,
  guid: string,
  options: CallOptions,
): Promise<Look> {
  const path = PATH_OF[kind];
  const answer = await api(
    { verb: `${path}/{guid}`, method: "GET", version: "v1", path: `${path}/${guid}` },
    options,
  );
  if (answer.state === "refused") {
    return isAbsent(answer.refusal) ? { state: "absent" } : badResponse(answer.refusal);
  }
  if (answer.state !== "done") return answer;
  return readable(() => {
    const there = dineroDocument(objectOf(answer.value), guid);
    return there.is_deleted ? { state: "absent" } : { state: "there", there };
  });
}

export async function findDocument(
  books: DineroBooks,
  kind: SalesKind,
  guid: string,
  options: CallOptions,
): Promise<FoundBooking> {
  const look = await lookAt(books, kind, guid, options);
  if (look.state !== "there") return look;
  if (!look.there.is_booked) return { state: "draft" };
  return bookingOf(books, kind, look.there, options);
}

/** Creates an absent document, books a draft, and returns an existing booking. */
export async function bookDocument(
  books: DineroBooks,
  booking: DocumentBooking,
  options: CallOptions,
): Promise<BookOutcome> {
  const body = documentBody(booking);
  if ("state" in body) return body as Rejected;
  const created = await createDraft(books, booking, body, options);
  if (created.state === "refused" && !isDuplicate(created.refusal)) {
    return rejectedFor(created.refusal);
  }
  if (created.state !== "done" && created.state !== "refused") return created;
  const look = await lookAt(books, booking.kind, booking.guid, options);
  if (look.state === "absent") {
    // Dinero knows the guid but shows no document: its draft was deleted.
    return created.state === "refused"
      ? { state: "guid_used", cause: created.refusal }
      : badResponse(new Error("a draft is gone that has just been made"));
  }
  if (look.state !== "there") return look;
  return goOnFrom(books, booking, body, look.there, created.state === "refused", options);
}

/** Creates the draft. A customer that Dinero does not have yet is created from the data of the document. */
async function createDraft(
  { api }: DineroBooks,
  { kind, document }: DocumentBooking,
  body: unknown,
  options: CallOptions,
): Promise<DineroAnswer> {
  const path = PATH_OF[kind];
  const request: DineroRequest = { verb: path, method: "POST", version: "v1", path, body };
  const answer = await api(request, options);
  if (answer.state !== "refused" || !isMissingContact(answer.refusal)) return answer;
  const contact = await ensureContact(api, document.customer, options);
  return contact.state === "done" ? api(request, options) : contact;
}

async function goOnFrom(
  books: DineroBooks,
  booking: DocumentBooking,
  body: Readonly<Record<string, unknown>>,
  there: DineroDocument,
  existed: boolean,
  options: CallOptions,
): Promise<BookOutcome> {
  if (there.is_booked) return sameBooking(books, booking, there, options);
  if (!isContentOf(booking, there)) {
    // The draft comes from an earlier attempt, and the document has changed since: the draft is updated.
    if (!existed) return badResponse(new Error("the draft has not the content that was sent"));
    return replaceDraft(books, booking, body, there, options);
  }
  const differ = readable(() => ({
    state: "read" as const,
    fields: differenceFrom(booking, there),
  }));
  if (differ.state === "unknown") return differ;
  if (differ.fields === null) {
    const path = PATH_OF[booking.kind];
    const without_rate = await requireRate(books.api, path, booking, there, options);
    return without_rate ?? book(books, booking, there, options);
  }
  const deleted = await deleteDraft(books, booking.kind, booking.guid, there, options);
  const mismatch: Rejected = { state: "rejected", code: "TOTAL_MISMATCH", fields: differ.fields };
  return deleted.state === "refused" ? unlessBooked(books, booking, mismatch, options) : mismatch;
}

/** Dinero may refuse a change because the draft has been booked: then that booking is the outcome. */
async function unlessBooked(
  books: DineroBooks,
  booking: DocumentBooking,
  rejected: Rejected,
  options: CallOptions,
): Promise<BookOutcome> {
  const look = await lookAt(books, booking.kind, booking.guid, options);
  if (look.state === "absent") return rejected;
  if (look.state !== "there") return look;
  return look.there.is_booked ? sameBooking(books, booking, look.there, options) : rejected;
}

async function sameBooking(
  books: DineroBooks,
  booking: DocumentBooking,
  there: DineroDocument,
  options: CallOptions,
): Promise<BookOutcome> {
  if (!isContentOf(booking, there)) {
    return { state: "rejected", code: "GUID_CONFLICT", is_booked: true };
  }
  return bookingOf(books, booking.kind, there, options);
}

/** Returns the booking of a document, with its value in kroner. */
function bookingOf(
  { api, first_month }: DineroBooks,
  kind: SalesKind,
  there: DineroDocument,
  options: CallOptions,
): Promise<Booked | Failure> {
  return bookedWithKroner(api, PATH_OF[kind], there, first_month, options);
}

async function replaceDraft(
  books: DineroBooks,
  booking: DocumentBooking,
  body: Readonly<Record<string, unknown>>,
  { stamp }: DineroDocument,
  options: CallOptions,
): Promise<BookOutcome> {
  const path = PATH_OF[booking.kind];
  const answer = await books.api(
    {
      verb: `${path}/{guid}`,
      method: "PUT",
      version: "v1.2",
      path: `${path}/${booking.guid}`,
      body: { ...body, Timestamp: stamp },
    },
    options,
  );
  if (answer.state === "refused") {
    return unlessBooked(books, booking, rejectedFor(answer.refusal), options);
  }
  if (answer.state !== "done") return answer;
  const look = await lookAt(books, booking.kind, booking.guid, options);
  if (look.state === "absent") return badResponse(new Error("a draft is gone"));
  if (look.state !== "there") return look;
  return goOnFrom(books, booking, body, look.there, false, options);
}

async function book(
  books: DineroBooks,
  booking: DocumentBooking,
  { stamp }: DineroDocument,
  options: CallOptions,
  is_second = false,
): Promise<BookOutcome> {
  // Another attempt may have taken over from a delayed one. Only this request books.
  if ((await options.mayBook?.()) === false) return { state: "not_started" };
  const path = PATH_OF[booking.kind];
  const answer = await books.api(
    {
      verb: `${path}/book`,
      method: "POST",
      version: "v1",
      path: `${path}/${booking.guid}/book`,
      body: { Timestamp: stamp },
    },
    options,
  );
  if (answer.state === "done") return bookedAs(books, booking, answer.value, options);
  if (answer.state !== "refused") return answer;
  // Another process may have booked or changed the draft: the current document decides.
  const look = await lookAt(books, booking.kind, booking.guid, options);
  if (look.state === "absent") return badResponse(new Error("a draft is gone that was looked at"));
  if (look.state !== "there") return look;
  if (look.there.is_booked) return sameBooking(books, booking, look.there, options);
  if (!isStale(answer.refusal)) return rejectedFor(answer.refusal);
  const { there } = look;
  const same = readable(() => ({
    state: "read" as const,
    is_same: isContentOf(booking, there) && differenceFrom(booking, there) === null,
  }));
  if (same.state === "unknown") return same;
  return same.is_same && !is_second
    ? book(books, booking, there, options, true)
    : rejectedFor(answer.refusal);
}

/** Reads the booking from the response; searches for the booking when the response does not show it. */
async function bookedAs(
  books: DineroBooks,
  booking: DocumentBooking,
  value: unknown,
  options: CallOptions,
): Promise<BookOutcome> {
  const remote = readable(() => {
    const there = dineroDocument(objectOf(value), booking.guid);
    return { ...bookedFrom(there, books.first_month), there };
  });
  if (remote.state === "booked") return bookingOf(books, booking.kind, remote.there, options);
  const look = await lookAt(books, booking.kind, booking.guid, options);
  if (look.state !== "there" || !look.there.is_booked) return remote;
  return sameBooking(books, booking, look.there, options);
}

/** Deletes a draft under the version that was read. Dinero deletes only drafts. */
async function deleteDraft(
  { api }: DineroBooks,
  kind: SalesKind,
  guid: string,
  { stamp }: DineroDocument,
  options: CallOptions,
): Promise<DineroAnswer> {
  const path = PATH_OF[kind];
  return api(
    {
      verb: `${path}/{guid}`,
      method: "DELETE",
      version: "v1",
      path: `${path}/${guid}`,
      body: { Timestamp: stamp },
    },
    options,
  );
}

/** Removes a draft that was left under a guid; a booked document stays. */
export async function sweepDocument(
  books: DineroBooks,
  kind: SalesKind,
  guid: string,
  options: CallOptions,
): Promise<{ readonly state: "swept"; readonly drafts: number } | Failure> {
  const look = await lookAt(books, kind, guid, options);
  if (look.state === "absent") return { state: "swept", drafts: 0 };
  if (look.state !== "there") return look;
  if (look.there.is_booked) return { state: "swept", drafts: 0 };
  const answer = await deleteDraft(books, kind, guid, look.there, options);
  if (answer.state === "done") return { state: "swept", drafts: 1 };
  if (answer.state !== "refused") return answer;
  // Another cleanup for the same guid may already have deleted the draft.
  return isAbsent(answer.refusal) ? { state: "swept", drafts: 0 } : badResponse(answer.refusal);
}
