/** The requests and responses of credit notes (spec 5.5). */
import * as z from "zod";
import { type CreditInput, creditFaults, creditKinds } from "../../../domain/sales/credit-note.ts";
import {
  addFaults,
  amount,
  component,
  Day,
  documentNumber,
  ExternalId,
  externalIdFilter,
  includeFilter,
  input,
  issuedRange,
  listOf,
  manyOf,
  pageParameters,
  Ref,
  searchFilter,
  shownText,
  text,
  Uuid,
  updatedSince,
} from "../../../platform/http/schemas.ts";
import { CustomerOfRow } from "../../catalogue/customers/schemas.ts";
import { deliveryFilter } from "../../documents/issued/find-documents.ts";
import { DeliveryOfRow, RowTotals, SendingOfRow } from "../../documents/issued/include.ts";

const MOST_LINES = 500;
const MOST_OF_REASON = 500;

export const CreditNoteLineInput = input("CreditNoteLineInput", {
  invoice_line_id: Uuid,
  amount: amount(0).describe("Net of VAT, in the invoice's currency."),
});

export const CreditNoteCreate = z
  .object({
    external_id: ExternalId.describe("The idempotency key."),
    invoice: Ref.describe("The invoice's UUID, or `ext:` and its external id."),
    kind: z.enum(creditKinds),
    credit_date: Day.describe("If it is before the invoice's date, the invoice's date is used."),
    lines: z.array(CreditNoteLineInput).max(MOST_LINES).optional(),
    reason: text(MOST_OF_REASON, 1)
      .optional()
      .describe("Why the invoice is credited; printed under the lines."),
  })
  .superRefine(requireCredit)
  .meta({ id: "CreditNoteCreate" });
export type CreditNoteCreate = z.output<typeof CreditNoteCreate>;

/** A preview creates no credit note, so it takes no external id. */
export const CreditNotePreviewBody = z
  .object({
    ...CreditNoteCreate.shape,
    external_id: z.unknown().optional().describe("Ignored: nothing is created."),
  })
  .superRefine(requireCredit)
  .meta({ id: "CreditNotePreviewInput" });
export type CreditNotePreviewBody = z.output<typeof CreditNotePreviewBody>;

function requireCredit(
  note: {
    readonly kind: CreditInput["kind"];
    readonly lines?: CreditInput["lines"] | undefined;
  },
  check: z.core.$RefinementCtx,
): void {
  addFaults(check, creditFaults({ kind: note.kind, lines: note.lines ?? [] }));
}

export const CreditNoteResource = component("CreditNote", {
  object: z.literal("credit_note"),
  id: z.string(),
  external_id: shownText,
  invoice_id: z.string(),
  customer_id: z.string(),
  kind: z.enum(creditKinds),
  status: z.enum(["draft", "issued"]),
  ledger_credit_note_guid: shownText,
  ledger_credit_note_number: z.int().nullable(),
  issued_at: shownText,
  send_error: shownText.describe("Why the last delivery failed; null if it did not."),
  lines: manyOf({
    id: z.string(),
    invoice_line_id: z.string(),
    amount: z.number(),
    position: z.int(),
  }),
  credit_date: z.string().optional().meta({
    description:
      "The date of document, entry, VAT and revenue: the later of the one sent and the invoice's.",
  }),
  reason: z.string().optional().meta({
    description: "Why the invoice is credited, as printed; absent where none was given.",
  }),
});
export type CreditNoteResource = z.output<typeof CreditNoteResource>;

const includes = ["totals", "customer", "delivery"] as const;
export type CreditNoteInclude = (typeof includes)[number];

/** A credit note as a list shows it, with the additions that `include` asks for. */
export const CreditNoteRow = CreditNoteResource.extend({
  totals: RowTotals.optional().describe(
    "Positive amounts, as issued, or for a queued one as of now. With `include=totals`.",
  ),
  delivery_state: DeliveryOfRow.optional().describe(
    "The state of the last delivery; null if there was none. With `include=totals`.",
  ),
  delivery: SendingOfRow.nullable()
    .optional()
    .describe("The last delivery; null if there was none. With `include=delivery`."),
  customer: CustomerOfRow.optional().describe("With `include=customer`."),
}).meta({ id: "CreditNoteRow" });
export type CreditNoteRow = z.output<typeof CreditNoteRow>;

export const CreditNoteList = listOf(CreditNoteRow).meta({ id: "CreditNoteList" });

export const CreditNoteQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  invoice: Ref.optional(),
  status: z.enum(["draft", "issued"]).optional(),
  updated_since: updatedSince,
  ...issuedRange,
  number: documentNumber.describe("`ledger_credit_note_number`."),
  delivery_state: deliveryFilter,
  search: searchFilter("number, external id or the customer's name"),
  include: includeFilter(
    includes,
    "Adds to each row: `totals` (net, VAT, gross, delivery), `customer`, `delivery` (the last one). `totals` is heavy.",
  ),
});
export type CreditNoteQuery = z.output<typeof CreditNoteQuery>;

export const InvoiceCreditNoteQuery = z.object({ ...pageParameters, updated_since: updatedSince });
