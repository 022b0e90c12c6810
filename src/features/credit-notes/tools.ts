/** The tools that show credit notes: their list, and one with its lines. */
import * as z from "zod";
import { currencyDigits } from "../../domain/currency.ts";
import { sumOfNumbers } from "../../domain/money.ts";
import type { Role } from "../../domain/user.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { getStored } from "../../platform/database/resources.ts";
import { together } from "../../platform/database/transaction.ts";
import {
  pageArguments,
  reading,
  reference,
  scopeArgument,
  scopedOutput,
} from "../../platform/mcp/arguments.ts";
import { defineTool } from "../../platform/mcp/tool.ts";
import { amountText, paragraphs, quoted, table } from "../../platform/mcp/words.ts";
import { customerNames } from "../customers/queries.ts";
import { linesOfInvoices } from "../invoices/queries.ts";
import { answerInView, requireInView } from "../views/in-view.ts";
import { creditNoteConditions } from "./queries.ts";
import { CreditNoteResource } from "./schemas.ts";

const listInput = (role: Role) =>
  z.object({
    scope: scopeArgument(role),
    customer: reference("customer").optional(),
    invoice: reference("invoice").optional(),
    status: z.enum(["draft", "issued"]).optional(),
    ...pageArguments,
  });

/** A credit note with whom and what it credits. */
export const ListedCreditNote = CreditNoteResource.extend({
  customer_name: z.string(),
  invoice_number: z.int().nullable(),
  currency: z.string(),
  amount: z.number().describe("What it gives back, net of VAT; positive."),
});
export type ListedCreditNote = z.output<typeof ListedCreditNote>;

export const listCreditNotesTool = defineTool<z.output<ReturnType<typeof listInput>>>({
  ...reading,
  name: "list_credit_notes",
  title: "List credit notes",
  description:
    "Use it to see what was or will be credited, by customer, invoice or status, the newest first. Drafts are queued by the cancellation of a series. mine are those of invoices with a line assigned to the person.",
  input: listInput,
  output: scopedOutput(ListedCreditNote),

  async call(cx, { scope, limit, cursor, ...filters }) {
    const conditions = await creditNoteConditions(cx, filters);
    const view = { scope, limit, cursor };
    return answerInView(cx, "credit_note", view, conditions, withInvoices, (rows) =>
      creditNoteTable(rows, "No credit notes."),
    );
  },
});

const Input = z.object({ credit_note: reference("credit_note") });

export const getCreditNoteTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_credit_note",
  title: "Show a credit note",
  description:
    "Use it to see what a credit note gives back, line by line, of which invoice, and whether it was booked and sent.",
  input: () => Input,
  output: z.object({ data: ListedCreditNote }),

  async call(cx, { credit_note }) {
    const { id, document } = await getStored(
      cx.db,
      "credit_notes",
      cx.caller.account_id,
      credit_note,
    );
    await requireInView(cx, "credit_note", id);
    const [data] = await withInvoices(cx, [JSON.parse(document) as CreditNoteResource]);
    if (data === undefined) throw new Error("the credit note is not there");
    const names = new Map(
      (await linesOfInvoices(cx, [data.invoice_id])).map(({ line }) => [
        line.id as string,
        line.description_override ?? line.product_name,
      ]),
    );
    const rows = data.lines.map((line) => [
      line.invoice_line_id,
      quoted(names.get(line.invoice_line_id)),
      amountText(line.amount, data.currency),
    ]);
    const text = paragraphs(
      creditNoteTable([data], ""),
      table(["invoice line", "name", "amount"], rows, "No lines."),
      data.send_error === null ? null : "It was booked, but sending it failed.",
    );
    return { text, structured: { data } };
  },
});

/** Credit notes with the names of their customers, and the numbers and currencies of their invoices. */
export async function withInvoices(
  cx: Context,
  notes: readonly CreditNoteResource[],
): Promise<ListedCreditNote[]> {
  if (notes.length === 0) return [];
  const [names, invoices] = await together([
    customerNames(
      cx,
      notes.map((note) => note.customer_id),
    ),
    query<{ id: string; currency: string; ledger_invoice_number: bigint | null }>(
      cx.db,
      `select id, currency, ledger_invoice_number from invoices
       where account_id = $1 and id = any($2)`,
      [cx.caller.account_id, [...new Set(notes.map((note) => note.invoice_id))]],
    ),
  ]);
  const invoice_of = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return notes.map((note) => {
    const { currency, ledger_invoice_number } = invoice_of.get(note.invoice_id) ?? {};
    if (currency === undefined) throw new Error("a credit note without its invoice");
    const amounts = note.lines.map((line) => line.amount);
    return {
      ...note,
      customer_name: names.get(note.customer_id) ?? "",
      invoice_number: ledger_invoice_number ? Number(ledger_invoice_number) : null,
      currency,
      amount: sumOfNumbers(amounts, currencyDigits(currency)),
    };
  });
}

export function creditNoteTable(notes: readonly ListedCreditNote[], nothing: string): string {
  const rows = notes.map((note) => [
    note.id,
    note.status,
    note.ledger_credit_note_number,
    note.kind,
    quoted(note.customer_name),
    note.invoice_number === null
      ? note.invoice_id
      : `${note.invoice_id} (number ${note.invoice_number})`,
    amountText(note.amount, note.currency),
  ]);
  const columns = ["credit note", "status", "number", "kind", "customer", "invoice", "net"];
  return table(columns, rows, nothing);
}
