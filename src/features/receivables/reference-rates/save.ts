/** Stores reference rates. Interest that a reminder has charged keeps the rate with which it was computed. */
import { scaledFromChecked } from "../../../domain/base/money.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { presentReferenceRate, type ReferenceRate } from "./queries.ts";
import { REFERENCE_RATE_DECIMALS, ReferenceRateParams, ReferenceRatePut } from "./schemas.ts";

const HALF_YEAR = /-(01|07)-01$/;

/** Creates or replaces the rate of a half-year, and returns it. Throws VALIDATION_FAILED for another day. */
export const putReferenceRate = defineCommand({
  name: "put_reference_rate",
  access: "write",
  input: ReferenceRateParams.extend({ rate: ReferenceRatePut.shape.rate }),

  async plan(_, { date, rate }): Promise<ReferenceRate> {
    if (!HALF_YEAR.test(date)) {
      throw invalidField("date", "invalid_value", "A half-year begins on 1 January or 1 July.");
    }
    return { date, rate: Number(scaledFromChecked(rate, REFERENCE_RATE_DECIMALS)) };
  },

  async commit(tx, after): Promise<JsonText> {
    const { account_id } = tx.caller;
    const { date, rate } = after;
    const before = await tx.row<ReferenceRate>(sql`select date, rate from reference_rates
      where account_id = ${account_id} and date = ${date} for no key update`);
    tx.write(sql`insert into reference_rates (account_id, date, rate, updated_at)
      values (${account_id}, ${date}, ${rate}, clock_timestamp())
      on conflict (account_id, date) do update set rate = excluded.rate, updated_at = excluded.updated_at`);
    const was = before === undefined ? null : presentReferenceRate(before);
    const is = presentReferenceRate(after);
    if (was !== is) {
      const action = was === null ? "created" : "updated";
      tx.audit("reference_rate", date, action, { before: was, after: is });
    }
    return is;
  },
});
