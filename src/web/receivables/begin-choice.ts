/** What a person has chosen about the beginning of receivables. The choice is in the address, so that it can be looked at again. */
import { addDays, type CalendarDate, calendarDate } from "../../domain/base/calendar.ts";
import {
  findOldDocuments,
  type OldDocument,
} from "../../features/receivables/opening-items/find-old.ts";
import type { ReceivablesBeginInput } from "../../features/receivables/opening-items/schemas.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Fields } from "../../platform/http/form.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import type { PageRequest } from "../frame/page.tsx";
import type { Faults } from "../frame/submitted.ts";
import type { Refusal } from "../words/refusal.ts";

/** How many documents are listed with a box. Each ticked one is in the address. */
export const MOST_LISTED = 100;
const MOST_NUMBERS = 200;
/** Documents that are due this long before the end of the old bookkeeping, or later, are listed at first. */
const USUAL_DAYS = 90;

const NO_DAY: Refusal = { code: "invalid_format", message: "This is not a date." };
const NO_DOCUMENT: Refusal = {
  code: "unknown_reference",
  message: "No document through that day has one of these numbers.",
};
const SEVERAL_DOCUMENTS: Refusal = {
  code: "ambiguous",
  message: "An invoice and a credit note share one of these numbers: list them by their date.",
};

/** The fields of the form as they were typed, or as they are at first. */
interface TypedBegin {
  readonly date: string;
  readonly account: string;
  readonly from: string;
  readonly older: string;
  readonly is_all: boolean;
}

export interface BeginChoice {
  readonly today: CalendarDate;
  readonly typed: TypedBegin;
  readonly faults: Faults;
  readonly listed: readonly OldDocument[];
  /** Whether more documents are due from that day than are listed. */
  readonly has_more: boolean;
  /** The ids of the listed documents that are ticked. */
  readonly ticked: ReadonlySet<string>;
  /** By which the next request knows that the boxes are of the same documents. */
  readonly list: string;
  /** The body of the command; null before the first choice, and where a field cannot be read. */
  readonly sent: ReceivablesBeginInput | null;
}

/** Reads the choice from the address. `account` is the usual counter account. */
export async function choiceIn(request: PageRequest, account: string): Promise<BeginChoice> {
  const { cx, query } = request;
  const today = todayFor(request);
  const faults = new Map<string, Refusal>();
  const dayIn = (name: "date" | "from", usual: CalendarDate): CalendarDate => {
    const typed = query[name]?.trim() ? dayAsked(request, query[name]) : usual;
    const day = calendarDate(typed);
    if (day === undefined) faults.set(name, NO_DAY);
    return day ?? usual;
  };
  const date = dayIn("date", today);
  const from = dayIn("from", addDays(date, -USUAL_DAYS));
  const found = await findOldDocuments(cx, date, { from, numbers: [], limit: MOST_LISTED + 1 });
  const listed = found.slice(0, MOST_LISTED);
  const older = query.older?.trim() ?? "";
  const named = await namedIn(cx, date, older, faults);
  const list = `${date}.${from}`;
  const ticked = new Set(
    listed.map(({ id }) => id).filter((id) => query.list !== list || query[id] === "on"),
  );
  const is_all = query.open === "all";
  const typed = {
    date: faults.has("date") ? (query.date ?? "") : date,
    account: query.account ?? account,
    from: faults.has("from") ? (query.from ?? "") : from,
    older,
    is_all,
  };
  const open = [...listed.filter(({ id }) => ticked.has(id)), ...named];
  const is_asked = query.list !== undefined && faults.size === 0;
  return {
    today,
    typed,
    faults,
    listed,
    has_more: found.length > listed.length,
    ticked,
    list,
    sent: is_asked ? sentOf(date, typed, open) : null,
  };
}

function sentOf(
  date: CalendarDate,
  { account, is_all }: TypedBegin,
  documents: readonly OldDocument[],
): ReceivablesBeginInput {
  const ids = (kind: OldDocument["kind"]) => [
    ...new Set(documents.filter((one) => one.kind === kind).map(({ id }) => id)),
  ];
  return {
    date,
    counter_account: /^\d{1,8}$/.test(account) ? Number(account) : 0,
    open: is_all ? "all" : { invoices: ids("invoice"), credit_notes: ids("credit_note") },
  };
}

/** Returns the documents whose numbers are typed. A number of no document, or of several, is a fault of the field. */
async function namedIn(
  cx: PersonContext,
  date: CalendarDate,
  typed: string,
  faults: Map<string, Refusal>,
): Promise<readonly OldDocument[]> {
  const numbers = [...new Set(typed.split(/[\s,;]+/).filter((number) => number !== ""))];
  if (numbers.length === 0) return [];
  const which = { from: null, numbers: numbers.slice(0, MOST_NUMBERS), limit: 2 * MOST_NUMBERS };
  const found = await findOldDocuments(cx, date, which);
  const counts = numbers.map((number) => found.filter((one) => one.number === number).length);
  if (counts.includes(0)) faults.set("older", NO_DOCUMENT);
  else if (counts.some((count) => count > 1)) faults.set("older", SEVERAL_DOCUMENTS);
  return found;
}

/** Returns the address of the choice: the fields and the boxes that it was read from. */
export function addressOf(path: string, query: Fields): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
  return text === "" ? path : `${path}?${text}`;
}
