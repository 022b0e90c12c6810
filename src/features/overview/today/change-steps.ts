/** Puts the welcome or one of the first steps away, for all admins of the account. Nothing else depends on it: no audit event. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";

/** The steps of a new account, in their order. */
export const FIRST_STEPS = ["company", "customer", "product", "invoice", "assistant"] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Puts a step away, or the welcome. A repetition changes nothing; adds no refusals. */
export const putStepAway = defineCommand({
  name: "put_step_away",
  access: "write",
  input: z.object({ step: z.enum(["welcome", ...FIRST_STEPS]) }),

  async plan(_tx, wanted) {
    return wanted;
  },

  async commit(tx, { step }) {
    tx.write(sql`insert into put_away_steps (account_id, step) values (${tx.caller.account_id}, ${step})
       on conflict do nothing`);
  },
});
