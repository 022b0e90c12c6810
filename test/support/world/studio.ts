/**
 * Separate accounts for tests about accruals: each test opens one, so that neither a lock date nor a close of another test
 * affects it. `useStudios` registers the hooks of their world.
 */
import type { OpenedAccount } from "../../../src/features/access/accounts/create.ts";
import { refusal } from "../http/refusal.ts";
import {
  invoiceOf,
  type Json,
  type Reply,
  useWorld,
  type World,
  type WorldOptions,
} from "./world.ts";

/** The accounts of the roles in a studio's books. */
export const ROLES = {
  contract_asset: 5600,
  contract_liability: 6900,
  exchange_difference: 4900,
} as const;

export type Studio = Awaited<ReturnType<typeof openStudio>>;

export function useStudios(options: WorldOptions = {}) {
  const world = useWorld(options);
  return {
    world,
    /** An account with a customer, a product on account 1010 and a user; today is the given day. */
    async studio(today = "2026-03-10"): Promise<Studio> {
      const studio = await openStudio(world, await world.openAnother());
      studio.at(today);
      return studio;
    },
  };
}

export async function openStudio(world: World, account: OpenedAccount) {
  let count = 0;
  const key = account.keys.read_write;
  const rest = (call: string, body?: unknown): Promise<Reply> => world.rest(call, body, key);
  const done = (call: string, body?: unknown): Promise<Json> => world.done(call, body, key);
  /** The answer as one line; `200` unless it is a refusal. */
  const tried = async (call: string, body?: unknown): Promise<string> =>
    refusal(await rest(call, body));
  const at = (day: string): void =>
    world.clock.set(day.length === 10 ? `${day}T09:00:00.000Z` : day);

  await done("PATCH /configuration", { default_auto_send: false, account_roles: ROLES });
  const newCustomer = async (name: string): Promise<string> =>
    (await done("POST /customers", { name })).id;
  const newUser = async (): Promise<string> => {
    count += 1;
    const email = `user-${count}-${account.account_id}@studio.example`;
    return (await done("POST /users", { name: `User ${count}`, email })).id;
  };
  const customer = await newCustomer("Acme A/S");
  const bo = await newUser();
  const product: Json = await done("POST /products", { name: "Advice", account_number: 1010 });

  const hours = (fields: Json = {}): Json => ({
    product_id: product.id,
    recognition_method: "hours",
    hourly_rate: 1000,
    ...fields,
  });
  const value = (agreed_value: number, fields: Json = {}): Json => ({
    product_id: product.id,
    recognition_method: "value",
    agreed_value,
    ...fields,
  });
  /** A value line over a service period. */
  const service = (agreed_value: number, service_from: string, service_to: string): Json =>
    value(agreed_value, { service_from, service_to });
  const draft = (lines: readonly Json[] = [hours()], fields: Json = {}): Promise<Json> =>
    done("POST /invoices", { customer_id: customer, lines, ...fields });
  const issued = async (lines: readonly Json[], fields: Json = {}): Promise<Json> =>
    invoiceOf(await done(`POST /invoices/${(await draft(lines, fields)).id}/issue`));
  /** Hours of the studio's user on the first line of a draft. */
  const work = (invoice: Json, date: string, number: number, fields: Json = {}): Promise<Json> =>
    done("POST /work-registrations", {
      line_id: invoice.lines[0].id,
      user_id: bo,
      date,
      hours: number,
      ...fields,
    });

  /** Customers with these names, each with an hour in the month; returns their ids by name. */
  const customersWith = async (month: string, ...names: string[]): Promise<Json> => {
    const ids: Json = {};
    for (const name of names) {
      ids[name] = await newCustomer(name);
      await work(await draft(undefined, { customer_id: ids[name] }), `${month}-03`, 1);
    }
    return ids;
  };

  const find = (month: string, ref = customer): Promise<Reply> =>
    rest(`GET /accruals?customer=${ref}&month=${month}`);
  const accrual = (month: string, ref = customer): Promise<Json> =>
    done(`GET /accruals?customer=${ref}&month=${month}`);
  const detail = async (month: string, ref = customer): Promise<Json> =>
    done(`GET /accruals/${(await accrual(month, ref)).id}`);
  const book = async (month: string, ref = customer): Promise<Reply> =>
    rest(`POST /accruals/${(await accrual(month, ref)).id}/book`);
  const booked = async (month: string, ref = customer): Promise<Json> =>
    done(`POST /accruals/${(await accrual(month, ref)).id}/book`);
  const reopen = (id: string, reason = "A mistake"): Promise<Reply> =>
    rest(`POST /accruals/${id}/reopen`, { reason });
  const history = async (id: string): Promise<Json[]> =>
    (await done(`GET /accruals/${id}/history`)).data;
  const lock = (period_lock_date: string | null): Promise<Json> =>
    done("PATCH /configuration", { period_lock_date });
  const rate = (currency: string, date: string, units: number): Promise<Json> =>
    done(`PUT /exchange-rates/${currency}/${date}`, { rate: units });
  /** `[month, earned, invoiced]` of an accrual's lines; carried ones are marked. */
  const rows = async (month: string, ref = customer): Promise<Json[]> =>
    (await detail(month, ref)).lines.flatMap((line: Json) =>
      line.months.map((one: Json) => [
        one.month,
        one.earned,
        one.invoiced,
        ...(one.carried ? ["carried"] : []),
      ]),
    );
  /** `[role, account, debit - credit]` of an accrual's voucher. */
  const entries = async (month: string, ref = customer): Promise<Json[]> =>
    (await detail(month, ref)).entries.map((entry: Json) => [
      entry.account_role,
      Math.round((entry.debit - entry.credit) * 100) / 100,
    ]);
  /** The vouchers that the built-in ledger has booked, the oldest first. */
  const vouchers = (): Promise<Json[]> =>
    world.sql(
      `select e.guid, e.number::int as number, e.entry_date as date, e.text, e.reverses_guid,
         json_agg(json_build_array(p.account_number, p.amount::float8 / 100, p.vat_code)
           order by p.line_no) as postings
       from ledger_entries e
       join ledger_postings p on p.account_id = e.account_id and p.entry_no = e.entry_no
       where e.account_id = $1 and e.kind = 'voucher' group by 1, 2, 3, 4, 5 order by 2`,
      [account.account_id],
    );
  /** The actions of the audit events of a resource, the oldest first. */
  const events = async (id: string): Promise<string[]> => {
    const { data } = await done(`GET /audit-events?resource_id=${id}&limit=100`);
    return data.map((event: Json) => event.action).reverse();
  };
  const close = (month: string, fields: Json = {}): Promise<Reply> =>
    rest("POST /period-closes", { month, ...fields });
  const closed = async (month: string, fields: Json = {}): Promise<Json> =>
    done("POST /period-closes", { month, ...fields });

  return {
    world,
    account,
    key,
    rest,
    done,
    tried,
    at,
    newCustomer,
    newUser,
    customer,
    bo,
    product,
    hours,
    value,
    service,
    draft,
    issued,
    work,
    customersWith,
    find,
    accrual,
    detail,
    book,
    booked,
    reopen,
    history,
    lock,
    rate,
    rows,
    entries,
    vouchers,
    events,
    close,
    closed,
  };
}
