/** `get_credit_note`: one credit note with all its lines, and the invoice that it credits. */
import * as z from "zod";
import { requireInView } from "../../features/overview/views/queries.ts";
import { CreditNoteResource } from "../../features/sales/credit-notes/schemas.ts";
import { linesOfInvoices } from "../../features/sales/invoices/queries.ts";
import { getStored } from "../../platform/database/resources.ts";
import { fitting, MOST_LINES } from "../protocol/answer-size.ts";
import { reading, reference } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, paragraphs, quoted, table } from "../protocol/words.ts";
import { creditNoteTable, ListedCreditNote, withInvoices } from "../text/listed-credit-notes.ts";
import { askedLines, linesArguments, otherLinesText } from "../text/shown-lines.ts";

const Input = z.object({
  credit_note: reference("credit_note"),
  lines_from: linesArguments.lines_from,
});

const Detail = ListedCreditNote.extend({ lines: CreditNoteResource.shape.lines });

const MOST_OF_REASON = 500;

export const getCreditNoteTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_credit_note",
  title: "Show a credit note",
  description:
    "Use it to see the invoice and lines that a credit note credits, and whether it was booked and sent.",
  input: () => Input,
  output: z.object({ data: Detail }),

  async call(cx, { credit_note, ...asked }) {
    const { id, document } = await getStored(cx, "credit_notes", credit_note);
    await requireInView(cx, "credit_note", id);
    const resource = JSON.parse(document) as CreditNoteResource;
    const [listed] = await withInvoices(cx, [resource]);
    if (listed === undefined) throw new Error("the credit note is missing");
    const names = new Map(
      (await linesOfInvoices(cx, [listed.invoice_id])).map(({ line }) => [
        line.id as string,
        line.description_override ?? line.product_name,
      ]),
    );
    const lines = askedLines(resource.lines, asked, (line) => line.id);
    return fitting(MOST_LINES, (most) => {
      const data = { ...listed, lines: lines.slice(0, most) };
      const rows = data.lines.map((line) => [
        line.invoice_line_id,
        quoted(names.get(line.invoice_line_id)),
        amountText(line.amount, data.currency),
      ]);
      const text = paragraphs(
        creditNoteTable([data], ""),
        table(["invoice line", "name", "amount"], rows, "No lines."),
        data.reason === undefined ? null : `Reason: ${quoted(data.reason, MOST_OF_REASON)}`,
        otherLinesText(asked, rows.length, data.line_count),
        data.send_error === null ? null : "It was booked, but sending it failed.",
      );
      return { text, structured: { data } };
    });
  },
});
