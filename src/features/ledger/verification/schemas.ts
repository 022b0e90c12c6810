/** The result of a check of an account's books. */
import * as z from "zod";
import { component, manyOf } from "../../../platform/http/schemas.ts";

export const checkNames = [
  "audit_trail",
  "journal",
  "balances",
  "numbers",
  "documents",
  "vouchers",
  "receivables",
  "einvoices",
] as const;
export const Verification = component("Verification", {
  object: z.literal("verification"),
  checked_at: z.string().describe("When the check was made, by the real clock."),
  ok: z.boolean().describe("True if no check has found a fault."),
  checks: manyOf({
    name: z.enum(checkNames).meta({
      description:
        "`audit_trail` and `journal`: numbers without gaps, and hashes that follow from one another. `balances`: every entry, and all of them together, total 0. `numbers`: document numbers without gaps. `documents`: every issued document is frozen, booked once, and with its own amounts. `vouchers`: every booking of an accrual meets the same conditions. `receivables`: open items add up to the books at the end of each month, nothing is open below 0, and every entry of a payment, an opening item, an opening contract or a reminder is booked once, and with its own amounts. `einvoices`: every stored e-invoice has the hash of its bytes, and each amount in them is the booked one.",
    }),
    ok: z.boolean(),
    checked: z.int().describe("The number of events, entries or documents that it examined."),
    faults: manyOf({
      at: z.string().describe("Where: a number, or the id of a document."),
      what: z.string(),
    }).describe("At most 100; of a chain the first one."),
  }),
});
export type Verification = z.infer<typeof Verification>;
export type Check = Verification["checks"][number];
export type Fault = Check["faults"][number];

export const VerificationQuery = z.object({
  fresh: z
    .enum(["true", "false"])
    .optional()
    .describe("`true` checks now, which can take a while."),
});
