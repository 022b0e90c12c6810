/** An event of the trail in words: what kind of thing, which one, and the fields that changed. */
import type { JsonText } from "../../platform/json.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ShownEvent {
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  /** `written off`, not `written_off`. */
  readonly action: string;
  readonly type: string;
  readonly resource_id: string;
  /** What people call it: a document's number, a name, a title; null when it has none. */
  readonly label: string | null;
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

export function shownEvent(payload: JsonText): ShownEvent {
  const event = JSON.parse(payload) as AuditEvent;
  const { at, actor, action, resource_type, resource_id, before, after, reason } = event;
  return {
    at,
    actor,
    action: action.replaceAll("_", " "),
    type: resource_type.replaceAll("_", " "),
    resource_id,
    label: labelOf({ ...before, ...after }),
    changed: action === "updated" ? changedFields(before ?? {}, after ?? {}) : [],
    reason,
  };
}

const NUMBERS = ["ledger_invoice_number", "ledger_credit_note_number"];
const LABELS = ["summary", "name", "title", "month", "date", "external_id"];

function labelOf(fields: Fields): string | null {
  const number = NUMBERS.map((name) => fields[name]).find((value) => typeof value === "number");
  if (number !== undefined) return `no. ${number}`;
  const label = LABELS.map((name) => fields[name]).find(
    (value) => typeof value === "string" && value !== "",
  );
  return label === undefined ? null : String(label);
}

/** They change with every change, and tell nothing. */
const FOLLOWING = new Set(["updated_at", "revision"]);

function changedFields(before: Fields, after: Fields): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter(
    (name) => !FOLLOWING.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
