/** Where the warnings of a plan, and the refusal of its commit, are cured: at the document that the plan would book. */
import { Problem } from "../../domain/base/problem.ts";
import type { ShownPlan } from "../../features/access/oauth/resolve-plan.ts";
import { requirePeriod } from "../../features/recurring/series/periods.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import { findInvoices } from "../../features/sales/invoices/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { isAdmin, isSeen } from "../frame/seen.ts";
import {
  type Cure,
  type CuredDocument,
  cureOfRefusal,
  cureOfUnsent,
  cureOfWarning,
} from "../parts/cures.ts";

/** Returns the document that a plan would book; null for other plans, and for a document that is gone or out of view. */
export async function curedByPlan(
  cx: PersonReader,
  { books }: Pick<ShownPlan, "books">,
): Promise<CuredDocument | null> {
  if (books === null) return null;
  if (books.kind === "period") return curedPeriod(cx, books.series_id, books.period);
  const [invoice] = await findInvoices(cx, [books.invoice_id]);
  if (invoice === undefined || !(await isSeen(cx, "invoice", invoice.id))) return null;
  const { customer_id, lines } = invoice;
  const page = `/invoices/${invoice.id}`;
  const is_admin = isAdmin(cx);
  if (books.kind === "credit") {
    const day_id = "credit_date";
    return { page: `${page}/credit`, day_id, customer_id, line_ids: null, is_admin };
  }
  const in_order = [...lines].sort((a, b) => a.position - b.position);
  const line_ids = in_order.map((line) => line.id);
  return { page, day_id: "issue_date", customer_id, line_ids, is_admin };
}

async function curedPeriod(
  cx: PersonReader,
  series_id: string,
  text: string,
): Promise<CuredDocument | null> {
  try {
    if (!(await isSeen(cx, "recurring_series", series_id))) return null;
    const { series } = await getSeries(cx, series_id);
    const page = `/retainers/${series_id}/${requirePeriod(series, text).key}`;
    const { customer_id } = series;
    return { page, day_id: "facts", customer_id, line_ids: null, is_admin: isAdmin(cx) };
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.kind === "absent") return null;
    throw thrown;
  }
}

/** Returns the cure of a stored warning, which is the message of a coded one or says why nothing is sent. */
export function cureOfPlanned(
  sentence: string,
  { document_warnings = [] }: ShownPlan["words"],
  document: CuredDocument | null,
): Cure | null {
  if (document === null) return null;
  const coded = document_warnings.find(({ message }) => message === sentence);
  if (coded !== undefined) return cureOfWarning(coded, document);
  if (!sentence.endsWith("is booked, but not sent.")) return null;
  const is_einvoice = sentence.startsWith("E-invoice");
  return cureOfUnsent(is_einvoice ? "einvoice_not_configured" : "no_address", document);
}

/** Returns the cure of a refused commit. A plan whose basis has changed names the refusal that the change has brought. */
export function cureOfCommit(refused: Problem, document: CuredDocument | null): Cure | null {
  if (document === null) return null;
  const now = refused.extras.details?.now as { readonly code?: string } | undefined;
  if (refused.code !== "PLAN_STALE" || now?.code === undefined) {
    return cureOfRefusal(refused, document);
  }
  const code = now.code as Problem["code"];
  return cureOfRefusal({ code, extras: { details: { ...now } } }, document);
}
