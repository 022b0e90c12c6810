/** Reads which of the first steps an account has done: each is ticked by what the account has. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { FIRST_STEPS, type FirstStep } from "./change-steps.ts";

/** What the account has, as `firstFacts` reads it. */
export interface FirstFacts {
  /** The seller's name, street and VAT number are known. */
  readonly company: boolean;
  readonly customer: boolean;
  readonly product: boolean;
  /** A document was issued. */
  readonly invoice: boolean;
  readonly assistant: boolean;
  /** The first steps that were put away. */
  readonly put_away: readonly FirstStep[];
}

/** A step that is neither put away nor absent from the list. */
export interface ShownStep {
  readonly step: FirstStep;
  readonly is_done: boolean;
}

/** Returns the SQL expression that reads `FirstFacts` of the account as JSON. */
export function firstFacts(cx: Reader): Sql {
  const { account_id } = cx.caller;
  return sql`json_build_object(
    'company', exists (select from configurations where account_id = ${account_id}
      and seller ->> 'name' <> '' and seller ->> 'street' <> '' and seller ->> 'vat_number' <> ''),
    'customer', exists (select from customers where account_id = ${account_id}),
    'product', exists (select from products where account_id = ${account_id}),
    'invoice', exists (select from invoices where account_id = ${account_id} and status = 'issued'),
    'assistant', exists (select from oauth_grants where account_id = ${account_id}),
    'put_away', (select coalesce(json_agg(step), '[]') from put_away_steps where account_id = ${account_id}
      and step <> 'welcome'))`;
}

/** Returns the steps to show, in their order; none when each is done or put away. */
export function firstStepsOf(facts: FirstFacts): readonly ShownStep[] {
  const shown = FIRST_STEPS.filter((step) => !facts.put_away.includes(step));
  if (shown.every((step) => facts[step])) return [];
  return shown.map((step) => ({ step, is_done: facts[step] }));
}

/** Returns the step to do after `done`; undefined where `done` is not done, or no other step is left. */
export async function findNextStep(cx: Reader, done: FirstStep): Promise<FirstStep | undefined> {
  const row = await cx.row<{ facts: FirstFacts }>(sql`select ${firstFacts(cx)} as facts`);
  if (row === undefined || !row.facts[done]) return undefined;
  return firstStepsOf(row.facts).find(({ is_done }) => !is_done)?.step;
}
