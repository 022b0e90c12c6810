/** Changing the configuration (spec 7.3) and putting exchange rates (7.4). */

import type { CalendarDate } from "../../domain/base/calendar.ts";
import { RATE_DECIMALS, scaledFromNumber } from "../../domain/base/money.ts";
import { type FieldError, invalidField, Problem, requireValid } from "../../domain/base/problem.ts";
import { requireLockKept } from "../../domain/revenue/accrual-booking.ts";
import type { Seller } from "../../domain/sales/document.ts";
import { PERCENT_DECIMALS } from "../../domain/sales/line.ts";
import { vatNumberFaults } from "../../domain/sales/vat-number.ts";
import { recordAudit, recordAudits } from "../../platform/audit.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { takeStamp } from "../../platform/database/resources.ts";
import { sql, update } from "../../platform/database/sql.ts";
import type { JsonText } from "../../platform/json.ts";
import { requireAccount } from "./accounts.ts";
import { movePrices } from "./move-prices.ts";
import {
  type Configuration,
  findLockedClose,
  getConfiguration,
  getNumbering,
  hasBookings,
  type Numbering,
  presentConfiguration,
  presentRate,
} from "./queries.ts";
import { ConfigurationUpdate, RateParams, RatePut } from "./schemas.ts";

interface ConfigurationPlan {
  readonly before: Configuration;
  readonly after: Configuration;
  readonly numbering: Numbering;
  readonly sent: ConfigurationUpdate;
}

/**
 * Changes the fields sent; nested objects are merged. Another functional currency moves the prices of
 * products. Throws CONFIGURATION_LOCKED, PERIOD_CLOSED.
 */
export const changeConfiguration = defineCommand({
  name: "change_configuration",
  access: "write",
  input: ConfigurationUpdate,

  async plan(cx, sent): Promise<ConfigurationPlan> {
    const plan = await planChange(cx, sent);
    const { before, after } = plan;
    if (before.functional_currency !== after.functional_currency && (await hasBookings(cx))) {
      throw new Problem("CONFIGURATION_LOCKED", { details: { field: "functional_currency" } });
    }
    if (sent.period_lock_date !== undefined) {
      const closed = await findLockedClose(cx);
      requireLockKept(before.period_lock_date, after.period_lock_date, closed);
    }
    return plan;
  },

  async commit(cx, { before, after, numbering, sent }): Promise<JsonText> {
    const was = presentConfiguration(cx, before, numbering);
    await ensureAccounts(cx, sent);
    const numbers = sent.numbering ? await renumbered(cx, sent.numbering) : numbering;
    if (was === presentConfiguration(cx, after, numbers)) return was;
    const { account_id } = cx.caller;
    const [from, to] = [before.functional_currency, after.functional_currency];
    const moved = from === to ? [] : await movePrices(cx, from, to);
    const updated_at = await takeStamp(cx.db, account_id);
    const row = { ...after, seller: after.seller && JSON.stringify(after.seller), updated_at };
    await query(cx.db, sql`${update("configurations", row)} where account_id = ${account_id}`);
    const is = presentConfiguration(cx, await getConfiguration(cx), numbers);
    const change = {
      action: "updated",
      resource_type: "configuration",
      resource_id: account_id,
      before: was,
      after: is,
    };
    await recordAudits(cx, [...moved, change]);
    return is;
  },
});

/** Moves the lock date as a close does that ends, or is reopened: no rule stands in its way. */
export async function moveLockDate(
  cx: Context,
  period_lock_date: CalendarDate | null,
): Promise<void> {
  await changeConfiguration.commit(cx, await planChange(cx, { period_lock_date }));
}

/** Changes what no field of the configuration sets. */
export async function changeSeller(cx: Context, change: (seller: Seller) => Seller): Promise<void> {
  const plan = await planChange(cx, {});
  const seller = change(plan.before.seller ?? noSeller);
  await changeConfiguration.commit(cx, { ...plan, after: { ...plan.after, seller } });
}

async function planChange(cx: Context, sent: ConfigurationUpdate): Promise<ConfigurationPlan> {
  const before = await lockedConfiguration(cx);
  const after = merged(before, sent);
  requireValid(sellerFaults(before, after));
  const numbering = await getNumbering({ ...cx, locks: false });
  return { before, after, numbering, sent };
}

/** Creates or replaces the rate of a day. What was booked keeps the rate that it was booked with. */
export const putRate = defineCommand({
  name: "put_exchange_rate",
  access: "write",
  input: RateParams.extend({ rate: RatePut.shape.rate }),

  async plan(cx, { currency, date, rate }) {
    const { functional_currency } = await getConfiguration(cx);
    if (currency === functional_currency) {
      throw invalidField("currency", "not_allowed", "The functional currency has no rate.");
    }
    const rate_micro = scaledFromNumber(rate, RATE_DECIMALS);
    if (typeof rate_micro === "string") throw invalidField("rate", rate_micro, "Not a rate.");
    return { currency, date, rate_micro };
  },

  async commit(cx, rate): Promise<JsonText> {
    const { account_id } = cx.caller;
    const earlier = await query<{ rate_micro: bigint }>(
      cx.db,
      "select rate_micro from exchange_rates where account_id = $1 and currency = $2 and date = $3 for no key update",
      [account_id, rate.currency, rate.date],
    );
    await query(
      cx.db,
      `insert into exchange_rates (account_id, currency, date, rate_micro, updated_at)
       values ($1, $2, $3, $4, clock_timestamp())
       on conflict (account_id, currency, date) do update set rate_micro = $4, updated_at = clock_timestamp()`,
      [account_id, rate.currency, rate.date, rate.rate_micro],
    );
    const before = earlier[0] ? presentRate({ ...rate, ...earlier[0] }) : null;
    const after = presentRate(rate);
    if (before !== after) {
      await recordAudit(cx, {
        action: before === null ? "created" : "updated",
        resource_type: "exchange_rate",
        resource_id: `${rate.currency}:${rate.date}`,
        before,
        after,
      });
    }
    return after;
  },
});

