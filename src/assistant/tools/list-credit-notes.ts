/** `list_credit_notes`: the credit notes that a person sees. */
import * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import { creditNoteConditions } from "../../features/sales/credit-notes/queries.ts";
import {
  deliveryArgument,
  pageArguments,
  reading,
  reference,
  scopeArgument,
  scopedOutput,
  sumsOutput,
} from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import {
  CreditNoteRow,
  creditNoteRow,
  creditNoteTable,
  type ListedCreditNote,
  withInvoices,
} from "../text/listed-credit-notes.ts";
import { answerInView } from "../views/answer-in-view.ts";

const listInput = (role: Role) =>
  z.object({
    scope: scopeArgument(role),
    customer: reference("customer").optional(),
    invoice: reference("invoice").optional(),
    status: z.enum(["draft", "issued"]).optional(),
    delivery_state: deliveryArgument,
    ...pageArguments,
  });

export const listCreditNotesTool = defineTool<z.output<ReturnType<typeof listInput>>>({
  ...reading,
  name: "list_credit_notes",
  title: "List credit notes",
  description:
    "Use it to find issued and queued credit notes by customer, invoice, status or delivery, with their sums: queued ones first, then by date and number, the newest first. Drafts are queued by the cancellation of a series. mine are those for invoices with a line assigned to the person.",
  input: listInput,
  output: scopedOutput(CreditNoteRow.schema).extend(sumsOutput),

  async call(cx, { scope, limit, cursor, ...filters }) {
    const conditions = creditNoteConditions(filters);
    const view = { scope, limit, cursor };
    return answerInView(cx, "credit_note", view, conditions, withInvoices, {
      textOf: (rows: readonly ListedCreditNote[]) => creditNoteTable(rows, "No credit notes."),
      rowOf: creditNoteRow,
    });
  },
});
