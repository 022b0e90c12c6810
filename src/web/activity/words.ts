/** Presents an event of the audit trail in words: the kind of resource, its name, and the fields that changed. */
import { type FieldChange, fieldChanges } from "../../domain/base/field-changes.ts";
import { problemCatalogue } from "../../domain/base/problem.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import type { PageReader } from "../frame/reader.ts";
import { shownChanges } from "../parts/changes.tsx";
import { dayOf, monthOf } from "../parts/format.ts";
import type { Words } from "../words/en.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ShownEvent {
  readonly at: string;
  readonly who: string;
  /** The action as words: `written off`, not `written_off`. */
  readonly action: string;
  readonly type: string;
  /** A document's number, a name or a title; null when the resource has none. */
  readonly label: string | null;
  /** True for a plan whose summary is shown as it is stored: in English. */
  readonly is_in_english: boolean;
  /** The id where the resource has no label, or where people read the id: an account's number. */
  readonly id: string | null;
  /** The fields that differ between before and after; none where the resource did not exist before or after. */
  readonly changes: readonly FieldChange[];
  readonly resource_type: string;
  readonly resource_id: string;
  readonly reason: string | null;
}

interface AuditEvent {
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly before: Fields | null;
  readonly after: Fields | null;
  readonly reason: string | null;
}

export function eventFrom(payload: JsonText): AuditEvent {
  return JSON.parse(payload) as AuditEvent;
}

/** Returns the ids of the resources whose names describe an event better than the event itself. */
export function idsIn(event: AuditEvent): string[] {
  const { customer_id } = { ...event.before, ...event.after };
  const ids = [event.actor.id, event.resource_id.slice(0, 36), customer_id];
  return ids.filter((id): id is string => typeof id === "string" && UUID.test(id));
}

/** The kinds of resources that events can be filtered by, in the order of their importance. */
export const KINDS = [
  "invoice",
  "credit_note",
  "customer",
  "product",
  "recurring_series",
  "occurrence",
  "work_registration",
  "accrual",
  "period_close",
  "delivery",
  "configuration",
  "exchange_rate",
  "ledger_account",
  "einvoice_connection",
  "ledger_connection",
  "bank_account",
  "statement",
  "reminder",
  "reminder_hold",
  "reference_rate",
  "user",
  "api_key",
  "webhook_endpoint",
  "oauth_grant",
  "plan",
] as const;

/** Returns the name of a kind, with a capital. */
export function kindOf(kind: string, { types }: Words["activity"]): string {
  const name = types[kind] ?? kind.replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the event in words. `names` has the names of the ids from `idsIn`, as far as they are known. */
export function shownEvent(
  event: AuditEvent,
  names: ReadonlyMap<string, string>,
  { words: all_words, language }: Pick<PageReader, "words" | "language">,
): ShownEvent {
  const { activity: words } = all_words;
  const { at, action, resource_type, resource_id, before, after, reason } = event;
  const stored = labelOf(event, names, words, language);
  const is_plan = resource_type === "plan" && stored !== null;
  const label = is_plan ? all_words.assistants.sentence(stored) : stored;
  return {
    at,
    who: whoOf(event, names, words),
    action: words.actions[action] ?? action.replaceAll("_", " "),
    type: words.types[resource_type] ?? resource_type.replaceAll("_", " "),
    label,
    is_in_english: is_plan && label === stored,
    id: label === null || IDS_FOR_PEOPLE.has(resource_type) ? resource_id : null,
    changes: before === null || after === null ? [] : shownChanges(fieldChanges(before, after)),
    resource_type,
    resource_id,
    reason: reason === null ? null : reasonOf(reason, all_words),
  };
}

/** Returns a reason as shown: a person's text unchanged, the service's codes and sentences in the reader's language. */
function reasonOf(reason: string, words: Words): string {
  const known = words.activity.reasons[reason];
  if (known !== undefined) return known;
  const problem = problemCatalogue().find(({ code }) => code === reason);
  return problem === undefined ? reason : words.refused({ ...problem, message: reason });
}

function whoOf(
  { actor }: AuditEvent,
  names: ReadonlyMap<string, string>,
  words: Words["activity"],
): string {
  const name = names.get(actor.id) ?? actor.id;
  if (actor.kind === "api_key") return words.api_key(name);
  if (actor.kind === "scheduler") return words.scheduler;
  if (actor.kind === "operator") return words.operator;
  return name;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Resources whose ids people read: the number of an account. */
const IDS_FOR_PEOPLE: ReadonlySet<string> = new Set(["ledger_account"]);
const NUMBERS = ["ledger_invoice_number", "ledger_credit_note_number"];
/** Fields that contain a resource's name. */
const NAMES = ["summary", "name", "client_name", "title"];
/** Fields that distinguish resources of the same name. */
const DAYS = ["month", "period", "date"];

/** Returns the label. The name in the event itself comes first: it is the name that the resource had at that time. */
function labelOf(
  event: AuditEvent,
  names: ReadonlyMap<string, string>,
  words: Words["activity"],
  language: PageReader["language"],
): string | null {
  const fields = { ...event.before, ...event.after };
  const found = names.get(event.resource_id.slice(0, 36));
  const number = NUMBERS.map((name) => fields[name]).find((value) => typeof value === "number");
  if (number !== undefined) return found ?? words.numbered(Number(number));
  const name = firstText(fields, NAMES);
  if (name !== null) return name;
  // The id of a month close is its month.
  const month = event.resource_type === "period_close" ? event.resource_id : null;
  const day = dayIn(language, firstText(fields, DAYS) ?? month);
  if (event.resource_type === "exchange_rate") return `${fields.currency}, ${day}`;
  if (found !== undefined) return day === null ? found : `${found}, ${day}`;
  const customer = names.get(String(fields.customer_id));
  if (customer !== undefined) return words.for_customer(customer);
  return day ?? firstText(fields, ["external_id"]);
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  const values = names.map((name) => fields[name]);
  return values.find((value) => typeof value === "string" && value !== "")?.toString() ?? null;
}

/** Returns a day or a month in words; other periods as they are named. */
function dayIn(language: PageReader["language"], text: string | null): string | null {
  if (text === null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dayOf(language, text);
  return /^\d{4}-\d{2}$/.test(text) ? monthOf(language, text) : text;
}
