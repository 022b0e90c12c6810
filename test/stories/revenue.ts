/**
 * Revenue in the form of the scenarios: earned by month, by user, accruals with their rows and entries. Each
 * reader calls the service and returns the scenario's form, so that the two can be compared.
 */
import type { Json } from "../support/world/world.ts";
import type { Player } from "./player.ts";

/** Returns the actual value of an expected key, in the scenario's form. */
export type Reader = (player: Player, expected: Json) => Promise<Json>;

const ACME = "customer=ext:acme";

/** `{"2025-02": 45000}`: the revenue earned in each expected month. */
export function recognised(filter = ACME, basis = "work_month"): Reader {
  return async (player, expected) => {
    const entries = await entriesOf(player, expected, `${filter}&basis=${basis}`);
    const months = Object.keys(expected).map((month) => [
      month,
      sum(entries.filter((entry) => entry.month === month).map((entry) => entry.earned)),
    ]);
    return Object.fromEntries(months);
  };
}

/** `{"2025-03": {"anna": 27000}}`: the same by user, whom scenarios call by their external ids. */
export function recognisedByUser(filter = ACME): Reader {
  return async (player, expected) => {
    const { data: users } = await player.ask("GET /users?limit=100");
    const names = new Map(users.map((user: Json) => [user.id, user.external_id]));
    const entries = await entriesOf(player, expected, filter);
    const months: Json = {};
    for (const { month, user_id, earned } of entries) {
      if (earned === 0 || expected[month] === undefined) continue;
      months[month] ??= {};
      const name = String(names.get(user_id));
      months[month][name] = sum([months[month][name] ?? 0, earned]);
    }
    return months;
  };
}

/** The sum of earned revenue from the first month through the last. */
export function recognisedTotal(from: string, to: string): Reader {
  return async (player) => {
    const entries = await entriesOf(player, { [from]: 0, [to]: 0 }, ACME);
    return sum(entries.map((entry) => entry.earned));
  };
}

/** `{"2025-01": 11000}`: the contract liability at the end of each month. */
export const liabilityByMonth: Reader = async (player, expected) => {
  const entries = await entriesOf(player, expected, `${ACME}&group_by=month`);
  const closing = new Map(entries.map((entry) => [entry.month, entry.contract_liability]));
  return Object.fromEntries(Object.keys(expected).map((month) => [month, closing.get(month) ?? 0]));
};

/** `{"L1": 45000}`: net amounts of the lines of an invoice. */
export function lineAmounts(invoice: string): Reader {
  return async (player, expected) => {
    const { lines } = await player.ask(`GET /invoices/${invoice}/totals`);
    const nets = new Map(lines.map((line: Json) => [line.line_id, line.net]));
    return Object.fromEntries(
      Object.keys(expected).map((name) => [name, nets.get(player.named(name))]),
    );
  };
}

/** The rows that a document prints for its first line. */
export function printedRows(invoice: string): Reader {
  return async (player) => {
    const { lines } = await player.ask(`GET /invoices/${invoice}/totals`);
    return lines[0].rows.map(({ net, ...row }: Json) => ({ ...row, amount: net }));
  };
}

/** The final state of the accruals, in the expected order. */
export const accruals: Reader = async (player, expected) => {
  const reported: Json[] = [];
  for (const { customer, accrual_month } of expected) {
    reported.push(await accrualOf(player, customer, accrual_month, expected[reported.length]));
  }
  return reported;
};

/** The final state of one accrual. */
export function accrual(customer: string, month: string): Reader {
  return (player, expected) => accrualOf(player, customer, month, expected);
}

/** Accruals as they were after a step that kept their answers; the others in their final state. */
export function accrualsWith(asked: Readonly<Record<string, string>>): Reader {
  return async (player, expected) => {
    const reported: Json[] = [];
    for (const one of expected) {
      const { customer, accrual_month } = one;
      const name = asked[`${customer} ${accrual_month}`];
      reported.push(
        name === undefined
          ? await accrualOf(player, customer, accrual_month, one)
          : reportedAccrual(player, customer, player.kept(name), one),
      );
    }
    return reported;
  };
}

