/** Presents an event of the audit trail in words: the kind of resource, its name, and the fields that changed. */
import { problemCatalogue } from "../../domain/base/problem.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
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
  /** True for a plan: its summary is stored in English, as its assistant received it. */
  readonly is_in_english: boolean;
  /** The id where the resource has no label, or where people read the id: an account's number, a currency and a date. */
  readonly id: string | null;
  /** Names of the fields that an update changed, in their order. */
  readonly changed: readonly string[];
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

/** Returns the event in words. `names` has the names of the ids from `idsIn`, as far as they are known. */
export function shownEvent(
  event: AuditEvent,
  names: ReadonlyMap<string, string>,
  all_words: Words,
): ShownEvent {
  const { activity: words } = all_words;
  const { at, action, resource_type, resource_id, before, after, reason } = event;
  const label = labelOf(event, names, words);
  const is_for_people = !UUID.test(resource_id.slice(0, 36)) && !resource_id.startsWith("plan_");
  return {
    at,
    who: whoOf(event, names, words),
    action: words.actions[action] ?? action.replaceAll("_", " "),
    type: words.types[resource_type] ?? resource_type.replaceAll("_", " "),
    label,
    is_in_english: resource_type === "plan",
    id: (label === null || is_for_people) && label !== resource_id ? resource_id : null,
    changed: action === "updated" ? changedFields(before ?? {}, after ?? {}) : [],
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
): string | null {
  const fields = { ...event.before, ...event.after };
  const found = names.get(event.resource_id.slice(0, 36));
  const number = NUMBERS.map((name) => fields[name]).find((value) => typeof value === "number");
  if (number !== undefined) return found ?? words.numbered(Number(number));
  const name = firstText(fields, NAMES);
  if (name !== null) return name;
  const day = firstText(fields, DAYS);
  if (found !== undefined) return day === null ? found : `${found}, ${day}`;
  const customer = names.get(String(fields.customer_id));
  if (customer !== undefined) return words.for_customer(customer);
  return day ?? firstText(fields, ["external_id"]);
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  const values = names.map((name) => fields[name]);
  return values.find((value) => typeof value === "string" && value !== "")?.toString() ?? null;
}

/** Fields that change with every update, so they are not listed as changes. */
const FOLLOWING = new Set(["updated_at", "revision"]);

function changedFields(before: Fields, after: Fields): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter(
    (name) => !FOLLOWING.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
