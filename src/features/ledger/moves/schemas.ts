/** The responses about moves of an account's books to another ledger (spec 9.11). */
import * as z from "zod";
import { component, listOf, pageParameters, shownText } from "../../../platform/http/schemas.ts";

/** A ledger as one side of a move. */
const Side = z.strictObject({
  kind: z.string().describe("`builtin`, `dinero`, …"),
  connection_id: shownText.describe("Null for the built-in ledger."),
  organisation: shownText.describe("The name of the company there; null for the built-in ledger."),
});

export const LedgerMove = component("LedgerMove", {
  object: z.literal("ledger_move"),
  id: z.string(),
  state: z.enum(["moving", "completed", "refused"]).meta({
    description:
      "`moving`: the voucher of the opening balances waits for its ledger, and nothing is booked. `refused`: the new ledger refused it, and the account books in the former one again.",
  }),
  from: Side.meta({ description: "The ledger that the account has left." }),
  to: Side.meta({ description: "The ledger that has the new books." }),
  begins_on: z.string().describe("The first day of the new books: after the last completed close."),
  opening_account: shownText.describe(
    "The account of the new books against which the balances were opened; null if none was named.",
  ),
  contract_asset: z
    .number()
    .describe("The balance of the accruals when the books moved, in functional currency."),
  contract_liability: z
    .number()
    .describe("The balance of the accruals when the books moved, in functional currency."),
  voucher: z
    .strictObject({
      guid: z.string(),
      number: z.int().nullable().describe("Null until it is booked."),
      year: z.int().nullable().describe("The year of the number, where numbers restart each year."),
    })
    .nullable()
    .describe("The opening voucher; null if the new books had the balances."),
  reason: shownText.describe("Why the new ledger refused the voucher."),
  requested_by: z.string().describe("Who moved the books: the kind and the id of the actor."),
  created_at: z.string(),
  ended_at: shownText.describe("Null while the books move."),
});
export type LedgerMove = z.output<typeof LedgerMove>;

export const LedgerMoveList = listOf(LedgerMove).meta({ id: "LedgerMoveList" });

export const MoveQuery = z.object(pageParameters);
export type MoveQuery = z.output<typeof MoveQuery>;