/** One accrual as it was after the step that kept its answer. */
export function accrualKept(customer: string, name: string): Reader {
  return async (player, expected) => reportedAccrual(player, customer, player.kept(name), expected);
}

/** `{"2025-01": 40000}`: the revenue that the lines of each accrual have earned through its month. */
export const earnedToDate: Reader = async (player, expected) => {
  const reported: Json = {};
  for (const month of Object.keys(expected)) {
    const { id } = await player.ask(`GET /accruals?${ACME}&month=${month}`);
    const { lines } = await player.ask(`GET /accruals/${id}`);
    reported[month] = sum(lines.map((line: Json) => line.earned_to_date));
  }
  return reported;
};

/** The codes of all refusals of the scenario, in order. */
export const errors: Reader = async (player) => player.refusals;

/** The voucher that reversed the accrual `$name`, in the form of its accrual. */
export function reversalEntries(name: string): Reader {
  return async (player) => {
    const { data } = await player.ask(`GET /accruals/$${name}/history`);
    const { guid } = data.at(-1).reversal_voucher;
    const { data: entries } = await player.ask("GET /ledger/entries?limit=100");
    const { postings } = entries.find((entry: Json) => entry.guid === guid);
    const { account_roles } = await player.ask("GET /configuration");
    const roles = new Map(Object.entries(account_roles).map(([role, number]) => [number, role]));
    return postings.map(({ account_number, debit, credit }: Json) => ({
      role: roles.get(account_number) ?? "revenue",
      account: account_number,
      debit,
      credit,
    }));
  };
}

async function accrualOf(
  player: Player,
  customer: string,
  month: string,
  expected: Json,
): Promise<Json> {
  const { id } = await player.ask(`GET /accruals?customer=ext:${customer}&month=${month}`);
  return reportedAccrual(player, customer, await player.ask(`GET /accruals/${id}`), expected);
}

/** The detail of an accrual in the scenario's form. Lines that no step saved are named by their position. */
function reportedAccrual(player: Player, customer: string, detail: Json, expected: Json): Json {
  const { totals } = detail;
  const rows = detail.lines.flatMap((line: Json) =>
    line.months.map((row: Json) => ({ line_id: line.line_id, ...row })),
  );
  return {
    customer,
    accrual_month: detail.accrual_month,
    original_accrual_month: detail.original_accrual_month,
    status: detail.status,
    earned: totals.earned,
    invoiced: totals.invoiced,
    contract_asset_opening: totals.contract_asset_opening,
    contract_asset_closing: totals.contract_asset_closing,
    contract_liability_opening: totals.contract_liability_opening,
    contract_liability_closing: totals.contract_liability_closing,
    months_by_line: rows.map(
      ({ line_id, month, earned, invoiced, carried }: Json, index: number) => {
        const name = expected.months_by_line[index]?.line;
        const is_meant = player.named(name) === undefined || player.named(name) === line_id;
        return { line: is_meant ? name : line_id, month, earned, invoiced, carried };
      },
    ),
    entries: detail.entries.map(({ account_role, account_number, debit, credit }: Json) => ({
      role: account_role,
      account: account_number,
      debit,
      credit,
    })),
    voucher: detail.entries.length > 0,
  };
}

/** All entries from the first expected month through the last, page by page. */
async function entriesOf(player: Player, expected: Json, query: string): Promise<Json[]> {
  const months = Object.keys(expected).sort();
  const call = `GET /recognition?from=${months[0]}&to=${months.at(-1)}&limit=7&${query}`;
  const entries: Json[] = [];
  for (let cursor = ""; ; ) {
    const { data, next_cursor } = await player.ask(`${call}${cursor}`);
    entries.push(...data);
    if (next_cursor === null) return entries;
    cursor = `&cursor=${next_cursor}`;
  }
}

/** The sum of amounts of two decimals, without errors of binary fractions. */
function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100;
}
