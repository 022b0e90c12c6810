/** Checks series changes that need `mcp:issue`, not `mcp:write`: an active series is booked and mailed (spec 8.2). */
import { Problem } from "../../../domain/base/problem.ts";
import type { PersonReader } from "../../../platform/commands/context.ts";
import { getStored } from "../../../platform/database/resources.ts";
import type { SeriesResource, SeriesUpdate } from "../../recurring/series/schemas.ts";

/** Requires that the assistant may issue. Throws INSUFFICIENT_SCOPE; `otherwise` is a sentence with the permitted alternative. */
function requireIssuing(cx: PersonReader, otherwise: string): void {
  if (mayIssue(cx)) return;
  const message = `This assistant may not issue invoices, and an active series is invoiced automatically. ${otherwise}`;
  throw new Problem("INSUFFICIENT_SCOPE", { message, details: { scope: "mcp:issue" } });
}

/** Whether the caller may cause an issue: a person in a browser sees the effect, an assistant needs the scope. */
function mayIssue({ caller }: PersonReader): boolean {
  const { grant } = caller.person;
  return grant === null || grant.scopes.has("mcp:issue");
}

/** Throws INSUFFICIENT_SCOPE when an assistant that may not issue activates a series. */
export function requireMayActivate(cx: PersonReader, is_activated: boolean): void {
  if (is_activated) requireIssuing(cx, "Without activate the series stays a draft.");
}

/** Throws INSUFFICIENT_SCOPE if an assistant that may not issue changes what an active series books or mails. */
export async function requireMayChange(
  cx: PersonReader,
  id: string,
  changes: SeriesUpdate,
): Promise<void> {
  if (mayIssue(cx)) return;
  const { document } = await getStored(cx, "recurring_series", id);
  const fields = billedAnew(JSON.parse(document) as SeriesResource, changes);
  if (fields.length === 0) return;
  const named = fields.join(", ").replaceAll("_", " ");
  requireIssuing(cx, `A person must make this change themselves: ${named}.`);
}

const DECIDE_WHAT_FALLS_DUE = [
  "customer_id",
  "currency",
  "frequency",
  "alignment",
  "start_date",
] as const;

/** Returns the changed fields by which an active series would bill more, earlier, or another customer. */
function billedAnew(series: SeriesResource, changes: SeriesUpdate): string[] {
  const timing = timingOf(changes.issue_timing ?? series.issue_timing);
  if (series.status !== "active" || timing.mode === "manual") return [];
  const before = { ...series, alignment: series.alignment ?? "anniversary" };
  const fields: string[] = DECIDE_WHAT_FALLS_DUE.filter(
    (field) => changes[field] !== undefined && changes[field] !== before[field],
  );
  const was = timingOf(series.issue_timing);
  if (timing.mode !== was.mode || timing.offset_days !== was.offset_days) {
    fields.push("issue_timing");
  }
  const { end_date, auto_send } = changes;
  const is_longer = series.end_date !== null && (end_date ?? "9999-12-31") > series.end_date;
  if (end_date !== undefined && is_longer) fields.push("end_date");
  const may_mail = auto_send === true || auto_send === null;
  if (may_mail && auto_send !== (series.auto_send ?? null)) fields.push("auto_send");
  return fields;
}

function timingOf(timing: NonNullable<SeriesUpdate["issue_timing"]>) {
  return { mode: timing.mode ?? "start-of-period", offset_days: timing.offset_days ?? 0 };
}
