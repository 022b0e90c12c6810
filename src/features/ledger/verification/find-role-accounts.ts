/**
 * Finds what accounts have been for, by the roles of payments. The configuration and the bank accounts may have changed since an entry
 * was booked, so that the accounts of earlier days count as well: the audit trail names them.
 */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

const ROLES = [
  "bank",
  "customer_credit",
  "rounding",
  "payment_fee",
  "exchange_difference",
  "reminder_fee",
  "interest_income",
] as const;
type Role = (typeof ROLES)[number];

/** What a posting may be for: roles that have shared an account count as one. */
export class Places {
  readonly #places = new Map<number, Set<Role>>();
  readonly #joined = new Map<Role, Role>(ROLES.map((role) => [role, role]));
  readonly #receivables: number;

  constructor(receivables: number, known: readonly { role: Role; account_number: number }[]) {
    this.#receivables = receivables;
    for (const { role, account_number } of known) {
      const roles = this.#places.get(account_number) ?? new Set();
      const [first = role] = roles;
      this.#join(first, role);
      this.#places.set(account_number, roles.add(role));
    }
  }

  /** Returns the place of an account by its number. */
  ofAccount(number: number): string {
    if (number === this.#receivables) return "receivables";
    const [role] = this.#places.get(number) ?? [];
    return role === undefined ? `account ${number}` : this.ofRole(role);
  }

  /** Returns the place of a role. */
  ofRole(role: Role | "receivables"): string {
    return role === "receivables" ? role : (this.#joined.get(role) ?? role);
  }

  /** Returns all accounts that customer credit has had. */
  get creditAccounts(): number[] {
    return [...this.#places].flatMap(([number, roles]) =>
      roles.has("customer_credit") ? [number] : [],
    );
  }

  #join(one: Role, other: Role): void {
    const [to, from] = [this.ofRole(one), this.ofRole(other)] as [Role, Role];
    for (const role of ROLES) if (this.#joined.get(role) === from) this.#joined.set(role, to);
  }
}

/** Returns the places of all accounts that have had a role. `receivables` is the account of the books. */
export async function findPlaces(cx: Reader, receivables: number): Promise<Places> {
  const { account_id } = cx.caller;
  const known = await cx.rows<{ role: Role; account_number: number }>(sql`
    with roles as (select unnest(${[...ROLES]}::text[]) as role),
    shown as (
      select payload::json -> 'before' as before, payload::json -> 'after' as after, resource_type from audit_events
      where account_id = ${account_id} and resource_type in ('configuration', 'bank_account')),
    states as (select before as state, resource_type from shown union all select after, resource_type from shown)
    select role, number as account_number from (
      select 'bank' as role, ledger_account as number from bank_accounts where account_id = ${account_id}
      union
      select r.role, (case r.role when 'customer_credit' then c.customer_credit_account when 'rounding' then c.rounding_account
        when 'payment_fee' then c.payment_fee_account when 'exchange_difference' then c.exchange_difference_account
        when 'reminder_fee' then c.reminder_fee_account when 'interest_income' then c.interest_income_account end)
      from configurations c cross join roles r where c.account_id = ${account_id}
      union
      select 'bank', (s.state ->> 'ledger_account')::integer from states s where s.resource_type = 'bank_account'
      union
      select r.role, (s.state -> 'account_roles' ->> r.role)::integer from states s cross join roles r
      where s.resource_type = 'configuration') as k
    where number is not null order by 1, 2`);
  return new Places(receivables, known);
}
