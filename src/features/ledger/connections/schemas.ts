/** The responses about the connection to an accounting system. */
import * as z from "zod";
import { vatCodes } from "../../../domain/sales/vat-code.ts";
import { component, manyOf, shownText } from "../../../platform/http/schemas.ts";

export const LedgerConnection = component("LedgerConnection", {
  object: z.literal("ledger_connection"),
  id: shownText.meta({
    description: "Null for the built-in ledger, which is part of the service.",
  }),
  kind: z.string().meta({ description: "`builtin`, `dinero`, …" }),
  state: z.enum(["connected", "unauthorized", "unavailable", "subscription"]).meta({
    description:
      "What the last call has shown: `unauthorized` when the credentials were refused, `subscription` when the plan of the company there does not allow calls.",
  }),
  organisation: z
    .strictObject({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: "Whose books they are, as the system calls itself." }),
  capabilities: z
    .strictObject({
      documents: z
        .enum(["ledger", "service"])
        .meta({ description: "Who makes the PDF of a document, and who sends it." }),
      sends: z
        .array(z.enum(["email", "einvoice"]))
        .meta({ description: "The ways in which documents are sent." }),
      asynchronous_vouchers: z
        .boolean()
        .meta({ description: "Vouchers are accepted first and booked later." }),
      supplies_rates: z.boolean().meta({
        description: "It has exchange rates of its own, so that a missing one stops nothing.",
      }),
      numbers_restart_by_year: z
        .boolean()
        .meta({ description: "A number is the only one within its year." }),
    })
    .meta({ description: "What it does beside booking." }),
  mapping: manyOf({
    account_number: z.int(),
    vat_code: z
      .enum(vatCodes as [string, ...string[]])
      .nullable()
      .meta({ description: "Null for accounts of roles, which have none." }),
    ledger_account: z.string().meta({ description: "The account there." }),
    ledger_vat_code: shownText.meta({
      description: "Null where no VAT is charged, or where the account there decides it.",
    }),
  }).meta({
    description:
      "What accounts are called there, by the VAT code that is sold under. Empty for the built-in ledger.",
  }),
  checked_at: shownText.meta({
    description: "When it was last asked; null for the built-in ledger.",
  }),
  last_error: shownText.meta({
    description: "Why the last check was no success: codes, with commas.",
  }),
});

/** The stored result of a check, as JSON. */
export const Reported = z.object({
  currency: z.string(),
  accounts: z.array(
    z.object({ account: z.string(), name: z.string(), vat_code: z.string().nullable() }),
  ),
  vat_codes: z.array(z.object({ code: z.string(), name: z.string(), rate: z.number() })),
});

/** The accounts and codes that the last check of a connection read; empty when there was none. */
export function reportedIn({ told }: { readonly told: string | null }): z.output<typeof Reported> {
  return told === null
    ? { currency: "", accounts: [], vat_codes: [] }
    : Reported.parse(JSON.parse(told));
}
