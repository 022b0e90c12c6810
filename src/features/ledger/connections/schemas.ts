/** The responses about the connection to an accounting system. */
import * as z from "zod";
import { vatCodes } from "../../../domain/sales/vat-code.ts";
import { component, manyOf, shownText } from "../../../platform/http/schemas.ts";

export const LedgerConnection = component("LedgerConnection", {
  object: z.literal("ledger_connection"),
  id: shownText.describe("Null for the built-in ledger, which is part of the service."),
  kind: z.string().describe("`builtin`, `dinero`, …"),
  state: z.enum(["connected", "unauthorized", "unavailable", "subscription"]).meta({
    description:
      "The result of the last call: `unauthorized` when the credentials were refused, `subscription` when the plan of the company there does not allow calls.",
  }),
  organisation: z
    .strictObject({ id: z.string(), name: z.string() })
    .nullable()
    .describe("The name of the system."),
  capabilities: z
    .strictObject({
      documents: z
        .enum(["ledger", "service"])
        .describe("Who makes the PDF of a document, and who sends it."),
      sends: z
        .array(z.enum(["email", "einvoice"]))
        .describe("The ways in which documents are sent."),
      asynchronous_vouchers: z.boolean().describe("Vouchers are accepted first and booked later."),
      supplies_rates: z.boolean().meta({
        description:
          "It has its own exchange rates, so that a missing rate here does not prevent bookings.",
      }),
      numbers_restart_by_year: z.boolean().describe("Numbers are unique within their year only."),
      tells_payments: z
        .boolean()
        .describe("What is paid is recorded there, and read from there; never written."),
    })
    .describe("Its functions in addition to booking."),
  mapping: manyOf({
    account_number: z.int(),
    vat_code: z
      .enum(vatCodes as [string, ...string[]])
      .nullable()
      .describe("Null for accounts of roles, which have none."),
    ledger_account: z.string().describe("The account in the accounting system."),
    ledger_vat_code: shownText.describe(
      "Null if no VAT is charged, or if the account in the accounting system determines it.",
    ),
  }).describe(
    "The accounts in the accounting system, by the VAT code of the sale. Empty for the built-in ledger.",
  ),
  checked_at: shownText.describe("When it was last checked; null for the built-in ledger."),
  last_error: shownText.describe("Why the last check failed: codes, separated by commas."),
});

/** The stored result of a check, as JSON. */
export const Reported = z.object({
  currency: z.string(),
  accounts: z.array(
    z.object({ account: z.string(), name: z.string(), vat_code: z.string().nullable() }),
  ),
  vat_codes: z.array(z.object({ code: z.string(), name: z.string(), rate: z.number() })),
});

/** Returns the accounts and codes that the last check of a connection read; empty when there was no check. */
export function reportedIn({ told }: { readonly told: string | null }): z.output<typeof Reported> {
  return told === null
    ? { currency: "", accounts: [], vat_codes: [] }
    : Reported.parse(JSON.parse(told));
}
