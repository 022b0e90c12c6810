/** Unbilled hours of a draft's customer, and the action that moves them to a line of the draft. */
import * as z from "zod";
import { notFound } from "../../domain/base/problem.ts";
import { listUnbilled, listWaiting } from "../../features/sales/hours/list-unbilled.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { changeWork } from "../../features/work/registrations/change.ts";
import { run } from "../../platform/commands/command.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { wordsOf } from "../words/words.ts";
import { draftStored, isLongDraft } from "./draft-facts.ts";
import type { UnbilledHours } from "./draft-unbilled.tsx";

/** The number of registrations that are shown, and moved, together. */
const MOST_MOVED = 100;
const MOST_DRAFTS = 10;

export const draftHoursActions: readonly Action[] = [
  defineAction(
    "/app/drafts/unbilled",
    "admin",
    z.strictObject({ id: Uuid }),
    async (cx, { id }): Promise<UnbilledHours> => {
      const { customer_id } = (await getInvoice(cx, id)).invoice;
      const [work, drafts] = await Promise.all([
        listUnbilled(cx, customer_id, MOST_MOVED),
        listWaiting(cx, customer_id, id, MOST_DRAFTS),
      ]);
      return {
        work: work.map(({ number, ...one }) => ({
          ...one,
          number: number === null ? null : String(number),
        })),
        drafts,
      };
    },
  ),
  defineAction(
    "/app/drafts/take-hours",
    "admin",
    z.strictObject({
      id: Uuid,
      line_id: Uuid,
      work: z.array(Uuid).min(1).max(MOST_MOVED),
      language: z.enum(["en", "da"]),
    }),
    async (cx, { id, line_id, work, language }) => {
      const { lines } = (await getInvoice(cx, id)).invoice;
      if (!lines.some((line) => line.id === line_id)) throw notFound("line", line_id);
      // One command for each registration: a moved registration stays moved, and is moved only once.
      for (const ref of work) await run(changeWork, cx, { ref, changes: { line_id } });
      return draftStored(cx, id, { language, words: wordsOf(language) });
    },
    (cx, { id }) => isLongDraft(cx, id),
  ),
];