/** Inside a transaction the row is locked, so that a booking never sees half a change. */
export async function lockedConfiguration(cx: Context): Promise<Configuration> {
  if (cx.locks) {
    await query(cx.db, "select 1 from configurations where account_id = $1 for no key update", [
      cx.caller.account_id,
    ]);
  }
  return getConfiguration(cx);
}

const noSeller: Seller = {
  name: null,
  street: null,
  zip_code: null,
  city: null,
  country_key: null,
  vat_number: null,
  email: null,
  phone: null,
  bank_registration_number: null,
  bank_account_number: null,
  iban: null,
  swift: null,
};

function merged(before: Configuration, sent: ConfigurationUpdate): Configuration {
  const { account_roles: roles, default_payment_terms: terms, vat, seller } = sent;
  const domestic_rate = scaledFromNumber(vat?.domestic_rate ?? 0, PERCENT_DECIMALS);
  return {
    ...before,
    ...given({
      functional_currency: sent.functional_currency,
      time_zone: sent.time_zone,
      recognition_convention: sent.recognition_convention,
      period_lock_date: sent.period_lock_date,
      work_lock_date: sent.work_lock_date,
      contract_asset_account: roles?.contract_asset,
      contract_liability_account: roles?.contract_liability,
      exchange_difference_account: roles?.exchange_difference,
      default_revenue_account: sent.default_revenue_account,
      payment_type: terms?.type,
      payment_days: terms?.days,
      default_auto_send: sent.default_auto_send,
      vat_domestic_rate: vat?.domestic_rate === undefined ? undefined : Number(domestic_rate),
      vat_domestic_country: vat?.domestic_country,
      invoice_language_key: sent.invoice_language_key,
      rate_max_age_days: sent.rate_max_age_days,
      require_complete_invoices: sent.require_complete_invoices,
    }),
    ...(seller === undefined ? {} : { seller: seller && sellerWith(before.seller, seller) }),
  };
}

/** A seller's number that is stored already stays until it is changed. A seller without a country is where the account is. */
function sellerFaults(before: Configuration, { seller, ...after }: Configuration): FieldError[] {
  if (seller === null || seller.vat_number === (before.seller?.vat_number ?? null)) return [];
  const country_key = seller.country_key ?? after.vat_domestic_country;
  return vatNumberFaults(seller.vat_number, country_key, "seller.vat_number");
}

function sellerWith(
  before: Seller | null,
  sent: NonNullable<ConfigurationUpdate["seller"]>,
): Seller {
  const { accent_color, ...seller } = { ...noSeller, ...before, ...given(sent) };
  return accent_color ? { ...seller, accent_color } : seller;
}

function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]: never } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]: never };
}

async function ensureAccounts(cx: Context, sent: ConfigurationUpdate): Promise<void> {
  const roles = sent.account_roles ?? {};
  const wanted = [
    [roles.contract_asset, ["asset"], "account_roles.contract_asset"],
    [roles.contract_liability, ["liability"], "account_roles.contract_liability"],
    [roles.exchange_difference, ["expense", "income"], "account_roles.exchange_difference"],
    [sent.default_revenue_account, ["income"], "default_revenue_account"],
  ] as const;
  for (const [number, types, field] of wanted) {
    if (number !== undefined && number !== null) await requireAccount(cx, number, types, field);
  }
}

const kindOfCounter = {
  next_invoice_number: "invoice",
  next_credit_note_number: "credit_note",
  next_voucher_number: "voucher",
} as const;

/** Numbers may only be raised, and only before the first document of their series (spec 7.3). */
async function renumbered(
  cx: Context,
  sent: NonNullable<ConfigurationUpdate["numbering"]>,
): Promise<Numbering> {
  const now = await getNumbering(cx);
  const { account_id } = cx.caller;
  for (const [counter, value] of Object.entries(sent) as [keyof Numbering, number | undefined][]) {
    if (value === undefined || BigInt(value) === now[counter]) continue;
    const booked = await query(
      cx.db,
      "select 1 from ledger_entries where account_id = $1 and kind = $2 limit 1",
      [account_id, kindOfCounter[counter]],
    );
    if (booked.length > 0) {
      throw new Problem("CONFIGURATION_LOCKED", { details: { field: `numbering.${counter}` } });
    }
    if (BigInt(value) < now[counter]) {
      throw invalidField(`numbering.${counter}`, "too_small", "A number may only be raised.");
    }
    await query(cx.db, `update ledger_books set ${counter} = $2 where account_id = $1`, [
      account_id,
      value,
    ]);
  }
  return getNumbering(cx);
}
