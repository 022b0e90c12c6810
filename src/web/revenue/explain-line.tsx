/** Explains a line's month on a page: the panel of `?explain=…`, complete where few lines decide it, else filled by its island. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { notFound, Problem } from "../../domain/base/problem.ts";
import { ownLines } from "../../features/overview/views/find-own-lines.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { MonthText } from "../../features/revenue/accruals/schemas.ts";
import { explainLine } from "../../features/revenue/reports/explain.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import { booksOf } from "../../features/settings/configuration/accounts.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { PersonContext, PersonReader } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { type Language, wordsOf } from "../words/words.ts";
import { island as explanationPanel } from "./explanation-panel.tsx";
import type { ExplanationShown } from "./explanation-shown.ts";
import { cellFrom } from "./revenue-address.ts";

interface ExplanationAsked {
  readonly line_id: string;
  readonly month: Month;
  readonly language: Language;
}

/** Explains a line's month; null for a line that the reader may not see, or that has nothing to explain. */
export const explanationOf = defineLongWork({
  name: "pages.explanation",
  is_read: true,
  on_replica: true,
  async work(cx: PersonContext, asked: ExplanationAsked): Promise<ExplanationShown | null> {
    const configuration = await getConfiguration(cx);
    if (cx.leaves_if_long && (await isLarge(cx, configuration))) throw new TakesLong();
    return reading(cx, (inside) => explained(inside, configuration, asked));
  },
});

/** The action answers 404 for a line outside of the view, as for an unknown one. */
export const explainActions: readonly Action[] = [
  defineAction(
    "/app/revenue/explain",
    "person",
    z.object({ line_id: Uuid, month: MonthText, language: z.enum(["en", "da"]) }),
    async (_cx, asked, { runLong }) => {
      const shown = await runLong(explanationOf, asked);
      if (shown === null) throw notFound("line", asked.line_id);
      return shown;
    },
  ),
];

/** Whether the account has so many lines that an explanation follows after the page. */
async function isLarge(cx: PersonContext, configuration: Configuration): Promise<boolean> {
  return hasTooManyLines(cx, currentMonth(cx, configuration));
}

/** Returns the explanation for a reader: an admin sees any line, others their own, without other people and vouchers. */
export async function explained(
  cx: PersonReader,
  configuration: Configuration,
  { line_id, month, language }: ExplanationAsked,
): Promise<ExplanationShown | null> {
  const is_admin = isAdmin(cx);
  const { user_id: reader } = cx.caller.person;
  if (!is_admin && !(await ownLines(cx, [line_id])).has(line_id)) return null;
  try {
    const { explanation, text, invoice_id } = await explainLine(
      cx,
      { line_id, month },
      configuration,
    );
    const users = explanation.users.filter(({ user_id }) => is_admin || user_id === reader);
    const accruals = is_admin ? explanation.accruals : [];
    const document =
      invoice_id ?? explanation.contract.series_id ?? explanation.contract.opening_contract_id;
    const ids = [explanation.customer_id, document, ...users.map(({ user_id }) => user_id)];
    const names = await namesOf(
      cx,
      ids.filter((id) => id !== null),
      is_admin ? null : reader,
      wordsOf(language).activity.names,
    );
    return {
      ...explanation,
      users,
      accruals,
      text,
      invoice_id,
      has_books: booksOf(cx) !== undefined,
      customer: names.get(explanation.customer_id) ?? "–",
      document: names.get(document ?? "") ?? null,
      people: Object.fromEntries(
        users.flatMap(({ user_id }) => (user_id ? [[user_id, names.get(user_id) ?? "–"]] : [])),
      ),
    };
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === "NOT_FOUND") return null;
    throw thrown;
  }
}

/** Returns the panel of the explanation that the address asks for; null without one. `page` is the address without it. */
export async function explanationAt(request: PageRequest, page: string) {
  const { cx, query, reader } = request;
  const cell = cellFrom(query.explain);
  if (cell?.id == null) return null;
  const asked = { line_id: cell.id, month: cell.month, language: reader.language };
  const configuration = await getConfiguration(cx);
  if (await isLarge(cx, configuration)) {
    return <Island of={explanationPanel} with={{ asked, shown: null, back: page }} />;
  }
  const shown = await reading(cx, (inside) => explained(inside, configuration, asked));
  if (shown === null) return null;
  return <Island of={explanationPanel} with={{ asked, shown, back: page }} />;
}
