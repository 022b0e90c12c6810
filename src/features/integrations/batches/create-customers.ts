/** Upserts many customers in one transaction, by the rule of one. */
import { Problem } from "../../../domain/base/problem.ts";
import {
  type ManyCommand,
  orRefusal,
  type SavedOutcome,
} from "../../../platform/commands/save-many.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insertMany, updateMany } from "../../../platform/database/many-rows.ts";
import { stamped, stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type CustomerRow, presentCustomer } from "../../catalogue/customers/present.ts";
import { findCustomersBy } from "../../catalogue/customers/queries.ts";
import { planCustomer } from "../../catalogue/customers/save.ts";
import type { CustomerCreate } from "../../catalogue/customers/schemas.ts";

export const saveCustomers: ManyCommand<CustomerCreate & { readonly external_id: string }> = {
  name: "save_customers",

  async save(tx, rows) {
    const external_ids = rows.map(({ external_id }) => external_id);
    tx.lock(
      sql`select from customers where account_id = ${tx.caller.account_id} and external_id = any(${external_ids}) order by id for no key update`,
    );
    const found = await findCustomersBy(tx, sql`external_id = any(${external_ids})`);
    const known = new Map([...found.values()].map((one) => [one.external_id, one]));
    const created: CustomerRow[] = [];
    const changed: CustomerRow[] = [];
    const outcomes = rows.map((row): SavedOutcome => {
      const plan = orRefusal(() => planCustomer(known.get(row.external_id) ?? null, row));
      if (plan instanceof Problem) return plan;
      const { before, after } = plan;
      const { id } = after;
      const was = before && presentCustomer(before);
      const is = presentCustomer(after);
      if (was === is) return { outcome: "unchanged", id };
      const outcome = was === null ? "created" : "updated";
      (was === null ? created : changed).push(after);
      tx.audit("customer", id, outcome, { before: was, after: is });
      return { outcome, id };
    });
    store(tx, created, changed);
    return outcomes;
  },
};

function store(tx: Tx, created: readonly CustomerRow[], changed: readonly CustomerRow[]): void {
  const { account_id, person } = tx.caller;
  const shown = (row: CustomerRow) => ({ ...row, document: presentCustomer(row) });
  if (created.length > 0) {
    const created_by = person?.user_id ?? null;
    const shared = { account_id, created_by, updated_at: stamped(account_id) };
    tx.write(insertMany("customers", created.map(shown), shared));
  }
  if (changed.length > 0) {
    const shared = { updated_at: stampedAnew(account_id) };
    tx.write(updateMany("customers", account_id, changed.map(shown), shared));
  }
}
